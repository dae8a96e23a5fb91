"""query_decomposition: the agent rewrites, splits or simplifies the question into at most 4 queries in one call (as RQ-RAG
does); the system searches with each, and the agent answers from the best top_k passages of all results, in rank order."""

from core.nouns import Step
from eval.settings import TOP_K, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import answer_from_passages, ask_fields, date_question_text, merge_hits

PROMPT = "rewrite/search_queries"
MAX_QUERIES = 4
REPLY_TOKENS = 256


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    search, k = tools.search_for("query_decomposition"), settings["top_k"]
    inputs = {"question": date_question_text(question)}
    reply = await ask_fields(tools, PROMPT, question.language, inputs, settings, REPLY_TOKENS)
    rewrites = [query for query in dict.fromkeys(reply["queries"]) if query]
    queries = rewrites[:MAX_QUERIES] or [question.query]
    if len(rewrites) > MAX_QUERIES:
        tools.note(Step("observation", f"{len(rewrites)} queries were given: the first {MAX_QUERIES} are searched for."))
    union = merge_hits([search(query, k) for query in queries])
    words = f"{len(union[:k])} of {len(union)} different passages kept, in rank order over {len(queries)} searches"
    tools.note(Step("observation", words, spans=tuple(union[:k])))
    return await answer_from_passages(question, tools, union[:k], settings)


SYSTEM = SystemAdapter(
    label="Query decomposition",
    family="enhanced",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    settings={"top_k": TOP_K},
    answer=answer,
)
