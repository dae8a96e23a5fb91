"""What a run will come to, before a cent is spent: questions, calls, tokens, price and seconds from a rehearsal of a few real
questions with real passages and no agent, and which difference the release can show. Every figure says what it rests on."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.kind import needs_no_model
from core.agent import Agent
from core.errors import BenchError
from core.ids import canonical_json
from core.statistics.effects import DETECTABLE_STANDARD_ERRORS
from eval.metric import join_name
from eval.metric import metrics as metric_catalog
from eval.retriever import retrievers
from eval.system import Question, systems
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.releases.releases import WORKING_RELEASE, load_hash
from store.runs import run_inputs
from store.runs.run_inputs import ReleasePlace
from workbench import settings as keys
from workbench.evaluate.running.questions import question, stratified
from workbench.evaluate.running.rehearsal import Rehearsed, Sums, rehearse, rehearse_judging
from workbench.evaluate.running.run_asked import RunRequest, check, retriever_of
from workbench.evaluate.running.run_choices import default_metrics
from workbench.evaluate.running.run_identity import config_of, prompts_of
from workbench.evaluate.running.run_shots import drawn
from workbench.setup.agents import LOCAL_WIDTH, Agents

SAMPLED = 8
"""Questions that are rehearsed."""
ASSUMED_SECONDS = 1.0
"""Service time of a call to an endpoint that has not answered yet."""
LOCAL_SECONDS = 0.05
"""The same of an agent that computes here."""
WORST_SPREAD = math.sqrt(0.5)
"""Standard deviation of the difference of two independent coins: no two yes-or-no scores differ more widely."""


class AgentPace(NamedTuple):
    """How fast an agent answers."""

    seconds: float
    width: int
    """Calls under way at once, at the start."""
    measured: int
    """Earlier calls that it rests on; 0 = assumed."""


def estimate(
    database: Database, agents: Agents, asked: RunRequest, places: Sequence[ReleasePlace] | None = None
) -> dict[str, Any]:
    """{"questions", "items", "variants", "calls_per_question", "calls", "building_calls" of them,
    "judge_calls", "tokens_in", "tokens_out", "price_usd",
    "most_usd", "seconds", "pace": {"seconds", "width", "measured"}, "sampled", "replies": what the length of replies rests on,
    "reuse": {"run", "traces"} | None, "detectable": [{"metric", "difference", "n", "spread", "rests_on"}], "metrics", "notes":
    [sentences]}. None is not known. `places` are the release's items, where they are at hand. Raises BenchError when the run
    cannot begin."""
    check(asked, agents)
    every = run_inputs.load_places(database, asked.release) if places is None else places
    chosen = every if asked.sample is None else stratified(every, asked.sample, asked.seed)
    variants = run_inputs.count_variants(database, asked.release) if asked.variants else 0
    variants = round(variants * len(chosen) / len(every))
    questions = (len(chosen) + variants) * asked.repeat
    names = list(asked.metrics) if asked.metrics is not None else default_metrics(sorted({p.task for p in chosen}))
    few = _few(database, asked, chosen)
    held = dict.fromkeys((p.id for p in every), "") | {q.item: q.text for q in few}
    few, _ = drawn(database, held, few, systems()[asked.system], keys.own(asked.settings))
    answering = _answering(database, agents, asked, few)
    judging = _judging(agents, asked, few, names, answering).sums.times(questions / len(few))
    agent = agents.check(asked.agent, asked.settings, None) if asked.agent else None
    pace = _pace(database, agent, asked)
    return {
        "questions": questions,
        "items": len(chosen),
        "variants": variants,
        "sampled": len(few),
        "metrics": names,
        "judge_calls": round(judging.calls),
        "pace": pace._asdict(),
        "replies": answering.replies if answering else "",
        **_sums(answering, judging, questions),
        "seconds": _seconds(database, agents, asked, answering, judging, pace, questions),
        "reuse": _reuse(database, agents, asked, every, chosen),
        "detectable": _detectable(database, asked, names, chosen),
        "notes": _notes(asked, names, chosen, answering),
    }


def _few(database: Database, asked: RunRequest, chosen: Sequence[ReleasePlace]) -> list[Question]:
    """The questions that are rehearsed, spread over the strata."""
    few = stratified(chosen, SAMPLED, asked.seed)
    found = items.fetch_revisions(database.rows, [(p.id, p.revision, "accepted") for p in few])
    if not found:
        raise BenchError(f"The release {asked.release} has no items to run on.")
    return [question(item) for item in found]


def _answering(database: Database, agents: Agents, asked: RunRequest, few: Sequence[Question]) -> Rehearsed | None:
    """What answering those few comes to; None for a system of elsewhere, or one that looks into a model."""
    adapter, retriever = systems()[asked.system], retriever_of(asked)
    if adapter.family == "outside" or adapter.wants == "attention":
        return None
    settings = {**(retrievers()[retriever].settings if retriever else {}), **adapter.settings, **keys.own(asked.settings)}
    wanted = {d for q in few for d in (*q.given, *(span.document for span in q.evidence))}
    agent = agents.check(asked.agent, asked.settings, None) if asked.agent else None
    typical = run_inputs.load_latency(database, agent.name, "answer")[1] if agent else None
    texts = documents.load_documents(database, sorted(wanted))
    languages = sorted({q.language for q in few})
    characters = run_inputs.count_characters(database, asked.release, languages) if adapter.build else 0
    return rehearse(few, adapter, settings, texts, agent, typical, searches=retriever is not None, characters=characters)


def _judging(
    agents: Agents, asked: RunRequest, few: Sequence[Question], names: Sequence[str], answering: Rehearsed | None
) -> Rehearsed:
    """What judging those few comes to."""
    judges = [agents.check(judge, asked.settings, None, owner="judge") for judge in asked.judges]
    judged = [name for name in names if judges and metric_catalog()[name].judge]
    own = {q.task: names if asked.metrics is not None else default_metrics([q.task]) for q in few}
    wanted = [(q, [name for name in judged if name in own[q.task]]) for q in few]
    return rehearse_judging(wanted, judges, asked.votes, answering.passages if answering else {})


def _sums(answering: Rehearsed | None, judging: Sums, questions: int) -> dict[str, Any]:
    """Calls, tokens and prices of the whole run; None where they are not known before."""
    if answering is None:
        names = ("calls_per_question", "calls", "building_calls", "tokens_in", "tokens_out", "price_usd", "most_usd")
        return dict.fromkeys(names)
    whole = answering.sums.times(questions / answering.asked).plus(answering.building)
    prices = {"price_usd": (whole.price, judging.price), "most_usd": (whole.most, judging.most)}
    return {
        "calls_per_question": answering.sums.calls / answering.asked,
        "calls": round(whole.calls),
        "building_calls": round(answering.building.calls),
        "tokens_in": round(whole.tokens_in + judging.tokens_in),
        "tokens_out": round(whole.tokens_out + judging.tokens_out),
        **{name: None if a is None or b is None else a + b for name, (a, b) in prices.items()},
    }


def _pace(database: Database, agent: Agent | None, asked: RunRequest, skill: str = "answer") -> AgentPace:
    """From the agent's last calls, else assumed."""
    if agent is None:
        return AgentPace(0.0, 1, 0)
    seconds, _, measured = run_inputs.load_latency(database, agent.name, skill)
    limits = getattr(agent, "limits", None)
    width = int(limits.width) if limits else int(getattr(agent, "width", LOCAL_WIDTH))
    own: Mapping[str, Any] = keys.own(asked.settings)
    width = min(width, int(own.get("concurrency") or width))
    assumed = ASSUMED_SECONDS if limits else LOCAL_SECONDS
    return AgentPace(assumed if seconds is None else seconds, max(width, 1), measured)


