"""Every judge of the workspace against people: by metric, judge and prompt, over all runs whose answers people graded, and the
corrected means of each of those runs."""

from collections import defaultdict
from typing import Any, NamedTuple

from core.clusters import clusters
from core.resampling import RESAMPLES
from eval.calibration import (
    LEAST,
    Judging,
    Kind,
    Scored,
    Seen,
    agreement,
    checked_record,
    is_of_answers,
    kinds,
    plain,
    record,
    seen,
)
from eval.run_names import run_names
from store import grades, runs, traces
from store.database import Database
from workbench.evaluate.human_marks import judgings_of, marks_of, people_on
from workbench.kept import Kept, Working
from workbench.roles import act


class Calibrations(NamedTuple):
    """What is known of all judges."""

    judges: list[dict[str, Any]]
    """{"metric", "judge", "prompt", "per", "scheme", "calibrated", ...as core/judge_check.py has it}, a line a judge, prompt,
    metric and kind of mark."""
    runs: list[dict[str, Any]]
    """The same of single runs, with "run", "name", "raw", "corrected", "rogan_gladen"."""
    least: int = LEAST


class CalibrationStage:
    """Verbs on judges."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = Kept(most=4)

    @act("see gradings")
    def table(self) -> Working[Calibrations]:
        """All of it, when it is there."""
        return self._kept.get(("judges", grades.stamp(self._db)), self._made)

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _made(self) -> Calibrations:
        people = people_on(self._db)
        pooled: dict[tuple[str, str, str, Kind], list[Seen]] = defaultdict(list)
        own: list[dict[str, Any]] = []
        found = [runs.get(self._db, name) for name in grades.graded_runs(self._db)]
        for run, name in zip(found, run_names(found), strict=True):
            marks = marks_of(self._db, run.id)
            language = {(one.item, one.variant): one.language for one in traces.answers(self._db, run)}
            values: dict[str, list[Scored]] = defaultdict(list)
            judgings = judgings_of(self._db, run, marks, people)
            wanted = {one.base for one in judgings if is_of_answers(one.base)}
            for score in runs.scores(self._db, run.id) if wanted else ():
                if score.metric in wanted and score.value is not None:
                    of = language.get((score.item, score.variant), "en")
                    values[score.metric].append(Scored(score.item, score.variant, of, score.value))
            groups = clusters({item: [] for item, _ in language}, "item").of
            for judging in judgings:
                for kind in kinds(judging, marks):
                    both = seen(judging, kind, values[judging.base], marks)
                    own.append({"run": run.id, "name": name,
                                **record(judging, kind, both, groups.__getitem__, 0, RESAMPLES)})  # fmt: skip
                    for one in both:
                        prompt = judging.prompts.get(one.language)
                        if prompt and one.people is not None:
                            pooled[plain(judging.base), judging.judge, prompt, kind].append(one)
        return Calibrations([_line(*key, both) for key, both in sorted(pooled.items())], own)


def _line(metric: str, judge: str, prompt: str, kind: Kind, both: list[Seen]) -> dict[str, Any]:
    status = Judging(metric, judge, {"": prompt}, {prompt: len(both)})
    return {
        "metric": metric, "judge": judge, "prompt": prompt, "per": kind.per, "scheme": kind.scheme,
        "calibrated": status.is_calibrated, **checked_record(agreement(both, kind)),
    }  # fmt: skip
