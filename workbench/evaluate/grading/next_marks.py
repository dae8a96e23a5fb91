"""Choose which answers of one run, or of two compared runs, people grade next. The choice makes the interval of the mean or
difference narrower as fast as possible. Also say whether the marks so far are enough. The formulas are in
core/quality/marking.py."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import new_id
from core.quality import marking
from core.quality.grading import FOUR_GRADES, RIGHT_WRONG, WEIGHTS
from core.quality.marking import MarkedStrata, MarkingForecast, MarkingFrame, MarkingInterval, Verdict
from eval.reports.run_names import name_runs
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace
from store.runs.runs import QuestionKey
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.grading.grading import NO_NAME, add_batch
from workbench.evaluate.grading.grading_draw import MAX_ANSWERS, load_runs, place_answer
from workbench.evaluate.scoring.human_marks import load_marked_places
from workbench.roles import requires

FORECAST_UNITS = (20, 50, 100, 200, 500)
"""Numbers of further questions for which the plan shows their expected effect, in addition to the number that one hour
allows."""
SAME, BY_RULE = "the same answer", "marked by rule"
"""Names of two groups (strata) of questions whose value is known without marks. People still grade marking.MIN_EACH of each
once, because the means of single runs need marks on all kinds of answers."""
_BY_LEVEL = "level"


@dataclass(frozen=True, slots=True)
class MarkingRequest:
    """What people's marks are to measure: the mean of one run, or the difference of two runs on the questions that both
    answered."""

    run: str
    against: str = ""
    """Id of the run to compare with `run`; "" if only the mean of `run` is measured."""
    metric: str = ""
    """Full name of a metric whose scores form the groups (strata) and improve the estimate; "" = groups by level, without
    scores."""
    scheme: str = RIGHT_WRONG
    size: int = 20
    """Number of questions in the next batch."""
    graders: int = 1
    width: float = 0.05
    """Marking can stop when half of the interval's width is at most this number."""
    seed: int = 13

    @property
    def runs(self) -> list[str]:
        """Return the ids of the run, or of the two runs."""
        return [run for run in (self.run, self.against) if run]


@dataclass(frozen=True, slots=True)
class MarkingStratum:
    """One group (stratum) of questions in the plan."""

    name: str
    size: int
    marked: int
    spread: float
    """Standard deviation of the marks around the values that the scores suggest."""
    next: int
    """Number of questions of this group in the next batch."""


@dataclass(frozen=True, slots=True)
class MarkingPlan:
    """What the marks so far show, and which answers to mark next."""

    names: Sequence[str]
    """Name of the run, or names of both runs."""
    sides: Sequence[str]
    """The same names, in the order in which the groups call the runs A and B."""
    metric: str
    scheme: str
    interval: MarkingInterval
    verdict: Verdict
    says: str
    """The conclusion from the marks, in one sentence."""
    strata: Sequence[MarkingStratum]
    forecast: Sequence[MarkingForecast]
    questions: int
    """Number of questions over which the mean is computed."""
    known: int
    """Number of questions that need no mark, because both answers are the same or a rule marks them."""
    failed: int
    """Number of questions that are left out, because a system failed on them or was not asked."""
    marked: int
    """Number of questions that people marked."""
    marks: int
    """Number of answers that people marked."""
    unresolved: int
    """Number of questions in closed batches without a mark that counts; no figure includes them."""
    seconds: float | None
    """Sum of the recorded time for the marks, or None if no time was recorded."""
    untimed: int
    """Number of marked questions without recorded time."""
    tuning: float
    """Weight of the metric's scores in the estimate; 0 means that they only form the groups."""
    is_open: bool
    """Whether a batch of this plan is open; it must be closed before the next one can start."""
    other_batches: int
    """Number of closed batches of these runs and this scale that do not count, because they were drawn in another way."""


class _Questions(NamedTuple):
    """The questions of a request: those to mark, in groups (strata), and those whose value is known."""

    frame: MarkingFrame
    keys: Sequence[QuestionKey]
    """The questions to mark; each has one entry in the arrays of the frame."""
    known: Mapping[QuestionKey, str]
    """Dict from a question whose value is known to its group (stratum)."""
    places: Mapping[tuple[str, QuestionKey], GradingPlace]
    """Dict from (run, question) to the answer, without key and stratum."""
    failed: int

    @property
    def sizes(self) -> dict[str, int]:
        """Return the number of questions in each group (stratum)."""
        sizes = dict(zip(self.frame.names, map(int, self.frame.sizes), strict=True))
        for name in self.known.values():
            sizes[name] = sizes.get(name, 0) + 1
        return sizes


