"""What a report is made of: a run with its traces, scores and items, laid out as one Row a trace, and how rows are grouped."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from core.errors import BenchError
from core.label_questions import format_answer, read_label_answers
from core.nouns import Item, Level, Run, Score, Trace
from eval.reports.calibration import HumanMark, RunJudge


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run as a report meets it."""

    run: Run
    traces: Sequence[Trace]
    scores: Sequence[Score]
    items: Mapping[str, Item]
    """The release's items by id, in the revisions that were asked."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kind of each variant by its id."""
    not_run: Sequence[Mapping[str, Any]] = ()
    """{"language", "n", "why"}: what the run left out."""
    context_tokens: Mapping[str, int] = field(default_factory=dict)
    """Tokens of an item's given documents, by item id, for tables of a release; may be empty."""
    build_seconds: float | None = None
    """Seconds that building memory, graph or index took; None = not measured."""
    building: Mapping[str, Any] | None = None
    """What its building came to: {"calls", "tokens_in", "tokens_out", "price", "seconds"}; None = it builds nothing."""
    windows: Sequence[int] = ()
    """How many questions were in hand at once, in each of the jobs that answered some."""
    judgings: Sequence[RunJudge] = ()
    """Every judge at every metric of the run, with how much of it people saw."""
    marks: Sequence[HumanMark] = ()
    """What people came to on its answers, of batches that are closed."""
    same_passages: int | None = None
    """Questions with passages, where all of them have the very same ones; None = they differ, or nothing was retrieved."""
    asked: int | None = None
    """Questions that the run asks; None = as many as it has traces."""

    @property
    def unfinished(self) -> str:
        """What the run still lacks, half a sentence; "" when it is finished."""
        answered = sum(trace.answer is not None for trace in self.traces)
        return describe_unfinished(self.asked or 0, len(self.traces), answered, len(self.scores))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One trace with what is known of its question."""

    item: str
    variant: str | None
    level: Level
    domain: str
    task: str
    kind: str
    """Kind of the variant; "original" for the item itself."""
    language: str
    labels: Mapping[str, Any]
    overlap: float | None
    failed: bool
    points: Mapping[str, Score]
    """Scores by full metric name; of an answer that failed, those of metrics that count a refused call."""

    @property
    def key(self) -> tuple[str, str | None]:
        return self.item, self.variant


def describe_unfinished(asked: int, traces: int, answered: int, scores: int) -> str:
    """What a run with so many of each still lacks, half a sentence; "" when it is finished."""
    if traces < asked:
        return f"not finished: {traces} of {asked} questions were asked so far."
    return "not finished: its answers are not scored yet." if answered and not scores else ""


def build_rows(result: RunResult) -> list[ResultRow]:
    """One row a trace, in the order of items and variants, not of arrival. Traces of items that are not given are left out."""
    points: dict[tuple[str, str | None], dict[str, Score]] = {}
    for score in result.scores:
        points.setdefault((score.item, score.variant), {})[score.metric] = score
    rows = []
    for trace in sorted(result.traces, key=lambda t: (t.item, t.variant or "")):
        item = result.items.get(trace.item)
        if item is None:
            continue
        kind = "original" if trace.variant is None else result.kinds.get(trace.variant, "variant")
        failed = trace.answer is None
        own = points.get((trace.item, trace.variant), {})
        rows.append(
            ResultRow(
                trace.item,
                trace.variant,
                item.level,
                item.domain,
                item.task,
                kind,
                item.language,
                item.labels,
                item.overlap,
                failed,
                own,
            )
        )
    return rows


def make_group_key(by: Sequence[str]) -> Callable[[ResultRow], tuple[Any, ...]]:
    """A row's values of those names: level, domain, task, kind, language or label.NAME. Raises BenchError on another name."""
    plain = ("level", "domain", "task", "kind", "language")
    for name in by:
        if name not in plain and not (name.startswith("label.") and len(name) > 6):
            raise BenchError(f"A report cannot be made by {name!r}: there are {', '.join(plain)} and label.NAME.")

    if len(by) > 1 and set(by) <= set(plain):
        return attrgetter(*by)

    def key(row: ResultRow) -> tuple[Any, ...]:
        return tuple(_label(row, name[6:]) if name.startswith("label.") else getattr(row, name) for name in by)

    return key


def group_rows(rows: Iterable[ResultRow], by: Sequence[str]) -> dict[tuple[Any, ...], list[ResultRow]]:
    """Rows by key, keys in order (numbers before words, nothing last)."""
    key = make_group_key(by)
    groups: dict[tuple[Any, ...], list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return dict(sorted(groups.items(), key=lambda pair: [order_mixed(part) for part in pair[0]]))


def order_mixed(value: Any) -> tuple[int, float, str]:
    """A sort key for mixed values: numbers, then words, then None."""
    if value is None:
        return 2, 0.0, ""
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))


def _label(row: ResultRow, name: str) -> Any:
    value = row.labels.get(name, read_label_answers(row.labels).get(name))
    value = format_answer(value) if isinstance(value, list) and name not in row.labels else value
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
