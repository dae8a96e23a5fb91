"""Scoring: the answers of a run, as far as they lack a metric; and a predictions file, for which no workspace is needed."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.saved import SavedAgent
from builders.task import tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Run, Score, Trace
from core.retrieval.embeddings import Embedder, embedder
from core.retrieval.vector_cache import cache_embedder
from eval.metric import ScoringCase
from eval.metric import metrics as metric_catalog
from eval.reports.metric_names import split_name
from eval.running.runner import RunStopped
from eval.scoring.predictions import read_predictions, score_predictions
from eval.scoring.scoring import ConfiguredMetric, ScoredCase, ScoringJudge, configure_metric, make_case, score_cases
from eval.system import Question, systems
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.ledger import agents as saved_agents
from store.ledger.budget import Budget
from store.releases.releases import ReleaseMembers
from store.runs import question_sets, runs
from workbench import settings as keys
from workbench.control import Control
from workbench.evaluate.scoring.gold_questions import METRIC as QUESTIONED
from workbench.evaluate.scoring.gold_questions import GoldQuestions
from workbench.evaluate.scoring.scored_wordings import records_of, robustness
from workbench.setup.agents import Agents, Hired
from workbench.stream import store_as_they_come

RETRIEVAL = ("evidence_recall",)
"""Metrics added to the task's own where something retrieves."""
COSTS = ("length", "seconds", "calls", "tokens")
NO_JUDGE = "not run: no judge"
JUDGE_FAILED = "judge failed"
"""How the reason of a score begins that another try with a judge may give."""
Asked = tuple[str, str | None]


async def score_run(
    database: Database,
    run: Run,
    params: Mapping[str, Any],
    questions: Sequence[Question],
    content: ReleaseMembers,
    judges: Sequence[Hired],
    control: Control,
    cancel: asyncio.Event,
) -> None:
    """Score the answers of a run that lack one of the metrics wanted, and store the scores as they come. Raises RunStopped."""
    traces = {(t.item, t.variant): t for t in runs.load_traces(database, run.id)}
    texts = {document.id: document.text for document in content.documents}
    own = keys.of_metrics(params["settings"], None)

    def kept(name: str, corpus: Sequence[str], language: str | None) -> Embedder:
        return cache_embedder(embedder(name, corpus, language), StoredVectors(database), control.say)

    defaults = pick(systems(), params["system"], "system").settings
    top_k = {**defaults, **keys.own(params["settings"])}.get("top_k")
    have = scored_already(runs.load_scores(database, run.id), bool(judges))
    judging = [ScoringJudge(judge.name, judge.is_offline, judge.ask_unless_failed) for judge in judges]
    named = dict.fromkeys(name for question in questions for name in wanted_metrics(question, params))
    scorers = {name: await asyncio.to_thread(configure_metric, name, own, kept) for name in named}
    sets = GoldQuestions(database, questions, judging) if QUESTIONED in named else None
    wanted: dict[str, list[str]] = {}
    cases: dict[str, ScoringCase] = {}
    answered: dict[str, Trace] = {}
    for question in questions:
        asked = (question.item, question.variant)
        trace = traces.get(asked)
        case = (
            make_case(trace, question, lambda s: texts.get(s.document, "")[s.start : s.end], top_k, content.left_out)
            if trace
            else None
        )
        if trace is None or case is None:
            continue
        case = sets.given(case, question.item) if sets else case
        names = [
            n
            for n in wanted_metrics(question, params)
            if not is_scored(n, scorers[n], have[asked], judges, case)
            and (trace.answer is not None or scorers[n].metric.refused_counts)
        ]
        if names:
            wanted[case.id], cases[case.id], answered[case.id] = names, case, trace

    def keep(found: list[ScoredCase]) -> None:
        scores = [score for one in found for score in one.scores(answered[one.case.id])]
        said = [judgement(run, answered[one.case.id], one, name) for one in found for name in one.details]
        made = sets.made(found, {id_: trace.item for id_, trace in answered.items()}) if sets else []

        def write(cursor: Any) -> None:
            runs.insert_scores(cursor, scores)
            runs.insert_judgements(cursor, said)
            question_sets.insert_made(cursor, made)

        database.write(write)

    if cases:
        control.say(f"Scoring {len(cases)} answers ...")
        scored = score_cases(
            cases.values(),
            lambda case: wanted[case.id],
            judges=judging,
            votes=params["votes"],
            cancel=cancel,
            settings=own,
            embedders=kept,
        )
        await store_as_they_come(scored, keep)


