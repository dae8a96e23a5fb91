"""query_variations_fig5: features of the questions by kind: loss under a language model, length, similarity to the original
question (the paper's figures 5, 22 and 23)."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import ALL, build_page, collect_figures, draw_figure, has_value, list_figure_rows
from eval.robustness.study import Study

NOTES = (
    "Query loss: mean negative log-likelihood of the question's tokens, scored by the metric query_loss under the model that "
    "its setting names; losses of different models do not compare. They are the questions' own, so systems differ only in "
    "which questions they answered.",
)

TITLES = ("Query loss", "Length in tokens", "Length in words", "Similarity to the original question")


def build(study: Study) -> Page:
    rows = list_figure_rows("query_loss", "query_tokens", "query_words", "query_similarity")
    found = collect_figures(study, rows)
    figures = [
        draw_figure(title, study, row, found[ALL])
        for row, title in zip(rows, TITLES, strict=True)
        if has_value(row, study, found[ALL])
    ]
    return build_page("Query variations: features of the questions", study, rows, notes=NOTES, figures=figures, found=found)


PRESET = Preset(label="Query variations figures 5, 22, 23: features of the questions", build=build, of="wordings")
