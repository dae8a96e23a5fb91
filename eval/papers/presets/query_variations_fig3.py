"""query_variations_fig3: in_accuracy by kind of wording, a line a system, in hundredths."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import ALL, draw_figure, found_by, in_hundredths, page_of
from eval.robustness.study import Study

NOTES = ("Hundredths. Two people's rewrites of an item are averaged first; all rewrites: every wording counts the same.",)


def build(study: Study) -> Page:
    rows = in_hundredths("in_accuracy", "answer_breaks")
    found = found_by(study, rows)
    title = "Query variations: accuracy by kind"
    return page_of(title, study, rows, notes=NOTES, figures=[draw_figure(title, study, rows[0], found[ALL])], found=found)


PRESET = Preset(label="Query variations figure 3: accuracy by kind", build=build, of="wordings")
