"""Hops: a trace's searches, one by one, and how many searches and calls it took, all read from the stored trace.

A search stands in a trace's steps as a `retrieve` step: its text is the query, its spans and scores are what came back, best
first. A system that chooses when to search says why in a `query` step before it (make_query_step); a search that it refused
itself is that step alone (make_refused_step). A `retrieve` step without one belongs to a system that always searches. What a
model wrote in full is the `output` step (make_output_step); systems without one give the reply itself as the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Span, Step, Trace

RefusalReason = Literal["", "limit", "repeat"]


@dataclass(frozen=True, slots=True)
class SearchHop:
    """One search that a system asked for."""

    number: int
    """From 1; refused searches count on."""
    query: str
    trigger: Mapping[str, Any]
    """Why it searched: {"marker": ...}, or {"token", "score", "threshold"} of the token that it was unsure of; empty where it
    always searches."""
    spans: tuple[Span, ...]
    """What came back, best first; empty when nothing did, or it was refused."""
    scores: tuple[float, ...]
    """The retriever's, beside the spans; empty where they were not stored."""
    blocked: RefusalReason
    """Why it was refused: limit = no search was left, repeat = the same query was searched before; "" = it was carried out."""
    calls: int
    """Calls of a model from this search on to the next one, or to the end."""


def make_query_step(query: str, **trigger: Any) -> Step:
    """Returns the step before a search that will be carried out, with what triggered it."""
    return Step("query", query, about={"trigger": trigger})


def make_refused_step(query: str, why: Literal["limit", "repeat"], **trigger: Any) -> Step:
    """Returns the step in place of a search that the system refused."""
    return Step("query", query, about={"trigger": trigger, "blocked": why})


def make_output_step(text: str, *, extracted: bool, ended: str, **more: str) -> Step:
    """Returns the step with all that a model wrote.
    `extracted` = whether an answer stood in it, `ended` = what ended the writing, in a word, `more` = how it was read."""
    return Step("output", text, about={"extracted": extracted, "ended": ended, **more})


def list_hops(trace: Trace) -> list[SearchHop]:
    """Returns every search that the system asked for, refused ones included, in order."""
    starts: list[tuple[int, Mapping[str, Any]]] = []
    trigger: Mapping[str, Any] = {}
    for at, step in enumerate(trace.steps):
        if step.kind == "query" and "trigger" in step.about:
            trigger = step.about["trigger"]
        if step.kind == "retrieve" or "blocked" in step.about:
            starts.append((at, trigger))
            trigger = {}
    ends = [*(at for at, _ in starts), len(trace.steps)][1:]
    hops = []
    for number, ((at, why), end) in enumerate(zip(starts, ends, strict=True), 1):
        step, calls = trace.steps[at], sum(later.kind == "call" for later in trace.steps[at:end])
        hops.append(SearchHop(number, step.text, why, step.spans, step.scores, step.about.get("blocked", ""), calls))
    return hops


def count_searches(trace: Trace) -> int | None:
    """Returns how many searches were carried out; None when the system failed, which is not known to be 0."""
    return None if trace.answer is None else sum(step.kind == "retrieve" for step in trace.steps)


def count_calls(trace: Trace) -> int | None:
    """Returns the calls of a model, those found in the ledger included; None when the system failed."""
    return None if trace.answer is None else trace.calls


def find_raw_output(trace: Trace) -> str | None:
    """Returns all that the model wrote; None when the system failed."""
    written = [step.text for step in trace.steps if step.kind == "output"]
    return None if trace.answer is None else written[-1] if written else trace.answer


def is_extracted(trace: Trace) -> bool | None:
    """Returns whether an answer stood in the model's text; None when the system failed. False goes with ""."""
    marks = [bool(step.about.get("extracted", True)) for step in trace.steps if step.kind == "output"]
    return None if trace.answer is None else marks[-1] if marks else True
