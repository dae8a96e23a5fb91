"""query_decomposition: one call rewrites, takes apart or makes plain the question as at most 4 queries (as RQ-RAG does); each
is searched for, and the union in rank order, cut to top_k, is answered from."""

from collections.abc import Mapping
from typing import Any

from core.nouns import Step
from eval.answering import answer_from, dated, joined
from eval.helping import fields_of, search_of, union
from eval.settings import whole
from eval.system import Answer, Question, SystemAdapter, Tools

PROMPT = "rewrite/search_queries"
MOST = 4
REPLY = 256
"""Tokens of the reply with the queries."""


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    search, k = search_of(tools, "query_decomposition"), whole(settings, "top_k", 5, 1)
    found = await fields_of(tools, PROMPT, question.language, {"question": dated(question)}, settings, REPLY)
    given = [query for query in dict.fromkeys(found["queries"]) if query]
    queries = given[:MOST] or [question.query]
    if len(given) > MOST:
        tools.note(Step("observation", f"{len(given)} queries were given: the first {MOST} are searched for."))
    every = union([search(query, k) for query in queries])
    ranked = tuple(every[:k])
    told = f"{len(ranked)} of {len(every)} different passages kept, in rank order over {len(queries)} searches"
    tools.note(Step("observation", told, spans=ranked))
    context = joined(tools.text(span) for span in sorted(ranked))
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


SYSTEM = SystemAdapter(
    label="Query decomposition", family="enhanced", needs_agent=True, needs_retriever=True, prompts=(PROMPT,),
    settings={"top_k": 5}, answer=answer,
)  # fmt: skip
