"""query_variations_table2: similarity of a rewrite's answer to the original question's answer, by kind of wording, and the
diversity of an item's answers, with and without the original's answer."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import build_page, list_figure_rows
from eval.robustness.study import Study

NOTES = (
    "Similarity: cosine of the two answers; an empty answer, or one that the model cannot read, has no similarity. "
    "Diversity: 1 - the mean cosine of all pairs of an item's answers, so 1 - diversity is their mean similarity; lower is "
    "more stable. "
    "The paper's text includes the original's answer, but the paper's numbers fit better without that answer, so "
    "the table has both.",
)


def build(study: Study) -> Page:
    rows = list_figure_rows("similarity", "diversity", "diversity_of_rewrites")
    notes = [*NOTES, f"Vectors: {study.model}."] if study.model else NOTES
    return build_page("Query variations: similarity and diversity of answers", study, rows, notes=notes)


PRESET = Preset(label="Query variations table 2: similarity and diversity", build=build, of="wordings")
