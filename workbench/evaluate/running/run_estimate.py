"""Estimate a run before it starts: questions, calls, tokens, price and seconds, and the smallest difference between systems
that the release can show. For this, a few real questions are rehearsed without the agent. The estimate names the basis of each
of its numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import Any, NamedTuple

from agents.kind import needs_no_model
from core.agent import Agent, describe_headroom
from core.errors import BenchError
from core.ids import canonical_json
from core.statistics.effects import DETECTABLE_STANDARD_ERRORS, MIN_SPREAD
from eval.conversations.user import PLAYED
from eval.metric import join_name
from eval.metric import metrics as metric_catalog
from eval.reports.latency import is_probe
from eval.retriever import retrievers
from eval.running.hiding import explain_inapplicable
from eval.settings import read_settings, read_whole_number
from eval.system import Question, systems
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.releases import absence_twins
from store.releases.releases import WORKING_RELEASE, load_hash
from store.runs import run_inputs
from store.runs.run_inputs import ReleasePlace
from workbench import settings as keys
from workbench.evaluate.running.questions import build_question, draw_stratified
from workbench.evaluate.running.rehearsal import CallTotals, RunRehearsal, add_known, rehearse, rehearse_judging
from workbench.evaluate.running.run_choices import default_metrics
from workbench.evaluate.running.run_functions import describe_wide_search
from workbench.evaluate.running.run_identity import build_config, prompts_of
from workbench.evaluate.running.run_request import RunRequest, check_request, retriever_of
from workbench.evaluate.running.run_shots import draw_shots
from workbench.setup.agents import LOCAL_WIDTH, OFFLINE_RUN_WIDTH, Agents

REHEARSED_QUESTIONS = 8
ASSUMED_ENDPOINT_SECONDS = 1.0
"""Seconds per call that are assumed for an endpoint that was never called."""
ASSUMED_LOCAL_SECONDS = 0.05
"""Seconds per call that are assumed for an agent that runs in this process."""
WORST_SPREAD = math.sqrt(0.5)
"""Largest possible standard deviation of the difference between two independent scores of 0 or 1: that of two fair coins."""


class AgentPace(NamedTuple):
    """Speed of an agent: seconds per call, and the number of calls at the same time."""

    seconds: float
    """Seconds that one call of the agent takes."""
    width: int
    """Number of calls that the agent gets at the same time when the run starts."""
    measured: int
    """Number of earlier calls from which `seconds` was computed; 0 if it is assumed."""


class StoredRun(NamedTuple):
    """A stored run with exactly the configuration that the request asks for."""

    run: str
    traces: int


class DetectableDifference(NamedTuple):
    """The smallest difference between two systems that would be found significant at the level of 5 % with a probability
    (power) of 80 %."""

    metric: str
    difference: float | None
    """The smallest difference, or None if there are no questions or if the known scores do not differ."""
    n: int
    """Number of questions for which the difference is computed."""
    spread: float
    """Standard deviation of the difference between two systems on one question."""
    rests_on: str


@dataclass(frozen=True, slots=True)
class EstimateTotals:
    """Numbers of questions, calls and tokens, cost and time of one run or of several. A field is None if its value cannot be
    known before the run."""

    questions: int
    calls: int | None
    """Number of calls that the system makes to its agent, or None if unknown."""
    judge_calls: int
    tokens_in: int | None
    tokens_out: int | None
    price_usd: float | None
    most_usd: float | None
    """Cost in US dollars if every reply has the maximum length, or None if unknown."""
    seconds: float | None

    @property
    def all_calls(self) -> int | None:
        """Return the number of calls of the agent and the judges together."""
        return None if self.calls is None else self.calls + self.judge_calls


@dataclass(frozen=True, slots=True)
class RunEstimate(EstimateTotals):
    """The estimate of one run, with the basis of each of its numbers."""

    calls_per_question: float | None
    building_calls: int | None
    """Number of calls before the first question; `calls` includes them."""
    pace: AgentPace
    sampled: int
    """Number of questions that were rehearsed."""
    replies: str
    """Basis of the expected length of replies, in words."""
    stored: StoredRun | None
    detectable: Sequence[DetectableDifference]
    """The smallest detectable difference for each metric whose scale has both ends."""
    notes: Sequence[str]
    """Sentences that say what the figures leave out and what is unknown."""


CHARACTERS_PER_TOKEN = {"en": 4.3, "zh": 1.0}
"""Mean number of characters per token by language, as in core/text/tokens.py. For other languages, the value for English is
used."""


class _Inputs(NamedTuple):
    """The inputs of the estimate of a run."""

    database: Database
    agents: Agents
    request: RunRequest
    places: Sequence[ReleasePlace]
    """All items of the release without their texts."""
    chosen: Sequence[ReleasePlace]
    """The items that the run asks: all items of the release, or a sample."""

    @property
    def metrics(self) -> list[str]:
        """Return all metrics with which the run is scored."""
        return self.metrics_of(*sorted({place.task for place in self.chosen}))

    def metrics_of(self, *tasks: str) -> list[str]:
        return default_metrics(tasks) if self.request.metrics is None else list(self.request.metrics)

    @property
    def agent(self) -> Agent | None:
        return self.agents.check(self.request.agent, self.request.settings, None) if self.request.agent else None

    def judge(self, name: str) -> Agent:
        return self.agents.check(name, self.request.settings, None, owner="judge")

    def load_questions(self, sample: Sequence[ReleasePlace]) -> list[Question]:
        worded = items.fetch_revisions(self.database.rows, [(place.id, place.revision, "accepted") for place in sample])
        return list(map(build_question, worded))


def estimate_run(
    database: Database, agents: Agents, request: RunRequest, places: Sequence[ReleasePlace] | None = None
) -> RunEstimate:
    """Return the estimate of the requested run. `places` are the items of the release, if they are already loaded. Raises
    BenchError if the run cannot begin."""
    check_request(request, agents)
    places = run_inputs.load_places(database, request.release) if places is None else places
    chosen = places if request.sample is None else draw_stratified(places, request.sample, request.seed)
    inputs, adapter = _Inputs(database, agents, request, places, chosen), systems()[request.system]
    variants = run_inputs.count_variants(database, request.release) if request.variants else 0
    questions = (len(chosen) + round(variants * len(chosen) / len(places))) * request.repeat
    twins = _count_twins(inputs) * request.repeat
    few = inputs.load_questions(draw_stratified(chosen, REHEARSED_QUESTIONS, request.seed))
    if not few:
        raise BenchError(f"The release {request.release} has no items to run on.")
    held = dict.fromkeys((place.id for place in places), "") | {question.item: question.text for question in few}
    few, _ = draw_shots(database, held, few, adapter, keys.select_own(request.settings))
    rehearsal = _rehearse_answers(inputs, few)
    if rehearsal and rehearsal.too_large == len(few):
        raise BenchError(rehearsal.why)
    judging = _rehearse_judges(inputs, few, rehearsal).scale(questions / len(few))
    pace = _estimate_pace(inputs, inputs.agent)
    asked = questions + twins
    whole = rehearsal and rehearsal.totals.scale(asked / rehearsal.questions).add(rehearsal.building)
    return RunEstimate(
        questions=questions,
        calls=round(whole.calls) if whole else None,
        judge_calls=round(judging.calls),
        tokens_in=round(whole.tokens_in + judging.tokens_in) if whole else None,
        tokens_out=round(whole.tokens_out + judging.tokens_out) if whole else None,
        price_usd=add_known(whole.price, judging.price) if whole else None,
        most_usd=add_known(whole.most, judging.most) if whole else None,
        seconds=_estimate_seconds(inputs, rehearsal, judging, pace, asked) if rehearsal else None,
        calls_per_question=rehearsal.totals.calls / rehearsal.questions if rehearsal else None,
        building_calls=round(rehearsal.building.calls) if rehearsal else None,
        pace=pace,
        sampled=len(few),
        replies=rehearsal.replies if rehearsal else "",
        stored=_find_stored_run(inputs),
        detectable=_list_detectable(inputs),
        notes=[*_list_notes(inputs, rehearsal, few), *([_note_twins(twins)] if twins else [])],
    )


def _count_twins(inputs: _Inputs) -> int:
    """Return the number of absence twins that one repetition of the run asks; an absence twin is a question whose evidence is
    hidden from the system."""
    request = inputs.request
    is_asked = not explain_inapplicable(systems()[request.system], retriever_of(request))
    if not is_asked or request.release == WORKING_RELEASE or is_probe(request.settings):
        return 0
    named = absence_twins.list_items(inputs.database, request.release, load_hash(inputs.database, request.release))
    return len({place.id for place in inputs.chosen}.intersection(named))


def _note_twins(twins: int) -> str:
    verb = "absence twin is" if twins == 1 else "absence twins are"
    return f"{twins:,} {verb} asked too: calls, tokens, price and seconds include them, questions do not."


def add_estimates(estimates: Sequence[RunEstimate]) -> EstimateTotals:
    """Return the sum of the estimates of several runs that are done one after another. A sum is None if its value is unknown
    for at least one run."""
    columns = {field.name: [getattr(estimate, field.name) for estimate in estimates] for field in fields(EstimateTotals)}
    sums: dict[str, Any] = {name: None if None in values else sum(values) for name, values in columns.items()}
    return EstimateTotals(**sums)


def _rehearse_answers(inputs: _Inputs, few: Sequence[Question]) -> RunRehearsal | None:
    """Return the rehearsal of the system on these questions, or None if the system answers outside this program or reads a
    model's attention weights."""
    request = inputs.request
    adapter, retriever, agent = systems()[request.system], retriever_of(request), inputs.agent
    if adapter.family == "outside" or adapter.capability == "attention":
        return None
    declared = {**(retrievers()[retriever].settings if retriever else {}), **adapter.settings}
    settings = read_settings(declared, keys.select_own(request.settings))
    wanted = {document for q in few for document in (*q.given, *(span.document for span in q.evidence))}
    texts = documents.load_documents(inputs.database, sorted(wanted))
    typical = run_inputs.load_latency(inputs.database, agent.name, "answer")[1] if agent else None
    languages = sorted({question.language for question in few})
    characters = run_inputs.count_characters(inputs.database, request.release, languages) if adapter.build else 0
    return rehearse(few, adapter, settings, texts, agent, typical, searches=retriever is not None, characters=characters)


