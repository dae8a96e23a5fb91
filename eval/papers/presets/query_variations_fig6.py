"""query_variations_fig6: for each hop, how similar the search queries for the original question and for a rewrite are (MSS@t),
and how often the search finds no gold document (RFR@t); the paper's figures 6 and 8."""

from core.errors import BenchError
from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page
from eval.preset import Preset
from eval.robustness.layout import ALL, FigureRow, build_page, collect_figures
from eval.robustness.measures import make_hop_measure
from eval.robustness.study import REWRITES, Study

MAX_HOPS = 15
"""Maximum number of hops that are shown separately, which is the paper's limit for multi-hop questions."""
NOTES = (
    "The value of a hop is computed over the answers that have at least so many hops. Gold documents are those that "
    "contain an item's evidence. MSS "
    "pairs hops by their number, up to the shorter of the two. Trajectory collapse: 1 - the mean overlap of documents hop by "
    "hop.",
)


def build(study: Study) -> Page:
    """Return the page of hop-by-hop tables and figures. Raises BenchError if no run searches."""
    deepest = min(MAX_HOPS, max((run.most_hops for runs in study.layouts for run in runs), default=0))
    if not deepest:
        raise BenchError("None of these runs records a search, so there are no hops: choose a run of a system that searches.")
    hops = range(1, deepest + 1)
    rows = []
    for measure in ("search_similarity", "retrieval_failure"):
        rows += [FigureRow(measure), *(FigureRow(make_hop_measure(measure, hop)) for hop in hops)]
    rows += [FigureRow("collapse"), FigureRow("collapse_in_any_order")]
    figures = collect_figures(study, rows)
    title = "Query variations: hop by hop"
    drawings = []
    for name, label, kinds in (
        ("MSS", "similarity of searches", [*study.rewrites, REWRITES]),
        ("RFR", "retrieval failure", [*study.kinds, REWRITES]),
    ):
        panels = []
        for arm, own in figures[ALL].items():
            lines = [(kind, [PlottedValue.from_interval(own[f"{name}@{hop}", kind]) for hop in hops]) for kind in kinds]
            if any(spot.value is not None for _, values in lines for spot in values):
                panels.append(FigurePanel(f"{study.arms[arm].name}: {label}", [f"hop {hop}" for hop in hops], lines))
        if panels:
            drawings.append(Figure(f"{title}: {label}", draw_panels(panels), ["Values below 0 are drawn on the axis."]))
    return build_page(title, study, rows, notes=NOTES, drawings=drawings, figures=figures)


PRESET = Preset(label="Query variations figures 6, 8: hop by hop", build=build, of="wordings")