class _Marks(NamedTuple):
    """People's marks in those closed batches that were drawn for the request."""

    values: Any
    """Float array with the value of each question to mark; NaN if it is not marked."""
    seconds: Any
    """Float array with the recorded time of each question to mark; NaN if no time was recorded."""
    drawn: frozenset[QuestionKey]
    """All questions in these batches, including an open one."""
    closed: frozenset[QuestionKey]
    """The questions in closed batches."""
    marks: int
    is_open: bool
    others: int


class NextMarks(CachedStage):
    """Methods that plan and start the next grading batch for a run or a comparison of two runs."""

    MAX_RESULTS = 16

    @requires("see gradings", is_logged=False)
    def plan(self, request: MarkingRequest) -> RunningWork[MarkingPlan]:
        """Return what people's marks show so far about the run or the comparison, and which answers to mark next. Only closed
        batches count. Raises BenchError if a run or metric is unknown, or if no answer is left to mark."""
        first, ordered = runs.get(self._db, request.run).id, self._resolve(request)
        state = [traces.fingerprint(self._db, run) for run in ordered.runs], grades.fingerprint(self._db)
        key = f"{ordered!r} {first} {state} {len(grades.list_gradings(self._db))}"
        return self._cache.get(key, lambda: self._plan(ordered, is_reversed=first != ordered.run))

    @requires("see gradings", is_logged=False)
    def list_metrics(self, request: MarkingRequest) -> list[str]:
        """Return the metrics for which every run of the request has scores."""
        names = [set(traces.list_metrics(self._db, [run])) for run in self._resolve(request).runs]
        return sorted(set.intersection(*names))

    @requires("begin gradings", lambda arguments: f"{len(arguments['request'].runs)} runs")
    def start(self, request: MarkingRequest, by: str) -> str:
        """Create a grading batch with the answers to mark next, and return its id. Raises BenchError if no answer is left to
        mark, if the last batch of the plan is open, or if `by`, the person's name, is empty."""
        import numpy as np

        if not by.strip():
            raise BenchError(NO_NAME)
        request = self._resolve(request)
        questions = self._load_questions(request)
        marks = self._load_marks(request, questions)
        if marks.is_open:
            raise BenchError("A batch of this plan is open: close it first, because its marks decide what to mark next.")
        taken = np.array([key in marks.drawn for key in questions.keys], bool)
        state = marking.measure_strata(questions.frame, marks.values)
        more = _allocate(questions.frame, state, taken, marks.seconds, request.size)
        rows = marking.draw_units(questions.frame.codes, taken, more, request.seed)
        if not len(rows):
            raise BenchError("Every answer of this plan is already in a grading batch: nothing is left to mark.")
        names = questions.frame.names
        chosen = [(questions.keys[row], names[questions.frame.codes[row]]) for row in rows]
        chosen += _draw_known(questions.known, marks.drawn, request.seed)
        ids = request.runs
        places = [replace(questions.places[run, key], stratum=stratum) for key, stratum in chosen for run in ids]
        release = ", ".join(dict.fromkeys(run.release for run in load_runs(self._db, ids)))
        sizes = dict.fromkeys(ids, questions.sizes)
        batch = Grading(
            new_id(), release, ids, request.scheme, "", request.metric or _BY_LEVEL, sizes, 0, request.graders, request.seed, by
        )
        add_batch(self._db, batch, places)
        return batch.id

    def _resolve(self, request: MarkingRequest) -> MarkingRequest:
        """Return the request with the full ids of its runs in sorted order, so that marks count for a comparison in both
        directions. Raises BenchError if the request is not possible."""
        ids = sorted(runs.get(self._db, name).id for name in request.runs)
        request = replace(request, run=ids[0], against=ids[1] if len(ids) > 1 else "")
        _check(request)
        return request

    def _plan(self, request: MarkingRequest, *, is_reversed: bool) -> MarkingPlan:
        import numpy as np

        questions = self._load_questions(request)
        marks = self._load_marks(request, questions)
        frame, taken = questions.frame, np.array([key in marks.drawn for key in questions.keys], bool)
        state = marking.measure_strata(frame, marks.values)
        interval = marking.estimate_interval(frame, state)
        sides = name_runs(load_runs(self._db, request.runs))
        names = sides[::-1] if is_reversed else sides
        interval = marking.reverse_interval(interval) if is_reversed else interval
        verdict = marking.judge_interval(interval, request.width, is_difference=bool(request.against))
        seconds = marking.estimate_seconds(frame, marks.seconds)
        more = _allocate(frame, state, taken, marks.seconds, request.size)
        steps = [*FORECAST_UNITS]
        if seconds is not None:
            steps.append(max(1, round(3600 / float(np.average(seconds, weights=frame.sizes)))))
        drawn = np.bincount(frame.codes[taken], minlength=len(frame.names))
        has_mark = ~np.isnan(marks.values)
        return MarkingPlan(
            names=names,
            sides=sides,
            metric=request.metric,
            scheme=request.scheme,
            interval=interval,
            verdict=verdict,
            says=_say_verdict(verdict, names, marks.marks, state.total, request.width),
            strata=[
                MarkingStratum(name, int(size), int(marked), float(variance) ** 0.5, int(n))
                for name, size, marked, variance, n in zip(
                    frame.names, state.sizes, state.marked, state.variances, more, strict=True
                )
            ],
            forecast=marking.forecast_marks(frame, state, drawn, seconds, sorted(steps)) if has_mark.sum() > 1 else [],
            questions=state.total,
            known=len(questions.known),
            failed=questions.failed,
            marked=int(has_mark.sum()),
            marks=marks.marks,
            unresolved=sum(key in marks.closed for key, marked in zip(questions.keys, has_mark, strict=True) if not marked),
            seconds=None if seconds is None else float(np.nansum(marks.seconds)),
            untimed=int((has_mark & np.isnan(marks.seconds)).sum()),
            tuning=state.tuning,
            is_open=marks.is_open,
            other_batches=marks.others,
        )

    def _load_questions(self, request: MarkingRequest) -> _Questions:
        """Return the questions of a request in groups (strata). Raises BenchError if the request is not possible."""
        import numpy as np

        chosen = load_runs(self._db, request.runs)
        known_metrics = self.list_metrics(request)
        if request.metric and request.metric not in known_metrics:
            listed = ", ".join(known_metrics) or "none"
            raise BenchError(f"These runs have no scores of {request.metric}: score them, or choose one of {listed}.")
        answers = [{(one.item, one.variant): one for one in traces.list_answers(self._db, run)} for run in chosen]
        shared = sorted(set.intersection(*map(set, answers)), key=lambda key: (key[0], key[1] or ""))
        places: dict[tuple[str, QuestionKey], GradingPlace] = {}
        for run, own in zip(chosen, answers, strict=True):
            for key in shared:
                place = place_answer(run.id, own[key], request.scheme, _BY_LEVEL)
                if place is not None:
                    places[run.id, key] = place
        usable = [key for key in shared if all((run.id, key) in places for run in chosen)]
        equal = traces.list_equal_answers(self._db, request.run, request.against) if request.against else set()
        known = {key: SAME for key in usable if key in equal}
        known |= {key: BY_RULE for key in usable if all(places[run.id, key].mark for run in chosen)}
        keys = [key for key in usable if key not in known]
        if not keys:
            raise BenchError(
                "Nothing is left for people to mark: the systems gave the same answers, failed, or have no shared question."
            )
        low = min(WEIGHTS[mark] for mark in _SCALES[request.scheme])
        values = [runs.load_values(self._db, run.id, request.metric) if request.metric else {} for run in chosen]
        if request.metric:
            columns = [np.array([own.get(key, np.nan) for key in keys], float) for own in values]
            letters = ("A", "B") if request.against else ("",)
            frame = marking.build_frame(columns, letters, low, 1.0, len(known))
        else:
            labels = [places[chosen[0].id, key].stratum for key in keys]
            frame = marking.group_units(labels, (1.0 - low) * len(chosen), len(known))
        failed = len(set().union(*answers)) - len(usable)
        return _Questions(frame, keys, known, places, failed)

    def _load_marks(self, request: MarkingRequest, questions: _Questions) -> _Marks:
        """Return people's marks on the questions from the closed batches with the same groups (strata)."""
        import numpy as np

        ids = request.runs
        row_of = {key: row for row, key in enumerate(questions.keys)}
        values = np.full((len(ids), len(row_of)), np.nan)
        seconds, drawn, closed = np.full(len(row_of), np.nan), set[QuestionKey](), set[QuestionKey]()
        is_open, marks, others, sizes = False, 0, 0, questions.sizes
        for (run, key), place in questions.places.items():
            if place.mark is not None and key in row_of:
                values[ids.index(run), row_of[key]] = WEIGHTS[place.mark]
        for batch in grades.list_gradings(self._db):
            if batch.scheme != request.scheme or batch.of or not set(ids) <= set(batch.runs):
                continue
            marked = [one for one in load_marked_places(self._db, batch) if one.place.run in ids]
            if not self._is_drawn_for(request, questions, batch, sizes, [one.place for one in marked]):
                others += batch.closed is not None
                continue
            is_open |= batch.closed is None
            drawn |= {(one.place.item, one.place.variant) for one in marked}
            if batch.closed is None:
                continue
            closed |= {(one.place.item, one.place.variant) for one in marked}
            times = grades.load_grades(self._db, batch.id)
            for one in marked:
                row = row_of.get((one.place.item, one.place.variant))
                if row is None or one.place.mark is not None:
                    continue
                spent = [grade.seconds for grade in times.get(one.place.key, ()) if grade.mark and grade.seconds is not None]
                if spent:
                    seconds[row] = np.nansum([seconds[row], *spent])
                if one.mark is not None:
                    values[ids.index(one.place.run), row] = WEIGHTS[one.mark]
                    marks += 1
        difference = values[0] - values[1] if len(ids) == 2 else values[0]
        return _Marks(difference, seconds, frozenset(drawn), frozenset(closed), marks, is_open, others)

    def _is_drawn_for(
        self,
        request: MarkingRequest,
        questions: _Questions,
        batch: Grading,
        sizes: Mapping[str, int],
        places: Sequence[GradingPlace],
    ) -> bool:
        """Return whether the batch was drawn at random from the groups (strata) of the request: it has the same groups with the
        same numbers of questions, and every answer is in the same group. If scores have changed in the meantime, the groups
        have changed too."""
        if batch.by != (request.metric or _BY_LEVEL) or batch.each or any(batch.sizes[run] != sizes for run in batch.runs):
            return False
        names, codes = questions.frame.names, questions.frame.codes
        stratum_of = dict(questions.known) | {key: names[code] for key, code in zip(questions.keys, codes, strict=True)}
        return all(stratum_of.get((place.item, place.variant)) == place.stratum for place in places)


