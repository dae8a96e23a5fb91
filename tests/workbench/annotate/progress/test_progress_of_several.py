"""Progress where two people are wanted on each item: an item counts once, by what it became, each opinion as its person's work,
and an undo takes back one person's opinion alone. All figures by hand."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.nouns import Item, Provenance, Review, Span
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinion_table, opinions, progress, reviews, undo
from tests.waiting import until
from workbench import Workbench

AT = "2026-11-19T12:00:00.000+00:00"


def draft(id: str) -> Item:
    provenance = Provenance("openai:m", "draft/x.en@b2:1", 1)
    return Item(id, "explicit_factoid", f"Who is {id}?", (id,), level=1, domain="law", provenance=provenance)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """a: Ada and Bo accept (10, 20 s). b: Ada accepts with a question of her own (30 s), Bo discards (40 s), Cy takes Ada's
    words (5 s). c: both discard, for different reasons (7, 8 s). d: Ada accepts (9 s), Bo is waited for. e: Ada accepts (100 s)
    and takes it back. f: both accept (11, 12 s), Bo takes his back and discards (13 s): they differ, and it waits."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        db = bench.database
        items.add(db, [draft(id) for id in "abcdef"])
        opinions.set_rules(db, QueueRules([OverlapRule(ItemKind(), 2)]), "lead", AT)
        made = 0

        def say(id: str, person: str, decision: Any, seconds: float, question: str = "", **fields: Any) -> None:
            nonlocal made
            made += 1
            now = items.get(db, id)
            edited = replace(now, question=question) if question else None
            given = {"reason": "" if decision == "accept" else "other"} | fields
            review = Review(f"k{made}", id, now.revision, person, decision, seconds=seconds, at=AT, **given)
            reviews.decide(db, review, edited)

        say("a", "Ada", "accept", 10.0)
        say("a", "Bo", "accept", 20.0)
        say("b", "Ada", "accept", 30.0, "Who is bb?")
        say("b", "Bo", "discard", 40.0)
        say("b", "Cy", "accept", 5.0, "Who is bb?", role="adjudicated", details={"of": ["k3", "k4"], "taken": "k3"})
        say("c", "Ada", "discard", 7.0, reason="ambiguous")
        say("c", "Bo", "discard", 8.0, reason="trivial")
        say("d", "Ada", "accept", 9.0)
        say("e", "Ada", "accept", 100.0)
        undo.undo(db, "Ada", "undo-e")
        say("f", "Ada", "accept", 11.0)
        say("f", "Bo", "accept", 12.0)
        undo.undo(db, "Bo", "undo-f")
        say("f", "Bo", "discard", 13.0)
        yield bench


def ready(ask: Any) -> Any:
    """What is counted beside the page, when it is there."""
    until(lambda: ask().is_ready)
    return ask().value


def test_table_1_counts_the_item_once_by_what_it_became(bench: Workbench) -> None:
    [line] = ready(bench.progress.build_construction).lines
    assert (line.drafted, line.saved, line.discarded, line.waiting, line.edited) == (6, 2, 1, 3, 1)
    assert (line.discard_share, line.edit_share) == (1 / 3, 1 / 2)
    # a 10 + 20, b 30 + 40 + 5, c 7 + 8, d 9, f 11 + 13: ten decisions that people made and that stand
    assert (line.reviews, line.measured, line.active) == (10, 10, 153.0)


def test_people_have_each_opinion_of_theirs_and_whoever_took_others_words_wrote_none(bench: Workbench) -> None:
    found = {one.name: one for one in ready(bench.progress.count_by_person)}
    ada, bo, cy = found["Ada"], found["Bo"], found["Cy"]
    assert (ada.accepted, ada.edited, ada.discarded, ada.measured, ada.active) == (4, 1, 1, 5, 67.0)
    assert (bo.accepted, bo.edited, bo.discarded, bo.measured, bo.active) == (1, 0, 3, 4, 81.0)
    assert (cy.accepted, cy.edited, cy.discarded, cy.active) == (1, 0, 0, 5.0)
    assert (ada.characters, cy.characters) == (1, 0)
    assert sorted(ada.reasons) == [("ambiguous", 1)] and sorted(bo.reasons) == [("other", 2), ("trivial", 1)]


def test_days_have_what_people_did_and_what_waits_takes_more_decisions_than_items(bench: Workbench) -> None:
    [day] = ready(lambda: bench.progress.count_days("Bo"))
    assert (day.accepted, day.discarded, day.active) == (1, 3, 81.0)
    assert progress.count_waiting(bench.database) == (3, 4)  # d one opinion, e two, f the choice between two
    found = ready(bench.progress.measure_pace)
    assert (found.waiting, found.wanted) == (3, 4)


def test_agreement_is_that_of_opinions_not_of_who_chose_between_them(bench: Workbench) -> None:
    found = ready(bench.progress.compare_opinions)
    assert (found.items, found.blind, found.people) == (4, 4, 2)  # a alike, b not, c alike, f not
    [alike] = [line for line in found.lines if line.measure == "pairs of one decision"]
    assert alike.value == 0.5
    [kappa] = [line for line in found.lines if line.measure == "Cohen's kappa"]
    # Ada accepts 3 of 4, Bo 1 of 4: expected 3/16 + 3/16
    assert (kappa.people, kappa.value) == ("Ada and Bo", pytest.approx((0.5 - 6 / 16) / (1 - 6 / 16)))


def test_opinions_on_other_words_are_not_compared(bench: Workbench) -> None:
    db = bench.database
    changed = items.edit(db, replace(items.get(db, "d"), evidence=(Span("x", 0, 1),)), "lead")
    assert changed is not None
    reviews.decide(db, Review("late", "d", changed.revision, "Bo", "discard", at=AT))
    assert "d" not in [text.answer for text in opinion_table.load_opinions(db).read]


def test_accepted_items_count_once_when_they_are_settled(bench: Workbench) -> None:
    [found] = progress.load_accepted(bench.database, "2026-11-19")
    assert (found.task, found.level, found.domain, found.items) == ("explicit_factoid", 1, "law", 2)
