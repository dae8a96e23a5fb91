"""hyde: one call writes a passage that might answer the question; it is searched with in the question's place, and what is
found is answered from (Gao et al. 2022).

embed      alone: the passage is the query; averaged: question and passage count alike. The mean of two vectors of length 1
           ranks as the sum of their two cosines, and BM25 as the two texts joined, so the scores of both searches are added,
           each to a depth of 1,000; a passage beyond one of them counts there as the last one found
passage_tokens    tokens of the passage at most; an embedding model must be able to read it whole"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import Hit, Span, Step
from eval.running.settings import read_choice, read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, date_question_text, join_passages
from eval.workflows.prompting import ask_text, require_search

PROMPT = "rewrite/hypothetical_passage"
SEARCH_DEPTH = 1000


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    search, k = require_search(tools, "hyde"), read_whole_number(settings, "top_k", 5, 1)
    how = read_choice(settings, "embed", ("alone", "averaged"))
    length = read_whole_number(settings, "passage_tokens", 128, 1)
    passage = await ask_text(tools, PROMPT, question.language, {"question": date_question_text(question)}, settings, length)
    if not passage:
        raise SystemFailed("The passage to search with came back empty.", stop="unparsed")
    if how == "alone":
        ranked = [hit.span for hit in search(passage, k)]
    else:
        ranked = average_hits(search(question.query, max(SEARCH_DEPTH, k)), search(passage, max(SEARCH_DEPTH, k)))[:k]
        tools.note(Step("observation", "Best of the question's and the passage's search together", spans=tuple(ranked)))
    context = join_passages(tools.text(span) for span in sorted(ranked))
    return Answer(await answer_from(question, tools, context, settings), retrieved=tuple(ranked))


def average_hits(first: Sequence[Hit], second: Sequence[Hit]) -> list[Span]:
    """Every passage of both lists by the sum of its two scores; a list that does not hold it gives its last score."""
    total: dict[Span, float] = {}
    for hits in (first, second):
        scores = {hit.span: float(hit.score) for hit in hits}
        least = min(scores.values(), default=0.0)
        for hit in (*first, *second):
            total.setdefault(hit.span, 0.0)
        for span in total:
            total[span] += scores.get(span, least)
    return sorted(total, key=lambda span: -total[span])


SYSTEM = SystemAdapter(
    label="HyDE",
    family="enhanced",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    settings={"top_k": 5, "embed": "alone", "passage_tokens": 128},
    answer=answer,
)
