"""Make control items, for which the right decision of a reviewer is known: each is a copy of an accepted item with one injected
error.

Each file in builders/injected_errors/ defines one kind of error as its constant INJECTED_ERROR. If an error cannot be injected
into an item, no copy is made.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from core.catalog import catalog
from core.nouns import Item, Span
from core.text.chinese_names import find_certain_names
from core.text.names import WORD, names
from core.text.text import content_words

NO_ERROR = "no_flaw"
"""Name of the kind of control item whose copy has no error."""


@dataclass(frozen=True, slots=True)
class InjectionContext:
    """The texts and sentences of an item's documents, which are used to make an error."""

    texts: Mapping[str, str]
    """A dict from document id to its text, for the documents of the item."""
    sentences: Mapping[str, Sequence[tuple[int, int]]]
    """A dict from document id to the (start, end) of each of its sentences."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())

    def cut(self, span: Span) -> str:
        return self.texts[span.document][span.start : span.end]


class InjectedCopy(NamedTuple):
    """A copy of an item with an injected error, and a record of the change."""

    item: Item
    gone: str
    """The words that the error removed from the item; "" if it only inserted words."""
    put: str
    """The words that the inserted error added to the item; "" if it only removed words."""
    why: str
    """A sentence that explains the error to the reviewer after the review."""


class AcceptedCopy(NamedTuple):
    """The question, answer and evidence of a copy as the reviewer accepted them, possibly after corrections."""

    question: str
    answer: str
    evidence: Sequence[Span]


@dataclass(frozen=True, kw_only=True, slots=True)
class InjectedError:
    """One kind of error that can be injected into a copy of an item; its name is its file's name."""

    label: str
    where: str
    """The part of the item that has the error: question, answer or evidence; "" for the kind without an error."""
    expected: str
    """Sentence that says what a reviewer should do about this error."""
    inject: Callable[[Item, InjectionContext, Random], InjectedCopy | None]
    """Returns a copy of the item with the error, or None if the item cannot have this error."""
    is_mended: Callable[[InjectedCopy, Item, AcceptedCopy], bool]
    """Checks whether the reviewer removed the error; gets the copy with the error, the original item and the copy as the
    reviewer accepted it."""


def injected_errors() -> Mapping[str, InjectedError]:
    """Return all kinds of injected errors as a dict from name to InjectedError."""
    return catalog("builders.injected_errors", "INJECTED_ERROR", InjectedError)


def inject(name: str, item: Item, context: InjectionContext, seed: int) -> InjectedCopy | None:
    """Return a copy of the item with an injected error of the kind `name`, or None if this error cannot be injected into the
    item. The same item and seed give the same copy."""
    if not (item.question.strip() and item.answers and item.answers[0].strip()):
        return None
    if any(span.document not in context.texts for span in item.evidence):
        return None
    return injected_errors()[name].inject(item, context, Random(f"{seed}/{item.id}/{item.revision}/{name}"))


def is_right(name: str, copy: InjectedCopy, before: Item, decision: str, answered: AcceptedCopy) -> bool:
    """Check whether a reviewer's decision on a copy is right: a copy with an error must be corrected or discarded, and a copy
    without an error must be accepted."""
    if name == NO_ERROR:
        return decision == "accept"
    return decision == "discard" or injected_errors()[name].is_mended(copy, before, answered)


def with_answer(item: Item, answer: str) -> Item:
    """Return the item with `answer` as its only answer, because the item's other accepted answers would reveal an error in
    `answer`."""
    return replace(item, answers=(answer,))


def entities(text: str, ground: str, language: str) -> list[str]:
    """Return the distinct names in the text that occur at least twice as whole phrases in `ground`. English names are
    capitalised phrases that `ground` never has in lower case; Chinese names are titles in 《》, foreign names recognised by
    their characters, and persons recognised by their surnames."""
    names = find_certain_names(text) if language == "zh" else _english(text)
    return [name for name in names if ground.count(name) > 1 and (language == "zh" or name.lower() not in ground)]


def holds_most(text: str, words: str, beside: str, language: str) -> bool:
    """Check whether the text contains at least half of certain content words: those that are in `words` but not in `beside`."""
    distinct_words = set(content_words(words, language)) - set(content_words(beside, language))
    there = distinct_words & set(content_words(text, language))
    return strip_spaces(words) in strip_spaces(text) if not distinct_words else 2 * len(there) >= len(distinct_words)


def strip_spaces(text: str) -> str:
    """Return the text without white space and in lower case (casefold), so that two texts can be compared."""
    return "".join(text.split()).casefold()


def _english(text: str) -> list[str]:
    """Return the English names in the text; neighbouring capitalised words form one name."""
    words = {word for word in names(text, "en") if len(word) > 2 and word[0].isupper()}
    found_names: dict[str, None] = {}
    run: list[re.Match[str]] = []
    for match in [*WORD.finditer(text), None]:
        is_word = match is not None and match.group() in words
        if is_word and match is not None and (not run or text[run[-1].end() : match.start()] == " "):
            run.append(match)
            continue
        if run:
            found_names[re.sub(r"[’']s?$", "", text[run[0].start() : run[-1].end()])] = None
        run = [match] if is_word and match is not None else []
    return [name for name in found_names if "'" not in name and "’" not in name]
