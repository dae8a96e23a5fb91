"""echo: the question, or the task's input, given back: the floor under every table. With a retriever it also searches, so that
retrieval is measured without any agent."""

from collections.abc import Mapping
from typing import Any

from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import join_passages


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    hits = tools.retrieve(question.query, read_whole_number(settings, "top_k", 5, 1)) if tools.retrieve else None
    text = join_passages(question.inputs.values()) if question.inputs else question.text
    return Answer(text, retrieved=None if hits is None else tuple(hit.span for hit in hits))


SYSTEM = SystemAdapter(label="Echo", family="floor", settings={"top_k": 5}, answer=answer)
