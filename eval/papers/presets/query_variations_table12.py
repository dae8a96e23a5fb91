"""query_variations_table12: number of tokens that the model wrote for an answer, over all its calls, number of tokens of the
prompts, and share of replies without an answer, by kind of wording."""

from eval.robustness.layout import FigureRow, make_preset

PRESET = make_preset(
    "Query variations table 12: tokens",
    "Query variations: tokens",
    [FigureRow("tokens_out", 1.0, 0), FigureRow("tokens_in", 1.0, 0), FigureRow("not_extracted", 100.0, 1)],
    ["Tokens of an answer, over all its calls; replies without an answer in hundredths."],
)