def _seconds(
    database: Database,
    agents: Agents,
    asked: RunRequest,
    answering: Rehearsed | None,
    judging: Sums,
    pace: AgentPace,
    questions: int,
) -> float | None:
    """Calls one after another within a question, so many questions at once; then the judge's. None when not known before."""
    if answering is None:
        return None
    calls = answering.sums.calls * questions / answering.asked
    seconds = calls * pace.seconds / max(1, min(pace.width, questions)) + answering.building.calls * pace.seconds / pace.width
    if judging.calls:
        judge = _pace(database, agents.check(asked.judges[0], asked.settings, None, owner="judge"), asked, "judge")
        seconds += judging.calls * judge.seconds / judge.width
    return seconds


def _reuse(
    database: Database, agents: Agents, asked: RunRequest, every: Sequence[ReleasePlace], chosen: Sequence[ReleasePlace]
) -> dict[str, Any] | None:
    """The stored run of that very configuration, and how many traces it has."""
    try:
        hash_ = load_hash(database, asked.release)
    except BenchError:
        return None  # a working release that was never frozen
    if asked.release == WORKING_RELEASE and run_inputs.load_frozen_revisions(database, WORKING_RELEASE, hash_) != [
        (p.id, p.revision) for p in every
    ]:
        return None
    kinds = {(p.task, p.language): p for p in chosen}
    few = items.fetch_revisions(database.rows, [(p.id, p.revision, "accepted") for p in kinds.values()])
    agent = agents.hire(asked.agent, asked.settings).identity if asked.agent else None
    prompts = prompts_of(map(question, few), systems()[asked.system].prompts)
    whole = {"sample": None} if len(chosen) == len(every) else {}
    wanted = config_of(asked.params(hash_) | whole | agents.pinned([]), agent, prompts, (), 0)
    for run, config, traces in run_inputs.list_similar_runs(database, hash_, asked.system):
        if canonical_json({**config, "not_run": []}) == canonical_json(wanted):
            return {"run": run, "traces": traces}
    return None


