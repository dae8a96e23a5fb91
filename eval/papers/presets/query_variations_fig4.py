"""query_variations_fig4: decisions to search against need, joint and conditional, need told from the same words or from the
original's; and how often another wording changes the decision."""

from eval.page import Page
from eval.preset import Preset
from eval.robustness.layout import ALL, build_page, collect_figures, draw_figure, has_value, list_rows_in_hundredths
from eval.robustness.study import Study

NOTES = (
    "Hundredths. A question needs a search where the same agent without retrieval (closed_book) answers it wrongly. Over: "
    "needs one and has none; under: needs none and searches; both over all questions, then over those of one need alone. "
    "Flips: rewrites that search where the original does not, or the other way round; n/a for a system that always or never "
    "searches.",
)


def build(study: Study) -> Page:
    rates = ("over", "under", "over_where_needed", "under_where_not_needed")
    rows = list_rows_in_hundredths(
        "search_rate", "needed", *rates, *(f"{name}_on_original" for name in rates), "flip", "flip_on", "flip_off", "any_flip"
    )
    found = collect_figures(study, rows)
    shown = {"over": "Over: needs a search, has none", "under": "Under: needs none, searches", "flip": "Flips"}
    figures = [
        draw_figure(shown[str(row.measure)], study, row, found[ALL], is_low_good=True)
        for row in rows
        if row.measure in shown and has_value(row, study, found[ALL])
    ]
    return build_page("Query variations: decisions to search", study, rows, notes=NOTES, figures=figures, found=found)


PRESET = Preset(label="Query variations figure 4: decisions to search, and flips", build=build, of="wordings")