_SCALES: Mapping[str, Sequence[str]] = {FOUR_GRADES: ("perfect", "incorrect"), RIGHT_WRONG: ("right", "wrong")}
"""Dict from scale to the marks at its two ends."""


def _check(request: MarkingRequest) -> None:
    if request.scheme not in _SCALES:
        raise BenchError(f"Choose a scale for whole answers: {' or '.join(_SCALES)}.")
    if not 1 <= request.size <= MAX_ANSWERS // 2 or not 1 <= request.graders <= 5:
        raise BenchError(f"Have 1 to {MAX_ANSWERS // 2:,} questions marked at once, each by 1 to 5 people.")
    if request.run == request.against:
        raise BenchError("Choose two different runs: a run does not differ from itself.")
    if not request.width > 0:
        raise BenchError("Choose a width above 0 at which marking stops: at 0, every answer would be marked.")


def _allocate(frame: MarkingFrame, state: MarkedStrata, taken: Any, seconds: Any, size: int) -> Any:
    """Return how many questions of each group (stratum) the next batch gets."""
    import numpy as np

    drawn, times = np.bincount(frame.codes[taken], minlength=len(frame.names)), marking.estimate_seconds(frame, seconds)
    return marking.allocate_marks(frame, state, drawn, np.ones(len(frame.names)) if times is None else times, size)


