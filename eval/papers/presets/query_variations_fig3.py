"""query_variations_fig3: in_accuracy times 100 by kind of wording, with one line per system."""

from eval.robustness.layout import list_rows_in_hundredths, make_preset

TITLE = "Query variations: accuracy by kind"
NOTES = [
    "Hundredths. Two people's rewrites of an item are averaged first; in the column of all rewrites, every wording has the "
    "same weight."
]
PRESET = make_preset(
    "Query variations figure 3: accuracy by kind",
    TITLE,
    list_rows_in_hundredths("in_accuracy", "answer_breaks"),
    NOTES,
    {"in_accuracy": TITLE},
)
