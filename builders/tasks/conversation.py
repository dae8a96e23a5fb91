"""Draft conversations: two to five questions on one text, of which each follow-up refers to the turns before. Each turn becomes
an item; the items of one conversation share the label `conversation` (core/quality/conversations.py). If the window starts from
an accepted item, a copy of this item is the first turn, and the agent writes the follow-ups."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from builders.drafting.prompting import draft_item, regeneration, sampling
from builders.gates.follow_up import explain_unfit
from builders.near_duplicates.verbatim import collapse_spaces
from builders.task import Kit, Task, Window, WindowRule
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item
from core.quality.conversations import LABEL, ConversationTurn, Exchange, earlier_step, turn_label
from core.text.language import ByLanguage
from prompts.prompt import load
from prompts.reply import ask_for

NAME = "conversation"
PROMPT = "draft/conversation"
MIN_TURNS, MAX_TURNS = 2, 5
FIRST_TURN_NOTE = ByLanguage(
    {
        "en": "\nThe first turn is given: write it as it is, with the same question and answer, and add follow-ups to it.\n"
        "Question: {question}\nAnswer: {answer}\n",
        "zh": "\n第一轮已经给定：原样写出同样的问题和答案，再加上追问。\n问题：{question}\n答案：{answer}\n",
    }
)
"""Paragraph of the prompt with the accepted item that is the first turn."""


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield the turns of at most one conversation, in order. Turns from the first unfit follow-up on are left out; nothing is
    yielded if fewer than two turns remain."""

    source = window.source

    def check(values: dict[str, Any]) -> str | None:
        drafted = values.get("turns", ())
        if source and drafted and collapse_spaces(drafted[0]["question"]) != collapse_spaces(source.question):
            return "the first turn is not the given question"
        own = drafted[1:] if source else drafted
        try:
            for turn in own:
                window.sentences.spans(turn["evidence"])
        except BenchError as error:
            return str(error).rstrip(".")
        return None if all(turn["evidence"] for turn in own) else "a turn cites no sentence"

    given = {"question": collapse_spaces(source.question), "answer": source.answers[0]} if source else {}
    first = FIRST_TURN_NOTE[window.language].format(**given) if source else ""
    inputs = {"sentences": window.sentences, "domain": window.domain, "first": first} | regeneration(kit, window.language)
    reply = await ask_for(kit.ask, load(PROMPT, window.language), inputs, sampling(kit, 2048), check)
    if "none" in reply.values:
        return
    turns, goal = reply.values["turns"][:MAX_TURNS], str(reply.values["goal"]).strip()
    if source:
        turns = [{"question": source.question, "answer": source.answers[0]}, *turns[1:]]
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
        is_given = source is not None and number == 1
        evidence = source.evidence if source and is_given else window.sentences.spans(turn["evidence"])
        if source and is_given:
            steps.append({"kind": "source_item", "item": source.id, "revision": source.revision} | given)
        of_turn = reply._replace(values={"question": turn["question"]})
        made = draft_item(NAME, 1, window, kit, of_turn, PROMPT, turn["answer"], evidence, labels, steps)
        yield replace(made, answers=source.answers) if source and is_given else made


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
