"""vanilla: plain RAG. Retrieve top_k passages, join them by a blank line, answer. The trace keeps them ranked.

order    document: passages stand as in their documents (HawkBench's choice); rank: as the retriever ranked them"""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError
from eval.running.settings import read_choice, read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import answer_from, join_passages


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    if tools.retrieve is None:
        raise BenchError("The system vanilla searches and the run has no retriever: name one with --retriever.")
    ranked = tuple(hit.span for hit in tools.retrieve(question.query, read_whole_number(settings, "top_k", 5, 1)))
    shown = sorted(ranked) if read_choice(settings, "order", ("document", "rank")) == "document" else ranked
    context = join_passages(tools.text(span) for span in shown)
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


SYSTEM = SystemAdapter(
    label="Vanilla RAG",
    family="standard",
    needs_agent=True,
    needs_retriever=True,
    settings={"top_k": 5, "order": "document"},
    answer=answer,
)
