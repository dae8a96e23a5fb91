"""Insert the answer of a question into the question."""

from dataclasses import replace
from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext, strip_spaces
from core.nouns import Item

MAX_ANSWER_CHARACTERS = 40
"""Maximum length in characters of an answer that can be inserted into its question."""
WAYS = {
    "en": ("{stem}, such as {answer}?", "{stem}, perhaps {answer}?"),
    "zh": ("{stem}，比如{answer}？", "{stem}，是不是{answer}？"),
}


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    answer, stem = item.answers[0].strip(), item.question.strip()
    is_short = len(answer) <= MAX_ANSWER_CHARACTERS and not answer.endswith((".", "。"))
    if not is_short or stem[-1] not in "?？" or strip_spaces(answer) in strip_spaces(stem) or item.language not in WAYS:
        return None
    asked = random.choice(WAYS[item.language]).format(stem=stem[:-1].rstrip(), answer=answer)
    return InjectedCopy(
        replace(item, question=asked), "", answer, "The question contains its answer, so that nothing is left to find."
    )


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    return strip_spaces(copy.put) not in strip_spaces(answered.question)


INJECTED_ERROR = InjectedError(
    label="answer in the question",
    where="question",
    expected="Take the answer out of the question, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