def _detectable(
    database: Database, asked: RunRequest, names: Sequence[str], chosen: Sequence[ReleasePlace]
) -> list[dict[str, Any]]:
    """The least difference between two systems on these items that would show with a power of 80 %, per metric whose scale has
    two ends; "spread" is the standard deviation of single questions' differences that it rests on."""
    catalog = metric_catalog()
    is_offline = bool(asked.judges) and all(map(needs_no_model, asked.judges))
    full = {
        name: join_name(f"{name}.offline" if catalog[name].judge and is_offline else name, catalog[name].headline)
        for name in names
        if catalog[name].low is not None and catalog[name].high is not None
    }
    spreads = run_inputs.load_spreads(database, asked.release, list(full.values()))
    own = {task: names if asked.metrics is not None else default_metrics([task]) for task in {p.task for p in chosen}}
    found = []
    for base, name in full.items():
        n = sum(base in own[place.task] for place in chosen)
        alone, pair = spreads.get(name, (None, None))
        if pair is not None:
            spread, rests_on = pair, "differences of earlier runs on this release"
        elif alone is not None:
            spread, rests_on = alone * math.sqrt(2), "the spread of an earlier run, as if two systems had nothing in common"
        else:
            low, high = catalog[base].low or 0.0, catalog[base].high or 0.0
            spread = WORST_SPREAD * (high - low)
            rests_on = f"the worst case: every score {low:g} or {high:g}, of systems that have nothing in common"
        least = DETECTABLE_STANDARD_ERRORS * spread / math.sqrt(n) if n else None
        found.append({"metric": name, "difference": least, "n": n, "spread": spread, "rests_on": rests_on})
    return found


def _notes(asked: RunRequest, names: Sequence[str], chosen: Sequence[ReleasePlace], rehearsed: Rehearsed | None) -> list[str]:
    """What will be left out, and why; what cannot be known before."""
    catalog = metric_catalog()
    languages = {place.language for place in chosen}
    notes = [
        f"{name} wants a judge and none is chosen: it will not be scored."
        for name in names
        if catalog[name].judge and not asked.judges
    ]
    notes += [
        f"{name} scores no {language} answers."
        for name in names
        for language in sorted(languages)
        if language not in catalog[name].languages
    ]
    adapter = systems()[asked.system]
    if adapter.family == "adaptive":
        notes.append(
            f"{adapter.label} decides itself how often it searches: one search a question is reckoned with."
            if rehearsed
            else f"{adapter.label} decides itself how often it searches: what that takes is not known before."
        )
    elif rehearsed is None:
        notes.append(f"{systems()[asked.system].label} answers elsewhere: its calls, tokens and seconds are not known before.")
    elif rehearsed.building.calls:
        notes.append(
            f"{systems()[asked.system].label} reads the whole corpus first: about {rehearsed.building.calls:,.0f} of "
            "the calls, none where a run before read the same with the same settings."
        )
    if rehearsed is not None and rehearsed.failed:
        notes.append(f"{rehearsed.failed} of {rehearsed.asked} rehearsed questions cannot be answered: {rehearsed.why}")
    searched = retriever_of(asked)
    if "evidence_recall" in names and not searched and asked.system not in ("oracle", "recorded", "graph"):
        notes.append("evidence_recall has nothing to look at: this system searches nothing.")
    return notes


def totals_of(estimates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Several runs at once: calls, tokens and prices summed, seconds as if one after another; None where one is not known."""
    keys_ = ("questions", "calls", "judge_calls", "tokens_in", "tokens_out", "price_usd", "most_usd", "seconds")
    columns = {key: [e[key] for e in estimates] for key in keys_}
    return {key: None if None in values else sum(values) for key, values in columns.items()}
