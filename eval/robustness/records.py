"""Define the records from which all robustness measures are computed: each record is one question, asked once in one wording.
The records are made from stored traces, or from the lines of a predictions file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Run, Trace, Variant
from eval.metric import ScoringCase, Unscored
from eval.metrics import in_accuracy
from eval.scoring.predictions import Prediction, find_languages
from eval.system import systems
from eval.workflows.hops import is_extracted, list_hops

ORIGINAL = "original"


class RetrievalHop(NamedTuple):
    """One search that the system carried out for a question: its query and the documents found."""

    query: str
    documents: tuple[str, ...]
    """Ids of the documents that contain the found passages, best first, each once."""


@dataclass(frozen=True, slots=True)
class WordingRecord:
    """One question in one wording, asked once, with what the system did and answered."""

    item: str
    variant: str | None
    """Id of the variant that was asked; None = the item's original wording."""
    kind: str
    """Kind of wording of the variant; "original" for the item's own question."""
    run: str
    repeat: int
    language: str
    query: str
    """Text of the question as it was asked."""
    answer: str | None
    """The system's answer, which may be ""; None = the system failed, and the fields of the result below are not valid."""
    correct: float | None
    """Value of in_accuracy, 0 or 1; None if the system failed, or if no gold answer has a token."""
    searches: int | None
    """Number of searches that were carried out; None = the system does not report them."""
    calls: int | None
    """Number of calls to a language model; None = not reported."""
    hops: tuple[RetrievalHop, ...] | None
    """Searches that were carried out, in order; None if unknown, or if only their number is known."""
    gold: frozenset[str]
    """Ids of the documents that contain the item's evidence."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    loss: float | None = None
    """Mean negative log-likelihood of the question's tokens under a language model; None = not measured."""
    length: float | None = None
    """Number of tokens of the question by the tokenizer of the language model that measured `loss`; None = not measured."""
    is_extracted: bool | None = True
    """Whether an answer was found in the model's output; None = the system failed."""


def list_searches(system: str, trace: Trace) -> tuple[RetrievalHop, ...] | None:
    """Return the searches that were carried out according to the trace, in order, without refused ones; () = the system did not
    search. The result is None for an outside system that reports no retrieval, because such a system may have searched."""
    executed = [hop for hop in list_hops(trace) if not hop.blocked]
    hops = tuple(RetrievalHop(hop.query, tuple(dict.fromkeys(span.document for span in hop.spans))) for hop in executed)
    adapter = systems().get(system)
    return None if not hops and (adapter is None or adapter.family == "outside") else hops


def read_traces(
    run: Run,
    traces: Sequence[Trace],
    items: Mapping[str, Item],
    variants: Mapping[str, Variant],
    losses: Mapping[tuple[str, str | None], tuple[float | None, float | None]],
) -> list[WordingRecord]:
    """Return one record per trace; `losses` is a dict from (item, variant) to (query loss, number of tokens). Traces of unknown
    items or variants are left out."""
    records = []
    for trace in traces:
        item = items.get(trace.item)
        variant = variants.get(trace.variant) if trace.variant is not None else None
        if item is None or (trace.variant is not None and variant is None):
            continue
        hops = list_searches(run.system.name, trace)
        loss, length = losses.get((trace.item, trace.variant), (None, None))
        records.append(
            WordingRecord(
                item=trace.item,
                variant=trace.variant,
                kind=variant.kind if variant else ORIGINAL,
                run=run.id,
                repeat=run.repetition,
                language=item.language,
                query=variant.text if variant else item.question,
                answer=trace.answer,
                correct=_score_answer(trace.answer, item.answers),
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
    return records


def read_lines(lines: Sequence[Prediction]) -> list[WordingRecord]:
    """Return the records of a predictions file. A line with the fields `parent` and `kind` is a rewrite of the question with
    the id `parent`; the line with that id, or a line of kind "original", is the original. A line may also have `calls`,
    `retriever_calls`, `hops` ([{"query", "documents"}]), `gold` (document ids), `tokens_in`, `tokens_out`, `query_loss`,
    `query_tokens` and `repeat`. Raises BenchError if a question has two originals or a field is invalid."""
    originals: set[tuple[str, int]] = set()
    records, languages = [], find_languages(lines)
    for line in lines:
        is_original = line.parent in (None, line.id) or line.kind in (None, ORIGINAL)
        item = line.parent or line.id
        kind = ORIGINAL if is_original else str(line.kind)
        record = _read_line(line, item, None if is_original else line.id, kind, languages[line.id])
        if is_original and (item, record.repeat) in originals:
            advice = 'give each rewrite a "kind", or number repeated lines with "repeat"'
            raise BenchError(f"Line {line.id} is a second original question of item {item}: {advice}.")
        originals |= {(item, record.repeat)} if is_original else set()
        records.append(record)
    return records


def _read_line(line: Prediction, item: str, variant: str | None, kind: str, language: str) -> WordingRecord:
    hops: tuple[RetrievalHop, ...] | None = None
    if "hops" in line.extra:
        entries = _read_list(line, "hops", line.extra["hops"])
        if not all(isinstance(entry, dict) for entry in entries):
            raise BenchError(f"Line {line.id} has hops that are not JSON objects: give each hop a query and documents.")
        pairs = [(str(entry.get("query", "")), tuple(map(str, entry.get("documents") or ()))) for entry in entries]
        hops = tuple(RetrievalHop(query, documents) for query, documents in pairs)
    searches = _read_whole_number(line, "retriever_calls")
    return WordingRecord(
        item=item,
        variant=variant,
        kind=kind,
        run="",
        repeat=_read_whole_number(line, "repeat") or 0,
        language=language,
        query=line.question,
        answer=line.text,
        correct=_score_answer(line.text, line.answers),
        searches=searches if searches is not None else None if hops is None else len(hops),
        calls=line.calls,
        hops=hops,
        gold=frozenset(map(str, _read_list(line, "gold", line.extra.get("gold") or []))),
        tokens_in=_read_whole_number(line, "tokens_in"),
        tokens_out=_read_whole_number(line, "tokens_out"),
        loss=_read_number(line, "query_loss"),
        length=_read_number(line, "query_tokens"),
    )


def _score_answer(answer: str | None, golds: Sequence[str]) -> float | None:
    if answer is None:
        return None
    value = in_accuracy.score(ScoringCase(id="", prediction=answer, answers=tuple(golds)))[""]
    return None if isinstance(value, Unscored) else value


def _read_list(line: Prediction, name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BenchError(f"Line {line.id} has a value of {name} that is not a list: write the value in brackets.")
    return value


def _read_whole_number(line: Prediction, name: str) -> int | None:
    value = _read_number(line, name)
    return None if value is None else int(value)


def _read_number(line: Prediction, name: str) -> float | None:
    value = line.extra.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise BenchError(f"Line {line.id} has a value of {name} that is not a number of at least 0.")
    return float(value)
