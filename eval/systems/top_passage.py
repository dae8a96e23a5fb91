"""top_passage: the best passage itself as the answer. No agent: what retrieval alone is worth, a floor beside echo and the
run in which retrievers are compared."""

from collections.abc import Mapping
from typing import Any

from eval.settings import whole
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    if tools.retrieve is None:
        raise SystemFailed("top_passage needs a retriever.", stop="no_retriever")
    found = tuple(hit.span for hit in tools.retrieve(question.query, whole(settings, "top_k", 10, 1)))
    return Answer(tools.text(found[0]) if found else "", retrieved=found)


SYSTEM = SystemAdapter(label="Top passage", family="floor", needs_retriever=True, settings={"top_k": 10}, answer=answer)
