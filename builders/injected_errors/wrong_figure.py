"""Change a number in the answer: a digit, an English number word or a Chinese numeral."""

import re
from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext, with_answer
from core.nouns import Item
from core.text.figures import figures
from core.text.numerals import CHINESE, ONES, TENS

WORDS = [word for word in (*ONES, *TENS) if word not in ("zero", "one")]
"""English number words from which figures are recognised; "one" is left out, because it is as often a pronoun."""
FIGURE = re.compile(rf"(?<![\w.])\d[\d,]*(?:\.\d+)?|\b(?:{'|'.join(WORDS)})\b|[{CHINESE.digits}十百千]{{2,}}", re.IGNORECASE)


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    answer = item.answers[0]
    matches = [match for match in FIGURE.finditer(answer) if match.group().casefold() not in item.question.casefold()]
    random.shuffle(matches)
    for match in matches:
        gone = match.group()
        put = _draw_other_figure(gone, random)
        wrong = answer[: match.start()] + put + answer[match.end() :]
        if put != gone and not set(figures(wrong).numbers) <= {n for known in item.answers for n in figures(known).numbers}:
            why = f"The answer said {gone} before; {put} was put in its place, and the evidence does not say so."
            return InjectedCopy(with_answer(item, wrong), gone, put, why)
    return None


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    """Check whether the accepted answer contains a number of an original answer, in any notation, and no longer the wrong
    number."""
    said = set(figures(answered.answer).numbers)
    right = [set(figures(answer).numbers) for answer in before.answers]
    wrong = set(figures(copy.item.answers[0]).numbers) - set().union(*right)
    return not said & wrong and any(numbers & said or not numbers for numbers in right)


def _draw_other_figure(figure: str, random: Random) -> str:
    """Return another random number of the same kind and length as `figure`."""
    if figure[0].isdigit():
        places = [n for n, sign in enumerate(figure) if sign.isdigit() and (n or len(figure) == 1)]
        is_year = len(figure) == 4 and figure[0] in "12" and figure.isdigit()
        at = random.choice(places[-1:] if is_year else places[-2:])
        return figure[:at] + random.choice([d for d in "123456789" if d != figure[at]]) + figure[at + 1 :]
    for known in (ONES, TENS):
        if figure.lower() in known:
            word = random.choice([word for word in known if word in WORDS and word != figure.lower()])
            return word.capitalize() if figure[0].isupper() else word
    places = [n for n, sign in enumerate(figure) if sign in "一二三四五六七八九"]
    if not places:
        return figure
    at = random.choice(places)
    return figure[:at] + random.choice([d for d in "二三四五六七八九" if d != figure[at]]) + figure[at + 1 :]


INJECTED_ERROR = InjectedError(
    label="wrong figure",
    where="answer",
    expected="Put the figure right from the evidence, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
