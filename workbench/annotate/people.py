"""What each person decided: how often a draft was taken as it was, how much was edited, and how long it took."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from store.progress import Edit, Work


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

    @property
    def decisions(self) -> int:
        return self.accepted + self.discarded

    @property
    def unchanged_share(self) -> float | None:
        """Accepted without an edit, of all decisions, 0..1."""
        return (self.accepted - self.edited) / self.decisions if self.decisions else None


def people(works: Sequence[Work], reasons: Sequence[tuple[str, str, int]], edits: Sequence[Edit]) -> list[PersonLine]:
    """In the order of `works`."""
    why: dict[str, list[tuple[str, int]]] = {}
    for person, reason, n in reasons:
        why.setdefault(person, []).append((reason, n))
    characters = edited_characters(edits)
    return [
        PersonLine(w.person, w.accepted, w.discarded, w.edited, characters.get(w.person, 0), w.measured, w.active, w.median,
                   why.get(w.person, ()))
        for w in works
    ]  # fmt: skip


def edited_characters(edits: Sequence[Edit]) -> dict[str, int]:
    """Person -> Levenshtein distance of all edits together, over code points."""
    from rapidfuzz.distance import Levenshtein

    found: dict[str, int] = {}
    for edit in edits:
        before, after = json.loads(edit.first_answers), json.loads(edit.answers)
        apart = Levenshtein.distance(edit.first_question, edit.question)
        apart += Levenshtein.distance("\n".join(before), "\n".join(after))
        found[edit.person] = found.get(edit.person, 0) + apart
    return found
