"""query_variations_fig14: calls to retriever and language model by kind (the paper's figures 14 to 17)."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import ALL, build_page, collect_figures, draw_figure, list_figure_rows
from eval.robustness.study import Study


def build(study: Study) -> Page:
    rows = list_figure_rows("searches", "calls", digits=2)
    found = collect_figures(study, rows)
    figures = [
        draw_figure(title, study, row, found[ALL], is_low_good=True)
        for row, title in zip(rows, ("Retriever calls", "LLM calls"), strict=True)
    ]
    note = "Mean of an answer. A search that a system refused itself (limit, repeat) is no retriever call."
    return build_page("Query variations: calls by kind", study, rows, notes=[note], figures=figures, found=found)


PRESET = Preset(label="Query variations figures 14 to 17: calls by kind", build=build, of="wordings")
