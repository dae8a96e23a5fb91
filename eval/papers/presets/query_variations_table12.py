"""query_variations_table12: tokens of everything a model wrote for an answer, by kind, and of the prompts beside them."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import FigureRow, build_page
from eval.robustness.study import Study


def build(study: Study) -> Page:
    rows = [FigureRow("tokens_out", 1.0, 0), FigureRow("tokens_in", 1.0, 0), FigureRow("not_extracted", 100.0, 1)]
    note = "Tokens of an answer, over all its calls; replies without an answer in hundredths."
    return build_page("Query variations: tokens", study, rows, notes=[note])


PRESET = Preset(label="Query variations table 12: tokens", build=build, of="wordings")
