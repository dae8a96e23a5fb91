"""longest_sentence: answers with the longest sentence of the best passage. It asks no agent."""

from collections.abc import Mapping
from typing import Any

from benchwright import Answer, Question, Setting, SystemAdapter, SystemFailed, Tools


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    hits = tools.search_for("longest_sentence")(question.query, settings["passages"])
    if not hits:
        raise SystemFailed("The search found no passage.", stop="missing")
    sentences = tools.text(hits[0].span).split(".")
    return Answer(max(sentences, key=len).strip(), retrieved=tuple(hit.span for hit in hits))


SYSTEM = SystemAdapter(
    label="Longest sentence",
    family="standard",
    needs_retriever=True,
    settings={"passages": Setting(3, "Passages that a search returns.", 1)},
    answer=answer,
)
