"""Let people grade answers in batches. A batch contains answers, or a judge's verdicts on single sentences. Answers are drawn
at random from groups (strata), and people grade them without knowing the system (see grading_desk). The names of the systems
and all results are hidden until the batch is closed; only leads may see them before."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.errors import BenchError
from core.ids import new_id
from core.quality.grading import (
    CODES,
    SCHEMES,
    WEIGHTS,
    WeightedGrade,
    measure_agreement,
    order_by_seed,
    weighted_mean,
)
from core.statistics.agreement import Agreement
from core.statistics.statistics import Interval
from eval.reports.calibration import has_claims
from eval.reports.run_names import name_runs
from store.engine.database import Database
from store.runs import grades, traces
from store.runs.grades import Grading, GradingPlace
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.grading.grading_draw import GradingPlan, draw_answers, load_runs
from workbench.evaluate.scoring.human_marks import MarkedPlace, load_marked_places, weigh_strata
from workbench.roles import requires

NO_NAME = "Give your name first: it is stored with the batch."


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """One grading batch as the list of batches shows it; the names of its systems are hidden."""

    id: str
    release: str
    scheme: str
    of: str
    places: int
    """Number of answers in the batch that people grade; answers that a rule marked do not count."""
    done: int
    conflicts: int
    closed: str | None
    """Name of the person who closed the batch, or None if it is open."""
    by: str
    at: str


class BatchContents(NamedTuple):
    """What a lead can see of an open grading batch."""

    systems: Sequence[str]
    people: Mapping[str, int]
    """Dict from person to the number of marks that the person gave without seeing other marks."""
    by_rule: int
    """Number of answers that a rule marked, so that nobody needs to grade them."""


class SystemResult(NamedTuple):
    """The results of one run in a closed grading batch."""

    name: str
    mean: Interval
    """Mean of the marks' values with its interval, estimated from the sample for the whole run."""
    counts: Mapping[str, int]
    """Dict from mark to the number of answers with this mark."""
    by_rule: int
    """Number of answers that a rule marked instead of people."""
    unresolved: int
    """Number of answers without a mark that counts. Answers without such a mark are in none of the figures."""
    of: int
    """Number of the run's answers, or verdicts on them, from which the sample was drawn."""


class GradingResult(NamedTuple):
    """Results of a closed grading batch: for each system, and how far people agree."""

    scheme: str
    systems: Sequence[SystemResult]
    agreement: Agreement
    same: int
    """Number of answers on which all people who could not see each other's marks gave the same mark."""
    twice: int
    """Number of answers that two or more people marked without seeing each other's marks."""
    resolved: int
    people: Mapping[str, int]
    """Dict from person to the number of the person's marks that count and were given without seeing other marks."""
    left_out: Sequence[str]
    """Groups (strata) of answers of a run without any mark; the run's mean leaves them out."""


