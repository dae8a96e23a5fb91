"""Level 4: the question asks about the text as a whole (theme, change, influence, outlook); what to look for must be
inferred."""

from collections.abc import AsyncIterator

from builders.rationale import draft_rationale
from builders.task import Kit, Task, Window, WindowRule
from core.nouns import Item

NAME = "implicit_rationale"


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """At most one item; its answer is made of claims over the whole window. The offline agent gives a frame to fill."""
    async for item in draft_rationale(NAME, 4, "draft/implicit_rationale", window, kit):
        yield item


TASK = Task(
    label={"en": "Implicit rationale", "zh": "隐性论证"},
    definition={
        "en": "The question asks about a theme, a change, an influence or an outlook that no single place of the text states; "
        "the answer is a synthesis over the whole.",
        "zh": "问题涉及主题、变化、影响或前景，原文没有任何一处直接写明；答案是对全文的综合。",
    },
    level=4,
    window=WindowRule(tokens=120_000),
    draft=draft,
    gates=("evidence", "figures", "self_contained", "duplicate"),
    answer_prompt="answer/long",
    metrics=("rouge_l", "rouge_l_hawkbench", "s_f1", "evidence_recall", "length", "seconds", "calls", "tokens"),
    length_hint=256,
)
