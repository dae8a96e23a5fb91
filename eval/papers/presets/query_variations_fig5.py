"""query_variations_fig5: features of the questions by kind of wording: loss under a language model, length, and similarity to
the original question (the paper's figures 5, 22 and 23)."""

from eval.robustness.layout import list_figure_rows, make_preset

NOTES = (
    "Query loss: mean negative log-likelihood of the question's tokens, scored by the metric query_loss under the model that "
    "its setting names; losses under different models cannot be compared. These are features of the questions, so systems "
    "differ only in which questions they answered.",
)
TITLES = {
    "query_loss": "Query loss",
    "query_tokens": "Length in tokens",
    "query_words": "Length in words",
    "query_similarity": "Similarity to the original question",
}
PRESET = make_preset(
    "Query variations figures 5, 22, 23: features of the questions",
    "Query variations: features of the questions",
    list_figure_rows(*TITLES),
    NOTES,
    TITLES,
)
