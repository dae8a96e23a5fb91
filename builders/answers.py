"""Answers that agents give to an item's question, sampled several times over, each held against the item's own: the same after
normalising, alike word by word with the same figures, or equal to a judge."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from builders.asked_gate import AskedContext, Judge
from builders.edits import is_denied
from builders.figures import missing
from builders.known import plain
from builders.task import Ask
from core.agents.agent import Completion, Sampling
from core.errors import AgentError, Unreadable
from core.nouns import Item, Prompt
from core.refusals import is_refusal
from core.text import f1_tokens, normalise_answer, token_f1
from prompts.prompt import load
from prompts.reply import ask_for

ALIKE = 0.7
"""Token F1 from which an answer agrees, when nothing in it is swapped (construction.md, G4); else a judge is asked."""
EQUAL = 7
"""Grade of 0 to 9 from which a judge holds two answers for equal: the whole point is there, nothing is wrong."""
AGREED = 2 / 3
"""Share of the samples from which they count."""
EQUALITY = "judge/agreement"
"""The prompt that grades whether two answers say the same."""


class Answer(NamedTuple):
    """One sample, and what it was held to be."""

    agent: str
    sample: int
    seed: int
    text: str | None
    """None = no reply that could be used."""
    is_right: bool | None
    """None = nobody knows."""
    by: str
    """What decided it, or why nothing did."""
    calls: tuple[str, ...] = ()
    cost: float | None = 0.0
    """US dollars of its calls, also where the ledger had the answers; None when a price is unknown."""


class Share(NamedTuple):
    """How many of those that could be used were right."""

    right: int
    of: int
    asked: int

    @property
    def value(self) -> float | None:
        return self.right / self.of if self.of else None

    @property
    def is_enough(self) -> bool | None:
        """At least AGREED; None where the samples that are missing could turn it."""
        least, most = self.right / self.asked, (self.right + self.asked - self.of) / self.asked
        return True if least >= AGREED - 1e-9 else False if most < AGREED - 1e-9 else None


async def answered(
    item: Item, context: AskedContext, judges: Sequence[Judge], prompt: str, inputs: Mapping[str, str]
) -> list[Answer]:
    """`samples` answers of each judge to that prompt, side by side, each held against the item's answers."""
    filled = {**context.task.fill(item), **inputs}
    return list(await asyncio.gather(*(
        _one(item, context, judge, index, load(prompt, item.language), filled)
        for judge in judges for index in range(context.samples)
    )))  # fmt: skip


def share(found: Sequence[Answer]) -> Share:
    known = [one.is_right for one in found if one.is_right is not None]
    return Share(sum(known), len(known), len(found))


def details(found: Iterable[Answer]) -> list[dict[str, Any]]:
    """As a verdict keeps them."""
    return [one._asdict() | {"calls": list(one.calls)} for one in found]


def calls(found: Iterable[Answer]) -> tuple[str, ...]:
    return tuple(call for one in found for call in one.calls)


def cost(found: Iterable[Answer]) -> float | None:
    return total(one.cost for one in found)


def total(costs: Iterable[float | None]) -> float | None:
    """Their sum; None when one is unknown."""
    known = list(costs)
    return None if None in known else float(sum(one for one in known if one is not None))


def is_unanswerable(item: Item) -> bool:
    """Whether the right answer to it is a refusal."""
    return bool(item.labels.get("unanswerable")) or is_refusal(item.answers[0])


def counted(ask: Ask, costs: list[float | None]) -> Ask:
    """The same ask, with its prices noted."""

    async def asking(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        completion = await ask(prompt, inputs, sampling)
        costs.append(completion.price)
        return completion

    return asking


async def _one(
    item: Item, context: AskedContext, judge: Judge, index: int, prompt: Prompt, inputs: Mapping[str, str]
) -> Answer:  # fmt: skip
    """Each sample has a seed of its own: an endpoint that keeps to its seed would give the same one several times over."""
    seed, costs = context.seed + index, list[float | None]()
    ask = counted(judge.ask, costs)
    made: tuple[str, ...] = ()
    text = None
    try:
        sampling = Sampling(temperature=context.temperature, max_tokens=context.task.length_hint, seed=seed, index=index)
        reply = await ask_for(ask, prompt, inputs, sampling)
        made, text = reply.calls, str(reply.values["text"])
        is_right, by = _by_words(item, text)
        if is_right is None:
            graded = Sampling(max_tokens=128, seed=context.seed)
            asked = {"question": inputs.get("question", item.question), "answer": item.answers[0], "prediction": text}
            grade = await ask_for(counted(context.judges[0].ask, costs), load(EQUALITY, item.language), asked, graded)
            score = grade.values["score"]
            made, is_right, by = (*made, *grade.calls), score >= EQUAL, f"judge, {score} of 9"
    except (Unreadable, AgentError) as error:
        if isinstance(error, AgentError) and error.stops_job:
            raise
        made = (*made, *(error.calls if isinstance(error, Unreadable) else ()))
        return Answer(judge.name, index, seed, text, None, str(error), made, total(costs))
    return Answer(judge.name, index, seed, text, is_right, by, made, total(costs))


def _by_words(item: Item, text: str) -> tuple[bool | None, str]:
    """(right or not, by what); None where words alone do not tell."""
    if is_unanswerable(item):
        return is_refusal(text), "refusal"
    if is_refusal(text):
        return False, "refusal"
    if not text:
        return False, "empty"
    if any(_solid(text) == _solid(answer) for answer in item.answers):
        return True, "exact match"
    for answer in item.answers:
        alike = token_f1(text, answer, item.language)
        if alike >= ALIKE and not _is_swapped(text, answer, item.language):
            return True, f"token F1 {alike:.2f}"
    return None, ""


def _is_swapped(text: str, answer: str, language: str) -> bool:
    """Whether what differs may turn the sense, which a share of common words cannot see: another figure, one word in another's
    place, a denial."""
    said, wanted = set(f1_tokens(text, language)), set(f1_tokens(answer, language))
    if said - wanted and wanted - said:
        return True
    return bool(missing(text, answer) or missing(answer, text)) or is_denied(text) != is_denied(answer)


def _solid(text: str) -> str:
    return plain(normalise_answer(text)).replace(" ", "")