def _rehearse_judges(inputs: _Inputs, few: Sequence[Question], rehearsal: RunRehearsal | None) -> CallTotals:
    """Return the totals of the calls that judges would make for the few questions that are rehearsed."""
    judges = [inputs.judge(name) for name in inputs.request.judges]
    judged = [name for name in inputs.metrics if judges and metric_catalog()[name].judge]
    wanted = [(question, [name for name in judged if name in inputs.metrics_of(question.task)]) for question in few]
    return rehearse_judging(wanted, judges, inputs.request.votes, rehearsal.passages if rehearsal else {})


def _estimate_pace(inputs: _Inputs, agent: Agent | None, skill: str = "answer") -> AgentPace:
    """Return the agent's speed, computed from its last calls, or an assumed speed if there are none."""
    if agent is None:
        return AgentPace(0.0, 1, 0)
    seconds, _, measured = run_inputs.load_latency(inputs.database, agent.name, skill)
    limits = getattr(agent, "limits", None)
    local_width = OFFLINE_RUN_WIDTH if agent.is_offline and skill == "answer" else getattr(agent, "width", LOCAL_WIDTH)
    width = max(1, int(limits.width if limits else local_width))
    width = min(width, read_whole_number(keys.select_own(inputs.request.settings), "concurrency", width, 1))
    assumed = ASSUMED_ENDPOINT_SECONDS if limits else ASSUMED_LOCAL_SECONDS
    return AgentPace(assumed if seconds is None else seconds, width, measured)


