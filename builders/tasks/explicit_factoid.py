"""Draft level 1 questions: the question names its subject, and the answer is a short span from one place in the text."""

from collections.abc import AsyncIterator

from builders.drafting.prompting import ask_draft, draft_item
from builders.task import FACTOID_METRICS, Kit, Task, Window, WindowRule
from core.nouns import Item

NAME = "explicit_factoid"
PROMPT = "draft/explicit_factoid"


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item: a question on the window, its answer, and as evidence the sentences that contain the answer."""
    reply = await ask_draft(PROMPT, window, kit, window.sentences, {}, max_tokens=512)
    if "none" in reply.values:
        return
    evidence = window.sentences.spans(reply.values["evidence"])
    yield draft_item(NAME, 1, window, kit, reply, PROMPT, reply.values["answer"], evidence)


TASK = Task(
    label={"en": "Explicit factoid", "zh": "显性事实"},
    definition={
        "en": "The question names what it is about and asks for one fact; the answer is a short span that occurs word for word "
        "in one place of the text.",
        "zh": "问题点明所问的对象，只问一个事实；答案是原文某一处逐字出现的一小段。",
    },
    level=1,
    window=WindowRule(tokens=1024),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "figures", "self_contained", "duplicate", "level"),
    answer_prompt="answer/short",
    metrics=FACTOID_METRICS,
    length_hint=256,
)
