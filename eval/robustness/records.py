"""The plain records that every figure of robustness is made of: one question in one wording, asked once. One function makes
them from stored traces, another from the lines of a predictions file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Run, Trace, Variant
from core.text.scripts import detect_language
from eval.metric import ScoringCase, Unscored
from eval.metrics import in_accuracy
from eval.robustness.searches import RetrievalHop, list_searches
from eval.scoring.predictions import Prediction
from eval.workflows.hops import is_extracted

ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class WordingRecord:
    """One question in one wording, asked once."""

    item: str
    variant: str | None
    """None = the original wording."""
    kind: str
    """Kind of the rewrite; "original" for the item's own words."""
    run: str
    repeat: int
    language: str
    query: str
    """The question as it was asked."""
    answer: str | None
    """None = the system failed, and nothing else of this record counts; "" is an answer."""
    correct: float | None
    """in_accuracy, 0 or 1; None without a gold answer that holds a token, or when the system failed."""
    searches: int | None
    """Retrievals that were executed; None where the system does not tell."""
    calls: int | None
    """Calls to a language model."""
    hops: tuple[RetrievalHop, ...] | None
    """Each executed retrieval, in order; None where only their number is known, or nothing is."""
    gold: frozenset[str]
    """Ids of the documents that hold the item's evidence."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    loss: float | None = None
    """Mean negative log-likelihood of the question's tokens under a language model; None = not measured."""
    length: float | None = None
    """The question's tokens as that model counts them; None = not measured."""
    is_extracted: bool | None = True
    """Whether the answer was found in what the model wrote; None when the system failed."""


def read_traces(
    run: Run,
    traces: Sequence[Trace],
    items: Mapping[str, Item],
    variants: Mapping[str, Variant],
    losses: Mapping[tuple[str, str | None], tuple[float | None, float | None]],
) -> list[WordingRecord]:
    """One a trace; `losses` = (query loss, tokens) by item and variant, where they were scored. Traces of items or variants
    that are not given are left out."""
    found = []
    for trace in traces:
        item = items.get(trace.item)
        variant = variants.get(trace.variant) if trace.variant is not None else None
        if item is None or (trace.variant is not None and variant is None):
            continue
        hops = list_searches(run.system.name, trace)
        loss, length = losses.get((trace.item, trace.variant), (None, None))
        found.append(
            WordingRecord(
                item=trace.item,
                variant=trace.variant,
                kind=variant.kind if variant else ORIGINAL,
                run=run.id,
                repeat=run.repetition,
                language=item.language,
                query=variant.text if variant else item.question,
                answer=trace.answer,
                correct=_correct(trace.answer, item.answers),
                searches=None if hops is None else len(hops),
                calls=trace.calls,
                hops=hops,
                gold=frozenset(span.document for span in item.evidence),
                tokens_in=trace.tokens_in,
                tokens_out=trace.tokens_out,
                loss=loss,
                length=length,
                is_extracted=is_extracted(trace),
            )
        )
    return found


def read_lines(lines: Sequence[Prediction]) -> list[WordingRecord]:
    """Of a predictions file: a line with `parent` and `kind` is a rewrite of the question whose id its parent is; that line, or
    one of kind "original", is the original. A line may also hold `calls`, `retriever_calls`, `hops` ([{"query", "documents"}]),
    `gold` (document ids), `tokens_in`, `tokens_out`, `query_loss`, `query_tokens`, `repeat`. Raises BenchError where two lines
    are the original of one question, or one of those fields cannot be read."""
    originals: set[tuple[str, int]] = set()
    found = []
    for line in lines:
        is_original = line.parent in (None, line.id) or line.kind in (None, ORIGINAL)
        item = line.parent or line.id
        record = _record(line, item, None if is_original else line.id, ORIGINAL if is_original else str(line.kind))
        if is_original and (item, record.repeat) in originals:
            raise BenchError(
                f"Line {line.id} is a second original of {item}: give each rewrite a kind, or each repeat its number as repeat."
            )
        originals |= {(item, record.repeat)} if is_original else set()
        found.append(record)
    return found


def _record(line: Prediction, item: str, variant: str | None, kind: str) -> WordingRecord:
    more = line.extra
    hops = _hops(line)
    told = _read_whole_number(line, "retriever_calls")
    return WordingRecord(
        item=item,
        variant=variant,
        kind=kind,
        run="",
        repeat=_read_whole_number(line, "repeat") or 0,
        language=line.language or detect_language(line.question or " ".join(line.answers) or line.text or ""),
        query=line.question,
        answer=line.text,
        correct=_correct(line.text, line.answers),
        searches=told if told is not None else None if hops is None else len(hops),
        calls=line.calls,
        hops=hops,
        gold=frozenset(map(str, _list(line, "gold", more.get("gold") or []))),
        tokens_in=_read_whole_number(line, "tokens_in"),
        tokens_out=_read_whole_number(line, "tokens_out"),
        loss=_number(line, "query_loss"),
        length=_number(line, "query_tokens"),
    )


def _correct(answer: str | None, golds: Sequence[str]) -> float | None:
    if answer is None:
        return None
    value = in_accuracy.score(ScoringCase(id="", prediction=answer, answers=tuple(golds)))[""]
    return None if isinstance(value, Unscored) else value


def _hops(line: Prediction) -> tuple[RetrievalHop, ...] | None:
    if "hops" not in line.extra:
        return None
    found = _list(line, "hops", line.extra["hops"])
    if not all(isinstance(hop, dict) for hop in found):
        raise BenchError(f"Line {line.id} has hops that are no objects: give each a query and documents.")
    return tuple(RetrievalHop(str(hop.get("query", "")), tuple(map(str, hop.get("documents") or ()))) for hop in found)


def _list(line: Prediction, name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BenchError(f"Line {line.id} has {name} that is no list: write it in brackets.")
    return value


def _read_whole_number(line: Prediction, name: str) -> int | None:
    value = _number(line, name)
    return None if value is None else int(value)


def _number(line: Prediction, name: str) -> float | None:
    value = line.extra.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise BenchError(f"Line {line.id} has {name} that is no number from 0.")
    return float(value)
