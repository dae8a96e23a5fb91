"""Replace the name that the question is about with a word that means nothing to a reader who does not have the document."""

import re
from dataclasses import replace
from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext, entities
from core.nouns import Item
from core.text.language import FULL_LANGUAGES, find_row


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    if item.language not in FULL_LANGUAGES:
        return None
    for gone in sorted(entities(item.question, context.text, item.language), key=len, reverse=True):
        put = "它" if item.language == "zh" else "this one"
        asked = _chinese(item.question, gone, put) if item.language == "zh" else _english(item.question, gone, put)
        if asked is not None and gone not in asked:
            why = f"The question named {gone} before; now nobody can tell without the document what it asks about."
            return InjectedCopy(replace(item, question=asked), gone, put, why)
    return None


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    """Check whether the accepted question again contains the removed name, or a word of the removed name."""
    return any(part.casefold() in answered.question.casefold() for part in (copy.gone, *copy.gone.split()) if len(part) > 1)


def _chinese(question: str, name: str, put: str) -> str | None:
    """Return the Chinese question with `name` replaced by `put`, or None if the name is part of a longer word (哈默罗人)."""
    return None if f"{name}人" in question else question.replace(name, put)


def _english(question: str, name: str, put: str) -> str | None:
    """Return the English question with `name` and its article replaced, or None if the name is part of a longer phrase ("the
    first Mark", "Orvel sales"), which the replacement would break."""
    place = re.compile(
        rf"(?P<before>\b[\w’']+ )?(?P<the>\b[Tt]he )?\b{re.escape(name)}\b(?P<own>[’']s?)?(?: (?P<after>[\w’-]+))?"
    )
    for match in place.finditer(question):
        after = match["after"]
        is_inside = bool(after) and not match["own"] and (after not in find_row("en").stop_words)
        has_word_before = (
            bool(match["before"]) and match["before"].strip().lower() not in find_row("en").stop_words and not match["the"]
        )
        if is_inside or has_word_before:
            return None
    changed = re.sub(rf"(?:\b[Tt]he )?\b{re.escape(name)}\b", put, question)
    return changed[:1].upper() + changed[1:]


INJECTED_ERROR = InjectedError(
    label="question not self-contained",
    where="question",
    expected="Name again what the question is about, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