def _estimate_seconds(inputs: _Inputs, rehearsal: RunRehearsal, judging: CallTotals, pace: AgentPace, questions: int) -> float:
    """Return the estimated seconds of the run. The calls for one question are made one after another, several questions are
    asked at the same time, and the judges are asked last."""
    calls = rehearsal.totals.calls * questions / rehearsal.questions
    seconds = calls * pace.seconds / max(1, min(pace.width, questions)) + rehearsal.building.calls * pace.seconds / pace.width
    if judging.calls:
        judge = _estimate_pace(inputs, inputs.judge(inputs.request.judges[0]), "judge")
        seconds += judging.calls * judge.seconds / judge.width
    return seconds


def _find_stored_run(inputs: _Inputs) -> StoredRun | None:
    """Return the stored run with exactly the configuration of the request, or None if there is no such run."""
    database, request = inputs.database, inputs.request
    try:
        hash_ = load_hash(database, request.release)
    except BenchError:
        return None  # the working release is not frozen
    if request.release == WORKING_RELEASE:
        revisions = [(place.id, place.revision) for place in inputs.places]
        if run_inputs.load_frozen_revisions(database, WORKING_RELEASE, hash_) != revisions:
            return None
    of_each_kind = {(place.task, place.language): place for place in inputs.chosen}
    questions = inputs.load_questions(list(of_each_kind.values()))
    agent = inputs.agents.bind(request.agent, request.settings).identity if request.agent else None
    prompts = prompts_of(questions, systems()[request.system].prompts)
    whole = {"sample": None} if len(inputs.chosen) == len(inputs.places) else {}
    config = build_config(request.params(hash_) | whole | inputs.agents.pin([], [request.settings]), agent, prompts, (), 0)
    for run, stored, traces in run_inputs.list_similar_runs(database, hash_, request.system):
        if canonical_json({**stored, "not_run": []}) == canonical_json(config):
            return StoredRun(run, traces)
    return None


