"""query_variations_fig3: in_accuracy by kind of wording, a line a system, in hundredths."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import ALL, build_page, collect_figures, draw_figure, list_rows_in_hundredths
from eval.robustness.study import Study

NOTES = ("Hundredths. Two people's rewrites of an item are averaged first; all rewrites: every wording counts the same.",)


def build(study: Study) -> Page:
    rows = list_rows_in_hundredths("in_accuracy", "answer_breaks")
    found = collect_figures(study, rows)
    title = "Query variations: accuracy by kind"
    return build_page(title, study, rows, notes=NOTES, figures=[draw_figure(title, study, rows[0], found[ALL])], found=found)


PRESET = Preset(label="Query variations figure 3: accuracy by kind", build=build, of="wordings")
