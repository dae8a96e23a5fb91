"""query_variations_table3: relative error of the number of calls to retriever and language model by kind of wording, and the
stability of these numbers over an item's wordings (CVR), with the values from which both are computed."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import build_page, list_figure_rows
from eval.robustness.study import Study

ERRORS = ("re_searches", "re_searches_skip_zero", "zero_searches", "re_calls", "re_calls_skip_zero")
VARIATIONS = ("cvr_searches", "cv_searches", "cvr_calls", "cv_calls")
NOTES = (
    "RE = |c - c_o| / max(c_o, 1); the second version leaves out originals without a call, whose share is in the row below. "
    "CVR = mean of 1 / (1 + CV), population deviation over mean of all an item's wordings; an item without any call has CV 0.",
)


def build(study: Study) -> Page:
    notes = list(NOTES)
    for arm, runs in zip(study.arms, study.layouts, strict=True):
        items = sum(int(run.variation_of_searches.is_zero.sum()) for run in runs)
        if items:
            notes.append(f"{arm.name}: {items} items never search, in any wording; their CVR is 1 by definition.")
    return build_page("Query variations: steadiness of calls", study, list_figure_rows(*ERRORS, *VARIATIONS), notes=notes)


PRESET = Preset(label="Query variations table 3: relative error and CVR of calls", build=build, of="wordings")
