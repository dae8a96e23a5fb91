"""Score those answers of a run that lack a metric, and score predictions files without a workspace."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NoReturn

from agents.saved import SavedAgent
from builders.task import tasks
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run, Score, Span, Trace
from core.retrieval.embedding_options import EmbeddingOptions
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.vector_cache import cache_embedder
from eval.metric import ScoringCase, split_name
from eval.metric import metrics as metric_catalog
from eval.retriever import Embedders
from eval.running.runner import RunStopped
from eval.scoring.nuggets import takes_nuggets
from eval.scoring.predictions import read_predictions, score_predictions
from eval.scoring.scoring import (
    ConfiguredMetric,
    ScoredCase,
    ScoringJudge,
    configure_metric,
    join_version,
    make_case,
    score_cases,
)
from eval.settings import list_defaults
from eval.system import Question, systems
from store.corpus.vectors import StoredVectors
from store.engine.database import Cursor, Database
from store.ledger import agents as saved_agents
from store.ledger.batches import write_files
from store.ledger.budget import Budget
from store.releases.releases import ReleaseMembers
from store.runs import runs
from store.runs.runs import JudgeVerdicts, QuestionKey
from workbench import settings as keys
from workbench.control import Control
from workbench.evaluate.scoring.gold_nuggets import GoldNuggets, load_frozen_sets
from workbench.evaluate.scoring.gold_questions import GoldQuestions
from workbench.evaluate.scoring.gold_sets import GoldSets
from workbench.evaluate.scoring.prediction_robustness import list_records, measure_robustness
from workbench.setup.agents import Agents, BoundAgent
from workbench.setup.batches import NO_ENDPOINT, BatchStage, describe_waiting
from workbench.setup.model_endpoints import ModelEndpoints
from workbench.stream import store_as_they_come

RETRIEVAL_METRICS = ("evidence_recall",)
"""Metrics with which answers are also scored if the system retrieves passages."""
FILE_JOB = "score"
"""Job id under which LLM calls about a predictions file are stored, because no job makes these calls."""
COST_METRICS = ("length", "seconds", "calls", "tokens")
_VOTES = re.compile(r"^ votes \d+")
"""Part of a judged score's version, between that of the metric and that of the case."""
NO_JUDGE = "not run: no judge"
JUDGE_FAILED = "judge failed"
"""Beginning of the reason for a missing score that a new attempt with a judge may supply."""


def cache_embedders(
    database: Database, tell: Callable[[str], None], endpoints: ModelEndpoints | None = None, keeps_one: bool = True
) -> Embedders:
    """Return a loader of embedding models that store their vectors in the workspace. Models behind an endpoint are called
    through `endpoints`. If `keeps_one` is False, the vector of a single text is computed at each call and not stored, as
    measuring latency requires."""

    def load(
        name: str,
        corpus: Sequence[str] = (),
        language: str | None = None,
        options: EmbeddingOptions = EmbeddingOptions(),
    ) -> Embedder:
        model = endpoints and endpoints.find_embedder(name, options)
        model = model or embedder(name, corpus, language, options)
        return cache_embedder(model, StoredVectors(database), tell, keeps_one=keeps_one)

    return load


