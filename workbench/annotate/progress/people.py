"""What each person decided: how often a draft was taken as it was, how much was edited, and how long it took."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from eval.page import Cell, Page, Table, count, figure, words
from store.reviews.progress import DecisionWork, PersonCost, WordEdit


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person."""

    name: str
    accepted: int
    discarded: int
    edited: int
    characters: int
    """Insertions, deletions and changes of a character between the drafts' questions and answers and this person's."""
    measured: int
    active: float | None
    """Seconds together; None when none was measured."""
    median: float | None
    """Seconds of a decision."""
    reasons: Sequence[tuple[str, int]]
    """(reason, discards), the most frequent first."""
    saved: int = 0
    """Drafts of an agent that this person accepted."""
    cost: float | None = None
    """US dollars of the calls of all drafts that this person decided on; None when it is not known."""

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded

    @property
    def mean(self) -> float | None:
        """Active seconds of a decision."""
        return None if self.active is None or not self.measured else self.active / self.measured

    @property
    def cost_each(self) -> float | None:
        """US dollars for one draft accepted, those discarded included."""
        return None if self.cost is None or not self.saved else self.cost / self.saved

    @property
    def unchanged_share(self) -> float | None:
        """Accepted without an edit, of all decisions, 0..1."""
        return (self.accepted - self.edited) / self.decisions if self.decisions else None


def people(
    works: Sequence[DecisionWork],
    reasons: Sequence[tuple[str, str, int]],
    edits: Sequence[WordEdit],
    costs: Sequence[PersonCost],
) -> list[PersonLine]:
    """In the order of `works`."""
    why: dict[str, list[tuple[str, int]]] = {}
    for person, reason, n in reasons:
        why.setdefault(person, []).append((reason, n))
    characters, spent = edited_characters(edits), {cost.person: cost for cost in costs}
    nothing = PersonCost("", 0, None)
    return [
        PersonLine(
            w.person,
            w.accepted,
            w.discarded,
            w.edited,
            characters.get(w.person, 0),
            w.measured,
            w.active,
            w.median,
            why.get(w.person, ()),
            *spent.get(w.person, nothing)[1:],
        )
        for w in works
    ]


def page_of(lines: Sequence[PersonLine]) -> Page:
    """Everybody, with what each figure rests on."""
    heads = [
        "person",
        "decisions",
        "accepted",
        "accepted unchanged",
        "accepted unchanged (share of decisions)",
        "edited",
        "characters edited",
        "discarded",
        "decisions timed",
        "minutes a decision",
        "median minutes",
        "minutes",
        "drafts accepted",
        "USD",
        "USD a draft accepted",
        "reasons",
    ]
    rows: list[list[Cell]] = [
        [
            words(one.name),
            count(one.decisions),
            count(one.accepted),
            count(one.accepted - one.edited),
            figure(one.unchanged_share),
            count(one.edited),
            count(one.characters),
            count(one.discarded),
            count(one.measured),
            *(figure(seconds, 2, 1 / 60) for seconds in (one.mean, one.median, one.active)),
            count(one.saved),
            figure(one.cost, 4),
            figure(one.cost_each, 4),
            words("; ".join(f"{reason or 'no reason'} {n}" for reason, n in one.reasons)),
        ]
        for one in lines
    ]
    return Page("People", [Table("People", heads, rows)])


def edited_characters(edits: Sequence[WordEdit]) -> dict[Hashable, int]:
    """By whom -> Levenshtein distance of all edits together, over code points."""
    from rapidfuzz.distance import Levenshtein

    found: dict[Hashable, int] = {}
    for edit in edits:
        before, after = json.loads(edit.first_answers), json.loads(edit.answers)
        apart = Levenshtein.distance(edit.first_question, edit.question)
        apart += Levenshtein.distance("\n".join(before), "\n".join(after))
        found[edit.by] = found.get(edit.by, 0) + apart
    return found
