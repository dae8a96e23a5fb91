"""The data of one trace for a screen: plain records with the stored texts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent import Completion
from core.as_json import Json
from core.nouns import Item, Score, Span, Step, Trace, Variant
from eval.workflows.hops import SearchHop
from store.ledger.calls import Call
from store.runs.runs import JudgeVerdicts
from workbench.evaluate.results.run_board import RunLine


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """The answer of one run."""

    line: RunLine
    trace: Trace
    cost: float | None
    """Cost of the calls in US dollars, or None when the ledger has no call, or a price is unknown."""
    scores: Sequence[Score]
    headlines: frozenset[str]
    """Names of the task's metrics, without parts and costs."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """One question with the answers of several runs."""

    item: Item
    variant: Variant | None
    answers: Sequence[AnswerRecord]

    @property
    def question(self) -> str:
        """Return the question in its asked wording."""
        return self.variant.text if self.variant else self.item.question


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of the ledger."""

    call: Call
    messages: Sequence[tuple[str, str]]
    """(role, content) of the sent messages; empty when no request was sent (a recorded reply)."""
    was_stored: bool
    """Whether the ledger had the call before this run started, so that no request was sent."""

    @property
    def completion(self) -> Completion | None:
        """Return the completion, or None when the call failed."""
        return self.call.completion

    @property
    def queued(self) -> float | None:
        """Return the seconds that the call waited for a free slot."""
        return self.completion.waited - self.completion.retrying if self.completion else None

    @property
    def request(self) -> str:
        """Return the whole request without its messages, as JSON."""
        return format_json({name: value for name, value in self.call.request.items() if name != "messages"})

    @property
    def raw(self) -> str | None:
        """Return the endpoint's whole reply as JSON."""
        raw = self.completion.raw if self.completion else self.call.raw
        return None if raw is None else format_json(raw)

    def record(self) -> dict[str, Json]:
        """Return the request and reply for a file."""
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
    """One step on the way to an answer."""

    step: Step
    passages: Sequence[tuple[Span, str, str]]
    """(passage, title of its document, first characters), best first; title and text are "" for a missing document."""
    call: CallRecord | None
    """Call of the step, or None when the ledger no longer has it."""


@dataclass(frozen=True, slots=True)
class HopRecord:
    """One search that a system requested (see eval/workflows/hops.py)."""

    hop: SearchHop
    passages: Sequence[tuple[str, float | None]]
    """(title of the document or "", the retriever's score), best first."""


@dataclass(frozen=True, slots=True)
class HopsRecord:
    """The searches of a system that decides itself when to search."""

    hops: Sequence[HopRecord]
    before: int
    """Number of model calls before the first search."""
    is_extracted: bool | None
    """Whether the generated text contained an answer, or None when the text was not stored."""
    ended: str
    """Reason for the end of the reply, in one word."""


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """One verdict of a judge."""

    side: str
    sentence: str
    value: int | None
    """The judge's value; None = unreadable reply, or a tie."""
    replies: Sequence[str]
    calls: Sequence[str]


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """One judge's verdicts on one answer."""

    metric: str
    judge: str
    prompt: str
    sentences: Sequence[JudgedSentence]
    other: Mapping[str, Any]
    """Further values that the metric stores."""


def build_call_record(call: Call, was_stored: bool) -> CallRecord:
    """Build the record of a call from the ledger."""
    messages = call.request.get("messages") or ()
    pairs = [(m["role"], m["content"]) if isinstance(m, Mapping) else (m[0], m[1]) for m in messages]
    return CallRecord(call, pairs, was_stored)


def list_judges(stored: Sequence[JudgeVerdicts]) -> list[JudgeRecord]:
    """Return one record for each metric and judge."""
    records = []
    for verdicts in stored:
        details = dict(verdicts.details) if isinstance(verdicts.details, Mapping) else {"said": verdicts.details}
        sentences = [
            JudgedSentence(
                str(verdict.get("side", "")),
                str(verdict.get("sentence", "")),
                verdict.get("value"),
                list(map(str, verdict.get("replies", []))),
                list(verdict.get("calls", [])),
            )
            for verdict in details.pop("verdicts", [])
        ]
        judge, prompt = str(details.pop("judge", "")), str(details.pop("prompt", ""))
        records.append(JudgeRecord(verdicts.metric, judge, prompt, sentences, details))
    return records


def format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
