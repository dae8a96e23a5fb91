"""Metrics over answers, each case's scores as they come. Judged metrics ask their judges in a sliding window; those that run a
model over the texts take many cases at once. What a judge says is named for what it is: `s_f1` is a real judge's,
`s_f1.offline` the offline one's, and with several judges each one's value stands under `.judge1`, `.judge2` while the plain
name is their mean. A failed trace is no case: it is counted, never scored."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from core.catalog import pick
from core.errors import AgentError, BenchError, BudgetReached
from core.nouns import Score, Span, Step, Trace
from core.readers.web_page import strip_emphasis
from core.retrieval.embeddings import embedder
from eval.metric import Metric, QuestionPage, ScoringCase, Unscored, Values, join_name, metrics
from eval.retriever import Embedders
from eval.running.runner import RunStopped
from eval.running.window import run_in_window
from eval.system import AskInRun, Question

DOCUMENT_END = 2**31 - 1
"""An end behind every document's."""
REFUSED_STOP = "refused"
"""Trace.stop of a call that the endpoint refused."""
CASES_PER_GROUP = 1_000
"""Cases that a model scores before their scores are handed over: what a process that is killed can lose."""


@dataclass(frozen=True, slots=True)
class ScoringJudge:
    """An agent that judges."""

    name: str
    is_offline: bool
    ask: AskInRun


@dataclass(frozen=True, slots=True)
class MetricValue:
    """One metric's value on one case."""

    value: float | None
    version: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """All values of one case by full name, and what judges said by full name of the metric."""

    case: ScoringCase
    values: Mapping[str, MetricValue]
    details: Mapping[str, Any] = field(default_factory=dict)

    def join_case(self, other: "ScoredCase | None") -> "ScoredCase":
        """With what the same case was given elsewhere."""
        return ScoredCase(self.case, {**other.values, **self.values}, {**other.details, **self.details}) if other else self

    def scores(self, trace: Trace) -> tuple[Score, ...]:
        """As Score nouns of that trace."""
        return tuple(
            Score(trace.run, trace.item, trace.variant, name, value.version, value.value, value.why)
            for name, value in self.values.items()
        )


def make_case(
    trace: Trace,
    question: Question,
    text: Callable[[Span], str],
    top_k: int | None = None,
    left_out: Collection[str] = frozenset(),
) -> ScoringCase | None:
    """What a metric scores of a trace; None when the system failed, but for a refused call, which some metrics count.
    `left_out` = documents that retrieval did not see."""
    if trace.answer is None and trace.stop != REFUSED_STOP:
        return None
    tokens = None if trace.tokens_in is None and trace.tokens_out is None else (trace.tokens_in or 0) + (trace.tokens_out or 0)
    observed = tuple(one for step in trace.steps for one in _list_observations(step, text))
    return ScoringCase(
        id=trace.variant or trace.item,
        prediction=trace.answer or "",
        answers=question.answers,
        language=question.language,
        question=question.text,
        evidence=question.evidence,
        retrieved=trace.retrieved,
        contexts=tuple(text(span) for span in trace.retrieved or ()),
        seconds=trace.seconds,
        calls=trace.calls,
        tokens=tokens,
        extra=_extra(trace, question, top_k),
        pages=partial(_pages, question, text),
        is_left_out=any(span.document in left_out for span in question.evidence),
        observed=observed,
        scratchpad=(*(step.text for step in trace.steps), *observed, trace.answer or ""),
    )


def _extra(trace: Trace, question: Question, top_k: int | None) -> dict[str, Any]:
    found = {
        "top_k": top_k,
        "stop": REFUSED_STOP if trace.answer is None else None,
        "answer_url": question.labels.get("answer_url"),
    }
    return {key: value for key, value in found.items() if value is not None}


