"""A workspace with two runs on the samples, scored by a judge, and people who grade them."""

from collections.abc import Callable
from typing import Any

from store.runs import grades
from tests.pages.runs import freeze, run
from workbench import Workbench
from workbench.evaluate.grading.grading_desk import GradingSheet
from workbench.evaluate.grading.grading_draw import GradingPlan

METRICS = ["crag_truthfulness", "s_f1", "token_f1"]


def runs_in(bench: Workbench) -> list[str]:
    """An oracle's answers and an echo's, both judged by the offline agent."""
    freeze(bench)
    return [
        run(bench, "oracle", "offline", judges=("offline",), metrics=METRICS),
        run(bench, "echo", judges=("offline",), metrics=METRICS),
    ]


def begin(bench: Workbench, runs: list[str], **more: Any) -> str:
    """The id of a new batch."""
    return bench.grading.start(GradingPlan(runs, **more), "Lea")


def grade_all(bench: Workbench, batch: str, person: str, mark: Callable[[GradingSheet], str]) -> int:
    """Everything that wants that person's mark, in order; how many that were."""
    n, place = 0, bench.grading_desk.find_next(batch, person)
    while place is not None:
        shown = bench.grading_desk.load_sheet(batch, place, person)
        bench.grading_desk.mark(batch, place, person, f"{place}-{person}-{n}", mark(shown), seconds=2.0)
        n, place = n + 1, bench.grading_desk.find_next(batch, person, place)
    return n


def no_echo(shown: GradingSheet) -> str:
    """perfect for whatever does not just give the question back."""
    return "incorrect" if shown.question in shown.answer else "perfect"


def run_of(bench: Workbench, place: str) -> str:
    """Whose answer that place holds: for the test's eyes alone."""
    return next(p.run for p in grades.load_places(bench.database, place.split("/")[0]) if p.key == place)
