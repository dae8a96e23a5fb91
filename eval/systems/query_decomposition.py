"""query_decomposition: one call rewrites, takes apart or makes plain the question as at most 4 queries (as RQ-RAG does); each
is searched for, and the union in rank order, cut to top_k, is answered from."""

from collections.abc import Mapping
from typing import Any

from core.nouns import Step
from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import answer_from, date_question_text, join_passages
from eval.workflows.prompting import ask_fields, merge_hits, require_search

PROMPT = "rewrite/search_queries"
MAX_QUERIES = 4
REPLY = 256
"""Tokens of the reply with the queries."""


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    search, k = require_search(tools, "query_decomposition"), read_whole_number(settings, "top_k", 5, 1)
    found = await ask_fields(tools, PROMPT, question.language, {"question": date_question_text(question)}, settings, REPLY)
    given = [query for query in dict.fromkeys(found["queries"]) if query]
    queries = given[:MAX_QUERIES] or [question.query]
    if len(given) > MAX_QUERIES:
        tools.note(Step("observation", f"{len(given)} queries were given: the first {MAX_QUERIES} are searched for."))
    every = merge_hits([search(query, k) for query in queries])
    ranked = tuple(every[:k])
    told = f"{len(ranked)} of {len(every)} different passages kept, in rank order over {len(queries)} searches"
    tools.note(Step("observation", told, spans=ranked))
    context = join_passages(tools.text(span) for span in sorted(ranked))
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


SYSTEM = SystemAdapter(
    label="Query decomposition",
    family="enhanced",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    settings={"top_k": 5},
    answer=answer,
)
