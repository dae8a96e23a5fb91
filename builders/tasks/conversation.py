"""Draft conversations: two to five questions on one text, of which each follow-up refers to the turns before. Each turn becomes
an item; the items of one conversation share the label `conversation` (core/quality/conversations.py)."""

from collections.abc import AsyncIterator
from typing import Any

from builders.drafting.prompting import draft_item, regeneration, sampling
from builders.gates.follow_up import explain_unfit
from builders.task import Kit, Task, Window, WindowRule
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item
from core.quality.conversations import LABEL, ConversationTurn, Exchange, earlier_step, turn_label
from prompts.prompt import load
from prompts.reply import ask_for

NAME = "conversation"
PROMPT = "draft/conversation"
MIN_TURNS, MAX_TURNS = 2, 5


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield the turns of at most one conversation, in order. Turns from the first unfit follow-up on are left out; nothing is
    yielded if fewer than two turns remain."""

    def check(values: dict[str, Any]) -> str | None:
        try:
            for turn in values.get("turns", ()):
                window.sentences.spans(turn["evidence"])
        except BenchError as error:
            return str(error).rstrip(".")
        return None if all(turn["evidence"] for turn in values.get("turns", ())) else "a turn cites no sentence"

    inputs = {"sentences": window.sentences, "domain": window.domain} | regeneration(kit, window.language)
    reply = await ask_for(kit.ask, load(PROMPT, window.language), inputs, sampling(kit, 2048), check)
    if "none" in reply.values:
        return
    turns, goal = reply.values["turns"][:MAX_TURNS], str(reply.values["goal"]).strip()
    before: list[Exchange] = []
    for turn in turns:
        if before and explain_unfit(turn["question"], turn["standalone"], before, window.language):
            break
        before.append(Exchange(turn["question"], turn["answer"]))
    if len(before) < MIN_TURNS:
        return
    name = derived_id(NAME, window.key, kit.agent, kit.seed, kit.reason, kit.previous)
    for number, turn in enumerate(turns[: len(before)], 1):
        standalone = turn["standalone"] if number > 1 else ""
        labels = {LABEL: turn_label(ConversationTurn(name, number, len(before), standalone, goal))}
        steps = [earlier_step(before[: number - 1])] if number > 1 else []
        evidence = window.sentences.spans(turn["evidence"])
        of_turn = reply._replace(values={"question": turn["question"]})
        yield draft_item(NAME, 1, window, kit, of_turn, PROMPT, turn["answer"], evidence, labels, steps)


TASK = Task(
    label={"en": "Conversation", "zh": "多轮对话"},
    definition={
        "en": "Two to five questions, of which each follow-up is understood only with the turns before; each answer is a short "
        "span that occurs word for word in the text.",
        "zh": "二至五个问题；每个追问只有结合前面的对话才能看懂；每一轮的答案都是原文逐字出现的一小段。",
    },
    level=None,
    window=WindowRule(tokens=1024),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "figures", "follow_up"),
    answer_prompt="answer/short",
    metrics=("exact_match", "token_f1", "in_accuracy", "evidence_recall", "length", "seconds", "calls", "tokens"),
    length_hint=256,
)