def scored_already(scores: Sequence[Score], has_judges: bool) -> dict[Asked, set[tuple[str, str]]]:
    """The (metric, version) of each answer's scores. With judges at hand, those that lack one, or whose judge failed, are to be
    had again, with all their parts."""
    failed = {(s.item, s.variant, split_name(s.metric).metric) for s in scores if s.why.startswith(JUDGE_FAILED)}
    have: dict[Asked, set[tuple[str, str]]] = defaultdict(set)
    for score in scores:
        is_failed = (score.item, score.variant, split_name(score.metric).metric) in failed
        if not has_judges or (score.why != NO_JUDGE and not is_failed):
            have[score.item, score.variant].add((score.metric, score.version))
    return have


def judgement(run: Run, trace: Trace, scored: ScoredCase, name: str) -> runs.JudgeVerdicts:
    """What the judges said on one answer, as it is stored."""
    version = next((value.version for full, value in scored.values.items() if full.startswith(name)), "")
    return runs.JudgeVerdicts(run.id, trace.item, trace.variant, name, version, scored.details[name])


def wanted_metrics(question: Question, params: Mapping[str, Any]) -> list[str]:
    """The metrics of one answer: those named, else its task's, with what every run tells."""
    if params["metrics"] is not None:
        return list(params["metrics"])
    task = pick(tasks(), question.task, "task")
    retrieval = RETRIEVAL if params["retriever"] or params["system"] == "recorded" else ()
    return list(dict.fromkeys([*task.metrics, *retrieval, *COSTS]))


def is_scored(name: str, one: ConfiguredMetric, have: set[tuple[str, str]], judges: Sequence[Hired], case: ScoringCase) -> bool:
    """Whether that metric has a row in its present version, its model's included; a judged one, under each name that its judges
    give it, and of what it would ask about this case."""
    is_judged = one.metric.judge is not None and bool(judges)
    bases = {f"{name}.offline" if judge.is_offline else name for judge in judges} if is_judged else {name}
    asked_by = one.metric.asked_by(case) if is_judged else ""

    def has(base: str) -> bool:
        return any(
            (full == base or full.startswith((f"{base}.", f"{base}@")))
            and version.startswith(one.version)
            and version.endswith(asked_by)
            for full, version in have
        )

    return all(has(base) for base in bases)


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
) -> dict[str, Any]:
    """The JSON of `cli.py score`; `saved` are the agents of a workspace that a judge may be named by. Raises BenchError
    on unknown metrics, an unreadable file, or a judge that ended it."""
    if not metrics:
        raise BenchError(f"No metric named: give --metrics with any of {', '.join(metric_catalog())}.")
    for name in metrics:
        pick(metric_catalog(), name, "metric")
    settings = keys.with_metric(settings, metrics, ())
    keys.check_owners(settings, {"judge": bool(judges)})
    own = keys.of_metrics(settings, metrics)
    left = {key: value for key, value in settings.items() if key not in own and not key.startswith("judge.")}
    keys.only(left, (setting for name in metrics for setting in metric_catalog()[name].settings), "Scoring a file")
    predictions = read_predictions(path)
    for refused in predictions.refused:
        say(str(refused["message"]))
    wordings = records_of(predictions.lines, language)
    with Database.open(":memory:") as database:
        for agent in saved:
            saved_agents.put(database, agent)
        agents = Agents(database)
        for name in judges:
            agents.check(name, settings, budget, owner="judge")
        shared = Budget(budget)
        made = [agents.hire(name, settings, budget=shared, owner="judge") for name in judges]
        asked = [ScoringJudge(judge.name, judge.is_offline, judge.ask) for judge in made]

        async def scored() -> dict[str, Any]:
            try:
                return await score_predictions(predictions, metrics, language=language, judges=asked, votes=votes, settings=own)
            finally:
                for judge in made:
                    await judge.close()

        try:
            found = asyncio.run(scored())
        except RunStopped as stopped:
            raise BenchError(f"Scoring stopped ({stopped.reason}): {stopped}") from stopped
    if wordings:
        say(f"Comparing {len(wordings):,} wordings ...")
        found["robustness"] = robustness(wordings)
    return found
