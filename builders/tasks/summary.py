"""Make CRUD-RAG's summary items by reverse construction: an agent describes the event of a source article in one sentence,
which is the question, and writes a summary, which is the answer. The event is the search query for other documents, and systems
cannot retrieve the source article."""

from collections.abc import AsyncIterator
from dataclasses import replace

from builders.drafting.prompting import ask_draft, draft_item
from builders.drafting.reverse import SOURCE, left_out, search
from builders.task import TEXT_METRICS, Kit, Task, Window, WindowRule
from core.nouns import Item
from prompts.reply import Reply

NAME = "summary"
PROMPT = "draft/summary"


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item: the event of the window's document, with its summary as the answer."""
    reply = await ask_draft(PROMPT, window, kit, window.sentences, {}, max_tokens=1024)
    if "none" in reply.values:
        return
    searched = await search([reply.values["event"]], window, kit)
    evidence = window.sentences.spans(reply.values["evidence"])
    asked = Reply(reply.values | {"question": reply.values["event"]}, reply.calls)
    labels = {SOURCE: window.given_documents[0]}
    item = draft_item(NAME, None, window, kit, asked, PROMPT, reply.values["summary"], evidence, labels, searched.steps)
    yield replace(item, given=tuple(document.id for document in searched.kept))


TASK = Task(
    label={"en": "Summary of an event", "zh": "事件摘要"},
    definition={
        "en": "The question is one event in a sentence; the answer is a summary of what was reported on it. The report that it "
        "was made from is kept from systems: they have to find others on the same event.",
        "zh": "问题是用一句话概括的一个事件；答案是对该事件报道的摘要。生成题目所用的原始报道不提供给系统，"
        "系统须检索同一事件的其他报道。",
    },
    level=None,
    window=WindowRule(tokens=8192, whole_documents=True, min_sentences=2),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "figures", "self_contained", "support", "duplicate"),
    is_question=False,
    answer_prompt="answer/summary",
    metrics=TEXT_METRICS,
    length_hint=512,
    searches=True,
    excluded_documents=left_out,
)
