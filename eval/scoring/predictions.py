"""Read and score predictions files without a workspace. A predictions file has one JSON object per line. A broken line is
reported with its number, and the other lines are scored. The result is the JSON that `cli.py score` prints."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from core.errors import BenchError
from core.json_lines import read_objects
from core.text.detection import detect, detect_language
from core.text.language import UNKNOWN, rows
from eval.metric import ScoringCase, drop_blank_golds
from eval.reports.summary import compute_bounds, summarise_answers
from eval.scoring.scoring import ScoredCase, ScoringJudge, score_cases
from eval.settings import Settings

KNOWN_FIELDS = frozenset(
    ("id", "prediction", "answers", "question", "contexts", "parent", "kind", "error", "seconds", "calls", "tokens", "language")
)


@dataclass(frozen=True, slots=True)
class Prediction:
    """One line of a predictions file: an answer of an outside system, with its question."""

    id: str
    text: str | None
    """Text of the answer, which may be ""; None = the system failed."""
    error: str | None = None
    """Error message of the system, if the system failed."""
    answers: tuple[str, ...] = ()
    question: str = ""
    contexts: tuple[str, ...] | None = None
    """Texts of the passages on which the answer is based, best first; None = the system reports none."""
    language: str | None = None
    parent: str | None = None
    kind: str | None = None
    seconds: float | None = None
    calls: int | None = None
    tokens: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def case(self, language: str) -> ScoringCase:
        """Return the line, which must have an answer, as a ScoringCase for metrics."""
        contexts, text = self.contexts or (), self.text or ""
        return ScoringCase(
            id=self.id,
            prediction=text,
            answers=self.answers,
            language=language,
            question=self.question,
            contexts=contexts,
            seconds=self.seconds,
            calls=self.calls,
            tokens=self.tokens,
            extra=self.extra,
            observed=contexts,
            scratchpad=(*contexts, text),
        )

    @property
    def words(self) -> str:
        """Return the texts of the line by which its language is detected: all except its passages."""
        return "\n".join(filter(None, (self.question, *self.answers, self.text)))


class Predictions(NamedTuple):
    """The readable and the unreadable lines of a predictions file."""

    lines: tuple[Prediction, ...]
    refused: tuple[Mapping[str, Any], ...]
    """The lines that cannot be read, as {"where", "line", "message"} records."""


def read_predictions(path: Path) -> Predictions:
    """Return the lines of the predictions file. Raises BenchError if the file does not exist or has no readable line."""
    lines: dict[str, Prediction] = {}
    refused: list[Mapping[str, Any]] = []
    try:
        for number, record, why in read_objects(path):
            try:
                if record is None:
                    raise ValueError(why)
                prediction = _read_prediction(record)
                if prediction.id in lines:
                    raise ValueError(f"repeats the id {record['id']}")
                lines[prediction.id] = prediction
            except ValueError as error:
                refused.append({"where": path.name, "line": number, "message": f"Line {number} of {path.name} {error}."})
    except OSError as error:
        raise BenchError(f"The predictions file {path} cannot be read: {error.strerror or error}.") from error
    if not lines:
        raise BenchError(refused[0]["message"] if refused else f"{path} has no predictions: write one JSON object per line.")
    return Predictions(tuple(lines.values()), tuple(refused))


def _read_prediction(record: Mapping[str, Any]) -> Prediction:
    """Return the line that a JSON record describes. Raises ValueError with the reason, as the end of a sentence that begins
    with the number of the line."""
    name, text, error = record.get("id"), record.get("prediction"), record.get("error")
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise ValueError("has no id")
    if text is not None and not isinstance(text, str):
        raise ValueError("has a prediction that is neither text nor null")
    answers, contexts = record.get("answers"), record.get("contexts")
    answers = [answers] if isinstance(answers, str) else answers or []
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise ValueError("has answers that are not a list of texts")
    if contexts is not None and not (isinstance(contexts, list) and all(isinstance(c, str | dict) for c in contexts)):
        raise ValueError("has contexts that are not a list of texts")
    if record.get("language") not in (None, UNKNOWN, *rows()):
        raise ValueError(f"has the language {record['language']!r}: known are {', '.join(rows())} and {UNKNOWN}")
    numbers = {field: _read_number(record, field) for field in ("seconds", "calls", "tokens")}
    parent, kind = (None if record.get(field) is None else str(record[field]) for field in ("parent", "kind"))
    return Prediction(
        id=str(name),
        text=None if error else text,
        error=str(error) if error else None,
        answers=drop_blank_golds(answers),
        question=str(record.get("question") or ""),
        contexts=None if contexts is None else tuple(c if isinstance(c, str) else str(c.get("text", "")) for c in contexts),
        language=record.get("language"),
        parent=parent,
        kind=kind,
        seconds=numbers["seconds"],
        calls=None if numbers["calls"] is None else int(numbers["calls"]),
        tokens=None if numbers["tokens"] is None else int(numbers["tokens"]),
        extra={key: value for key, value in record.items() if key not in KNOWN_FIELDS},
    )


def _read_number(record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"has a value of {name} that is not a number of at least 0")
    return float(value)


async def score_predictions(
    predictions: Predictions,
    metrics: Sequence[str],
    *,
    language: str | None = None,
    judges: Sequence[ScoringJudge] = (),
    votes: int = 1,
    seed: int = 0,
    concurrency: int = 8,
    settings: Settings = MappingProxyType({}),
) -> dict[str, Any]:
    """Score the predictions by the metrics, and return {"n", "language", "metrics": {name: {"mean", "n", "low", "high",
    "failed", "unscored"}}, "items": [one record per line, in the order of the file]}. The language of a line is the language
    that the line states, else `language`, else the detected language (see find_languages). Lines with the same `parent`, or a
    parent and its variants, form one cluster for the intervals. Raises RunStopped if a judge or the budget ends the scoring."""
    lines = predictions.lines
    spoken = find_languages(lines, language)
    cases = [line.case(spoken[line.id]) for line in lines if line.text is not None]
    scored: dict[str, ScoredCase] = {}
    async for result in score_cases(cases, metrics, judges=judges, votes=votes, concurrency=concurrency, settings=settings):
        scored[result.case.id] = result.join_case(scored.get(result.case.id))
    return summarise_predictions(predictions, scored, spoken, language, any(judge.is_offline for judge in judges), seed)


def summarise_predictions(
    predictions: Predictions,
    scored: Mapping[str, ScoredCase],
    spoken: Mapping[str, str],
    language: str | None,
    is_offline: bool,
    seed: int = 0,
) -> dict[str, Any]:
    """Return what `score_predictions` returns, computed from `scored`, a dict from line id to its scored case. `spoken` is a
    dict from line id to language."""
    lines = predictions.lines
    failed = sum(line.text is None for line in lines)
    answered = [line for line in lines if line.id in scored]
    values = [scored[line.id].values for line in answered]
    summaries = summarise_answers(values, [line.parent or line.id for line in answered], seed)
    # an answer whose judge failed or was unreadable may have any value on the scale
    silent = ("judge failed", "not read", "no verdict could be read")
    unknown = {name: sum(own[name].why.startswith(silent) for own in values if name in own) for name in summaries}
    languages = Counter(spoken.values()).most_common(1)
    return {
        "n": len(lines),
        "language": languages[0][0] if languages else language,
        "refused": list(predictions.refused),
        "offline": ["judge"] if is_offline else [],
        "metrics": {
            name: {**summary.record(), "failed": failed, "bounds": compute_bounds(name, summary, failed + unknown[name])}
            for name, summary in summaries.items()
        },
        "items": [_record_item(line, scored.get(line.id), list(summaries)) for line in lines],
    }


def find_languages(lines: Sequence[Prediction], language: str | None = None) -> dict[str, str]:
    """Return a dict from line id to language: the line's own, else `language`, else detected from its texts or, if these are
    unclear, from all lines together; English if there are too few words."""
    detected = detect("\n".join(line.words for line in lines if not (line.language or language)))
    together = detected.code if detected.likeliest != UNKNOWN else "en"
    return {line.id: line.language or language or detect_language(line.words, together) for line in lines}


def _record_item(line: Prediction, scored: ScoredCase | None, names: Sequence[str]) -> dict[str, Any]:
    """Return the values of one line as a JSON record; a failed line has null for every metric, and its error."""
    if scored is None:
        return {"id": line.id, **dict.fromkeys(names), "error": line.error or "no prediction"}
    values = {name: value.value for name, value in scored.values.items()}
    why = {name: value.why for name, value in scored.values.items() if value.value is None}
    return {"id": line.id, **values} | ({"why": why} if why else {}) | ({"details": scored.details} if scored.details else {})
