"""Grading by people: batches of answers, or of a judge's single verdicts, drawn by strata and graded blind (grading_desk).
Which system gave which answer, and every figure, is told when the batch is closed; leads may look before."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import new_id
from core.nouns import Run
from core.quality.grading import (
    CODES,
    FOUR_GRADES,
    SCHEMES,
    WEIGHTS,
    EffectiveGrade,
    WeightedGrade,
    draw_sample,
    measure_agreement,
    order_by_seed,
    weighted_mean,
)
from core.statistics.agreement import Agreement
from core.statistics.statistics import Interval
from eval.reports.calibration import has_claims
from eval.reports.run_names import name_runs
from store.engine.database import Database
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace
from store.runs.traces import AnsweredTrace
from workbench.evaluate.scoring.human_marks import MarkedPlace, placed, times
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

BY: Mapping[str, str] = {
    "level": "Level",
    "domain": "Domain",
    "task": "Task",
    "kind": "Kind of question",
    "language": "Language",
    "": "Nothing",
}
"""What strata can be told apart by."""
MOST = 5_000
"""Answers of one batch."""
FAILED, EMPTY = "the system failed and gave no answer", "the answer is empty"


@dataclass(frozen=True, slots=True)
class GradingPlan:
    """A batch as it is asked for."""

    runs: Sequence[str]
    scheme: str = FOUR_GRADES
    of: str = ""
    """"" = whole answers; else the judged metric whose single verdicts are graded, right or wrong."""
    by: str = "level"
    each: int = 10
    """Answers of a run and stratum."""
    graders: int = 2
    """How many grade each blind; a further one decides where they differ."""
    seed: int = 7


class SystemSum(NamedTuple):
    """One run in a closed batch."""

    run: str
    name: str
    mean: Interval
    """Of the marks' weights, over the whole run that the sample stands for."""
    counts: Mapping[str, int]
    """Mark -> answers."""
    by_rule: int
    """Of them, those that nobody had to look at."""
    unresolved: int
    """Without a mark that counts: in no figure."""
    of: int
    """Answers, or verdicts, of the run that they were drawn from."""


class GradingResult(NamedTuple):
    """What a closed batch shows."""

    scheme: str
    systems: Sequence[SystemSum]
    agreement: Agreement
    same: int
    """Answers on which all blind marks are equal."""
    twice: int
    """Answers with two blind marks or more."""
    resolved: int
    people: Mapping[str, int]
    """Person -> marks that stand."""
    left_out: Sequence[str]
    """Strata of a run without any mark: its mean is of the others."""