def _pages(question: Question, text: Callable[[Span], str]) -> list[QuestionPage]:
    """The ranks of the question's search results; where none are on record, the documents that belong to it."""
    kept = question.labels.get("crag")
    entries = kept.get("pages") if isinstance(kept, Mapping) else None
    found: dict[str, QuestionPage] = {}
    for rank, entry in enumerate(entries if entries is not None else [{"document": name} for name in question.given], 1):
        name = entry["document"] or f"rank {rank}"
        whole = partial(text, Span(name, 0, DOCUMENT_END))
        found.setdefault(
            name, QuestionPage(rank, str(entry.get("page_url", "")), strip_emphasis(str(entry.get("page_snippet", ""))), whole)
        )
    return list(found.values())


def _list_observations(step: Step, text: Callable[[Span], str]) -> tuple[str, ...]:
    if step.kind == "observation":  # what went wrong repeats the system's own words, and brings nothing
        return () if step.about.get("trouble") else (step.text,)
    return tuple(map(text, step.spans)) if step.kind == "retrieve" else ()


class ConfiguredMetric(NamedTuple):
    """A metric as it is set."""

    metric: Metric
    settings: Mapping[str, Any]
    version: str
    """The metric's own, with what its settings make of it."""


def configure_metric(name: str, settings: Mapping[str, Any], embedders: Embedders = embedder) -> ConfiguredMetric:
    """The metric of that name under settings like {"bertscore.layer": 9}; others' are left out. Raises BenchError when there is
    no such metric, or no such model."""
    metric = pick(metrics(), name, "metric")
    given = {key.removeprefix(f"{name}."): value for key, value in settings.items() if key.startswith(f"{name}.")}
    own = {**metric.settings, **given}
    return ConfiguredMetric(metric, own, f"{metric.version} {metric.made_with(own, embedders)}".strip())


async def score_cases(
    cases: Iterable[ScoringCase],
    names: Sequence[str] | Callable[[ScoringCase], Sequence[str]],
    *,
    judges: Sequence[ScoringJudge] = (),
    votes: int = 1,
    concurrency: int = 8,
    cancel: asyncio.Event | None = None,
    settings: Mapping[str, Any] = MappingProxyType({}),
    embedders: Embedders = embedder,
) -> AsyncIterator[ScoredCase]:
    """Each case with its values, in the order they finish; a case comes twice when some of its metrics take many at once: first
    with the others. `names` are the metrics' stable names, the same for all or by case. Raises BenchError on an unknown metric,
    RunStopped after the last finished case when a judge or the budget ended it."""
    if votes < 1:
        raise BenchError(f"A judge needs at least 1 vote, not {votes}.")
    found = list(cases)
    of = {id(case): list(names(case)) if callable(names) else list(names) for case in found}
    wanted = dict.fromkeys([*(() if callable(names) else names), *(name for own in of.values() for name in own)])
    scorers = {name: await asyncio.to_thread(configure_metric, name, settings, embedders) for name in wanted}
    many = {name: one for name, one in scorers.items() if one.metric.batch}
    waiting = iter([case for case in found if not many or any(name not in many for name in of[id(case)])])

    async def score(case: ScoringCase) -> ScoredCase:
        return await _score_case(case, {name: scorers[name] for name in of[id(case)] if name not in many}, judges, votes)

    async with aclosing(run_in_window(waiting, score, concurrency, cancel)) as scored:
        async for one in scored:
            yield one
    is_over = next(waiting, None) is None
    for name, model in many.items():
        asked = [case for case in found if name in of[id(case)]]
        for first in range(0, len(asked), CASES_PER_GROUP):
            is_over = is_over and not (cancel and cancel.is_set())
            if is_over:
                for one in await asyncio.to_thread(
                    _score_batch, name, model, asked[first : first + CASES_PER_GROUP], embedders
                ):
                    yield one
    if not is_over:
        raise RunStopped("Cancelled before every answer was scored.", reason="cancelled")


