"""Score answers by metrics, and yield the scores of each case when they are finished. Judged metrics call several judges at a
time; metrics that run a model over the texts score many cases at once. The name of a judged value says which judge gave it:
`s_f1` is from a real judge, `s_f1.offline` from the offline judge; if there are several judges, their values have the suffixes
`.judge1`, `.judge2`, and the plain name is their mean. A failed trace is counted, but never scored."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from core.agent import WaitingCalls
from core.catalog import pick
from core.errors import AgentError, BenchError, WaitsForBatch
from core.nouns import Score, Span, Step, Trace
from core.quality.conversations import read_turn
from core.readers.web_page import strip_emphasis
from core.retrieval.embeddings import embedder
from core.text.cutters import describe_cutter
from core.text.language import find_row
from eval.metric import Metric, QuestionPage, ScoringCase, Unscored, Values, drop_blank_golds, join_name, metrics
from eval.retriever import Embedders
from eval.running.runner import RunStopped, stop_run
from eval.running.window import run_in_window
from eval.scoring.nuggets import cut_evidence
from eval.settings import Settings
from eval.system import AskInRun, Question

END_OFFSET = 2**31 - 1
"""An end offset that is larger than the length of any document."""
REFUSED_STOP = "refused"
"""Stop reason of a trace whose call the endpoint refused."""
CASES_PER_GROUP = 1_000
"""Number of cases that a model scores before their scores are yielded; if the process is killed, at most these are lost."""


@dataclass(frozen=True, slots=True)
class ScoringJudge:
    """An agent that judges answers, for judged metrics."""

    name: str
    is_offline: bool
    ask: AskInRun


@dataclass(frozen=True, slots=True)
class MetricValue:
    """The value of one metric for one case, or the reason why there is no value."""

    value: float | None
    version: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """The values of one case by full metric name, and the judges' details by metric name."""

    case: ScoringCase
    values: Mapping[str, MetricValue]
    details: Mapping[str, Any] = field(default_factory=dict)

    def join_case(self, other: "ScoredCase | None") -> "ScoredCase":
        """Return this case with its values and those in `other`, which is the same case scored earlier by other metrics."""
        return ScoredCase(self.case, {**other.values, **self.values}, {**other.details, **self.details}) if other else self

    def scores(self, trace: Trace) -> tuple[Score, ...]:
        """Return the values as Scores of the trace."""
        place = trace.run, trace.item, trace.variant
        return tuple(Score(*place, name, value.version, value.value, value.why) for name, value in self.values.items())


def make_case(
    trace: Trace,
    question: Question,
    text: Callable[[Span], str],
    top_k: int | None = None,
    left_out: Collection[str] = frozenset(),
) -> ScoringCase | None:
    """Return the ScoringCase made from a trace, or None if the system failed. A refused call also gives a case, because some
    metrics count it. `left_out` contains the documents that were excluded from retrieval. Judges get the standalone question of
    a follow-up, because they do not see the turns before."""
    if trace.answer is None and trace.stop != REFUSED_STOP:
        return None
    turn = read_turn(question.labels)
    counts = [tokens for tokens in (trace.tokens_in, trace.tokens_out) if tokens is not None]
    observed = tuple(passage for step in trace.steps for passage in _list_observations(step, text))
    extra = {
        "top_k": top_k,
        "stop": REFUSED_STOP if trace.answer is None else None,
        "answer_url": question.labels.get("answer_url"),
    }
    return ScoringCase(
        id=trace.variant or trace.item,
        prediction=trace.answer or "",
        answers=drop_blank_golds(question.answers),
        language=question.language,
        question=turn.standalone if turn and turn.is_follow_up and turn.standalone else question.text,
        evidence=question.evidence,
        retrieved=trace.retrieved,
        contexts=tuple(text(span) for span in trace.retrieved or ()),
        seconds=trace.seconds,
        calls=trace.calls,
        tokens=sum(counts) if counts else None,
        extra={key: value for key, value in extra.items() if value is not None},
        pages=partial(_list_pages, question, text),
        gold_sentences=partial(cut_evidence, question.evidence, text, question.language),
        is_left_out=any(span.document in left_out for span in question.evidence),
        observed=observed,
        scratchpad=(*(step.text for step in trace.steps), *observed, trace.answer or ""),
    )


