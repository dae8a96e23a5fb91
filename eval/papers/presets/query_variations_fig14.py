"""query_variations_fig14: number of calls to retriever and language model per answer, by kind of wording (the paper's figures
14 to 17)."""

from eval.robustness.layout import list_figure_rows, make_preset

PRESET = make_preset(
    "Query variations figures 14 to 17: calls by kind",
    "Query variations: calls by kind",
    list_figure_rows("searches", "calls", digits=2),
    ["Mean per answer. A search that the system itself refused (limit, repeat) does not count as a retriever call."],
    {"searches": "Retriever calls", "calls": "LLM calls"},
    is_low_good=True,
)
