"""Conversations as JSON lines: read, frozen, exported and read again; withheld splits keep every answer back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.quality.conversations import read_earlier, read_turn
from store.items import items
from tests.workbench.talks import TALKS, import_talks, records, write_talks
from workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        import_talks(bench, tmp_path)
        yield bench


def test_each_turn_is_an_item_with_its_evidence(bench: Workbench) -> None:
    first, second = items.load_items(bench.database, ["mill:1", "mill:2"])
    turn = read_turn(second.labels)
    assert turn is not None and (turn.conversation, turn.number, turn.of) == ("mill", 2, 2)
    assert turn.standalone == "In which year was Ada Quill born?" and turn.goal.startswith("Find out who owned the mill")
    assert (first.task, first.status, first.answers) == ("conversation", "accepted", ("Ada Quill",))
    assert [bench.corpus.text(span) for span in second.evidence] == ["Ada Quill was born in Bath in 1731 and never married."]
    assert read_earlier(second) == [("Who owned the mill of Orvel?", "Ada Quill")] and read_earlier(first) is None


def test_an_export_is_read_as_the_same_items(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1", allow_unlicensed="test")
    bench.releases.export("v1", "conversations", tmp_path / "out")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        other.releases.import_(tmp_path / "out", "conversations")
        read, written = ({item.id: item for item in items.list_items(one.database)} for one in (other, bench))
        assert read == written
        assert other.releases.freeze("v1", allow_unlicensed="test").hash == bench.releases.get("v1")[0].hash


def test_jsonl_carries_the_label_and_a_file_without_conversations_is_refused(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1", allow_unlicensed="test")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        assert other.releases.import_(tmp_path / "out", "jsonl").release == "v1"
        assert len(items.list_items(other.database)) == 2 * len(TALKS)
    with Workbench.open(tmp_path / "samples.duckdb") as samples:
        samples.corpus.load_samples()
        samples.releases.freeze("v1")
        with pytest.raises(BenchError, match="has no conversations"):
            samples.releases.export("v1", "conversations", tmp_path / "none")


@pytest.mark.parametrize("form", ["conversations", "jsonl", "csv"])
def test_a_withheld_split_tells_no_answer_of_any_turn(bench: Workbench, tmp_path: Path, form: str) -> None:
    bench.releases.freeze("v1", allow_unlicensed="test")
    bench.releases.export("v1", form, tmp_path / "out", withhold=["test"])
    name = {"conversations": "conversations.jsonl", "jsonl": "items.jsonl", "csv": "items.csv"}[form]
    text = (tmp_path / "out" / name).read_text(encoding="utf-8")
    contexts = "".join(context["text"] for record in records() for context in record["contexts"])
    if form == "conversations":  # the documents are public, the questions must not point to the answers in them
        text = json.dumps([json.loads(line)["turns"] + [json.loads(line)["goal"]] for line in text.splitlines()])
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Ada Quill" in contexts and "In which year was that person born?" in text
    assert not any(person in text or f"was {person} born?" in page for _, _, person, _, _ in TALKS)
    assert "Find out who owned" not in text + page


def test_chat_messages_are_read_as_turns(tmp_path: Path) -> None:
    roles = [("system", "Be short."), ("user", "Who owned it?"), ("assistant", "Ada"), ("user", "When?"), ("assistant", "1731")]
    record = {"id": "chat", "messages": [{"role": role, "content": text} for role, text in roles]}
    with Workbench.open(":memory:") as bench:
        bench.releases.import_(write_talks(tmp_path / "chat.jsonl", [record]), "conversations")
        found = items.list_items(bench.database)
    assert [(item.id, item.question, item.answers) for item in found] == [
        ("chat:1", "Who owned it?", ("Ada",)),
        ("chat:2", "When?", ("1731",)),
    ]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"turns": []}, "has no `turns`"),
        ({"turns": [{"question": "Who?"}]}, "has a turn 1 that has no answers"),
        (
            {"turns": [{"question": "Who?", "answer": "Ada", "evidence": ["not there"]}]},
            "has evidence that no context contains",
        ),
        ({"turns": [{"question": "Who?", "answer": "Ada", "standalone": 5}]}, "is not text"),
        ({"turns": [{"question": "Who?", "withheld": True}]}, "is withheld"),
        ({"id": 5}, "has an id or a goal that is not text"),
        ({"turns": [{"question": "Who?", "answer": "Ada"}] * 51}, "has no `turns`: give a list of 1 to 50"),
    ],
)
def test_a_faulty_conversation_is_refused_whole(tmp_path: Path, change: dict[str, object], why: str) -> None:
    good, bad = records()[0], {**records()[1], **change}
    with Workbench.open(":memory:") as bench:
        report = bench.releases.import_(write_talks(tmp_path / "talks.jsonl", [good, bad, good]), "conversations")
    assert report.items == 2 and [row.line for row in report.refused] == [2, 3]
    assert why in report.refused[0].message and "repeats the conversation mill" in report.refused[1].message


def test_a_faulty_label_in_another_format_is_refused(tmp_path: Path) -> None:
    record = {"question": "Who?", "answer": "Ada", "labels": {"conversation": {"id": "c", "turn": 3, "of": 2}}}
    path = write_talks(tmp_path / "one.jsonl", [record, {"question": "When?", "answer": "1731"}])
    with Workbench.open(":memory:") as bench:
        [refused] = bench.releases.import_(path, "jsonl").refused
    assert "is turn 3 of 2" in refused.message
