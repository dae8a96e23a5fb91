"""Make an answer incomplete: remove one of its sentences, or one member of the list in it."""

import re
from random import Random

from builders.injected_error import (
    AcceptedCopy,
    InjectedCopy,
    InjectedError,
    InjectionContext,
    holds_most,
    with_answer,
)
from core.nouns import Item
from core.text.language import find_row
from core.text.sentences import list_sentences

LIST_EN = re.compile(r"^(?P<first>[^,;.]{2,40}), (?P<second>[^,;.]{2,40}),? and (?P<third>[^,;.]{2,40})$")
LIST_ZH = re.compile(r"^(?P<first>[^，。、]{1,20})、(?P<second>[^，。、]{1,20})[、和](?P<third>[^，。、]{1,20})$")


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    answer = item.answers[0]
    parts = list_sentences(answer, item.language)
    why = "A part of the answer was removed that the question asks for and the evidence contains."
    if len(parts) > 1:
        gone = parts.pop(random.randrange(len(parts)))
        return InjectedCopy(with_answer(item, find_row(item.language).separator.join(parts)), gone, "", why)
    listed = (LIST_ZH if item.language == "zh" else LIST_EN).match(answer)
    if listed is None:
        return None
    members = list(listed.groups())
    gone = members.pop(random.randrange(len(members)))
    return InjectedCopy(with_answer(item, ("和" if item.language == "zh" else " and ").join(members)), gone, "", why)


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    return holds_most(answered.answer, copy.gone, copy.item.answers[0], before.language)


INJECTED_ERROR = InjectedError(
    label="incomplete answer",
    where="answer",
    expected="Write what is missing from the evidence, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
