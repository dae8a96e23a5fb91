"""Provide code for the perturbations that ask an agent to reword a question. A reply is not usable as a new question if it is
the same text, has several lines or a preamble, or contains the answer. In this case, the agent is asked again and told the
reason. If the last reply is not usable, no variant is made."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from builders.variation.perturbation import PerturbationSetting, PerturbedText, VariantMaker, VariationAgent, VariationFailed
from core.agent import Sampling
from core.errors import Unreadable
from core.nouns import Item
from core.retrieval.similarity import is_same
from core.text.language import find_row
from core.text.text import count_tokens, f1_tokens
from core.wording.plain_answers import PLAIN_ANSWERS
from prompts.prompt import load
from prompts.reply import Reply, ask_for

TEMPERATURE = PerturbationSetting(0.7, "Temperature of the agent.")
_PREAMBLE = re.compile(
    r"(?:sure|certainly|of course|okay|ok|here(?:'s| is| are)\b[^?]*:|(?:rewritten|casual|revised|new|the)? ?"
    r"(?:question|version|rewrite|query|answer|output)\s*:|as an ai|"
    r"好的|当然|没问题|以下是|下面是|(?:改写|口语|修改)?后?的?(?:问题|版本|答案|回答)\s*[:：])",
    re.IGNORECASE,
)


@contextmanager
def open_rewording(
    prompt: str, field: str, settings: Mapping[str, Any], more: Callable[[Item], Mapping[str, object]] = lambda item: {}
) -> Iterator[VariantMaker]:
    """Yield the VariantMaker that asks the agent for one rewording per item: `field` is the reply's field with the text, `more`
    returns further inputs of the prompt."""

    async def make(item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        reply = await ask_for_rewording(prompt, field, item, seed, voice, settings, more(item))
        return PerturbedText(reply.values[field], generator(voice), record(prompt, item, reply.calls, voice))

    yield make


async def ask_for_rewording(
    prompt: str,
    field: str,
    item: Item,
    seed: int,
    voice: VariationAgent | None,
    settings: Mapping[str, Any],
    more: Mapping[str, object],
    reason: str = "",
) -> Reply:
    """Return the agent's reply with the rewording in `field`. Raises VariationFailed if the agent says why it cannot reword the
    question, or if no reply is usable; AgentError or BudgetReached if the agent cannot be called."""
    if voice is None:
        raise VariationFailed("This kind of variant needs an agent: name one with --agent.")
    if not item.question.strip():
        raise VariationFailed("The item has no question to vary.")
    loaded = load(prompt, item.language)
    inputs = {"question": item.question, "reason": reason} | dict(more)
    length = count_tokens(item.question, item.language)
    sampling = Sampling(temperature=float(settings["temperature"]), max_tokens=max(512, 4 * length), seed=seed)
    try:
        reply = await ask_for(voice.ask, loaded, inputs, sampling, lambda values: explain_wrong(values[field], item))
    except Unreadable as error:
        raise VariationFailed(str(error)) from error
    if why := reply.values.get("none"):
        raise VariationFailed(f"{voice.name} says that it cannot be done: {' '.join(str(why).split()).rstrip('.')}.")
    return reply


def explain_wrong(text: str, item: Item) -> str | None:
    """Return why a text is not a rewording of the item's question, or None if it may be one."""
    question = item.question.strip()
    if not text.strip():
        return "it is empty"
    if is_same(question, text):
        return "it is the question itself, unchanged"
    if len(text.strip().splitlines()) > len(question.splitlines()):
        return "it has several lines"
    if (preamble := _PREAMBLE.match(text.strip())) and not _PREAMBLE.match(question):
        return f"it begins with {preamble[0]!r} instead of the question"
    if told_answer := _find_told_answer(text, item):
        return f"it gives away the answer ({told_answer})"
    return None


def record(prompt: str, item: Item, calls: tuple[str, ...], voice: VariationAgent | None) -> dict[str, Any]:
    """Return the identity of the prompt and the ids of the calls as a JSON object, for the variant's checks."""
    offline = {"offline": True} if voice is not None and voice.is_offline else {}
    return {"prompt": load(prompt, item.language).identity, "calls": list(calls), **offline}


def generator(voice: VariationAgent | None) -> str:
    return voice.name if voice is not None else ""


def _find_told_answer(text: str, item: Item) -> str:
    """Return the gold answer that the text contains and the question does not, or "" if there is none. An answer that is a very
    common word is ignored, because its occurrence proves nothing."""
    for answer in item.answers:
        if item.language == "zh":
            if (
                len(answer.strip()) > 1
                and answer.strip() not in PLAIN_ANSWERS
                and answer in text
                and answer not in item.question
            ):
                return answer
            continue
        gold = " ".join(f1_tokens(answer, item.language))
        if len(gold) < 2 or gold in PLAIN_ANSWERS or set(gold.split()) <= find_row(item.language).stop_words:
            continue
        held, asked = (f" {' '.join(f1_tokens(passage, item.language))} " for passage in (text, item.question))
        if f" {gold} " in held and f" {gold} " not in asked:
            return answer
    return ""
