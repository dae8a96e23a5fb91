"""Define the input of a report: a run with its traces, scores and items, as one row per trace; and group these rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from core.errors import BenchError
from core.label_questions import format_answer, read_label_answers
from core.nouns import Item, Level, Run, Score, Trace
from eval.metric import split_name
from eval.reports.calibration import HumanMark, RunJudge
from eval.reports.summary import list_names

RowKey = tuple[str, str | None]
"""The key of a row: (item id, variant id or None)."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run with all data that a report needs."""

    run: Run
    traces: Sequence[Trace]
    scores: Sequence[Score]
    items: Mapping[str, Item]
    """A dict from item id to the item in the revision that the run used."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """A dict from variant id to the variant's kind."""
    not_run: Sequence[Mapping[str, Any]] = ()
    """The questions that the run left out, as {"language", "n", "why"} records."""
    context_tokens: Mapping[str, int] = field(default_factory=dict)
    """A dict from item id to the number of tokens of its given documents, for tables on releases; may be empty."""
    build_seconds: float | None = None
    """Seconds that the system took to build its memory, graph or index; None = not measured."""
    building: Mapping[str, Any] | None = None
    """Costs of building, as {"calls", "tokens_in", "tokens_out", "price", "seconds"}; None = the system builds nothing."""
    models: Sequence[Mapping[str, Any]] = ()
    """The run's local models, and the models behind embedding and rerank endpoints, as records {"role", "model"} with device,
    dtype, prompts, ..."""
    windows: Sequence[int] = ()
    """Number of questions asked at the same time, in each job that answered some of the run's questions."""
    judges: Sequence[RunJudge] = ()
    """All judges of the run's metrics, with the number of human marks on each."""
    marks: Sequence[HumanMark] = ()
    """The marks that people agreed on for the run's answers, from closed grading batches."""
    same_passages: int | None = None
    """If the same passages were retrieved for all questions, which is a sign of an error: the number of these questions; else
    None."""
    asked: int | None = None
    """Number of questions in the run; None = the number of its traces."""
    erratum: str = ""
    """A sentence on what the run's release corrects, if it is an erratum; else ""."""
    tiny: Mapping[str, Any] = field(default_factory=dict)
    """What the manifest says about the run's release if it is a tiny one (core/quality/tiny.py); else empty."""
    judge_not_taken: Sequence[str] = ()
    """Sentence fragments on requested parameters that the endpoints of the judges did not accept."""

    @property
    def not_taken(self) -> list[str]:
        """Return distinct sentence fragments on parameters that the agents' endpoints did not accept, for a footnote to each
        mean."""
        own = dict.fromkeys(sentence for trace in self.traces for sentence in trace.not_taken)
        return [*own, *(f"of a judge, {sentence}" for sentence in self.judge_not_taken)]

    @property
    def unfinished(self) -> str:
        """Return a sentence fragment that says which part of the run's work is missing; "" if the run is finished."""
        answered = sum(trace.answer is not None for trace in self.traces)
        return describe_unfinished(self.asked or 0, len(self.traces), answered, len(self.scores))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One trace with its scores and the facts of its question: a row of a report."""

    item: str
    variant: str | None
    level: Level
    domain: str
    task: str
    kind: str
    """Return the kind of the question's variant; "original" for the item's own question."""
    language: str
    labels: Mapping[str, Any]
    overlap: float | None
    failed: bool
    points: Mapping[str, Score]
    """A dict from full metric name to Score. A failed answer has only the scores of metrics that count a refused call."""

    @property
    def key(self) -> RowKey:
        return self.item, self.variant


def describe_unfinished(total: int, traces: int, answered: int, scores: int) -> str:
    """Return a sentence fragment that says which part of a run's work is missing, given these counts; "" if the run is
    finished."""
    if traces < total:
        return f"not finished: {traces} of {total} questions were asked so far."
    return "not finished: its answers are not scored yet." if answered and not scores else ""


Rows = Sequence[ResultRow]


def build_rows(result: RunResult) -> list[ResultRow]:
    """Return one row per trace of the run, in the order of items and variants; traces of unknown items are left out."""
    points: dict[RowKey, dict[str, Score]] = {}
    for score in result.scores:
        points.setdefault((score.item, score.variant), {})[score.metric] = score
    rows = []
    for trace in sorted(result.traces, key=lambda t: (t.item, t.variant or "")):
        item = result.items.get(trace.item)
        if item is None:
            continue
        kind = "original" if trace.variant is None else result.kinds.get(trace.variant, "variant")
        facts = item.level, item.domain, item.task, kind, item.language, item.labels, item.overlap
        own = points.get((trace.item, trace.variant), {})
        rows.append(ResultRow(trace.item, trace.variant, *facts, trace.answer is None, own))
    return rows


def find_part(rows: Rows, metric: str, part: str = "") -> str | None:
    """Return the full name under which the rows store the scores of a metric's part. The scores may be from an offline judge; a
    name with values is preferred. None = the metric was not scored."""
    points = [row.points for row in rows]
    names = []
    for name in list_names(points):
        own = split_name(name)
        if (own.metric, own.part) == (metric, part) and ".judge" not in own.base:
            names.append(name)
    valued = (name for name in names if any(name in own and own[name].value is not None for own in points))
    return next(valued, names[0] if names else None)


def make_group_key(by: Sequence[str]) -> Callable[[ResultRow], tuple[Any, ...]]:
    """Return a function that gives, for a row, its values of the names in `by`: level, domain, task, kind, language or
    label.NAME. Raises BenchError for any other name."""
    plain = ("level", "domain", "task", "kind", "language")
    for name in by:
        if name not in plain and not (name.startswith("label.") and len(name) > 6):
            raise BenchError(f"A report cannot be grouped by {name!r}: choose from {', '.join(plain)} and label.NAME.")

    if len(by) > 1 and set(by) <= set(plain):
        return attrgetter(*by)

    def key(row: ResultRow) -> tuple[Any, ...]:
        return tuple(_read_label(row, name[6:]) if name.startswith("label.") else getattr(row, name) for name in by)

    return key


def group_rows(rows: Iterable[ResultRow], by: Sequence[str]) -> dict[tuple[Any, ...], list[ResultRow]]:
    """Return a dict from each key to the rows with this key, in the order of the keys (numbers before words, None last)."""
    key = make_group_key(by)
    groups: dict[tuple[Any, ...], list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return dict(sorted(groups.items(), key=lambda pair: [order_mixed(part) for part in pair[0]]))


def order_mixed(value: Any) -> tuple[int, float, str]:
    """Return a sort key for values of mixed types: numbers first, then words, then None."""
    if value is None:
        return 2, 0.0, ""
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))


def _read_label(row: ResultRow, name: str) -> Any:
    value = row.labels.get(name, read_label_answers(row.labels).get(name))
    value = format_answer(value) if isinstance(value, list) and name not in row.labels else value
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