async def score_run(
    database: Database,
    run: Run,
    params: Mapping[str, Any],
    questions: Sequence[Question],
    content: ReleaseMembers,
    judges: Sequence[BoundAgent],
    control: Control,
    cancel: asyncio.Event,
    endpoints: ModelEndpoints | None = None,
) -> None:
    """Score those answers of a run that lack a requested metric, and store each score when it is ready. Raises RunStopped if
    the scoring stops before the end."""
    traces = {(trace.item, trace.variant): trace for trace in runs.load_traces(database, run.id)}
    texts = {document.id: document.text for document in content.documents}
    settings = keys.select_metric_settings(params["settings"], None)
    embedders = cache_embedders(database, control.say, endpoints)
    defaults = list_defaults(pick(systems(), params["system"], "system").settings)
    top_k = {**defaults, **keys.select_own(params["settings"])}.get("top_k")
    stored = group_stored_scores(runs.load_scores(database, run.id), bool(judges))
    scoring_judges = [ScoringJudge(judge.name, judge.is_offline, judge.ask_unless_failed) for judge in judges]
    names = dict.fromkeys(name for question in questions for name in list_wanted_metrics(question, params))
    scorers = {name: await asyncio.to_thread(configure_metric, name, settings, embedders) for name in names}
    sets = _open_gold_sets(database, run, scorers.values(), questions, scoring_judges)
    wanted: dict[str, list[str]] = {}
    cases: dict[str, ScoringCase] = {}
    answers: dict[str, Trace] = {}

    def text(span: Span) -> str:
        return texts.get(span.document, "")[span.start : span.end]

    for question in questions:
        key = (question.item, question.variant)
        trace = traces.get(key)
        case = make_case(trace, question, text, top_k, content.left_out) if trace else None
        if trace is None or case is None:
            continue
        for kind in sets:
            case = kind.attach_set(case, question.item)
        missing = [
            name
            for name in list_wanted_metrics(question, params)
            if not is_scored(name, scorers[name], stored[key], judges, case)
            and (trace.answer is not None or scorers[name].metric.scores_refusals)
        ]
        if missing:
            wanted[case.id], cases[case.id], answers[case.id] = missing, case, trace

    def store(scored: list[ScoredCase]) -> None:
        scores = [score for result in scored for score in result.scores(answers[result.case.id])]
        verdicts = [_build_verdicts(run, answers[result.case.id], result, name) for result in scored for name in result.details]
        named = {id_: trace.item for id_, trace in answers.items()}
        new_sets = [(kind, kind.collect_sets(scored, named)) for kind in sets]

        def write(cursor: Cursor) -> None:
            runs.insert_scores(cursor, scores)
            runs.insert_judgements(cursor, verdicts)
            for kind, new in new_sets:
                kind.insert_sets(cursor, new)

        database.write(write)

    if cases:
        control.say(f"Scoring {len(cases)} answers ...")
        scored = score_cases(
            cases.values(),
            lambda case: wanted[case.id],
            judges=scoring_judges,
            votes=params["votes"],
            cancel=cancel,
            settings=settings,
            embedders=embedders,
        )
        await store_as_they_come(scored, store)


def _open_gold_sets(
    database: Database,
    run: Run,
    scorers: Collection[ConfiguredMetric],
    questions: Sequence[Question],
    judges: Sequence[ScoringJudge],
) -> list[GoldSets[Any]]:
    """Return the gold sets (questions about gold answers, or facts in them) that the metrics use for the items of the
    questions."""
    items = {question.item for question in questions if question.answers}
    sets: list[GoldSets[Any]] = []
    if any(scorer.name == GoldNuggets.metric or takes_nuggets(scorer.settings) for scorer in scorers):
        sets.append(GoldNuggets(database, items, judges, load_frozen_sets(database, run, items)))
    for scorer in scorers:
        if scorer.name == GoldQuestions.metric:  # after the nuggets, which its questions may be about
            sets.append(GoldQuestions(database, items, judges, of_nuggets=takes_nuggets(scorer.settings)))
    return sets


def group_stored_scores(scores: Sequence[Score], has_judges: bool) -> dict[QuestionKey, set[tuple[str, str]]]:
    """Return a dict from question to the (metric, version) of its scores. If `has_judges` is true, metrics that had no judge,
    or whose judge failed, are left out with all their parts, because they must be scored again."""
    failed = {(s.item, s.variant, split_name(s.metric).metric) for s in scores if s.why.startswith(JUDGE_FAILED)}
    stored: dict[QuestionKey, set[tuple[str, str]]] = defaultdict(set)
    for score in scores:
        is_failed = (score.item, score.variant, split_name(score.metric).metric) in failed
        if not has_judges or (score.why != NO_JUDGE and not is_failed):
            stored[score.item, score.variant].add((score.metric, score.version))
    return stored


def _build_verdicts(run: Run, trace: Trace, scored: ScoredCase, name: str) -> JudgeVerdicts:
    """Return the verdicts of judges on one answer in the form in which they are stored."""
    version = next((value.version for full, value in scored.values.items() if full.startswith(name)), "")
    return JudgeVerdicts(run.id, trace.item, trace.variant, name, version, scored.details[name])


def list_wanted_metrics(question: Question, params: Mapping[str, Any]) -> list[str]:
    """Return the metrics with which one answer is scored. An answer is scored with the requested metrics; if none are
    requested, with the metrics of the question's task and those with which every run is scored."""
    if params["metrics"] is not None:
        return list(params["metrics"])
    task = pick(tasks(), question.task, "task")
    retrieval = RETRIEVAL_METRICS if params["retriever"] or params["system"] == "recorded" else ()
    return list(dict.fromkeys([*task.metrics, *retrieval, *COST_METRICS]))


