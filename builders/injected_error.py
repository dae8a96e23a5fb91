"""Injected errors: a copy of an accepted item gets one error, so that the right decision on the copy is known.

Each file in builders/injected_errors/ defines one kind as its constant INJECTED_ERROR. An item that cannot have an error gets
no copy.
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
from core.text.text import content_words, split_sentences

NO_ERROR = "no_flaw"
"""Kind of a copy without an error."""


@dataclass(frozen=True, slots=True)
class InjectionContext:
    """The inputs of an injected error other than the item."""

    texts: Mapping[str, str]
    """Texts of the item's documents, by id."""
    sentences: Mapping[str, Sequence[tuple[int, int]]]
    """(start, end) of each sentence, by document id."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())

    def cut(self, span: Span) -> str:
        return self.texts[span.document][span.start : span.end]


class InjectedCopy(NamedTuple):
    """A copy of an item, with a description of the change."""

    item: Item
    gone: str
    """Text before the change; empty for an insertion."""
    put: str
    """Text after the change; empty for a deletion."""
    why: str
    """Sentence that explains the error to the reviewer."""


class AcceptedCopy(NamedTuple):
    """The text with which a reviewer accepted the copy."""

    question: str
    answer: str
    evidence: Sequence[Span]


@dataclass(frozen=True, kw_only=True, slots=True)
class InjectedError:
    """One kind of injected error, named after its file."""

    label: str
    where: str
    """Part with the error: question, answer or evidence; empty for a copy without an error."""
    expected: str
    """Correct action of an annotator, as a sentence."""
    inject: Callable[[Item, InjectionContext, Random], InjectedCopy | None]
    """Returns a copy with the error, or None when the item cannot have this error."""
    is_mended: Callable[[InjectedCopy, Item, AcceptedCopy], bool]
    """Whether the accepted text is free of the error. Arguments: the copy, the original item, the accepted copy."""


def injected_errors() -> Mapping[str, InjectedError]:
    """Return name -> kind of injected error, for every kind."""
    return catalog("builders.injected_errors", "INJECTED_ERROR", InjectedError)


def inject(name: str, item: Item, context: InjectionContext, seed: int) -> InjectedCopy | None:
    """Return a copy of the item with the given kind of error, or None if the error cannot be made in this item. The same item
    and seed give the same copy."""
    if not (item.question.strip() and item.answers and item.answers[0].strip()):
        return None
    if any(span.document not in context.texts for span in item.evidence):
        return None
    return injected_errors()[name].inject(item, context, Random(f"{seed}/{item.id}/{item.revision}/{name}"))


def is_right(name: str, copy: InjectedCopy, before: Item, decision: str, answered: AcceptedCopy) -> bool:
    """Check whether the decision on a copy is right. If the copy has an error, the reviewer must correct it or discard the
    item; otherwise the reviewer must accept the item."""
    if name == NO_ERROR:
        return decision == "accept"
    return decision == "discard" or injected_errors()[name].is_mended(copy, before, answered)


def with_answer(item: Item, answer: str) -> Item:
    """Return the item with only that answer, because other acceptable answers would reveal the change."""
    return replace(item, answers=(answer,))


def entities(text: str, ground: str, language: str) -> list[str]:
    """Return the names in a text as whole phrases, each once. Only certain names count: they occur at least twice in `ground`
    and, in English, never in lower case. In Chinese these are titles in 《》, foreign names recognised by their characters, and
    persons recognised by their surnames."""
    names = find_certain_names(text) if language == "zh" else _english(text)
    return [name for name in names if ground.count(name) > 1 and (language == "zh" or name.lower() not in ground)]


def sentences_of(text: str, language: str) -> list[str]:
    """Return the sentences of the text without the white space between them."""
    return [text[start:end] for start, end in split_sentences(text, language)]


def holds_most(text: str, words: str, beside: str, language: str) -> bool:
    """Check whether the text contains at least half of the content that is in `words` and not in `beside`."""
    distinct_words = set(content_words(words, language)) - set(content_words(beside, language))
    there = distinct_words & set(content_words(text, language))
    return strip_spaces(words) in strip_spaces(text) if not distinct_words else 2 * len(there) >= len(distinct_words)


def strip_spaces(text: str) -> str:
    """Return the text without white space, in a uniform case."""
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
