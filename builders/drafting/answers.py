"""Let agents answer an item's question several times, and compare each sampled answer with the item's stored answers. A sampled
answer is right in three cases: it equals a stored answer after normalisation; it has a high token F1 with a stored answer, and
the two have the same numbers, word order and negations; or a judge grades the two as equal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from builders.llm_gate import GateJudge, LlmGateContext
from builders.near_duplicate_index import normalise_words
from builders.task import AskAgent
from builders.variation.edits import is_denied
from core.agent import Completion, Sampling, gather_each
from core.errors import AgentError, Unreadable
from core.nouns import Item, Prompt
from core.text.figures import list_missing_figures
from core.text.refusals import is_refusal
from core.text.text import f1_tokens, normalise_answer, token_f1
from prompts.prompt import load
from prompts.reply import ask_for

MIN_AGREEING_F1 = 0.7
"""Least token F1 at which a sampled answer agrees with a stored one without a judge; below it, a judge grades the two."""
MIN_EQUAL_GRADE = 7
"""Least grade (0 to 9) from a judge at which two answers count as equal: the sampled answer is complete and contains no
error."""
MIN_AGREEING_SHARE = 2 / 3
"""Least share (0..1) of sampled answers that must be right for a gate to count the question as answered."""
EQUALITY = "judge/agreement"
"""Name of the prompt with which a judge grades whether two answers say the same."""


class SampledAnswer(NamedTuple):
    """One answer that an agent gave to an item's question, and whether it is right."""

    agent: str
    sample: int
    seed: int
    text: str | None
    """Text of the agent's answer; None = the agent gave no usable reply."""
    is_right: bool | None
    """Whether the sampled answer is right; None = this could not be decided."""
    by: str
    """Way in which `is_right` was decided, e.g. "exact match"; if `is_right` is None, the reason why it could not be
    decided."""
    calls: tuple[str, ...] = ()
    cost: float | None = 0.0
    """Cost in US dollars of the sample's calls, including calls whose replies came from the ledger; None = a price is
    unknown."""


class SampleShare(NamedTuple):
    """How many of the sampled answers are right: `right` is the number of right answers, `of` the number of usable answers, and
    `asked` the number of all samples."""

    right: int
    of: int
    asked: int

    @property
    def value(self) -> float | None:
        return self.right / self.of if self.of else None

    @property
    def is_enough(self) -> bool | None:
        """Return whether the share of right answers is at least MIN_AGREEING_SHARE, or None if the unusable answers could
        change the result."""
        least, most = self.right / self.asked, (self.right + self.asked - self.of) / self.asked
        return True if least >= MIN_AGREEING_SHARE - 1e-9 else False if most < MIN_AGREEING_SHARE - 1e-9 else None


async def sample_answers(
    item: Item, context: LlmGateContext, judges: Sequence[GateJudge], prompt: str, inputs: Mapping[str, str]
) -> list[SampledAnswer]:
    """Ask each judge concurrently for `context.samples` answers to the prompt, and compare each answer with the item's stored
    answers."""
    filled = {**context.task.fill(item), **inputs}
    return await gather_each(
        _sample_answer(item, context, judge, index, load(prompt, item.language), filled)
        for judge in judges
        for index in range(context.samples)
    )


def share(answers: Sequence[SampledAnswer]) -> SampleShare:
    known = [answer.is_right for answer in answers if answer.is_right is not None]
    return SampleShare(sum(known), len(known), len(answers))


def details(answers: Iterable[SampledAnswer]) -> list[dict[str, Any]]:
    """Return the sampled answers as the JSON objects that are stored in the details of a gate's verdict."""
    return [answer._asdict() | {"calls": list(answer.calls)} for answer in answers]


def calls(answers: Iterable[SampledAnswer]) -> tuple[str, ...]:
    return tuple(call for answer in answers for call in answer.calls)


def cost(answers: Iterable[SampledAnswer]) -> float | None:
    return total(answer.cost for answer in answers)


def total(costs: Iterable[float | None]) -> float | None:
    """Return the sum of the costs, or None if any cost is unknown."""
    known = list(costs)
    return None if None in known else float(sum(cost for cost in known if cost is not None))


def is_unanswerable(item: Item) -> bool:
    """Check whether the item's question is unanswerable, so that a refusal to answer counts as right."""
    return bool(item.labels.get("unanswerable")) or is_refusal(item.answers[0])


def note_prices(ask: AskAgent, costs: list[float | None]) -> AskAgent:
    """Wrap the function `ask` so that it appends the price of each call to the list `costs`."""

    async def ask_and_note(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        completion = await ask(prompt, inputs, sampling)
        costs.append(completion.price)
        return completion

    return ask_and_note


async def _sample_answer(
    item: Item, context: LlmGateContext, judge: GateJudge, index: int, prompt: Prompt, inputs: Mapping[str, str]
) -> SampledAnswer:
    """Ask the judge for one answer and check whether it is right. Each sample has a different seed, because an endpoint that
    uses the seed would otherwise return the same answer every time."""
    seed, costs = context.seed + index, list[float | None]()
    ask = note_prices(judge.ask, costs)
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
            grade = await ask_for(note_prices(context.judges[0].ask, costs), load(EQUALITY, item.language), asked, graded)
            score = grade.values["score"]
            made, is_right, by = (*made, *grade.calls), score >= MIN_EQUAL_GRADE, f"judge, {score} of 9"
    except (Unreadable, AgentError) as error:
        if isinstance(error, AgentError) and error.stops_job:
            raise
        made = (*made, *(error.calls if isinstance(error, Unreadable) else ()))
        return SampledAnswer(judge.name, index, seed, text, None, str(error), made, total(costs))
    return SampledAnswer(judge.name, index, seed, text, is_right, by, made, total(costs))


def _by_words(item: Item, text: str) -> tuple[bool | None, str]:
    """Compare the answer `text` with the item's answers without a judge. Returns (whether the answer is right, name of the
    deciding comparison), or (None, "") if only a judge can decide."""
    if is_unanswerable(item):
        return is_refusal(text), "refusal"
    if is_refusal(text):
        return False, "refusal"
    if not text:
        return False, "empty"
    if any(_normalise_text(text) == _normalise_text(answer) for answer in item.answers):
        return True, "exact match"
    for answer in item.answers:
        alike = token_f1(text, answer, item.language)
        if alike >= MIN_AGREEING_F1 and not _is_swapped(text, answer, item.language):
            return True, f"token F1 {alike:.2f}"
    return None, ""


def _is_swapped(text: str, answer: str, language: str) -> bool:
    """Check whether two answers may differ in meaning although their token F1 is high: they differ in a number, in a negation,
    or in one word that replaces another."""
    said, wanted = set(f1_tokens(text, language)), set(f1_tokens(answer, language))
    if said - wanted and wanted - said:
        return True
    return bool(list_missing_figures(text, answer) or list_missing_figures(answer, text)) or is_denied(text) != is_denied(
        answer
    )


def _normalise_text(text: str) -> str:
    return normalise_words(normalise_answer(text)).replace(" ", "")