def is_scored(
    name: str, scorer: ConfiguredMetric, stored: set[tuple[str, str]], judges: Sequence[BoundAgent], case: ScoringCase
) -> bool:
    """Check whether a score by the metric's current version is stored; the version includes that of the metric's model. A
    metric with judges has separate scores for offline judges and for other judges, so a score is needed for each kind of judge
    that is used."""
    is_judged = scorer.metric.judge is not None and bool(judges)
    bases = {f"{name}.offline" if judge.is_offline else name for judge in judges} if is_judged else {name}
    suffix = scorer.metric.describe_case(case, scorer.settings) if is_judged else join_version("", case.language)

    def is_stored(base: str) -> bool:
        return any(
            (full == base or full.startswith((f"{base}.", f"{base}@")))
            and version.startswith(scorer.version)
            and (
                _VOTES.sub("", version.removeprefix(scorer.version)).strip() == suffix
                if is_judged
                else version.endswith(suffix)
            )
            for full, version in stored
        )

    return all(map(is_stored, bases))


def score_file(
    path: Path,
    *,
    metrics: Sequence[str],
    language: str | None = None,
    judges: Sequence[str] = (),
    votes: int = 1,
    budget: float | None = None,
    settings: Mapping[str, Any],
    say: Callable[[str], None],
    saved: Sequence[SavedAgent] = (),
    ledger: Path | None = None,
    is_batch: bool = False,
) -> dict[str, Json]:
    """Score a predictions file; return what the command `score` prints as JSON. `saved` are the agents saved in a workspace,
    which can be named as judges. `ledger` is a workspace that stores the judges' replies, so that nothing is paid twice, or
    None. If `is_batch` is true, the judges' requests are written to files beside the ledger. Raises BenchError if a metric is
    unknown, if the file cannot be read, or if a judge stopped the scoring. If the scoring waits for a batch of requests, the
    `result` of the error describes the batch."""
    if not metrics:
        raise BenchError(f"No metric was named: add --metrics with one or more of {', '.join(metric_catalog())}.")
    for name in metrics:
        pick(metric_catalog(), name, "metric")
    settings = keys.assign_to_metrics(settings, metrics, ())
    keys.check_owners(settings, {"judge": bool(judges)})
    own = keys.select_metric_settings(settings, metrics)
    rest = {key: value for key, value in settings.items() if key not in own and not key.startswith("judge.")}
    keys.check_known(rest, (setting for name in metrics for setting in metric_catalog()[name].settings), "Scoring a file")
    predictions = read_predictions(path)
    for refused in predictions.refused:
        say(str(refused["message"]))
    records = list_records(predictions.lines, language)
    with Database.open(ledger or ":memory:") as database:
        for agent in saved:
            saved_agents.put(database, agent)
        agents = Agents(database)
        for name in judges:
            agents.check(name, settings, budget, owner="judge")
        if is_batch and not any(map(agents.is_paid, judges)):
            raise BenchError(NO_ENDPOINT)
        shared = Budget(budget, agents.ledger.sum_charges(FILE_JOB)) if is_batch else Budget(budget)
        stage = BatchStage(database, agents)
        collecting = stage.collect_requests(FILE_JOB, str(ledger.parent)) if is_batch and ledger else nullcontext()

        async def score() -> dict[str, Any]:
            bound = [
                agents.bind(name, settings, budget=shared, owner="judge", job=FILE_JOB if is_batch else None) for name in judges
            ]
            scoring_judges = [ScoringJudge(judge.name, judge.is_offline, judge.ask) for judge in bound]
            try:
                return await score_predictions(
                    predictions, metrics, language=language, judges=scoring_judges, votes=votes, settings=own
                )
            finally:
                for judge in bound:
                    await judge.close()

        with collecting as collector:
            try:
                result = asyncio.run(score())
            except RunStopped as stopped:
                if collector is not None and (waiting := collector.flush()).requests:
                    written = write_files(database, collector.folder)
                    raise_waiting(stopped, describe_waiting(collector.folder, waiting, written, {"stopped": stopped.reason}))
                raise BenchError(f"Scoring stopped ({stopped.reason}): {stopped}") from stopped
    if records:
        say(f"Comparing {len(records):,} wordings ...")
        result["robustness"] = measure_robustness(records)
    return result


def raise_waiting(stopped: RunStopped, waiting: dict[str, Json]) -> NoReturn:
    """Raise the error that a scoring waits for its batch, with the JSON that the command prints."""
    error = BenchError(f"Scoring stopped ({stopped.reason}): {stopped} {waiting['message']}")
    error.result = waiting  # type: ignore[attr-defined]
    raise error from stopped


def describe_unjudged(unscored: Iterable[tuple[str, str, int]]) -> str:
    """Return a sentence about the answers that have no score because no judge was named, or "" if there are none. `unscored`
    lists (metric, reason, number of answers)."""
    counted = [f"{split_name(name).metric} ({n} answer{'s' * (n != 1)})" for name, why, n in unscored if why == NO_JUDGE]
    return f"Not judged: {', '.join(counted)}. Name a judge with --judge AGENT." if counted else ""
