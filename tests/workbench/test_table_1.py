"""HawkBench's Table 1 of a simulated project: three levels, two domains, every decision known, every figure computed by hand;
the command line, the page and its files give the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.agent import Completion
from core.nouns import Item, Provenance, Review, Verdict
from store.items import items
from store.ledger.calls import Call, Ledger
from store.reviews import reviews, undo
from tests.waiting import until
from workbench import Workbench

# id: level, domain, what happened. s = saved as drafted, q = saved with a new question, w = saved with a new answer, d =
# discarded, . = waits, x = refused by a gate; the number = active seconds, - = not timed.
PROJECT = {
    "a": (1, "law", "s", 20.0),
    "b": (1, "law", "q", 40.0),
    "c": (1, "tech", "s", None),
    "d": (1, "tech", "d", 12.0),
    "e": (2, "law", "w", 60.0),
    "f": (2, "law", "d", 30.0),
    "g": (2, "tech", "d", 90.0),
    "h": (2, "tech", ".", None),
    "i": (3, "law", "q", 200.0),
    "j": (3, "law", "x", None),
    "k": (3, "tech", "s", 100.0),
}


def draft(id: str, level: int, domain: str, **fields: Any) -> Item:
    given = {"provenance": Provenance("openai:m", "draft/x.en@b2:1", 1, (f"call-{id}",))} | fields
    return Item(id, "explicit_factoid", f"Who is {id}?", (id,), level=level, domain=domain, **given)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Beside these: a draft that was decided on and undone (u), one undone and decided on again (v: discarded in 8 s, undone,
    then saved in 10 s), and two imported items, of which one was accepted with an edit. Every draft took one call of 3 s."""
    path = tmp_path / "w.duckdb"
    with Workbench.open(path) as bench:
        db, ledger = bench.database, Ledger(bench.database)
        drafts = [
            draft(id, level, domain, status="refused" if what == "x" else "drafted")
            for id, (level, domain, what, _) in PROJECT.items()
        ]
        drafts += [draft("u", 1, "law"), draft("v", 2, "law")]
        imported = [draft(id, 1, "law", status="accepted", provenance=Provenance(origin="imported")) for id in ("in1", "in2")]
        checks = [
            Verdict(id, 1, "rag_check", "1", "pass", details={"f1": f1})
            for id, f1 in {"a": 0.5, "b": 0.1, "c": 1.0, "d": 0.1, "e": 0.1, "h": 0.1, "k": None, "v": 0.25}.items()
        ]
        items.add(db, [*drafts, *imported], checks)
        for item in drafts:
            done = Completion(text="", tokens_in=1, tokens_out=1, seconds=3.0, waited=9.0, finish="stop", price=0.01)
            [key] = item.provenance.calls
            ledger.store(Call(key, key, "openai:m", "p@1", "draft", None, {}, done, 0.01, 1, None, None, "t")).result()

        def decide(item: Item, decision: Any, seconds: float | None, new: Item | None = None, key: str = "") -> None:
            reviews.decide(db, Review(key or f"k-{item.id}", item.id, 1, "Ada", decision, "other", seconds=seconds), new)

        for item in drafts:
            _, _, what, seconds = PROJECT.get(item.id, (0, "", ".", None))
            new = None
            if what == "q":
                new = replace(item, question=f"Which one is {item.id}?")
            elif what == "w":
                new = replace(item, answers=(f"{item.id}{item.id}",))
            if what in "sqwd":
                decide(item, "discard" if what == "d" else "accept", seconds, new)
        decide(drafts[-2], "accept", 500.0)
        undo.undo(db, "Ada", "undo-u")
        decide(drafts[-1], "discard", 8.0, key="first")
        undo.undo(db, "Ada", "undo-v")
        decide(drafts[-1], "accept", 10.0)
        decide(imported[0], "accept", 77.0, replace(imported[0], question="Who else?"))
    return path


