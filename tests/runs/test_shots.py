"""Worked examples of a run: drawn by seed from accepted items outside its release, shown to the model, kept by id."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import Running, running

TEXT = "The mill of Wend burned down in 1904 and cost $7. "


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture
def release(tmp_path: Path, bw: Bench, server: Running, monkeypatch: pytest.MonkeyPatch) -> dict[str, Item]:
    """A release `v1` of two questions; eight accepted ones beside it, one of which asks what the release asks, a discarded one,
    and one of another task."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    server.reset()
    text = TEXT + "".join(f"Tower {n} of Orvel was sold to Ada Quill in {1900 + n}. " for n in range(12))
    document = Document(content_hash(text), text, "Wend", licence="CC0-1.0")

    def made(n: int, **more: Any) -> Item:
        said = f"Tower {n} of Orvel was sold to Ada Quill in {1900 + n}."
        at = text.index(said)
        fields = {"status": "accepted", "evidence": (Span(document.id, at, at + len(said)),), "domain": "arts"} | more
        return Item(f"i{n:02}", "explicit_factoid", f"When was tower {n} sold?", (f"{1900 + n}",), level=1, **fields)

    with Database.open(tmp_path / "w.duckdb") as database:
        documents.add(database, [document])
        items.add(database, [made(0), made(1)])
    assert bw("freeze", "v1").code == 0
    beside = [made(n) for n in range(2, 9)]
    beside += [Item("same", "explicit_factoid", "When was  TOWER 0 sold?", ("1900",), level=1, status="accepted")]
    beside += [made(9, status="discarded"), Item("other", "question_answering", "Who?", ("Ada",), status="accepted")]
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, beside)
    return {item.id: item for item in beside}


def config(tmp_path: Path, run: str) -> dict[str, Any]:
    with Database.open(tmp_path / "w.duckdb") as database:
        return dict(runs.get(database, run).config)


def test_shots_are_drawn_by_seed_outside_the_release_and_kept_by_id(
    release: dict[str, Item], bw: Bench, server: Running, tmp_path: Path
) -> None:
    def ran(*settings: str) -> tuple[str, list[str]]:
        words = [word for one in settings for word in ("--set", one)]
        done = bw("run", "v1", "--system", "react", "--agent", "openai:m", "--metrics", "length", *words)
        assert done.code == 0 and done.json["answered"] == 2, done.err
        found = config(tmp_path, done.json["run"]).get("shots", [])
        assert [(one["task"], one["language"]) for one in found] == [("explicit_factoid", "en")] * len(found)
        return done.json["run"], [name for one in found for name in one["items"]]

    plain = ran()
    system = server.last()["messages"][0]["content"]
    assert plain[1] == [] and "Solved examples" not in system
    first = ran("shots=6")
    system = server.last()["messages"][0]["content"]
    assert len(set(first[1])) == 6 and {name.partition("@")[0] for name in first[1]} < {f"i{n:02}" for n in range(2, 9)}
    for name in first[1]:
        shot = release[name.partition("@")[0]]
        n = int(shot.id[1:])
        said = f"Question: {shot.question}\nWhat the answer rests on: Tower {n} of Orvel was sold to Ada Quill in {1900 + n}.\n"
        assert f"{said}Answer: {1900 + n}" in system
    assert ran("shots=6") == first and first[0] != plain[0]
    other = ran("shots=6", "shot_seed=1")
    assert other[0] != first[0] and other[1] != first[1]


def test_too_few_items_for_the_shots_is_one_sentence(release: dict[str, Item], bw: Bench) -> None:
    done = bw("run", "v1", "--system", "react", "--agent", "openai:m", "--set", "shots=8")
    assert done.code == 1
    assert "8 shots are requested, but only 7 accepted items of explicit_factoid in en are outside the release" in done.sentence
    none = bw("run", "v1", "--system", "echo", "--set", "shots=1")
    assert none.code == 1 and "shots" in none.sentence


@pytest.mark.parametrize("system", ["pal", "function_calling", "dfsdt", "flare", "search_o1"])
def test_every_workflow_shows_them_as_its_own_replies_end(
    release: dict[str, Item], bw: Bench, server: Running, system: str
) -> None:
    if system == "flare":
        server.script([{"fault": "text", "text": "So the answer is 1900.", "unsure": {}}])
    done = bw("run", "v1", "--system", system, "--agent", "openai:m", "--metrics", "length", "--set", "shots=2")
    assert done.code == 0, done.err
    sent = json.dumps(server.last()["messages"])
    ending = {"flare": "So the answer is 19", "search_o1": "\\boxed{19"}.get(system, "\nAnswer: 19")
    assert sent.count(json.dumps(ending)[1:-1]) >= 2
