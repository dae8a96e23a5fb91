"""Reviews from workspace to workspace: exported, imported and exported again they are the same, and the state follows."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Span
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from store.reviews.state import list_differences
from workbench import Workbench
from workbench.annotate.reviewing.reviews import DecisionRequest
from workbench.release.importing import ImportReport

Lines = list[dict[str, Any]]
Take = Callable[[Lines], ImportReport]


@pytest.fixture
def two(samples: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two workspaces of the same items."""
    return tuple(Path(shutil.copy(samples, tmp_path / name)) for name in ("one.duckdb", "two.duckdb"))  # type: ignore[return-value]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(folder: Path) -> dict[str, bytes]:
    """What people did. Card and page also tell what gates found on words that were undone there, and nobody looks at here;
    RO-Crate tells their sizes."""
    about = ("README.md", "index.html", "ro-crate-metadata.json", "checksums.json")
    return {name: found for name, found in tree(folder).items() if name not in about}


def decided(bench: Workbench) -> list[str]:
    """Ada and Bo go through the items; the last three are discarded, and the release is frozen."""
    ids = [item.id for item in bench.reviews.items()]
    bench.guidelines.save("explicit_factoid", "Ask one thing.", by="Ada")
    for place, id_ in enumerate(ids):
        bench.reviews.decide(id_, "discard", person="Bo", reason="too *easy*, $5")
        if place < len(ids) - 3:
            bench.reviews.decide(id_, "accept", person="Ada")
    bench.releases.freeze("v1")
    return ids


