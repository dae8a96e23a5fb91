"""query_variations_fig9: what retrieval did to an answer, beside the same agent's answer to the same words without it."""

from eval.figures.drawing import FigurePanel, panels
from eval.page import Figure, Page
from eval.preset import Preset
from eval.robustness.layout import ALL, found_by, in_hundredths, page_of, place
from eval.robustness.study import Study

OUTCOMES = ("helpful", "harmful", "stable", "unhelpful")
NOTES = (
    "Hundredths. helpful: wrong without retrieval, right with it; harmful: the other way round; stable: right both times; "
    "unhelpful: wrong both times. The four add up to 100.",
)


def build(study: Study) -> Page:
    rows = in_hundredths(*OUTCOMES)
    found = found_by(study, rows)
    drawings = [
        FigurePanel(
            study.arms[arm].name,
            list(study.kinds),
            [(name, [place(made[name, kind], 100) for kind in study.kinds]) for name in OUTCOMES],
        )
        for arm, made in found[ALL].items()
        if study.arms[arm].facts.get("system") != "closed_book"  # beside itself
        and any(made["helpful", kind].mean is not None for kind in study.kinds)
    ]
    title = "Query variations: helpful and harmful retrieval"
    notes = ["Upright lines are 95 % bootstrap intervals over items."]
    figures = [Figure(title, panels(drawings, top=100), notes)] if drawings else []
    return page_of(title, study, rows, notes=NOTES, figures=figures, found=found)


PRESET = Preset(label="Query variations figure 9: helpful and harmful retrieval", build=build, of="wordings")