def _list_detectable(inputs: _Inputs) -> list[DetectableDifference]:
    catalog, request = metric_catalog(), inputs.request
    is_offline = bool(request.judges) and all(map(needs_no_model, request.judges))
    full_names = {
        name: join_name(f"{name}.offline" if catalog[name].judge and is_offline else name, catalog[name].headline)
        for name in inputs.metrics
        if catalog[name].low is not None and catalog[name].high is not None
    }
    spreads = run_inputs.load_spreads(inputs.database, request.release, list(full_names.values()))
    scored = {task: inputs.metrics_of(task) for task in {place.task for place in inputs.chosen}}
    differences = []
    for base, name in full_names.items():
        n = sum(base in scored[place.task] for place in inputs.chosen)
        alone, pair = spreads.get(name, (None, None))
        if pair is not None and pair > MIN_SPREAD:
            spread, rests_on = pair, "differences of earlier runs on this release"
        elif alone is not None:
            spread, rests_on = alone * math.sqrt(2), "the spread of an earlier run, as if two systems had nothing in common"
        else:
            low, high = catalog[base].low or 0.0, catalog[base].high or 0.0
            spread = WORST_SPREAD * (high - low)
            rests_on = f"the worst case: every score {low:g} or {high:g}, of systems that have nothing in common"
        least = DETECTABLE_STANDARD_ERRORS * spread / math.sqrt(n) if n and spread > MIN_SPREAD else None
        if spread <= MIN_SPREAD:
            rests_on = "nothing: the scores of an earlier run do not differ, so no size can be computed from them"
        differences.append(DetectableDifference(name, least, n, spread, rests_on))
    return differences


def _list_notes(inputs: _Inputs, rehearsal: RunRehearsal | None, few: Sequence[Question]) -> list[str]:
    catalog, request, metrics = metric_catalog(), inputs.request, inputs.metrics
    languages = sorted({place.language for place in inputs.chosen})
    adapter = systems()[request.system]
    unjudged = [name for name in metrics if catalog[name].judge and not request.judges]
    notes = [_note_unjudged(unjudged)] if unjudged else []
    unscored: dict[tuple[str, str], list[str]] = {}
    for name, language in product(metrics, languages):
        if why := catalog[name].explain_language(language):
            unscored.setdefault((language, why), []).append(name)
    notes += [
        f"{_join_names(names)} {'scores' if len(names) == 1 else 'score'} no {language} answers: {why}."
        for (language, why), names in unscored.items()
    ]
    if request.settings.get("user") == PLAYED:
        notes.append("If the release has conversations, the calls of the agent that plays the user come on top.")
    if adapter.family == "adaptive":
        cost = "the estimate counts one search per question." if rehearsal else "its cost is not known before the run."
        notes.append(f"{adapter.label} decides itself how often it searches: {cost}")
    elif rehearsal is None:
        notes.append(f"{adapter.label} answers elsewhere: its calls, tokens and seconds are not known before the run.")
    elif rehearsal.building.calls:
        notes.append(
            f"{adapter.label} reads the whole corpus first: about {rehearsal.building.calls:,.0f} of the calls, none "
            "if an earlier run read the same corpus with the same settings."
        )
    has_own = any(question.given for question in few)
    if wide := describe_wide_search(adapter, keys.select_own(request.settings), retriever_of(request), has_own):
        notes.append(wide)
    agents = [agent for agent in (inputs.agent, *map(inputs.judge, request.judges)) if agent is not None]
    notes += describe_headroom(agents)
    if rehearsal is not None and rehearsal.failed:
        notes.append(f"{rehearsal.failed} of {rehearsal.questions} rehearsed questions cannot be answered: {rehearsal.why}")
    if "evidence_recall" in metrics and not retriever_of(request) and request.system not in ("oracle", "recorded", "graph"):
        notes.append("evidence_recall has nothing to measure: this system searches nothing.")
    return notes + _note_embedding(inputs, languages)


def _note_unjudged(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} needs a judge and none is chosen: it will not be scored."
    return f"{_join_names(names)} need a judge and none is chosen: they will not be scored."


def _join_names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _note_embedding(inputs: _Inputs, languages: Sequence[str]) -> list[str]:
    """Return sentences about texts that an embedding endpoint must embed, because the estimate does not count them. The list is
    empty if the run uses no such endpoint."""
    model = inputs.agents.find_embedding_agent(inputs.request.settings)
    if model is None:
        return []
    characters = {
        language: run_inputs.count_characters(inputs.database, inputs.request.release, [language]) for language in languages
    }
    tokens = sum(
        count / CHARACTERS_PER_TOKEN.get(language, CHARACTERS_PER_TOKEN["en"]) for language, count in characters.items()
    )
    price = "of unknown price" if model.price_in is None else f"for about {tokens * model.price_in / 1e6:.2g} USD"
    return [
        f"In addition to the figures, {model.name} embeds the corpus: about {tokens:,.0f} tokens {price}, nothing if an "
        "earlier run embedded it with the same settings."
    ]