def _score_batch(name: str, one: ConfiguredMetric, cases: Sequence[ScoringCase], embedders: Embedders) -> list[ScoredCase]:
    """Those cases under a metric that takes many."""
    known = [case for case in cases if case.language in one.metric.languages]
    values = one.metric.batch(known, one.settings, embedders) if one.metric.batch and known else []
    found = {id(case): own for case, own in zip(known, values, strict=True)}
    return [
        ScoredCase(
            case,
            {
                join_name(name, part): _value(value, one.version)
                for part, value in found.get(id(case), _no_language(one.metric, case)).items()
            },
        )
        for case in cases
    ]


def _no_language(metric: Metric, case: ScoringCase) -> Values:
    return {metric.headline: Unscored(f"not available for {case.language}")}


async def _score_case(
    case: ScoringCase, wanted: Mapping[str, ConfiguredMetric], judges: Sequence[ScoringJudge], votes: int
) -> ScoredCase:
    values: dict[str, MetricValue] = {}
    details: dict[str, Any] = {}
    for name, one in wanted.items():
        metric = one.metric
        if case.language in metric.languages and judges and metric.judge is not None:
            found, said = await _judge_metric(name, one, case, judges, votes)
            values |= found
            details |= said
            continue
        if case.language not in metric.languages:
            own = _no_language(metric, case)
        elif metric.score is not None:
            own = metric.score(case)
        else:
            own = {metric.headline: Unscored("not run: no judge")}
        values |= {join_name(name, part): _value(value, one.version) for part, value in own.items()}
    return ScoredCase(case, values, details)


async def _judge_metric(
    name: str, one: ConfiguredMetric, case: ScoringCase, judges: Sequence[ScoringJudge], votes: int
) -> tuple[dict[str, MetricValue], dict[str, Any]]:
    """(values, details) of one judged metric; offline judges never mix with real ones."""
    version = " ".join(filter(None, [one.version, f"votes {votes}" if votes > 1 else "", one.metric.asked_by(case)]))
    values: dict[str, MetricValue] = {}
    details: dict[str, Any] = {}
    groups: dict[str, list[dict[str, MetricValue]]] = {}
    for number, judge in enumerate(judges, 1):
        base = f"{name}.offline" if judge.is_offline else name
        own = f"{base}.judge{number}" if len(judges) > 1 else base
        given, said = await _one_judge(one, case, judge, votes)
        read = {part: _value(value, version) for part, value in given.items()}
        groups.setdefault(base, []).append(read)
        values |= {join_name(own, part): value for part, value in read.items()}
        details |= {own: {"judge": judge.name, **said}} if said else {}
    for base, several in groups.items() if len(judges) > 1 else ():
        for part in dict.fromkeys(part for read in several for part in read):
            values[join_name(base, part)] = _mean([read[part] for read in several if part in read], version)
    return values, details


async def _one_judge(
    one: ConfiguredMetric, case: ScoringCase, judge: ScoringJudge, votes: int
) -> tuple[Values, Mapping[str, Any]]:
    """Raises RunStopped when asking further is pointless."""
    metric = one.metric
    if metric.judge is None:
        raise BenchError("A metric needs a score or a judge function; this one has neither.")
    looks = metric.judge_as(one.settings) if metric.judge_as else metric.judge
    try:
        judged = await looks(case, judge.ask, votes)
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except AgentError as failed:
        if failed.stops_job:
            raise RunStopped(str(failed), reason="endpoint") from failed
        return {metric.headline: Unscored(f"judge failed ({failed.kind}): {failed}")}, {}
    return judged.values, judged.details


def _value(given: float | Unscored | None, version: str) -> MetricValue:
    if isinstance(given, Unscored):
        return MetricValue(None, version, given.why)
    return MetricValue(given, version, "no value" if given is None else "")


def _mean(values: Sequence[MetricValue], version: str) -> MetricValue:
    """The judges' mean; None when one of them gave none, so that no judge's silence moves the figure."""
    given = [value.value for value in values if value.value is not None]
    if len(given) < len(values):
        return MetricValue(None, version, next(value.why for value in values if value.value is None))
    return MetricValue(sum(given) / len(given), version)
