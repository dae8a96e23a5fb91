"""A trace as a person follows it: what the system thought, called and saw, turn by turn, with every place where a gold answer
stands in what it saw."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Span, Step, Trace
from core.text.text import answer_places
from eval.papers.response_types import ResponseType

Piece = tuple[str, bool]
"""A text, and whether a gold answer stands there."""


@dataclass(frozen=True, slots=True)
class ToolObservation:
    """Something that came back."""

    pieces: Sequence[Piece]
    """Joined they are the text."""
    title: str = ""
    """Of its document, where it is a passage that a search brought."""
    trouble: str = ""
    """What kind of trouble it tells, in a word; "" = none."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A thought, what was done, and what came back; each may be missing."""

    thought: Sequence[Piece] = ()
    did: Sequence[Piece] = ()
    """The call as it was written, a program, a search."""
    kind: str = ""
    """call, program, search, ends, gives up; "" = nothing was done."""
    seen: Sequence[ToolObservation] = ()
    passages: Sequence[tuple[str, Span]] = ()
    """(title, place) of documents that a call showed."""


@dataclass(frozen=True, slots=True)
class WorkRecord:
    """One trace."""

    turns: Sequence[Turn]
    has_calls: bool
    """Whether it worked with functions, or in steps of its own."""
    stop: str
    answer: str | None
    golds: Sequence[str]
    times: int
    """How often a gold answer stands in what it saw."""
    reward: float | None
    kind: ResponseType | None
    """None where it has an answer without a reward."""
    threshold: float
    is_whole: bool
    """Whether the gold answer was looked for in what it wrote, too."""


def turns_of(trace: Trace, golds: Sequence[str], texts: Mapping[Span, tuple[str, str]], whole: bool) -> tuple[list[Turn], int]:
    """Its turns, and how often a gold answer stands in what it saw. `texts` = (title, text) of its passages."""
    brought = [step for step in trace.steps if not step.about.get("trouble")]
    marks = _marked([text for step in brought for _, text in _observed(step, texts)], golds)
    left = iter(marks)
    turns: list[dict[str, Any]] = []
    for step in trace.steps:
        if step.kind in ("call", "query", "output"):
            continue
        if _begins(step, turns[-1] if turns else None):
            turns.append({})
        turn = turns[-1]
        told = _marked([step.text], golds)[0] if whole else [(step.text, False)]
        if step.kind == "thought":
            turn["thought"] = told
        elif step.kind in ("action", "retrieve"):
            turn |= {"did": told, "kind": _kind(step)}
        trouble = str(step.about.get("trouble", ""))
        seen = [
            ToolObservation([(text, False)] if trouble else next(left), title, trouble)
            for title, text in _observed(step, texts)
        ]
        turn["seen"] = [*turn.get("seen", ()), *seen]
        if step.kind == "observation":
            turn["passages"] = [*turn.get("passages", ()), *((texts.get(span, ("", ""))[0], span) for span in step.spans)]
    return [Turn(**turn) for turn in turns], sum(is_gold for pieces in marks for _, is_gold in pieces)


def _begins(step: Step, turn: Mapping[str, Any] | None) -> bool:
    """Whether it is a new turn's first."""
    if turn is None or (step.kind == "thought" and turn):
        return True
    return step.kind in ("action", "retrieve") and "did" in turn


def _kind(step: Step) -> str:
    if step.kind == "retrieve":
        return "search"
    if step.about.get("gave_up"):
        return "gives up"
    return "ends" if step.about.get("ends") else "program" if step.about.get("program") else "call"


def _observed(step: Step, texts: Mapping[Span, tuple[str, str]]) -> list[tuple[str, str]]:
    """(title, text) of what a step brought, as the metric takes it (eval/scoring/scoring.py)."""
    if step.kind == "observation":
        return [("", step.text)]
    return [texts.get(span, ("", "")) for span in step.spans] if step.kind == "retrieve" else []


def _marked(texts: Sequence[str], golds: Iterable[str]) -> list[list[Piece]]:
    """Each text in pieces. The golds are looked for in all of them together, as the metric does: one may stand over the end of
    one text and the beginning of the next."""
    joined = "\n".join(texts)
    places = _joined(place for gold in golds for place in answer_places(joined, gold))
    found, at = [], 0
    for text in texts:
        own = [
            (max(first, at) - at, min(last, at + len(text)) - at)
            for first, last in places
            if first < at + len(text) and last > at
        ]
        found.append(_pieces(text, own))
        at += len(text) + 1
    return found


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for first, last in sorted(places):
        if found and first < found[-1][1]:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def _pieces(text: str, marks: Sequence[tuple[int, int]]) -> list[Piece]:
    pieces, at = [], 0
    for first, last in marks:
        pieces += [(text[at:first], False), (text[first:last], True)]
        at = last
    return [(part, is_gold) for part, is_gold in [*pieces, (text[at:], False)] if part]
