"""Draft CRUD-RAG's questions on one document: each asks for a detail of an article, such as a place, a person or a number."""

from collections.abc import AsyncIterator

from builders.drafting.prompting import ask_draft, draft_item
from builders.task import TEXT_METRICS, Kit, Task, Window, WindowRule
from core.nouns import Item

NAME = "qa_one_document"
PROMPT = "draft/qa_one_document"


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item: a question on the window's document."""
    reply = await ask_draft(PROMPT, window, kit, window.sentences, {}, max_tokens=512)
    if "none" in reply.values:
        return
    evidence = window.sentences.spans(reply.values["evidence"])
    yield draft_item(NAME, None, window, kit, reply, PROMPT, reply.values["answer"], evidence)


TASK = Task(
    label={"en": "Question on one document", "zh": "单篇文档问答"},
    definition={
        "en": "The question asks for a detail of one article: a place, a person, a time, a number, a reason; the answer is "
        "short and occurs in the article.",
        "zh": "问题询问一篇文章中的某个细节：地点、人物、时间、数字或原因；答案简短，且出自该文章。",
    },
    level=None,
    window=WindowRule(tokens=8192, whole_documents=True, min_sentences=2),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "figures", "self_contained", "duplicate"),
    answer_prompt="answer/reports",
    metrics=("exact_match", *TEXT_METRICS),
    length_hint=256,
)
