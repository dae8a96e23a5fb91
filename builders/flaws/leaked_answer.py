"""The question says its own answer."""

from dataclasses import replace
from random import Random

from builders.flaw import Answered, Flaw, Ground, Planted, solid
from core.nouns import Item

LONGEST = 40
"""Characters of an answer that fits into a question."""
WAYS = {
    "en": ("{stem}, such as {answer}?", "{stem}, perhaps {answer}?"),
    "zh": ("{stem}，比如{answer}？", "{stem}，是不是{answer}？"),
}


def plant(item: Item, ground: Ground, random: Random) -> Planted | None:
    answer, stem = item.answers[0].strip(), item.question.strip()
    is_short = len(answer) <= LONGEST and not answer.endswith((".", "。"))
    if not is_short or stem[-1] not in "?？" or solid(answer) in solid(stem) or item.language not in WAYS:
        return None
    asked = random.choice(WAYS[item.language]).format(stem=stem[:-1].rstrip(), answer=answer)
    return Planted(replace(item, question=asked), "", answer, "The question says its answer, so that nothing is left to find.")


def is_mended(planted: Planted, before: Item, answered: Answered) -> bool:
    return solid(planted.put) not in solid(answered.question)


FLAW = Flaw(
    label="answer in the question", where="question", expected="Take the answer out of the question, or discard the item.",
    plant=plant, is_mended=is_mended,
)  # fmt: skip