def test_exported_imported_and_exported_again_every_byte_is_the_same(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        ids = decided(bench)
        bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        found = other.releases.import_(tmp_path / "out", "reviews")
        assert (found.reviews, found.already, found.refused) == (2 * (len(ids) - 3), 0, [])
        assert list_differences(other.database) == []
        for id_ in ids[-3:]:  # what was discarded is in no release, and so in no export
            other.reviews.decide(id_, "discard", person="Cy", reason="too easy")
        other.releases.freeze("v1")
        other.releases.export("v1", "reviews", tmp_path / "again")
        assert tree(tmp_path / "again") == tree(tmp_path / "out")

        repeated = other.releases.import_(tmp_path / "out", "reviews")
        assert (repeated.reviews, repeated.already, repeated.refused) == (0, 2 * (len(ids) - 3), [])
        assert list_differences(other.database) == []


def several(bench: Workbench) -> list[str]:
    """Two people are wanted on eight drafts: what they, and somebody between them, can make of drafts. Gives their names."""
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    names = [f"draft-{n}" for n in range(8)]

    def say(person: str, n: int, question: str = "", spans: tuple[Span, ...] = (), **fields: Any) -> None:
        found = items.get(bench.database, names[n])
        press = DecisionRequest(
            f"{person}-{n}-{fields.get('key', '')}",
            person,
            names[n],
            found.revision,
            fields.get("decision", "accept"),
            question or found.question,
            found.answers[0],
            spans or found.evidence,
            fields.get("reason", ""),
            seconds=4.5,
        )
        if person == "Cy":
            bench.adjudication.settle(press, bench.adjudication.desk(names[n], "Cy").opinions.seen)
        else:
            bench.reviews.settle(press)

    say("Ann", 0), say("Bo", 0)  # as it is
    say("Ann", 1, "Edited alike?"), say("Bo", 1, "Edited alike?")
    say("Ann", 2, "Ann's words?"), say("Bo", 2, "Bo's words?"), say("Cy", 2, "Bo's words?")
    whole = items.get(bench.database, names[3]).evidence[0]
    say("Ann", 3), say("Bo", 3, spans=(replace(whole, end=whole.end - 1),)), say("Cy", 3, "A third text?")
    say("Ann", 4, "Undone?"), bench.reviews.undo("Ann", "u4"), say("Ann", 4, key="again"), say("Bo", 4)
    say("Ann", 5, "Settled and undone?"), say("Bo", 5, "Settled and undone?"), bench.reviews.undo("Bo", "u5")
    say("Bo", 5, "Settled and undone, then otherwise?", key="again"), say("Cy", 5)
    say("Ann", 6), say("Bo", 6, decision="discard", reason="too easy"), say("Cy", 6), bench.reviews.undo("Cy", "u6")
    say("Cy", 6, "Decided twice?", key="again")
    say("Ann", 7), say("Bo", 7, decision="discard", reason="wrong"), say("Cy", 7, key="first")
    say("Ada", 7, "Edited by one after that?"), bench.reviews.close()
    return names


def test_opinions_and_decisions_between_them_come_back_with_every_word(two: tuple[Path, Path], tmp_path: Path) -> None:
    for path in two:
        with Workbench.open(path) as bench:
            sample = items.get(bench.database, bench.reviews.items()[0].id)
            made = [replace(sample, id=f"draft-{n}", question=f"Question {n}?", status="drafted") for n in range(8)]
            items.add(bench.database, made, at="2026-01-01T00:00:00.000+00:00")
    with Workbench.open(two[0]) as bench:
        names = several(bench)
        assert {item.status for item in bench.reviews.items()} == {"accepted"} and list_differences(bench.database) == []
        wanted = {name: items.get(bench.database, name) for name in names}
        bench.releases.freeze("v1")
        bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        opinions.set_rules(other.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
        found = other.releases.import_(tmp_path / "out", "reviews")
        assert found.refused == [] and list_differences(other.database) == []
        assert {name: items.get(other.database, name) for name in names} == wanted
        assert {event.person for event in other.reviews.history("draft-2", "Di").decisions} == {"Ann", "Bo", "Cy"}
        other.releases.freeze("v1")
        other.releases.export("v1", "reviews", tmp_path / "again")
        assert told(tmp_path / "again") == told(tmp_path / "out")
        repeated = other.releases.import_(tmp_path / "out", "reviews")
        assert (repeated.reviews, repeated.refused) == (0, []) and list_differences(other.database) == []


def test_one_persons_decision_from_elsewhere_is_an_opinion_where_two_are_wanted(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        sample = items.get(bench.database, ITEM)
        items.add(bench.database, [replace(sample, id="draft", status="drafted")])
        opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
        for n, person in enumerate(("Zed", "zed", "Bo")):
            said = line("draft", decision="accept", id=f"r{n}", person=person, at=f"2026-01-02T03:04:0{n}+00:00")
            (tmp_path / "mine.jsonl").write_text(json.dumps(said), encoding="utf-8")
            assert bench.releases.import_(tmp_path / "mine.jsonl", "reviews").refused == []
            assert items.get(bench.database, "draft").status == ("accepted" if person == "Bo" else "drafted")
            assert list_differences(bench.database) == []


def test_words_that_are_others_here_are_not_mixed_up(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        decided(bench)
        first = bench.reviews.items()[0].id
        bench.reviews.decide(first, "accept", person="Ada", question="Ada's words?")
        bench.reviews.decide(first, "accept", person="Bo", question="Bo's words?")
        bench.releases.freeze("v2")
        bench.releases.export("v2", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        other.reviews.decide(first, "accept", person="Cy", question="Cy's words?")
        found = other.releases.import_(tmp_path / "out", "reviews")
        why = " ".join(row.message for row in found.refused)
        assert all(f"is on revision {n} of {first}, which has other words here." in why for n in (2, 3))
        assert len(found.refused) == 2
        assert other.reviews.items()[0].question == "Cy's words?" and list_differences(other.database) == []


def test_an_opinion_that_is_enough_here_decides(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        sample = items.get(bench.database, ITEM)
        items.add(bench.database, [replace(sample, id="draft", status="drafted")])
    (tmp_path / "mine.jsonl").write_text(json.dumps(line("draft", role="opinion")), encoding="utf-8")
    with Workbench.open(two[0]) as bench:
        bench.releases.import_(tmp_path / "mine.jsonl", "reviews")
        assert items.get(bench.database, "draft").status == "discarded" and list_differences(bench.database) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"revision": 0},
        {"revision": True},
        {"base": "x"},
        {"question": 5},
        {"answers": "one"},
        {"answers": [1]},
        {"labels": []},
        {"overlap": 2},
        {"overlap": True},
        {"evidence": [{"document": "d", "start": 3, "end": 3}]},
        {"evidence": {}},
        {"by": ""},
        {"at": "then"},
    ],
)
def test_a_line_that_is_no_revision_is_refused(two: tuple[Path, Path], tmp_path: Path, fields: dict[str, Any]) -> None:
    whole = {
        "item": ITEM,
        "revision": 2,
        "base": None,
        "by": "Ada",
        "at": "2026-01-02T03:04:05+00:00",
        "question": "Q?",
        "answers": ["A"],
        "evidence": [],
        "labels": {},
        "overlap": 0.5,
    }
    (tmp_path / "reviews.jsonl").write_text(json.dumps(line(ITEM)), encoding="utf-8")
    (tmp_path / "revisions.jsonl").write_text(json.dumps(whole | fields), encoding="utf-8")
    with Workbench.open(two[0]) as bench:
        found = bench.releases.import_(tmp_path, "reviews")
        assert [row.where for row in found.refused] == ["revisions.jsonl"] and found.reviews == 1
        assert list_differences(bench.database) == []


def test_what_comes_in_counts_from_now_on(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        decided(bench)
        bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        first = other.reviews.items()[0].id
        other.reviews.decide(first, "discard", person="Cy", reason="wrong")
        other.releases.import_(tmp_path / "out", "reviews")
        assert other.reviews.items()[0].status == "accepted"
        assert {event.person for event in other.reviews.history(first, "Cy").decisions} == {"Cy", "Ada"}
        assert list_differences(other.database) == []


def line(item: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": "r",
        "item": item,
        "revision": 1,
        "person": "Ada",
        "decision": "discard",
        "reason": "easy",
        "comment": "",
        "seconds": 2,
        "at": "2026-01-02T03:04:05+00:00",
        "details": {},
    } | fields


@pytest.fixture
def take(two: tuple[Path, Path], tmp_path: Path) -> Take:
    def take(lines: Lines) -> ImportReport:
        path = tmp_path / "mine.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
        with Workbench.open(two[0]) as bench:
            found = bench.releases.import_(path, "reviews")
            assert list_differences(bench.database) == []
            return found

    return take


ITEM = "sample-en-l1-novel-01"


def test_an_unknown_item_is_refused_by_its_line_and_the_others_come_in(take: Take) -> None:
    found = take([line("nowhere", id="a"), line(ITEM, id="b"), line(ITEM, id="c", revision=7)])
    assert found.reviews == 1
    assert [(row.line, row.message) for row in found.refused] == [
        (1, "Line 1 of mine.jsonl is on nowhere, which is not in this workspace: import the items first."),
        (3, f"Line 3 of mine.jsonl is on revision 7 of {ITEM}, which is at revision 1 here."),
    ]


@pytest.mark.parametrize("fields", [{"reason": None}, {"comment": None}, {"reason": None, "comment": None}, {"details": None}])
def test_a_review_whose_reason_or_comment_is_null_has_none(take: Take, fields: dict[str, Any]) -> None:
    found = take([line(ITEM, **fields)])
    assert (found.reviews, found.refused) == (1, [])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"decision": "undo"}, 'has "undo" as its decision'),
        ({"person": " "}, "leading or trailing white space in its person"),
        ({"id": 3}, "has 3 as its id"),
        ({"revision": True}, "has true as its revision"),
        ({"revision": 0}, "as its revision"),
        ({"seconds": -1}, "has -1 as its seconds, where a number of at least 0"),
        ({"at": "yesterday"}, "no time"),
        ({"at": "2026-01-02T03:04:05"}, "no time"),
        ({"details": []}, "has [] as its details, where an object belongs"),
        ({"details": {"guideline": "new"}}, 'has "new" as its details.guideline'),
        ({"reason": 5}, "has 5 as its reason"),
        ({"reason": None, "comment": None, "details": None}, "its item was withheld"),
    ],
)
@pytest.mark.fault(12)
def test_a_line_that_is_no_review_is_refused(take: Take, fields: dict[str, Any], why: str) -> None:
    found = take([line(ITEM, **fields), line(ITEM, id="good")])
    assert found.reviews == 1 and why in found.refused[0].message and found.refused[0].line == 1


@pytest.mark.fault(13)
def test_an_id_that_comes_twice_or_belongs_to_another_decision_is_refused(take: Take) -> None:
    found = take([line(ITEM), line(ITEM)])
    assert found.reviews == 1 and "repeats the id of line 1" in found.refused[0].message
    again = take([line(ITEM, person="Bo")])
    assert again.reviews == 0 and "another decision here" in again.refused[0].message


def test_a_file_without_reviews_is_told(two: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with Workbench.open(two[0]) as bench:
        for path in (tmp_path / "empty.jsonl", tmp_path / "folder"):
            if path.suffix == "":
                path.mkdir()
            with pytest.raises(BenchError, match="holds no reviews"):
                bench.releases.import_(path, "reviews")
