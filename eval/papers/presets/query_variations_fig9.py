"""query_variations_fig9: what retrieval did to an answer, beside the same agent's answer to the same words without it."""

from eval.figures.drawing import FigurePanel, draw_panels
from eval.page import Figure, Page
from eval.preset import Preset
from eval.robustness.layout import ALL, build_page, collect_figures, list_rows_in_hundredths, plot_estimate
from eval.robustness.study import Study

OUTCOMES = ("helpful", "harmful", "stable", "unhelpful")
NOTES = (
    "Hundredths. helpful: wrong without retrieval, right with it; harmful: the other way round; stable: right both times; "
    "unhelpful: wrong both times. The four add up to 100.",
)


def build(study: Study) -> Page:
    rows = list_rows_in_hundredths(*OUTCOMES)
    found = collect_figures(study, rows)
    drawings = [
        FigurePanel(
            study.arms[arm].name,
            list(study.kinds),
            [(name, [plot_estimate(made[name, kind], 100) for kind in study.kinds]) for name in OUTCOMES],
        )
        for arm, made in found[ALL].items()
        if study.arms[arm].facts.get("system") != "closed_book"  # beside itself
        and any(made["helpful", kind].mean is not None for kind in study.kinds)
    ]
    title = "Query variations: helpful and harmful retrieval"
    notes = ["Upright lines are 95 % bootstrap intervals over items."]
    figures = [Figure(title, draw_panels(drawings, top=100), notes)] if drawings else []
    return build_page(title, study, rows, notes=NOTES, figures=figures, found=found)


PRESET = Preset(label="Query variations figure 9: helpful and harmful retrieval", build=build, of="wordings")
