"""Count each person's decisions: how many drafts the person accepted unchanged, how much the person edited, and how long it
took."""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from eval.page import Cell, Page, Table, count, figure, words
from store.items.draft_costs import PersonCost
from store.reviews.progress import DecisionWork, WordEdit


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Numbers about one person's decisions: how many there are, how much was edited, and how long they took."""

    name: str
    accepted: int
    discarded: int
    edited: int
    characters: int
    """Number of characters of questions and answers that this person inserted, deleted or replaced."""
    measured: int
    """Number of decisions whose active time was measured."""
    active: float | None
    """Sum of the active seconds of decisions with a measured time, or None if no time was measured."""
    median: float | None
    """Median of the active seconds per decision, or None if no time was measured."""
    reasons: Sequence[tuple[str, int]]
    """The person's reasons for discards as (reason, number of discards), most frequent reason first."""
    saved: int = 0
    """Number of drafts by agents that this person accepted."""
    cost: float | None = None
    """Cost in US dollars of drafting all items that this person decided on, or None if unknown."""

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded

    @property
    def mean(self) -> float | None:
        """Return the mean of the active seconds per decision with a measured time."""
        return None if self.active is None or not self.measured else self.active / self.measured

    @property
    def cost_each(self) -> float | None:
        """Return the cost of drafting in US dollars per accepted draft; the cost of discarded drafts is included."""
        return None if self.cost is None or not self.saved else self.cost / self.saved

    @property
    def unchanged_share(self) -> float | None:
        """Return the share (0 to 1) of this person's decisions that accepted an item unchanged."""
        return (self.accepted - self.edited) / self.decisions if self.decisions else None


def count_by_person(
    works: Sequence[DecisionWork],
    reasons: Sequence[tuple[str, str, int]],
    edits: Sequence[WordEdit],
    costs: Sequence[PersonCost],
) -> list[PersonLine]:
    """Return one PersonLine for each person in `works`, in the same order."""
    why: dict[str, list[tuple[str, int]]] = {}
    for person, reason, n in reasons:
        why.setdefault(person, []).append((reason, n))
    characters, by_person = edited_characters(edits), {cost.person: cost for cost in costs}
    return [
        PersonLine(
            work.person,
            work.accepted,
            work.discarded,
            work.edited,
            characters.get(work.person, 0),
            work.measured,
            work.active,
            work.median,
            why.get(work.person, ()),
            *by_person.get(work.person, PersonCost("", 0, None))[1:],
        )
        for work in works
    ]


COLUMNS: Mapping[str, Callable[[PersonLine], Cell]] = {
    "person": lambda one: words(one.name),
    "decisions": lambda one: count(one.decisions),
    "accepted": lambda one: count(one.accepted),
    "accepted unchanged": lambda one: count(one.accepted - one.edited),
    "accepted unchanged (share of decisions)": lambda one: figure(one.unchanged_share),
    "edited": lambda one: count(one.edited),
    "characters edited": lambda one: count(one.characters),
    "discarded": lambda one: count(one.discarded),
    "decisions timed": lambda one: count(one.measured),
    "minutes a decision": lambda one: figure(one.mean, 2, 1 / 60),
    "median minutes": lambda one: figure(one.median, 2, 1 / 60),
    "minutes": lambda one: figure(one.active, 2, 1 / 60),
    "drafts accepted": lambda one: count(one.saved),
    "USD": lambda one: figure(one.cost, 4),
    "USD a draft accepted": lambda one: figure(one.cost_each, 4),
    "reasons": lambda one: words("; ".join(f"{reason or 'no reason'} {n}" for reason, n in one.reasons)),
}


def build_page(lines: Sequence[PersonLine]) -> Page:
    """Return the page of the report on people's decisions, with a row for each person."""
    rows = [[cell(line) for cell in COLUMNS.values()] for line in lines]
    return Page("People", [Table("People", list(COLUMNS), rows)])


def edited_characters(edits: Sequence[WordEdit]) -> dict[Hashable, int]:
    """Return a dict from person or agent (the field `by` of the edits) to the number of edited characters: the sum of
    Levenshtein distances, in code points."""
    from rapidfuzz.distance import Levenshtein

    counts: Counter[Hashable] = Counter()
    for edit in edits:
        before, after = json.loads(edit.first_answers), json.loads(edit.answers)
        counts[edit.by] += Levenshtein.distance(edit.first_question, edit.question)
        counts[edit.by] += Levenshtein.distance("\n".join(before), "\n".join(after))
    return counts
