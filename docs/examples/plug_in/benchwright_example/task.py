"""tiny_factoid: one fact from a window of at most 128 tokens, drafted with the prompt of explicit_factoid."""

from collections.abc import AsyncIterator

from benchwright import Item, Kit, Task, Window, WindowRule, ask_draft, draft_item

PROMPT = "draft/explicit_factoid"


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    reply = await ask_draft(PROMPT, window, kit, window.sentences, {}, max_tokens=512)
    if "none" not in reply.values:
        evidence = window.sentences.spans(reply.values["evidence"])
        yield draft_item("tiny_factoid", 1, window, kit, reply, PROMPT, reply.values["answer"], evidence)


TASK = Task(
    label={"en": "Tiny factoid", "zh": "短窗事实"},
    definition={"en": "One fact from a few sentences.", "zh": "几句话中的一个事实。"},
    level=1,
    window=WindowRule(tokens=128),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "duplicate"),
    answer_prompt="answer/short",
    metrics=("exact_match", "token_f1"),
    length_hint=64,
)
