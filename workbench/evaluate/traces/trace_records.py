"""Define the plain records that a screen shows of one trace, with the stored texts."""

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
    """Cost of the answer's calls in US dollars, or None if the ledger has none of them or a price is unknown."""
    scores: Sequence[Score]
    headlines: frozenset[str]
    """Names of the main metrics of the question's task, without their parts and without costs."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """One question, with the answers of several runs to it."""

    item: Item
    variant: Variant | None
    answers: Sequence[AnswerRecord]

    @property
    def question(self) -> str:
        """Return the question in the wording that the systems were asked."""
        return self.variant.text if self.variant else self.item.question


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of an agent from the ledger (the record of all model calls), as the screen shows it."""

    call: Call
    messages: Sequence[tuple[str, str]]
    """The sent messages as (role, content); empty if no request was sent because the reply was recorded."""
    was_stored: bool
    """Whether the ledger had the call before this run started, so that the run did not send it."""

    @property
    def completion(self) -> Completion | None:
        """Return the agent's completion, or None if the call failed."""
        return self.call.completion

    @property
    def queued(self) -> float | None:
        """Return the seconds that the call waited before it was sent, because other calls were in progress."""
        return self.completion.waited - self.completion.retrying if self.completion else None

    @property
    def request(self) -> str:
        """Return the request that was sent to the agent as JSON, without its messages."""
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
    """One step by which a system came to its answer, as the screen shows it."""

    step: Step
    passages: Sequence[tuple[Span, str, str]]
    """Passages that the step found, best first: (passage, title of its document, its first characters). Title and text are ""
    if the document is missing."""
    call: CallRecord | None
    """The call that the step made, or None if the ledger no longer has it."""


@dataclass(frozen=True, slots=True)
class HopRecord:
    """One search that a system requested while it answered (see eval/workflows/hops.py)."""

    hop: SearchHop
    passages: Sequence[tuple[str, float | None]]
    """Passages that the search found, best first: (title of the document or "", the retriever's score or None)."""


@dataclass(frozen=True, slots=True)
class HopsRecord:
    """The searches of a system that decides itself when to search, with the reasons."""

    hops: Sequence[HopRecord]
    before: int
    """Number of calls of the model before the first search."""
    is_extracted: bool | None
    """Whether an answer could be extracted from the generated text, or None if the text was not stored."""
    ended: str
    """Why the model's reply ended, in one word."""


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A judge's verdict on one sentence."""

    side: str
    """The text that the sentence is from; for a nugget, its importance too."""
    sentence: str
    value: float | None
    """The judge's value, or None for a tie or a reply that could not be read."""
    replies: Sequence[str]
    calls: Sequence[str]


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """One judge's verdicts on one answer with one metric."""

    metric: str
    judge: str
    prompt: str
    sentences: Sequence[JudgedSentence]
    other: Mapping[str, Any]
    """Further values that the metric stores beside the verdicts."""
    uses_nuggets: bool
    """Whether the sentences are the item's nuggets, which people can edit."""


def build_call_record(call: Call, was_stored: bool) -> CallRecord:
    """Return the record that the screen shows of a call in the ledger."""
    messages = call.request.get("messages") or ()
    pairs = [(m["role"], m["content"]) if isinstance(m, Mapping) else (m[0], m[1]) for m in messages]
    return CallRecord(call, pairs, was_stored)


def list_judges(stored: Sequence[JudgeVerdicts]) -> list[JudgeRecord]:
    """Return the judges' verdicts on an answer, as one record for each metric and judge."""
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