def _list_pages(question: Question, text: Callable[[Span], str]) -> list[QuestionPage]:
    """Return the question's recorded search results by rank; if no results are recorded, return the documents that belong to
    the question."""
    crag = question.labels.get("crag")
    entries = crag.get("pages") if isinstance(crag, Mapping) else None
    pages: dict[str, QuestionPage] = {}
    for rank, entry in enumerate(entries if entries is not None else [{"document": name} for name in question.given], 1):
        name = entry["document"] or f"rank {rank}"
        url, snippet = str(entry.get("page_url", "")), strip_emphasis(str(entry.get("page_snippet", "")))
        pages.setdefault(name, QuestionPage(rank, url, snippet, partial(text, Span(name, 0, END_OFFSET))))
    return list(pages.values())


def _list_observations(step: Step, text: Callable[[Span], str]) -> tuple[str, ...]:
    if step.kind == "observation":  # an error repeats the system's own words and adds no information
        return () if step.about.get("trouble") else (step.text,)
    return tuple(map(text, step.spans)) if step.kind == "retrieve" else ()


class ConfiguredMetric(NamedTuple):
    """A metric together with its settings."""

    name: str
    metric: Metric
    settings: Settings
    version: str
    """Version of the metric, including what its settings change."""

    def name_values(self, values: Values, version: str = "", name: str = "") -> dict[str, MetricValue]:
        """Return the values as a dict from full name to MetricValue; `version` and `name` replace those of the metric."""
        base, version = name or self.name, version or self.version
        return {join_name(base, part): _make_value(value, version) for part, value in values.items()}

    def refuse_language(self, case: ScoringCase) -> dict[str, MetricValue]:
        """Return a missing value with the reason that the metric does not support the case's language."""
        why = f"not available for {case.language}: {self.metric.explain_language(case.language)}"
        return self.name_values({self.metric.headline: Unscored(why)})


def configure_metric(name: str, settings: Settings, embedders: Embedders = embedder) -> ConfiguredMetric:
    """Return the metric with its settings, given like {"bertscore.layer": 9}; settings of other metrics are ignored. Raises
    BenchError if the metric or its model does not exist."""
    metric = pick(metrics(), name, "metric")
    changed = {key.removeprefix(f"{name}."): value for key, value in settings.items() if key.startswith(f"{name}.")}
    own = {**metric.settings, **changed}
    return ConfiguredMetric(name, metric, own, f"{metric.version} {metric.describe_settings(own, embedders)}".strip())


def join_version(version: str, language: str) -> str:
    """Return the version of a score in that language: the metric's version and, if there is one, the package that splits the
    language into words."""
    return f"{version} {describe_cutter(find_row(language).cutter)}".strip()


async def score_cases(
    cases: Iterable[ScoringCase],
    names: Sequence[str] | Callable[[ScoringCase], Sequence[str]],
    *,
    judges: Sequence[ScoringJudge] = (),
    votes: int = 1,
    concurrency: int = 8,
    cancel: asyncio.Event | None = None,
    settings: Settings = MappingProxyType({}),
    embedders: Embedders = embedder,
) -> AsyncIterator[ScoredCase]:
    """Yield each case with its values, in the order in which they finish. A case is yielded twice if some of its metrics score
    many cases at once: first with the values of its other metrics. `names` are the metrics for all cases, or a function that
    returns them per case. Raises BenchError for an unknown metric; RunStopped, after the last finished case, if a judge or the
    budget ends the scoring or cases wait for a batch."""
    if votes < 1:
        raise BenchError(f"A judge needs at least 1 vote, not {votes}.")
    every = list(cases)
    names_by_case = {id(case): list(names(case)) if callable(names) else list(names) for case in every}
    unique = dict.fromkeys([*(() if callable(names) else names), *(name for own in names_by_case.values() for name in own)])
    configured = {name: await asyncio.to_thread(configure_metric, name, settings, embedders) for name in unique}
    batched = {name: metric for name, metric in configured.items() if metric.metric.batch}
    waiting = iter([case for case in every if not batched or any(name not in batched for name in names_by_case[id(case)])])

    async def score(case: ScoringCase) -> ScoredCase | WaitsForBatch:
        own = [configured[name] for name in names_by_case[id(case)] if name not in batched]
        try:
            return await _score_case(case, own, judges, votes)
        except WaitsForBatch as waits:
            return waits

    in_batch = 0
    async with aclosing(run_in_window(waiting, score, concurrency, cancel)) as scored:
        async for result in scored:
            if isinstance(result, WaitsForBatch):
                in_batch += 1
            else:
                yield result
    is_whole = next(waiting, None) is None
    for name, metric in batched.items():
        own = [case for case in every if name in names_by_case[id(case)]]
        for first in range(0, len(own), CASES_PER_GROUP):
            is_whole = is_whole and not (cancel and cancel.is_set())
            if is_whole:
                for result in await asyncio.to_thread(_score_batch, metric, own[first : first + CASES_PER_GROUP], embedders):
                    yield result
    if not is_whole:
        raise RunStopped("Cancelled before every answer was scored.", reason="cancelled")
    if in_batch:
        raise RunStopped(f"{in_batch} of {len(every)} answers wait for a judge's batch.", reason="batch")


