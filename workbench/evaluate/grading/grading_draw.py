"""Draw the answers, or a judge's verdicts on single sentences, that people grade. The answers are drawn at random from groups
(strata) of each run."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import BenchError
from core.nouns import Run
from core.quality.grading import FOUR_GRADES, RIGHT_WRONG, draw_sample
from eval.reports.calibration import choose_scheme
from store.engine.database import Database
from store.runs import runs, traces
from store.runs.grades import GradingPlace
from store.runs.traces import AnsweredTrace

STRATA: Mapping[str, str] = {
    "level": "Level",
    "domain": "Domain",
    "task": "Task",
    "kind": "Kind of question",
    "language": "Language",
    "": "Nothing",
}
"""Dict from a property that can form the groups (strata) of the draw to its label on the screen."""
MAX_ANSWERS = 5_000
"""Maximum number of answers in one grading batch."""
FAILED, EMPTY = "the system failed and gave no answer", "the answer is empty"


@dataclass(frozen=True, slots=True)
class GradingPlan:
    """A request to draw a new grading batch: from which runs, how many answers, and on which scale people grade."""

    runs: Sequence[str]
    scheme: str = FOUR_GRADES
    of: str = ""
    """"" if people grade whole answers; otherwise the metric whose judge's verdicts on single sentences or nuggets they
    grade."""
    by: str = "level"
    each: int = 10
    """Number of answers to draw from each group (stratum) of each run."""
    graders: int = 2
    """Number of people who grade each answer without seeing each other's marks. If these marks differ, another person
    decides."""
    seed: int = 7


def list_schemes(of: str) -> list[str]:
    """Return the scales on which people can grade whole answers, or the verdicts of the judge of metric `of`."""
    return [choose_scheme(of)] if of else [FOUR_GRADES, RIGHT_WRONG]


def draw_answers(database: Database, plan: GradingPlan) -> tuple[list[GradingPlace], dict[str, dict[str, int]]]:
    """Return (drawn answers without keys, number of answers in each stratum of each run as a dict of dicts). Raises BenchError
    if nothing can be drawn, or if people would have to grade more than MAX_ANSWERS answers."""
    if plan.scheme not in list_schemes(plan.of):
        fitting = f"{choose_scheme(plan.of)} for verdicts of {plan.of}" if plan.of else "four grades, or right or wrong"
        raise BenchError(f"Choose a scale: {fitting}.")
    if plan.by not in STRATA:
        raise BenchError(f"Choose what the draw is stratified by: {', '.join(filter(None, STRATA))}, or nothing.")
    if not plan.runs:
        raise BenchError("Choose at least one run whose answers are to be graded.")
    if plan.each < 1 or not 1 <= plan.graders <= 5:
        raise BenchError("Draw at least one answer of each system and stratum, and have each answer graded by 1 to 5 people.")
    places: list[GradingPlace] = []
    sizes: dict[str, dict[str, int]] = {}
    for run in load_runs(database, plan.runs):
        units = _list_units(database, run, plan)
        strata: dict[str, list[str]] = defaultdict(list)
        for key, place in units.items():
            strata[place.stratum].append(key)
        sizes[run.id] = {name: len(keys) for name, keys in sorted(strata.items())}
        places += [units[key] for keys in draw_sample(strata, plan.each, plan.seed).values() for key in keys]
    if all(place.mark for place in places):
        verdict = f" with a verdict of {plan.of}" if plan.of else ""
        raise BenchError(f"These runs have no answer to grade{verdict}.")
    if len(places) > MAX_ANSWERS:
        raise BenchError(
            f"{len(places):,} answers would be graded: ask for fewer per stratum, because a batch has at most {MAX_ANSWERS:,}."
        )
    return places, sizes


def load_runs(database: Database, ids: Iterable[str]) -> list[Run]:
    """Return the runs with these ids; an id that occurs twice gives one run. Raises BenchError if an id is unknown."""
    return list({run.id: run for run in (runs.get(database, id_) for id_ in ids)}.values())


def _list_units(database: Database, run: Run, plan: GradingPlan) -> dict[str, GradingPlace]:
    """Return a dict by key of the run's answers, or verdicts on them, that can be drawn. A question has the same key in every
    run."""
    answers = {(answer.item, answer.variant): answer for answer in traces.list_answers(database, run)}
    if not plan.of:
        return {
            f"{item}/{variant or ''}": place
            for (item, variant), answer in answers.items()
            if (place := place_answer(run.id, answer, plan.scheme, plan.by)) is not None
        }
    units: dict[str, GradingPlace] = {}
    for stored in runs.load_newest_judgements(database, run.id):
        judged = answers.get((stored.item, stored.variant))
        if stored.metric != plan.of or judged is None:
            continue
        details, bare = stored.details, _bare_place(run.id, judged, plan.by)
        for n, verdict in enumerate(details.get("verdicts", ())):
            if verdict.get("value") is not None:
                judged_by = {name: details.get(name, "") for name in ("judge", "prompt")}
                statement = {
                    "side": verdict.get("side", ""),
                    "sentence": verdict.get("sentence", ""),
                    "value": verdict["value"],
                }
                place = replace(bare, verdict={"n": n, **statement, **judged_by})
                units[f"{stored.item}/{stored.variant or ''}/{n}"] = place
    return units


def place_answer(run: str, answer: AnsweredTrace, scheme: str, by: str) -> GradingPlace | None:
    """Return the answer as an entry of a grading batch, or None if the answer failed and the scale is right or wrong."""
    bare = _bare_place(run, answer, by)
    if scheme == FOUR_GRADES and (answer.is_failed or answer.is_empty):
        return replace(bare, mark="missing", why=FAILED if answer.is_failed else EMPTY)
    return None if answer.is_failed else bare


def _bare_place(run: str, answer: AnsweredTrace, by: str) -> GradingPlace:
    value = getattr(answer, by) if by else "all"
    return GradingPlace("", 0, run, answer.item, answer.variant, "–" if value is None else str(value))