@pytest.fixture
def table(project: Path, bw: Callable[..., Any]) -> Callable[..., dict[tuple[Any, ...], list[Any]]]:
    """table("--by", "level") -> the values of each row of the command line's Table 1 by its name."""

    def of(*words: str) -> dict[tuple[Any, ...], list[Any]]:
        [made] = bw("report", "--preset", "hawkbench_table1", *words, workspace=project).json["tables"]
        names = made["columns"].index("discard %")
        return {tuple(row[:names]): row[names:] for row in made["rows"]}

    return of


def h(seconds: float) -> Any:
    return pytest.approx(seconds / 3600)


THIRD = pytest.approx(100 / 3)
WANTED = {
    # discard %, edit %, avg. time, total; drafts, refused, waiting, saved, discarded, edited; timed, active; calls, generation;
    # mean F1 of a and c, and of v: b and e were changed since, d and h were not saved
    ("1",): [25.0, THIRD, 24.0, h(72 + 15), 5, 0, 1, 3, 1, 1, 3, h(72), 5, h(15), 0.75, 2],
    ("2",): [50.0, 50.0, 47.5, h(190 + 15), 5, 0, 1, 2, 2, 1, 4, h(190), 5, h(15), 0.25, 1],
    ("3",): [0.0, 50.0, 150.0, h(300 + 9), 3, 1, 0, 2, 0, 1, 2, h(300), 3, h(9), None, 0],
    ("all",): [
        30.0,
        pytest.approx(300 / 7),
        pytest.approx(562 / 9),
        h(562 + 39),
        13,
        1,
        2,
        7,
        3,
        3,
        9,
        h(562),
        13,
        h(39),
        pytest.approx(1.75 / 3),
        3,
    ],
}


def test_table_1_of_a_known_project_is_what_a_hand_computes(table: Any) -> None:
    assert table() == WANTED


def test_by_domain_and_by_level_and_domain_the_same_drafts_are_counted(table: Any) -> None:
    by_domain = table("--by", "domain")
    # law: a b saved, e v saved, i saved, f discarded, j refused, u waits; 20 + 40 + 60 + 10 + 200 + 30 over six decisions
    assert by_domain["law",] == [
        pytest.approx(100 / 6),
        60.0,
        60.0,
        h(360 + 24),
        8,
        1,
        1,
        5,
        1,
        3,
        6,
        h(360),
        8,
        h(24),
        0.375,
        2,
    ]
    assert by_domain["tech",] == [50.0, 0.0, pytest.approx(202 / 3), h(202 + 15), 5, 0, 1, 2, 2, 0, 3, h(202), 5, h(15), 1.0, 1]
    crossed = table("--by", "level,domain")
    assert crossed["1", "tech"] == [50.0, 0.0, 12.0, h(12 + 6), 2, 0, 0, 1, 1, 0, 1, h(12), 2, h(6), 1.0, 1]
    assert crossed["2", "tech"] == [100.0, None, 90.0, h(90 + 6), 2, 0, 1, 0, 1, 0, 1, h(90), 2, h(6), None, 0]
    assert set(crossed) == {(level, domain) for level in "123" for domain in ("law", "tech")} | {("all", "")}


def test_the_page_and_its_files_are_the_command_lines(project: Path, bw: Any) -> None:
    printed = {
        form: bw("report", "--preset", "hawkbench_table1", "--format", form, workspace=project, json_too=False).out
        for form in ("table", "csv", "latex", "html", "json")
    }
    assert "Not counted in the table, because they are not drafts: 2 imported." in printed["table"]
    with Workbench.open(project) as bench:
        assert {form: bench.progress.render_construction("level", form) for form in printed} == printed
        until(lambda: bench.progress.build_construction().is_ready)
        shown = bench.progress.build_construction().value
        assert shown is not None
        for line, wanted in zip((*shown.lines, shown.whole), WANTED.values(), strict=True):
            assert [line.drafted, line.refused, line.waiting, line.saved, line.discarded, line.edited] == wanted[4:10]
            assert (line.discard_share or 0) * 100 == wanted[0] and line.active_mean == wanted[2]
            assert [line.mean_f1, line.checked] == wanted[14:]
