"""Metrics over answers, each case's scores as they come. Judged metrics ask their judges in a sliding window. What a judge
says is named for what it is: `s_f1` is a real judge's, `s_f1.offline` the offline one's, and with several judges each one's
value stands under `.judge1`, `.judge2` while the plain name is their mean. A failed trace is no case: it is counted, never
scored."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from core.catalog import pick
from core.errors import AgentError, BenchError, BudgetReached
from core.nouns import Score, Span, Trace
from eval.metric import Case, Metric, Unscored, Values, full_name, metrics
from eval.runner import RunStopped
from eval.system import Ask, Question
from eval.window import slide


@dataclass(frozen=True, slots=True)
class Judge:
    """An agent that judges."""

    name: str
    is_offline: bool
    ask: Ask


@dataclass(frozen=True, slots=True)
class Value:
    """One metric's value on one case."""

    value: float | None
    version: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """All values of one case by full name, and what judges said by full name of the metric."""

    case: Case
    values: Mapping[str, Value]
    details: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, trace: Trace) -> tuple[Score, ...]:
        """As Score nouns of that trace."""
        return tuple(
            Score(trace.run, trace.item, trace.variant, name, value.version, value.value, value.why)
            for name, value in self.values.items()
        )


def case_of(
    trace: Trace, question: Question, text: Callable[[Span], str], top_k: int | None = None,
    left_out: Collection[str] = frozenset(),
) -> Case | None:  # fmt: skip
    """What a metric scores of a trace; None when the system failed. `left_out` = documents that retrieval did not see."""
    if trace.answer is None:
        return None
    tokens = None if trace.tokens_in is None and trace.tokens_out is None else (trace.tokens_in or 0) + (trace.tokens_out or 0)
    return Case(
        id=trace.variant or trace.item, prediction=trace.answer, answers=question.answers, language=question.language,
        question=question.text, evidence=question.evidence, retrieved=trace.retrieved,
        contexts=tuple(text(span) for span in trace.retrieved or ()), seconds=trace.seconds, calls=trace.calls, tokens=tokens,
        extra={} if top_k is None else {"top_k": top_k},
        is_left_out=any(span.document in left_out for span in question.evidence),
    )  # fmt: skip


async def score_cases(
    cases: Iterable[Case],
    names: Sequence[str] | Callable[[Case], Sequence[str]],
    *,
    judges: Sequence[Judge] = (),
    votes: int = 1,
    concurrency: int = 8,
    cancel: asyncio.Event | None = None,
) -> AsyncIterator[ScoredCase]:
    """Each case with its values, in the order they finish. `names` are the metrics' stable names, the same for all or by case.
    Raises BenchError on an unknown metric, RunStopped after the last finished case when a judge or the budget ended it."""
    if votes < 1:
        raise BenchError(f"A judge needs at least 1 vote, not {votes}.")
    known = metrics()
    for name in () if callable(names) else names:
        pick(known, name, "metric")
    waiting = iter(cases)

    async def score(case: Case) -> ScoredCase:
        wanted = {name: pick(known, name, "metric") for name in (names(case) if callable(names) else names)}
        return await _scored(case, wanted, judges, votes)

    async with aclosing(slide(waiting, score, concurrency, cancel)) as scored:
        async for one in scored:
            yield one
    if next(waiting, None) is not None:
        raise RunStopped("Cancelled before every answer was scored.", reason="cancelled")


async def _scored(case: Case, wanted: Mapping[str, Metric], judges: Sequence[Judge], votes: int) -> ScoredCase:
    values: dict[str, Value] = {}
    details: dict[str, Any] = {}
    for name, metric in wanted.items():
        if case.language not in metric.languages:
            values[name] = Value(None, metric.version, f"not available for {case.language}")
        elif metric.score is not None:
            values |= {full_name(name, part): _value(value, metric.version) for part, value in metric.score(case).items()}
        elif not judges:
            values[name] = Value(None, metric.version, "not run: no judge")
        else:
            found, said = await _judged(name, metric, case, judges, votes)
            values |= found
            details |= said
    return ScoredCase(case, values, details)


async def _judged(
    name: str, metric: Metric, case: Case, judges: Sequence[Judge], votes: int
) -> tuple[dict[str, Value], dict[str, Any]]:
    """(values, details) of one judged metric; offline judges never mix with real ones."""
    version = metric.version + (f" votes {votes}" if votes > 1 else "")
    values: dict[str, Value] = {}
    details: dict[str, Any] = {}
    groups: dict[str, list[dict[str, Value]]] = {}
    for number, judge in enumerate(judges, 1):
        base = f"{name}.offline" if judge.is_offline else name
        own = f"{base}.judge{number}" if len(judges) > 1 else base
        given, said = await _one_judge(metric, case, judge, votes)
        read = {part: _value(value, version) for part, value in given.items()}
        groups.setdefault(base, []).append(read)
        values |= {full_name(own, part): value for part, value in read.items()}
        details |= {own: {"judge": judge.name, **said}} if said else {}
    for base, several in groups.items() if len(judges) > 1 else ():
        for part in dict.fromkeys(part for read in several for part in read):
            values[full_name(base, part)] = _mean([read[part] for read in several if part in read], version)
    return values, details


async def _one_judge(metric: Metric, case: Case, judge: Judge, votes: int) -> tuple[Values, Mapping[str, Any]]:
    """Raises RunStopped when asking further is pointless."""
    if metric.judge is None:
        raise BenchError("A metric needs a score or a judge function; this one has neither.")
    try:
        judged = await metric.judge(case, judge.ask, votes)
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except AgentError as failed:
        if failed.stops_job:
            raise RunStopped(str(failed), reason="endpoint") from failed
        return {"": Unscored(f"judge failed ({failed.kind}): {failed}")}, {}
    return judged.values, judged.details


def _value(given: float | Unscored | None, version: str) -> Value:
    if isinstance(given, Unscored):
        return Value(None, version, given.why)
    return Value(given, version, "no value" if given is None else "")


def _mean(values: Sequence[Value], version: str) -> Value:
    """The judges' mean; None when one of them gave none, so that no judge's silence moves the figure."""
    given = [value.value for value in values if value.value is not None]
    if len(given) < len(values):
        return Value(None, version, next(value.why for value in values if value.value is None))
    return Value(sum(given) / len(given), version)
