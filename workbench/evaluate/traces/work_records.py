"""Show a trace (a system's way to its answer) to people turn by turn: what the system thought, did and observed, with every
gold answer in the observations marked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Span, Step, Trace
from core.text.text import answer_places
from eval.papers.response_types import ResponseType
from workbench.evaluate.traces.marked_text import TextPiece, mark_text, merge_ranges


@dataclass(frozen=True, slots=True)
class ToolObservation:
    """What a tool or function returned to the system."""

    pieces: Sequence[TextPiece]
    """The output's text in pieces; gold answers are marked."""
    title: str = ""
    """Title of the document if the output is a passage from a search."""
    trouble: str = ""
    """Problem that the output reports, in one word; "" if it reports none."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a system: a thought, an action and an observation, each of which may be missing."""

    thought: Sequence[TextPiece] = ()
    did: Sequence[TextPiece] = ()
    """Text of the action (a call, a program or a search) in pieces."""
    kind: str = ""
    """Kind of the action: call, program, search, ends or gives up; "" if the turn has no action."""
    seen: Sequence[ToolObservation] = ()
    passages: Sequence[tuple[str, Span]] = ()
    """Passages of documents that a call returned, as (title, span)."""


@dataclass(frozen=True, slots=True)
class WorkRecord:
    """A system's work on one question, turn by turn."""

    turns: Sequence[Turn]
    has_calls: bool
    """Whether the system calls functions; if not, it has its own kinds of steps."""
    stop: str
    golds: Sequence[str]
    times: int
    """Number of times that gold answers occur in the system's observations."""
    reward: float | None
    kind: ResponseType | None
    """Response type of the answer, or None if the answer has no reward."""
    threshold: float
    is_whole: bool
    """Whether gold answers are also marked in the text that the system wrote."""


def split_turns(
    trace: Trace, golds: Sequence[str], texts: Mapping[Span, tuple[str, str]], whole: bool
) -> tuple[list[Turn], int]:
    """Return (turns of a trace, number of gold answers in the observations). `texts` is a dict from passage to (title,
    text)."""
    fine = [step for step in trace.steps if not step.about.get("trouble")]
    marked = _mark_golds([text for step in fine for _, text in _list_observed(step, texts)], golds)
    rest = iter(marked)
    turns: list[dict[str, Any]] = []
    for step in trace.steps:
        if step.kind in ("call", "query", "output"):
            continue
        if _starts_turn(step, turns[-1] if turns else None):
            turns.append({})
        turn = turns[-1]
        words = _mark_golds([step.text], golds)[0] if whole else [(step.text, False)]
        if step.kind == "thought":
            turn["thought"] = words
        elif step.kind in ("action", "retrieve"):
            turn |= {"did": words, "kind": _name_kind(step)}
        trouble = str(step.about.get("trouble", ""))
        observations = [
            ToolObservation([(text, False)] if trouble else next(rest), title, trouble)
            for title, text in _list_observed(step, texts)
        ]
        turn["seen"] = [*turn.get("seen", ()), *observations]
        if step.kind == "observation":
            turn["passages"] = [*turn.get("passages", ()), *((texts.get(span, ("", ""))[0], span) for span in step.spans)]
    return [Turn(**turn) for turn in turns], sum(is_gold for pieces in marked for _, is_gold in pieces)


def _starts_turn(step: Step, turn: Mapping[str, Any] | None) -> bool:
    if turn is None or (step.kind == "thought" and turn):
        return True
    return step.kind in ("action", "retrieve") and "did" in turn


def _name_kind(step: Step) -> str:
    if step.kind == "retrieve":
        return "search"
    kinds = {"gave_up": "gives up", "ends": "ends", "program": "program"}
    return next((kind for name, kind in kinds.items() if step.about.get(name)), "call")


def _list_observed(step: Step, texts: Mapping[Span, tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the output of a step as (title, text) pairs, as the metric reads it (see eval/scoring/scoring.py)."""
    if step.kind == "observation":
        return [("", step.text)]
    return [texts.get(span, ("", "")) for span in step.spans] if step.kind == "retrieve" else []


def _mark_golds(texts: Sequence[str], golds: Iterable[str]) -> list[list[TextPiece]]:
    """Return each text in pieces with the gold answers marked. Like the metric, the function looks for gold answers in the
    joined texts, so that an answer can begin in one text and end in the next."""
    joined = "\n".join(texts)
    ranges = merge_ranges(place for gold in golds for place in answer_places(joined, gold))
    marked, at = [], 0
    for text in texts:
        end = at + len(text)
        own = [(max(first, at) - at, min(last, end) - at) for first, last in ranges if first < end and last > at]
        marked.append(mark_text(text, own))
        at = end + 1
    return marked
