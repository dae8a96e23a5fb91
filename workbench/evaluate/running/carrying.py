"""Carries runs over to an erratum of their release: answers to questions that a system would get unchanged are taken over, with
their scores if the item is unchanged too. Nothing is asked here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.as_json import Json
from core.nouns import Item, Release, Run
from core.quality.conversations import read_turn
from eval.metric import split_name
from eval.system import Question, systems
from store.engine.database import Cursor, Database
from store.releases.releases import ReleaseMembers
from store.runs import run_pages, runs, twin_traces
from store.runs.runs import QuestionKey
from workbench.evaluate.running.questions import build_question, place_questions
from workbench.evaluate.running.run_identity import build_run
from workbench.evaluate.running.run_request import RunRequest


class CarriedRun(NamedTuple):
    """A run on an erratum, with the answers of the run that it continues."""

    run: Run
    copied: Sequence[QuestionKey]
    """Questions whose answer was taken over with its scores, because their item did not change."""
    rescored: Mapping[tuple[str, ...], Sequence[Question]]
    """A dict from metrics to questions of changed items: their answer was taken over, and these metrics score it again."""
    ask_again: Sequence[QuestionKey]
    """Questions that the system has to be asked again, because it would get something else than before."""
    unanswered: Sequence[QuestionKey]
    """Questions to which the continued run has no answer either."""


def name_carried_run(old: Run, release: Release, content: ReleaseMembers) -> Run:
    """Return the run on the erratum `release` that has the configuration of a run on the release that it corrects. A sample
    stays the one that was drawn from the corrected release, and the configuration says so."""
    config: dict[str, Any] = {**old.config, "release": release.hash}
    if old.config.get("sample"):
        config["drawn_from"] = old.config.get("drawn_from", old.release_hash)
    else:
        places = place_questions(content, bool(old.config.get("variants")), None, 0)
        counts = Counter(place.item.language for place in places)
        config["not_run"] = [{**row, "n": counts[row["language"]]} for row in old.config.get("not_run", ())]
    params = {"system": old.system.name, "release": release.name, "release_hash": release.hash}
    return build_run(params, config, old.offline)


def carry_run(database: Database, old: Run, before: ReleaseMembers, release: Release, content: ReleaseMembers) -> CarriedRun:
    """Store the run on the erratum, and take over what did not change. Repeating it changes nothing."""
    run = name_carried_run(old, release, content)
    asked = set(runs.load_questions(database, old.id))
    places = [place for place in place_questions(content, True, None, 0) if place.key in asked]
    items = {item.id: item for item in before.items}
    variants = {variant.id: variant for variant in before.variants}
    traces = {(trace.item, trace.variant): trace for trace in runs.load_traces(database, old.id)}
    scores, judgements = runs.load_scores(database, old.id), runs.load_judgements(database, old.id)
    metrics: dict[QuestionKey, dict[str, None]] = {}
    for score in scores:
        metrics.setdefault((score.item, score.variant), {})[split_name(score.metric).metric] = None
    query = str(old.system.settings.get("query", ""))
    changed = _list_changed_conversations(before.items, content.items)
    copied, ask_again, unanswered = [], [], []
    rescored: dict[tuple[str, ...], list[Question]] = {}
    for place in places:
        key, (item, variant), was = place.key, place, items[place.item.id]
        question = build_question(item, variant, query)
        worded = variants.get(variant.id) if variant else None
        turn = read_turn(item.labels)
        is_after_change = turn is not None and turn.is_follow_up and turn.conversation in changed
        if is_after_change or not is_same_to_system(build_question(was, worded, query), question, old):
            ask_again.append(key)
        elif key not in traces:
            unanswered.append(key)
        elif _is_same_item(was, item):
            copied.append(key)
        else:
            rescored.setdefault(tuple(metrics.get(key, ())), []).append(question)
    kept = {*copied, *((question.item, question.variant) for own in rescored.values() for question in own)}
    runs.create(database, run, [place.key for place in places])
    there = {(trace.item, trace.variant): trace.answer for trace in runs.load_traces(database, run.id)}
    answers = {key: trace.answer for key, trace in traces.items()}
    same = {key for key in copied if there.get(key, answers[key]) == answers[key]}  # the system may have answered since

    def write(cursor: Cursor) -> None:
        runs.insert_traces(cursor, [replace(traces[key], run=run.id) for key in traces if key in kept and key not in there])
        runs.insert_scores(cursor, [replace(one, run=run.id) for one in scores if (one.item, one.variant) in same])
        runs.insert_judgements(cursor, [one._replace(run=run.id) for one in judgements if (one.item, one.variant) in same])

    database.write(write)
    _carry_twins(database, old, run, content)
    return CarriedRun(run, copied, rescored, *([key for key in left if key not in there] for left in (ask_again, unanswered)))


def _list_changed_conversations(before: Sequence[Item], after: Sequence[Item]) -> set[str]:
    """Return the conversations of which a turn changed or was withdrawn: their follow-ups come with other turns before."""
    now = {item.id: item for item in after}
    turns = [(read_turn(item.labels), item) for item in before]
    return {turn.conversation for turn, item in turns if turn and (item.id not in now or not _is_same_item(item, now[item.id]))}


def is_same_to_system(before: Question, after: Question, run: Run) -> bool:
    """Return whether the run's system gets the same from both questions. Gold answers and labels reach no system; the gold
    evidence reaches systems of the family ceiling alone."""
    adapter = systems().get(run.system.name)
    gold: dict[str, Any] = {"answers": (), "labels": {}, "level": None, "overlap": None}
    if adapter is not None and adapter.family != "ceiling":
        gold["evidence"] = ()
    return replace(before, **gold) == replace(after, **gold)


def collect_params(database: Database, old: Run, release: Release) -> dict[str, Json]:
    """Return the parameters with which the carried run's answers are scored: those of the newest job of the continued run, with
    the judges of all its jobs."""
    every = run_pages.list_job_params(database, old.id)
    request = RunRequest(release=release.name, system=old.system.name, settings=dict(old.system.settings))
    own = every[0] if every else request.params(release.hash)
    judges = list(dict.fromkeys(judge for params in every for judge in params["judges"]))
    saved = {name: identity for params in reversed(every) for name, identity in params.get("saved", {}).items()}
    return {**own, "release": release.name, "release_hash": release.hash, "judges": judges, "saved": saved}


def _is_same_item(before: Item, after: Item) -> bool:
    return replace(before, provenance=after.provenance) == after


def _carry_twins(database: Database, old: Run, run: Run, content: ReleaseMembers) -> None:
    """Take over the answers to the absence twins that the erratum still has."""
    kept = {twin.item for twin in content.twins}
    name = twin_traces.name_key(run.id)
    stored = twin_traces.load_traces(database, old.id)
    if own := [replace(trace, run=name) for item, trace in stored.items() if item in kept]:
        runs.add_traces(database, own)


class OpenQuestions(NamedTuple):
    """Numbers of the items' own questions of a carried run that have no answer."""

    ask_again: int
    """Questions that the continued run has an answer to, but that changed for the system."""
    unanswered: int


def count_open(database: Database, old: Run, run: Run) -> OpenQuestions:
    """Return the numbers of the questions without an answer in a carried run, by whether the continued run has one."""
    before, after = ({trace.item for trace in runs.load_traces(database, one.id) if not trace.variant} for one in (old, run))
    missing = {item for item, variant in runs.load_questions(database, run.id) if variant is None} - after
    return OpenQuestions(len(missing & before), len(missing - before))
