"""What a screen shows of one trace: plain records, texts as they are stored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.nouns import Item, Span, Variant
from store.ledger.calls import Call
from store.runs.runs import JudgeVerdicts
from workbench.evaluate.results.board_of_runs import RunLine


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One figure of one answer."""

    metric: str
    value: float | None
    """None, and `why` says why."""
    why: str
    version: str
    is_headline: bool
    """One of the figures of its task, no part and no cost."""


@dataclass(frozen=True, slots=True)
class OneTrace:
    """How one run answered."""

    line: RunLine
    answer: str | None
    """None = it failed; `stop` is the kind, `error` the sentence."""
    stop: str
    error: str | None
    seconds: float | None
    queued: float | None
    """Seconds that it waited for a free place, beside its service time."""
    retrying: float | None
    """Seconds that failed attempts took."""
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    """US dollars of its calls; None when it made none that the ledger knows, or a price is unknown."""
    scores: Sequence[ScoreLine]


@dataclass(frozen=True, slots=True)
class TraceView:
    """One question, as several runs answered it."""

    item: Item
    variant: Variant | None
    traces: Sequence[OneTrace]

    @property
    def question(self) -> str:
        """As it was asked."""
        return self.variant.text if self.variant else self.item.question


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of the ledger."""

    id: str
    agent: str
    prompt: str
    messages: Sequence[tuple[str, str]]
    """(role, content), as sent; empty when nothing was sent (a recorded reply)."""
    request: str
    """The whole request but its messages, as JSON."""
    reply: str | None
    """The raw text; None when the call failed."""
    raw: str | None
    """The endpoint's whole reply as JSON."""
    finish: str | None
    tokens_in: int | None
    tokens_out: int | None
    price: float | None
    seconds: float | None
    queued: float | None
    """Seconds that it waited for a free place."""
    retrying: float | None
    """Seconds that failed attempts and the pauses after them took."""
    attempts: int | None
    error: str | None
    at: str
    was_there: bool
    """It was in the ledger before this run began: nothing was sent for it."""
    whole: Mapping[str, Any]
    """Request and reply for a file."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step on the way to an answer."""

    kind: str
    text: str
    seconds: float | None
    spans: Sequence[tuple[Span, str, str]]
    """(passage, title of its document, how it begins), best first; title and text "" when the workspace has no such one."""
    call: CallRecord | None
    call_id: str | None
    """With a call_id and no call, the ledger has it no more."""


@dataclass(frozen=True, slots=True)
class HopRecord:
    """One search that a system asked for (see eval/workflows/hops.py)."""

    number: int
    query: str
    trigger: Mapping[str, Any]
    blocked: str
    """limit or repeat where it was refused; "" where it was carried out."""
    passages: Sequence[tuple[str, float | None]]
    """(title of the document or "", score as the retriever has it), best first."""
    calls: int
    """Calls of a model from this search on to the next one."""


@dataclass(frozen=True, slots=True)
class HopsRecord:
    """How a system that decides itself whether to search came to its answer."""

    hops: Sequence[HopRecord]
    before: int
    """Calls of a model before the first search."""
    is_extracted: bool | None
    """Whether an answer stood in what was written; None where nothing was kept of that."""
    ended: str
    """What ended the writing, in a word."""


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """One verdict of a judge."""

    side: str
    sentence: str
    value: int | None
    """None = it could not be read, or a tie."""
    replies: Sequence[str]
    calls: Sequence[str]


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """What one judge said on one answer."""

    metric: str
    judge: str
    prompt: str
    sentences: Sequence[JudgedSentence]
    other: Mapping[str, Any]
    """What its metric keeps beside."""


def call_record(call: Call, was_there: bool) -> CallRecord:
    """As it stands in the ledger."""
    done = call.completion
    raw = done.raw if done else call.raw
    rest = {name: value for name, value in call.request.items() if name != "messages"}
    return CallRecord(
        id=call.id,
        agent=call.agent,
        prompt=call.prompt,
        messages=_messages(call.request.get("messages")),
        request=_json(rest),
        reply=done.text if done else None,
        raw=_json(raw) if raw is not None else None,
        finish=done.finish if done else None,
        tokens_in=done.tokens_in if done else None,
        tokens_out=done.tokens_out if done else None,
        price=done.price if done else None,
        seconds=done.seconds if done else None,
        attempts=call.attempts,
        queued=done.waited - done.retrying if done else None,
        retrying=done.retrying if done else None,
        error=call.error,
        at=call.at,
        was_there=was_there,
        whole={
            "id": call.id,
            "agent": call.agent,
            "prompt": call.prompt,
            "request": dict(call.request),
            "reply": done.text if done else None,
            "raw": raw,
            "error": call.error,
            "at": call.at,
        },
    )


def judged_of(found: Sequence[JudgeVerdicts]) -> list[JudgeRecord]:
    """One a metric and judge."""
    made = []
    for one in found:
        details = dict(one.details) if isinstance(one.details, Mapping) else {"said": one.details}
        verdicts = details.pop("verdicts", [])
        sentences = [
            JudgedSentence(
                str(v.get("side", "")),
                str(v.get("sentence", "")),
                v.get("value"),
                list(map(str, v.get("replies", []))),
                list(v.get("calls", [])),
            )
            for v in verdicts
        ]
        judge, prompt = str(details.pop("judge", "")), str(details.pop("prompt", ""))
        made.append(JudgeRecord(one.metric, judge, prompt, sentences, details))
    return made


def _messages(found: Any) -> list[tuple[str, str]]:
    """Of a request: objects with role and content, or pairs of them."""
    return [(m["role"], m["content"]) if isinstance(m, Mapping) else (m[0], m[1]) for m in found or ()]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
