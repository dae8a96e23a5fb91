"""query_variations_table13: mean and sample standard deviation over repeated runs (the paper's tables 13 and 14)."""

from core.errors import BenchError
from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import FigureRow, build_page, list_rows_in_hundredths
from eval.robustness.study import Study


def build(study: Study) -> Page:
    """Return the page of means and deviations over repeated runs. Raises BenchError if no run was repeated."""
    arms = [number for number, arm in enumerate(study.arms) if len(arm.runs) > 1]
    if not arms:
        raise BenchError("None of these runs was repeated: make runs with --repeat 3, and choose all of them.")
    accuracy, flips = list_rows_in_hundredths("in_accuracy", "flip")
    costs = FigureRow("searches", 1.0, 2), FigureRow("calls", 1.0, 2), FigureRow("tokens_out", 1.0, 0)
    note = "mean ± sample deviation of the runs' means; in_accuracy and flips in hundredths. Systems run once are left out."
    return build_page("Query variations: repeated runs", study, [accuracy, *costs, flips], notes=[note], arms=arms)


PRESET = Preset(label="Query variations tables 13, 14: mean and deviation over repeats", build=build, of="wordings")
