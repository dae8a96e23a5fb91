"""A predictions file, one JSON object a line: read line by line, a broken one told by its number while the others go on; and
scored without any workspace into the JSON that `cli.py score` prints."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from core.errors import BenchError
from core.json_lines import read_objects
from core.nouns import LANGUAGES
from core.text.text import detect_language
from eval.metric import ScoringCase
from eval.reports.summary import compute_bounds, summarise_answers
from eval.scoring.scoring import MetricValue, ScoredCase, ScoringJudge, score_cases

KNOWN_FIELDS = frozenset(
    ("id", "prediction", "answers", "question", "contexts", "parent", "kind", "error", "seconds", "calls", "tokens", "language")
)


@dataclass(frozen=True, slots=True)
class Prediction:
    """One line of a predictions file."""

    id: str
    text: str | None
    """None = the system failed; "" is an answer."""
    error: str | None = None
    """What it said when it failed."""
    answers: tuple[str, ...] = ()
    question: str = ""
    contexts: tuple[str, ...] | None = None
    """Texts of the passages it answered from, best first; None when it tells none."""
    language: str | None = None
    parent: str | None = None
    kind: str | None = None
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def case(self, language: str) -> ScoringCase:
        """As a metric scores it; only for a line that holds an answer."""
        return ScoringCase(
            id=self.id,
            prediction=self.text or "",
            answers=self.answers,
            language=language,
            question=self.question,
            contexts=self.contexts or (),
            seconds=self.seconds,
            calls=self.calls,
            tokens=self.tokens,
            extra=self.extra,
            observed=self.contexts or (),
            scratchpad=(*(self.contexts or ()), self.text or ""),
        )


class Predictions(NamedTuple):
    """What a file holds."""

    lines: tuple[Prediction, ...]
    refused: tuple[Mapping[str, Any], ...]
    """{"where", "line", "message"} for each line that cannot be read."""


def read_predictions(path: Path) -> Predictions:
    """Raises BenchError when there is no such file or not one of its lines can be read."""
    lines: list[Prediction] = []
    refused: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    try:
        for number, record, why in read_objects(path):
            try:
                if record is None:
                    raise ValueError(why)
                prediction = _prediction(record, seen)
            except ValueError as error:
                refused.append({"where": path.name, "line": number, "message": f"Line {number} of {path.name} {error}."})
            else:
                seen.add(prediction.id)
                lines.append(prediction)
    except OSError as error:
        raise BenchError(f"The predictions file {path} cannot be read: {error.strerror or error}.") from error
    if not lines:
        raise BenchError(refused[0]["message"] if refused else f"{path} holds no predictions: give one JSON object a line.")
    return Predictions(tuple(lines), tuple(refused))


def _prediction(record: Mapping[str, Any], seen: set[str]) -> Prediction:
    """Raises ValueError with what is wrong, as the end of a sentence that begins with the line's number."""
    name = record.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise ValueError("has no id")
    if str(name) in seen:
        raise ValueError(f"repeats the id {name}")
    text, error = record.get("prediction"), record.get("error")
    if text is not None and not isinstance(text, str):
        raise ValueError("has a prediction that is neither text nor null")
    answers, contexts = record.get("answers"), record.get("contexts")
    answers = [answers] if isinstance(answers, str) else answers or []
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise ValueError("has answers that are no list of texts")
    if contexts is not None and not (isinstance(contexts, list) and all(isinstance(c, str | dict) for c in contexts)):
        raise ValueError("has contexts that are no list of texts")
    if record.get("language") not in (None, *LANGUAGES):
        raise ValueError(f"has the language {record['language']!r}: en and zh are known")
    passages = None if contexts is None else tuple(c if isinstance(c, str) else str(c.get("text", "")) for c in contexts)
    return Prediction(
        id=str(name),
        text=None if error else text,
        error=str(error) if error else None,
        answers=tuple(answers),
        question=str(record.get("question") or ""),
        contexts=passages,
        language=record.get("language"),
        parent=_text(record, "parent"),
        kind=_text(record, "kind"),
        seconds=_number(record, "seconds"),
        calls=_count(record, "calls"),
        tokens=_count(record, "tokens"),
        extra={key: value for key, value in record.items() if key not in KNOWN_FIELDS},
    )


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    return None if value is None else str(value)


def _number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"has {name} that is no number from 0")
    return float(value)


def _count(record: Mapping[str, Any], name: str) -> int | None:
    value = _number(record, name)
    return None if value is None else int(value)


async def score_predictions(
    predictions: Predictions,
    metrics: Sequence[str],
    *,
    language: str | None = None,
    judges: Sequence[ScoringJudge] = (),
    votes: int = 1,
    seed: int = 0,
    concurrency: int = 8,
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """{"n", "language", "metrics": {name: {"mean", "n", "low", "high", "failed", "unscored"}}, "items": [..]}, items in the
    file's order. A line's own language wins over `language`, which wins over what its texts look like. Lines with the same
    `parent` (or a parent and its variants) are one cluster of the intervals. Raises RunStopped when a judge or the budget
    ends it."""
    lines = predictions.lines
    spoken = {line.id: line.language or language or detect_language(_sample(line)) for line in lines}
    cases = [line.case(spoken[line.id]) for line in lines if line.text is not None]
    scored: dict[str, ScoredCase] = {}
    async for one in score_cases(cases, metrics, judges=judges, votes=votes, concurrency=concurrency, settings=settings):
        scored[one.case.id] = one.join_case(scored.get(one.case.id))
    failed = len(lines) - len(cases)
    there = [line for line in lines if line.id in scored]
    values = [scored[line.id].values for line in there]
    summaries = summarise_answers(values, [line.parent or line.id for line in there], seed)
    spread = Counter(spoken.values()).most_common(1)
    return {
        "n": len(lines),
        "language": spread[0][0] if spread else language,
        "refused": list(predictions.refused),
        "offline": ["judge"] if any(judge.is_offline for judge in judges) else [],
        "metrics": {
            name: {**summary.record(), "failed": failed, "bounds": compute_bounds(name, summary, failed + _open(name, values))}
            for name, summary in summaries.items()
        },
        "items": [_item(line, scored.get(line.id), list(summaries)) for line in lines],
    }


def _open(name: str, scored: Sequence[Mapping[str, MetricValue]]) -> int:
    """Answers on which a judge failed or said nothing that can be read: they may be worth anything on the scale."""
    silent = ("judge failed", "not read", "no verdict could be read")
    return sum(one[name].why.startswith(silent) for one in scored if name in one)


def _sample(line: Prediction) -> str:
    return line.question or " ".join(line.answers) or line.text or ""


def _item(line: Prediction, scored: ScoredCase | None, names: Sequence[str]) -> dict[str, Any]:
    """A failed line has null for every metric and says why."""
    if scored is None:
        return {"id": line.id, **dict.fromkeys(names), "error": line.error or "no prediction"}
    values = {name: value.value for name, value in scored.values.items()}
    why = {name: value.why for name, value in scored.values.items() if value.value is None}
    return {"id": line.id, **values} | ({"why": why} if why else {}) | ({"details": scored.details} if scored.details else {})
