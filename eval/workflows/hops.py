"""Read the searches (hops) of a stored trace, and make the steps that record searches.

A search is a `retrieve` step: its text is the query, its spans and scores are the results, best first. A system that decides
when to search records the reason in a `query` step before the search (make_query_step); a search that the system refuses is
recorded only as a `query` step (make_refused_step). A `retrieve` step without a `query` step belongs to a system that always
searches. The model's full output is stored in the `output` step (make_output_step); systems without this step return the whole
reply as the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Span, Step, Trace

RefusalReason = Literal["", "limit", "repeat"]


@dataclass(frozen=True, slots=True)
class SearchHop:
    """One search that a system asked for while it answered a question."""

    number: int
    """Number of the search in the trace, from 1; refused searches count too."""
    query: str
    trigger: Mapping[str, Any]
    """Trigger of the search: {"marker": ...}, or {"token", "score", "threshold"} of an uncertain token; empty for a system that
    always searches."""
    spans: tuple[Span, ...]
    """Passages that the search found, best first; empty if the search found none or was refused."""
    scores: tuple[float, ...]
    """The retriever's score of each found passage; empty if not stored."""
    blocked: RefusalReason
    """Reason why the system refused the search: limit = no searches left, repeat = same query as before; "" = the search was
    carried out."""
    calls: int
    """Number of model calls between this search and the next search, or the end of the trace."""


def make_query_step(query: str, **trigger: Any) -> Step:
    """Return the step that records a query and what triggered it, to be stored before the step of the search."""
    return Step("query", query, about={"trigger": trigger})


def make_refused_step(query: str, why: Literal["limit", "repeat"], **trigger: Any) -> Step:
    """Return the step that records a search that the system refused, in place of the search."""
    return Step("query", query, about={"trigger": trigger, "blocked": why})


def make_output_step(text: str, *, extracted: bool, ended: str, **more: str) -> Step:
    """Return the step with the model's full output: `extracted` says whether the output has an answer, `ended` says in one word
    why generation ended, and `more` adds details."""
    return Step("output", text, about={"extracted": extracted, "ended": ended, **more})


def list_hops(trace: Trace) -> list[SearchHop]:
    """Return every search that the system requested in this trace, in order, including refused ones."""
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


def is_extracted(trace: Trace) -> bool | None:
    """Return whether an answer was found in the model's output, or None if the system failed. If False, the answer is ""."""
    marks = [bool(step.about.get("extracted", True)) for step in trace.steps if step.kind == "output"]
    return None if trace.answer is None else marks[-1] if marks else True
