"""query_variations_fig9: how often retrieval makes an answer right or wrong, compared with the same agent's answer to the same
wording without retrieval."""

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page
from eval.preset import Preset
from eval.robustness.formulas import OUTCOMES
from eval.robustness.layout import ALL, build_page, collect_figures, list_rows_in_hundredths
from eval.robustness.study import Study

NOTES = (
    "Hundredths. helpful: wrong without retrieval, right with it; harmful: the other way round; stable: right both times; "
    "unhelpful: wrong both times. The four add up to 100.",
)


def build(study: Study) -> Page:
    rows = list_rows_in_hundredths(*OUTCOMES)
    figures = collect_figures(study, rows)
    panels = []
    for arm, own in figures[ALL].items():
        is_beside_itself = study.arms[arm].facts.get("system") == "closed_book"
        if not is_beside_itself and any(own["helpful", kind].mean is not None for kind in study.kinds):
            lines = [(name, [PlottedValue.from_interval(own[name, kind], 100) for kind in study.kinds]) for name in OUTCOMES]
            panels.append(FigurePanel(study.arms[arm].name, list(study.kinds), lines))
    title = "Query variations: helpful and harmful retrieval"
    captions = ["Upright lines are 95 % bootstrap intervals over items."]
    drawings = [Figure(title, draw_panels(panels, top=100), captions)] if panels else []
    return build_page(title, study, rows, notes=NOTES, drawings=drawings, figures=figures)


PRESET = Preset(label="Query variations figure 9: helpful and harmful retrieval", build=build, of="wordings")
