"""hyde: the agent writes a hypothetical passage that answers the question; the system searches with this passage instead of the
question, and the agent answers from the results (HyDE, Gao et al. 2022)."""

from collections.abc import Sequence

from core.nouns import Hit, Span, Step
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from_passages, ask_text, date_question_text

PROMPT = "rewrite/hypothetical_passage"
SEARCH_DEPTH = 1000
EMBED = Setting(
    "alone",
    "alone: the passage is the query; averaged: question and passage have equal weight. The scores of both "
    "searches, each to a depth of 1,000, are added, which ranks like the mean of two vectors of length 1, and in "
    "BM25 like the two texts joined; a result that only one search finds gets the lowest score of the other.",
    choices=("alone", "averaged"),
)


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    search, k = tools.search_for("hyde"), settings["top_k"]
    inputs = {"question": date_question_text(question)}
    passage = await ask_text(tools, PROMPT, question.language, inputs, settings, settings["passage_tokens"])
    if not passage:
        raise SystemFailed("The agent wrote an empty passage, so there is nothing to search with.", stop="unparsed")
    if settings["embed"] == "alone":
        ranked = [hit.span for hit in search(passage, k)]
    else:
        depth = max(SEARCH_DEPTH, k)
        ranked = average_hits(search(question.query, depth), search(passage, depth))[:k]
        tools.note(Step("observation", "Best of the question's and the passage's search together", spans=tuple(ranked)))
    return await answer_from_passages(question, tools, ranked, settings)


def average_hits(first: Sequence[Hit], second: Sequence[Hit]) -> list[Span]:
    """Return all passages of both lists, sorted by the sum of their two scores, highest first. A passage that is missing in a
    list gets the list's lowest score."""
    totals = {hit.span: 0.0 for hit in (*first, *second)}
    for hits in (first, second):
        scores = {hit.span: float(hit.score) for hit in hits}
        least = min(scores.values(), default=0.0)
        for span in totals:
            totals[span] += scores.get(span, least)
    return sorted(totals, key=lambda span: -totals[span])


SYSTEM = SystemAdapter(
    label="HyDE",
    family="enhanced",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    settings={
        "top_k": TOP_K,
        "embed": EMBED,
        "passage_tokens": Setting(
            128, "Maximum number of tokens of the passage; the embedding model must be able to read all of it.", 1
        ),
    },
    answer=answer,
)
