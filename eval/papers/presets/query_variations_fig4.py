"""query_variations_fig4: how often systems search without need or do not search despite need, as joint and conditional rates,
with need determined on the same wording or on the original; and how often another wording changes the decision to search."""

from eval.robustness.layout import list_rows_in_hundredths, make_preset

RATES = ("over", "under", "over_where_needed", "under_where_not_needed")
NOTES = (
    "Hundredths. A question needs a search where the same agent without retrieval (closed_book) answers it wrongly. Over: "
    "needs one and has none; under: needs none and searches; both over all questions, then over those of one need alone. "
    "Flips: rewrites that search where the original does not, or the other way round; n/a for a system that always or never "
    "searches.",
)
PRESET = make_preset(
    "Query variations figure 4: decisions to search, and flips",
    "Query variations: decisions to search",
    list_rows_in_hundredths(
        "search_rate", "needed", *RATES, *(f"{name}_on_original" for name in RATES), "flip", "flip_on", "flip_off", "any_flip"
    ),
    NOTES,
    {"over": "Over: needs a search, has none", "under": "Under: needs none, searches", "flip": "Flips"},
    is_low_good=True,
)