class GradingStage:
    """Verbs on batches."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=8)

    @act("begin gradings", is_logged=False)
    def sizes(self, plan: GradingPlan) -> RunningWork[dict[str, dict[str, tuple[int, int]]]]:
        """Run -> stratum -> (how many there are, how many are drawn), when it is there. Raises BenchError when there is nothing
        to draw."""

        def made() -> dict[str, dict[str, tuple[int, int]]]:
            places, sizes = self._drawn(plan)
            taken = Counter((place.run, place.stratum) for place in places)
            return {run: {name: (n, taken[run, name]) for name, n in strata.items()} for run, strata in sizes.items()}

        state = [traces.fingerprint(self._db, run.id) for run in self._runs(plan.runs)]
        return self._kept.get(f"{plan!r} {state}", made)

    @act("begin gradings", is_logged=False)
    def verdicts(self, chosen: Sequence[str]) -> dict[str, str]:
        """Judged metrics whose single verdicts those runs have: full name -> judge."""
        found = [one for run in chosen for one in grades.load_judges(self._db, run)]
        return {metric: judge for metric, judge, _, _ in found if has_claims(metric)}

    @act("begin gradings", lambda given: f"{len(given['plan'].runs)} runs")
    def start(self, plan: GradingPlan, by: str) -> str:
        """A new batch. Raises BenchError when it cannot be drawn, or nobody signs."""
        if not by.strip():
            raise BenchError("Give your name first: it stands beside the batch.")
        places, sizes = self._drawn(plan)
        release = ", ".join(dict.fromkeys(run.release for run in self._runs(plan.runs)))
        id_ = new_id()
        batch = Grading(id_, release, list(sizes), plan.scheme, plan.of, plan.by, sizes, plan.each, plan.graders, plan.seed, by)
        order = {key: place for place, key in enumerate(order_by_seed([_key(place) for place in places], plan.seed), 1)}
        numbered = sorted(places, key=lambda place: order[_key(place)])
        grades.add(
            self._db,
            batch,
            [
                GradingPlace(f"{id_}/{n}", n, p.run, p.item, p.variant, p.stratum, p.verdict, p.mark, p.why)
                for n, p in enumerate(numbered, 1)
            ],
        )
        return id_

    def every(self, only: str = "") -> list[dict[str, Any]]:
        """Every batch, newest first, or the one of that id alone: {"id", "release", "scheme", "of", "places": those that people
        grade, "done", "conflicts", "closed": by whom or None, "by", "at"}. It does not tell which systems are in it."""
        found = []
        for one in grades.list_gradings(self._db):
            if only not in ("", one.id):
                continue
            states = [p.standing.state for p in placed(self._db, one) if p.place.mark is None]
            found.append(
                {
                    "id": one.id,
                    "release": one.release,
                    "scheme": one.scheme,
                    "of": one.of,
                    "places": len(states),
                    "done": sum(state in ("agreed", "resolved") for state in states),
                    "conflicts": states.count("conflict"),
                    "closed": one.closed,
                    "by": one.made_by,
                    "at": one.at,
                }
            )
        return found

    @act("see open gradings", "grading")
    def inside(self, grading: str) -> dict[str, Any]:
        """An open batch as a lead sees it: {"systems": names, "people": {person: marks}, "given": marks by rule}."""
        one = grading_of(self._db, grading)
        found = placed(self._db, one)
        return {
            "systems": list(self._names(one).values()),
            "people": dict(_people(found)),
            "given": sum(p.place.mark is not None for p in found),
        }

    @act("begin gradings", "grading")
    def end(self, grading: str, by: str) -> None:
        """End the batch: its systems and figures are told from then on. Raises BenchError when nobody signs, or there is no
        such batch."""
        if not by.strip():
            raise BenchError("Give your name first: it stands beside the batch.")
        grades.close(self._db, grading_of(self._db, grading).id, by)

    @act("see gradings", "grading")
    def result(self, grading: str) -> GradingResult:
        """What a closed batch shows. Raises BenchError while it is open."""
        one = self._closed(grading)
        found = placed(self._db, one)
        weight = times(one, found)
        systems = []
        for run, name in self._names(one).items():
            own = [p for p in found if p.place.run == run]
            rows = [WeightedGrade(p.place.item, WEIGHTS[p.mark], weight[run, p.place.stratum]) for p in own if p.mark]
            counts = Counter(p.mark for p in own if p.mark)
            systems.append(
                SystemSum(
                    run,
                    name,
                    weighted_mean(rows, one.seed),
                    {mark: counts[mark] for mark in SCHEMES[one.scheme].names},
                    sum(p.place.mark is not None for p in own),
                    sum(p.mark is None for p in own),
                    sum(one.sizes[run].values()),
                )
            )
        looked: dict[str, EffectiveGrade] = {p.place.key: p.standing for p in found if p.place.mark is None}
        twice = [one for one in looked.values() if len(one.blind) > 1]
        names = self._names(one)
        return GradingResult(
            one.scheme,
            systems,
            measure_agreement(looked),
            sum(len(set(s.blind.values())) == 1 for s in twice),
            len(twice),
            sum(s.state == "resolved" for s in looked.values()),
            _people(found),
            [
                f"{names[run]}, {stratum}"
                for run, strata in one.sizes.items()
                for stratum in strata
                if (run, stratum) not in weight
            ],
        )

    @act("see gradings", "grading")
    def lines(self, grading: str) -> str:
        """A closed batch for a file, a line an answer: {"run", "item", "variant", "mark", "code": CRAG's rubric figure or null,
        "state", "marks": {person: mark}, "why", "verdict"}."""
        one = self._closed(grading)
        return "".join(
            json.dumps(
                {
                    "run": p.place.run,
                    "item": p.place.item,
                    "variant": p.place.variant,
                    "stratum": p.place.stratum,
                    "scheme": one.scheme,
                    "of": one.of,
                    "verdict": p.place.verdict,
                    "mark": p.mark,
                    "code": CODES.get(p.mark or ""),
                    "state": "by rule" if p.place.mark else p.standing.state,
                    "marks": dict(p.standing.blind),
                    "why": p.place.why,
                },
                ensure_ascii=False,
            )
            + "\n"
            for p in placed(self._db, one)
        )

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _drawn(self, plan: GradingPlan) -> tuple[list[GradingPlace], dict[str, dict[str, int]]]:
        """(places without keys, run -> stratum -> how many there are)."""
        if plan.scheme not in SCHEMES or plan.by not in BY or (plan.of and plan.scheme == FOUR_GRADES):
            raise BenchError("Answers are graded with four grades or as right or wrong, a judge's verdicts as right or wrong.")
        if not plan.runs:
            raise BenchError("Choose at least one run: its answers are graded.")
        if plan.each < 1 or not 1 <= plan.graders <= 5:
            raise BenchError("Ask for at least one answer of each system and stratum, and for 1 to 5 blind graders.")
        places: list[GradingPlace] = []
        sizes: dict[str, dict[str, int]] = {}
        for run in self._runs(plan.runs):
            units = self._units(run, plan)
            strata: dict[str, list[str]] = defaultdict(list)
            for key, place in units.items():
                strata[place.stratum].append(key)
            sizes[run.id] = {name: len(keys) for name, keys in sorted(strata.items())}
            places += [units[key] for keys in draw_sample(strata, plan.each, plan.seed).values() for key in keys]
        if not any(place.mark is None for place in places):
            verdict = f" with a verdict of {plan.of}" if plan.of else ""
            raise BenchError(f"Nothing to grade: these runs have no answer{verdict}.")
        if len(places) > MOST:
            raise BenchError(f"{len(places):,} answers would be graded: ask for fewer of each, a batch has {MOST:,} at most.")
        return places, sizes

    def _units(self, run: Run, plan: GradingPlan) -> dict[str, GradingPlace]:
        """What can be drawn of a run, by a key that is the same for the same question of another run."""
        answers = {(one.item, one.variant): one for one in traces.list_answers(self._db, run)}
        if not plan.of:
            return {
                f"{item}/{variant or ''}": place
                for (item, variant), one in answers.items()
                if (place := _answer(run.id, one, plan)) is not None
            }
        found: dict[str, GradingPlace] = {}
        for said in runs.load_judgements(self._db, run.id):
            one = answers.get((said.item, said.variant))
            for n, verdict in enumerate(said.details.get("verdicts", ()) if said.metric == plan.of and one else ()):
                if one is not None and verdict.get("value") is not None:
                    kept = {
                        "n": n,
                        "side": verdict.get("side", ""),
                        "sentence": verdict.get("sentence", ""),
                        "value": verdict["value"],
                        "judge": said.details.get("judge", ""),
                        "prompt": said.details.get("prompt", ""),
                    }
                    found[f"{said.item}/{said.variant or ''}/{n}"] = GradingPlace(
                        "", 0, run.id, said.item, said.variant, _stratum(one, plan.by), kept
                    )
        return found

    def _closed(self, grading: str) -> Grading:
        one = grading_of(self._db, grading)
        if one.closed is None:
            raise BenchError(
                "This batch is open: its systems and figures are told when it is closed, so that nobody grades by them."
            )
        return one

    def _runs(self, ids: Iterable[str]) -> list[Run]:
        return list({run.id: run for run in (runs.get(self._db, id_) for id_ in ids)}.values())

    def _names(self, one: Grading) -> dict[str, str]:
        """Run -> what it is called."""
        found = self._runs(one.runs)
        return dict(zip((run.id for run in found), name_runs(found), strict=True))


def grading_of(database: Database, grading: str) -> Grading:
    """The batch of that id; raises BenchError when there is none."""
    found = grades.find(database, grading)
    if found is None:
        raise BenchError(f"No batch {grading} in this workspace: the page Grade lists them.")
    return found


def _answer(run: str, one: AnsweredTrace, plan: GradingPlan) -> GradingPlace | None:
    """None for what is no answer to say right or wrong of."""
    bare = GradingPlace("", 0, run, one.item, one.variant, _stratum(one, plan.by))
    if plan.scheme == FOUR_GRADES and (one.is_failed or one.is_empty):
        return replace(bare, mark="missing", why=FAILED if one.is_failed else EMPTY)
    return None if one.is_failed else bare


def _stratum(one: AnsweredTrace, by: str) -> str:
    value = getattr(one, by) if by else "all"
    return "–" if value is None else str(value)


def _key(place: GradingPlace) -> str:
    return f"{place.run}/{place.item}/{place.variant or ''}/{'' if place.verdict is None else place.verdict['n']}"


def _people(found: Sequence[MarkedPlace]) -> dict[str, int]:
    """Person -> blind marks that stand."""
    return dict(sorted(Counter(person for p in found for person in p.standing.blind).items()))
