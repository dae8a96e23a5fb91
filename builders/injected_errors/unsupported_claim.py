"""Add a sentence to the answer that no document supports."""

from random import Random

from builders.injected_error import (
    AcceptedCopy,
    InjectedCopy,
    InjectedError,
    InjectionContext,
    holds_most,
    strip_spaces,
    with_answer,
)
from core.nouns import Item
from core.text.language import find_row
from core.text.sentences import list_sentences
from core.text.text import overlap

CLAIMS = {
    "en": (
        "An independent inquiry confirmed this a few years later.",
        "It was the first case of its kind in the country.",
        "Most newspapers of the day welcomed the outcome.",
        "The costs were shared equally by everybody concerned.",
        "Later scholars have disputed every part of this account.",
        "A similar scheme was copied abroad within a decade.",
    ),
    "zh": (
        "几年后一项独立调查证实了这一点。",
        "这在全国还是第一次。",
        "当时的报纸大多对结果表示欢迎。",
        "费用由各方平均分担。",
        "后来的学者对此提出了不同看法。",
        "十年之内国外也有人仿效。",
    ),
}
MAX_KNOWN_WORDS = 0.6
"""Upper limit (exclusive) of the share (0..1) of an added claim's words that may occur in the item's documents."""


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    answer = item.answers[0]
    if not answer.rstrip().endswith((".", "!", "?", "。", "！", "？")):
        return None
    claims = [
        claim for claim in CLAIMS.get(item.language, ()) if (overlap(claim, context.text, item.language) or 0) < MAX_KNOWN_WORDS
    ]
    if not claims:
        return None
    put = random.choice(claims)
    parts = list_sentences(answer, item.language)
    parts.insert(random.randint(1, len(parts)), put)
    wrong = find_row(item.language).separator.join(parts)
    return InjectedCopy(
        with_answer(item, wrong), "", put, "A sentence was added to the answer that no document of the item supports."
    )


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    if strip_spaces(copy.put) in strip_spaces(answered.answer):
        return False
    return not holds_most(answered.answer, copy.put, before.answers[0], before.language)


INJECTED_ERROR = InjectedError(
    label="unsupported claim",
    where="answer",
    expected="Remove the sentence that the evidence does not support, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