def _draw_known(known: Mapping[QuestionKey, str], drawn: frozenset[QuestionKey], seed: int) -> list[tuple[QuestionKey, str]]:
    """Return up to MIN_EACH random questions from each group of questions with a known value that no batch has contained
    yet."""
    chosen: list[tuple[QuestionKey, str]] = []
    for stratum in (SAME, BY_RULE):
        keys = [key for key, name in known.items() if name == stratum]
        if not drawn.intersection(keys):
            picked = random.Random(seed).sample(keys, min(marking.MIN_EACH, len(keys)))
            chosen += [(key, stratum) for key in picked]
    return chosen


def _say_verdict(verdict: Verdict, names: Sequence[str], marks: int, questions: int, width: float) -> str:
    """Return the conclusion from the marks as one sentence."""
    on, after = f"on these {questions:,} questions", f"settled after {marks:,} marks"
    if verdict in ("above", "below"):
        better, worse = names if verdict == "above" else reversed(names)
        return f"{better} beats {worse} {on}: {after}."
    if verdict == "narrow":
        what = "The difference" if len(names) == 2 else "The mean"
        return f"{what} {on} is known to ± {width:g}: {after}."
    if verdict == "too few":
        return f"Too few marks for an interval: {marking.MIN_MARKED} marked questions are needed, some of every stratum."
    return f"Not settled after {marks:,} marks: go on."
