"""Define the records of one trace (a system's way to its answer) that a screen shows, with the stored texts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import Completion
from core.as_json import Json
from core.nouns import Item, Score, Span, Step, Trace, Variant
from eval.metric import split_name
from eval.scoring.nuggets import AS_CLAIMS
from eval.workflows.hops import SearchHop
from store.ledger.calls import Call
from store.runs.runs import JudgeVerdicts
from workbench.evaluate.results.run_board import RunLine
from workbench.evaluate.scoring.gold_nuggets import METRIC


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One run's answer to a question, with its scores."""

    line: RunLine
    trace: Trace
    cost: float | None
    """Cost of the answer's LLM calls in US dollars, or None if the ledger contains none of these calls or a price is
    unknown."""
    scores: Sequence[Score]
    headlines: frozenset[str]
    """Names of the main metrics of the question's task; metrics that are part of another metric, and costs, are left out."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """One question, with the answers of several runs to it."""

    item: Item
    variant: Variant | None
    answers: Sequence[AnswerRecord]

    @property
    def question(self) -> str:
        """Return the question in the words in which the systems were asked."""
        return self.variant.text if self.variant else self.item.question


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of an agent as the screen shows it, from the ledger (the record of all LLM calls)."""

    call: Call
    messages: Sequence[tuple[str, str]]
    """The messages that were sent, as (role, content); empty if the reply came from a recording, so that nothing was sent."""
    was_stored: bool
    """Whether the ledger already contained the call when this run started, so that the run did not send it."""

    @property
    def completion(self) -> Completion | None:
        """Return the agent's completion, or None if the call failed."""
        return self.call.completion

    @property
    def queued(self) -> float | None:
        """Return how many seconds the call waited for other calls before it was sent."""
        return self.completion.waited - self.completion.retrying if self.completion else None

    @property
    def request(self) -> str:
        """Return the request to the agent as JSON, without its messages."""
        return format_json({name: value for name, value in self.call.request.items() if name != "messages"})

    @property
    def raw(self) -> str | None:
        """Return the endpoint's whole reply as JSON."""
        raw = self.completion.raw if self.completion else self.call.raw
        return None if raw is None else format_json(raw)

    def record(self) -> dict[str, Json]:
        """Return the call's request and reply as a record for a file."""
        return {
            "id": self.call.id,
            "agent": self.call.agent,
            "prompt": self.call.prompt,
            "request": dict(self.call.request),
            "reply": self.completion.text if self.completion else None,
            "thinking": self.completion.thinking if self.completion else None,
            "raw": self.completion.raw if self.completion else self.call.raw,
            "error": self.call.error,
            "at": self.call.at,
        }


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step of a system on the way to its answer, as the screen shows it."""

    step: Step
    passages: Sequence[tuple[Span, str, str]]
    """The passages that the step found, best first, each as (passage, title of its document, its first characters). Title and
    text are "" if the document is not stored here."""
    call: CallRecord | None
    """The call that the step made, or None if the ledger does not contain it any more."""


@dataclass(frozen=True, slots=True)
class HopRecord:
    """One search that a system asked for while it answered (see eval/workflows/hops.py)."""

    hop: SearchHop
    passages: Sequence[tuple[str, float | None]]
    """The passages that the search found, best first, each as (title of the document or "", the retriever's score or None)."""


@dataclass(frozen=True, slots=True)
class HopsRecord:
    """The searches of a system that itself decides when to search, with the reasons for them."""

    hops: Sequence[HopRecord]
    before: int
    """Number of LLM calls before the first search."""
    is_extracted: bool | None
    """Whether the program found an answer in the generated text, or None if the text was not stored."""
    ended: str
    """Reason why the model's reply ended, in one word."""


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A judge's verdict on one sentence."""

    side: str
    """The text that contains the sentence; for a nugget (a short fact of the gold answer), also its importance."""
    sentence: str
    value: float | None
    """Value that the judge gave, or None for a tie or for a reply that could not be read."""
    replies: Sequence[str]
    calls: Sequence[str]


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """The verdicts of one judge on one answer, for one metric."""

    metric: str
    judge: str
    prompt: str
    sentences: Sequence[JudgedSentence]
    other: Mapping[str, Any]
    """Further values that the metric stores in addition to the verdicts."""
    uses_nuggets: bool
    """Whether the sentences are the item's nuggets (short facts of the gold answer), which people can edit."""


def build_call_record(call: Call, was_stored: bool) -> CallRecord:
    """Return the record of a call in the ledger that the screen shows."""
    messages = call.request.get("messages") or ()
    pairs = [(m["role"], m["content"]) if isinstance(m, Mapping) else (m[0], m[1]) for m in messages]
    return CallRecord(call, pairs, was_stored)


def list_judges(stored: Sequence[JudgeVerdicts]) -> list[JudgeRecord]:
    """Return the verdicts of judges on an answer, one record for each metric and judge."""
    records = []
    for verdicts in stored:
        details = dict(verdicts.details) if isinstance(verdicts.details, Mapping) else {"said": verdicts.details}
        sentences = [
            JudgedSentence(
                ", ".join(str(verdict[name]) for name in ("side", "importance") if name in verdict),
                str(verdict.get("sentence", "")),
                verdict.get("value"),
                list(map(str, verdict.get("replies", []))),
                list(verdict.get("calls", [])),
            )
            for verdict in details.pop("verdicts", [])
        ]
        judge, prompt = str(details.pop("judge", "")), str(details.pop("prompt", ""))
        uses_nuggets = split_name(verdicts.metric).metric == METRIC or AS_CLAIMS in verdicts.version
        records.append(JudgeRecord(verdicts.metric, judge, prompt, sentences, details, uses_nuggets))
    return records


def format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