def _score_batch(metric: ConfiguredMetric, cases: Sequence[ScoringCase], embedders: Embedders) -> list[ScoredCase]:
    readable = [case for case in cases if not metric.metric.explain_language(case.language)]
    values = metric.metric.batch(readable, metric.settings, embedders) if metric.metric.batch and readable else []
    by_case = {id(case): metric.name_values(own) for case, own in zip(readable, values, strict=True)}
    return [ScoredCase(case, by_case.get(id(case), metric.refuse_language(case))) for case in cases]


async def _score_case(
    case: ScoringCase, metrics: Sequence[ConfiguredMetric], judges: Sequence[ScoringJudge], votes: int
) -> ScoredCase:
    values: dict[str, MetricValue] = {}
    details: dict[str, Any] = {}
    in_batch = WaitingCalls()
    for configured in metrics:
        metric = configured.metric
        if metric.explain_language(case.language):
            values |= configured.refuse_language(case)
        elif metric.judge is not None and judges:
            with in_batch.hold():
                judged, judge_details = await _judge_metric(configured, case, judges, votes)
                values |= judged
                details |= judge_details
        else:
            own = metric.score(case) if metric.score else {metric.headline: Unscored("not run: no judge")}
            values |= configured.name_values(own, join_version(configured.version, case.language))
    in_batch.raise_first()
    return ScoredCase(case, values, details)


async def _judge_metric(
    metric: ConfiguredMetric, case: ScoringCase, judges: Sequence[ScoringJudge], votes: int
) -> tuple[dict[str, MetricValue], dict[str, Any]]:
    """Return (values, details) of one judged metric from all judges; values of offline judges are separate from the values of
    real judges."""
    parts = [metric.version, f"votes {votes}" if votes > 1 else "", metric.metric.describe_case(case, metric.settings)]
    version = " ".join(filter(None, parts))
    values: dict[str, MetricValue] = {}
    details: dict[str, Any] = {}
    groups: dict[str, list[dict[str, MetricValue]]] = {}
    in_batch = WaitingCalls()
    for number, judge in enumerate(judges, 1):
        base = f"{metric.name}.offline" if judge.is_offline else metric.name
        own = f"{base}.judge{number}" if len(judges) > 1 else base
        with in_batch.hold():
            judged, judge_details = await _ask_one_judge(metric, case, judge, votes)
            groups.setdefault(base, []).append({part: _make_value(value, version) for part, value in judged.items()})
            values |= metric.name_values(judged, version, own)
            details |= {own: {"judge": judge.name, **judge_details}} if judge_details else {}
    in_batch.raise_first()
    for base, several in groups.items() if len(judges) > 1 else ():
        for part in dict.fromkeys(part for read in several for part in read):
            values[join_name(base, part)] = _average_judges([read[part] for read in several if part in read], version)
    return values, details


async def _ask_one_judge(
    configured: ConfiguredMetric, case: ScoringCase, judge: ScoringJudge, votes: int
) -> tuple[Values, Mapping[str, Any]]:
    """Return (values, details) from one judge. Raises RunStopped if further calls would fail too."""
    metric = configured.metric
    if metric.judge is None:
        raise BenchError("A metric needs a score or a judge function; this one has neither.")
    settings = {"settings": configured.settings} if metric.settings else {}
    try:
        with stop_run():
            judged = await metric.judge(case, judge.ask, votes, **settings)
    except AgentError as failed:
        return {metric.headline: Unscored(f"judge failed ({failed.kind}): {failed}")}, {}
    return judged.values, judged.details


def _make_value(value: float | Unscored | None, version: str) -> MetricValue:
    if isinstance(value, Unscored):
        return MetricValue(None, version, value.why)
    return MetricValue(value, version, "no value" if value is None else "")


def _average_judges(values: Sequence[MetricValue], version: str) -> MetricValue:
    """Return the mean of the judges' values, or a missing value if a judge gave no value, because the means of different cases
    would then be over different judges."""
    numbers = [value.value for value in values if value.value is not None]
    if len(numbers) < len(values):
        return MetricValue(None, version, next(value.why for value in values if value.value is None))
    return MetricValue(sum(numbers) / len(numbers), version)