class GradingStage(CachedStage):
    """Methods with which people draw, list, close and evaluate grading batches."""

    MAX_RESULTS = 8

    @requires("begin gradings", is_logged=False)
    def sizes(self, plan: GradingPlan) -> RunningWork[dict[str, dict[str, tuple[int, int]]]]:
        """Return a dict from run to a dict from stratum to (number of answers, number to draw). Raises BenchError if there is
        nothing to draw."""

        def make() -> dict[str, dict[str, tuple[int, int]]]:
            places, sizes = draw_answers(self._db, plan)
            drawn = Counter((place.run, place.stratum) for place in places)
            return {run: {name: (n, drawn[run, name]) for name, n in strata.items()} for run, strata in sizes.items()}

        state = [traces.fingerprint(self._db, run.id) for run in load_runs(self._db, plan.runs)]
        return self._cache.get(f"{plan!r} {state}", make)

    @requires("begin gradings", is_logged=False)
    def verdicts(self, chosen: Sequence[str]) -> dict[str, str]:
        """Return a dict from the full name of a metric to its judge. The dict contains the runs' metrics whose verdicts on
        single sentences are stored."""
        judges = [judge for run in chosen for judge in grades.load_judges(self._db, run)]
        return {metric: judge for metric, judge, _, _ in judges if has_claims(metric)}

    @requires("begin gradings", lambda arguments: f"{len(arguments['plan'].runs)} runs")
    def start(self, plan: GradingPlan, by: str) -> str:
        """Draw answers for a new grading batch, and return its id. Raises BenchError if no answer can be drawn, or if `by`, the
        person's name, is empty."""
        if not by.strip():
            raise BenchError(NO_NAME)
        places, sizes = draw_answers(self._db, plan)
        release = ", ".join(dict.fromkeys(run.release for run in load_runs(self._db, plan.runs)))
        batch = Grading(
            new_id(), release, list(sizes), plan.scheme, plan.of, plan.by, sizes, plan.each, plan.graders, plan.seed, by
        )
        add_batch(self._db, batch, places)
        return batch.id

    def list_batches(self, only: str = "") -> list[BatchSummary]:
        """Return all grading batches, newest first; if `only` is given, return only the batch with this id."""
        batches = []
        for grading in grades.list_gradings(self._db):
            if only in ("", grading.id):
                marked = load_marked_places(self._db, grading)
                states = [place.effective.state for place in marked if place.place.mark is None]
                batches.append(
                    BatchSummary(
                        grading.id,
                        grading.release,
                        grading.scheme,
                        grading.of,
                        places=len(states),
                        done=sum(state in ("agreed", "resolved") for state in states),
                        conflicts=states.count("conflict"),
                        closed=grading.closed,
                        by=grading.made_by,
                        at=grading.at,
                    )
                )
        return batches

    @requires("see open gradings", "grading")
    def look_inside(self, grading: str) -> BatchContents:
        """Return what a lead can see of an open grading batch."""
        batch = get_grading(self._db, grading)
        places = load_marked_places(self._db, batch)
        by_rule = sum(place.place.mark is not None for place in places)
        return BatchContents(list(self._load_names(batch).values()), _count_marks(places), by_rule)

    @requires("begin gradings", "grading")
    def close_batch(self, grading: str, by: str) -> None:
        """Close the grading batch, so that everybody can see its systems and results. Raises BenchError if the person's name is
        empty or the batch does not exist."""
        if not by.strip():
            raise BenchError(NO_NAME)
        grades.close(self._db, get_grading(self._db, grading).id, by)

    @requires("see gradings", "grading")
    def result(self, grading: str) -> GradingResult:
        """Return the results of a closed grading batch. Raises BenchError if the batch is still open."""
        batch = self._get_closed(grading)
        places = load_marked_places(self._db, batch)
        weights, names = weigh_strata(batch, places), self._load_names(batch)
        systems = []
        for run, name in names.items():
            own = [place for place in places if place.place.run == run]
            rows = [WeightedGrade(p.place.item, WEIGHTS[p.mark], weights[run, p.place.stratum]) for p in own if p.mark]
            counts = Counter(place.mark for place in own if place.mark)
            systems.append(
                SystemResult(
                    name,
                    weighted_mean(rows, batch.seed),
                    {mark: counts[mark] for mark in SCHEMES[batch.scheme].names},
                    by_rule=sum(place.place.mark is not None for place in own),
                    unresolved=sum(place.mark is None for place in own),
                    of=sum(batch.sizes[run].values()),
                )
            )
        effective_grades = {place.place.key: place.effective for place in places if place.place.mark is None}
        twice = [effective for effective in effective_grades.values() if len(effective.blind) > 1]
        return GradingResult(
            batch.scheme,
            systems,
            measure_agreement(effective_grades),
            same=sum(len(set(effective.blind.values())) == 1 for effective in twice),
            twice=len(twice),
            resolved=sum(effective.state == "resolved" for effective in effective_grades.values()),
            people=_count_marks(places),
            left_out=[
                f"{names[run]}, {stratum}"
                for run, strata in batch.sizes.items()
                for stratum in strata
                if (run, stratum) not in weights
            ],
        )

    @requires("see gradings", "grading")
    def export_lines(self, grading: str) -> str:
        """Return the answers of a closed grading batch as JSON lines. The field `code` is the number of the mark in CRAG's
        rubric, or null."""
        batch = self._get_closed(grading)
        records = [
            {
                **{name: getattr(marked.place, name) for name in ("run", "item", "variant", "stratum")},
                "scheme": batch.scheme,
                "of": batch.of,
                "verdict": marked.place.verdict,
                "mark": marked.mark,
                "code": CODES.get(marked.mark or ""),
                "state": "by rule" if marked.place.mark else marked.effective.state,
                "marks": dict(marked.effective.blind),
                "why": marked.place.why,
            }
            for marked in load_marked_places(self._db, batch)
        ]
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)

    def _get_closed(self, grading: str) -> Grading:
        batch = get_grading(self._db, grading)
        if batch.closed is None:
            raise BenchError(
                "This batch is open: to keep the grading blind, its systems and results are shown only after it is closed."
            )
        return batch

    def _load_names(self, batch: Grading) -> dict[str, str]:
        """Return a dict from run to its name on the screen."""
        chosen = load_runs(self._db, batch.runs)
        return dict(zip((run.id for run in chosen), name_runs(chosen), strict=True))


def add_batch(database: Database, batch: Grading, places: Sequence[GradingPlace]) -> None:
    """Store a new grading batch of these answers, in a random order that the batch's seed determines."""
    by_key = {_build_key(place): place for place in places}
    ordered = (by_key[key] for key in order_by_seed(list(by_key), batch.seed))
    grades.add(database, batch, [replace(place, key=f"{batch.id}/{n}", number=n) for n, place in enumerate(ordered, 1)])


def get_grading(database: Database, grading: str) -> Grading:
    """Return the grading batch with the given id. Raises BenchError if there is no such batch."""
    batch = grades.find(database, grading)
    if batch is None:
        raise BenchError(f"No grading batch {grading} in this workspace: the page Grade lists the batches.")
    return batch


def places_for_people(database: Database, grading: Grading) -> list[GradingPlace]:
    """Return the answers of a grading batch that people must grade, in the batch's order. Answers that a rule marked are left
    out."""
    return [place for place in grades.load_places(database, grading.id) if place.mark is None]


def _build_key(place: GradingPlace) -> str:
    return f"{place.run}/{place.item}/{place.variant or ''}/{'' if place.verdict is None else place.verdict['n']}"


def _count_marks(places: Sequence[MarkedPlace]) -> dict[str, int]:
    """Return a dict from person to the number of the person's marks on these answers that count and were given without seeing
    other marks."""
    return dict(sorted(Counter(person for place in places for person in place.effective.blind).items()))
