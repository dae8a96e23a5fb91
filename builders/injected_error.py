"""What a flaw is: one thing made wrong in a copy of an accepted item, so that it is known what a good annotator does with it.
One flaw a file in builders/injected_errors/, its constant FLAW. What a flaw cannot be planted in is left alone."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from core.catalog import catalog
from core.nouns import Item, Span
from core.text.chinese_names import sure_names
from core.text.names import WORD, names
from core.text.text import content_words, split_sentences

NO_FLAW = "no_flaw"
"""The copy that nothing is wrong with."""


@dataclass(frozen=True, slots=True)
class FlawContext:
    """What a flaw may look at besides the item."""

    texts: Mapping[str, str]
    """Text of each of the item's documents, by id."""
    sentences: Mapping[str, Sequence[tuple[int, int]]]
    """(start, end) of each of their sentences."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())

    def cut(self, span: Span) -> str:
        return self.texts[span.document][span.start : span.end]


class Planted(NamedTuple):
    """The copy, and what was done to it."""

    item: Item
    gone: str
    """The words that stood there before; empty when words were only added."""
    put: str
    """The words that stand there now; empty when words were only taken out."""
    why: str
    """One sentence for whoever decided on it."""


class AcceptedCopy(NamedTuple):
    """What somebody accepted the copy with."""

    question: str
    answer: str
    evidence: Sequence[Span]


@dataclass(frozen=True, kw_only=True, slots=True)
class Flaw:
    """One kind of flaw. Its name is its file's name."""

    label: str
    where: str
    """question, answer or evidence; empty when nothing is wrong."""
    expected: str
    """What a good annotator does, as a sentence."""
    plant: Callable[[Item, FlawContext, Random], Planted | None]
    """None when this item cannot have it."""
    is_mended: Callable[[Planted, Item, AcceptedCopy], bool]
    """Whether what was accepted is free of it; the item is the one before."""


def flaws() -> Mapping[str, Flaw]:
    """Every flaw by name."""
    return catalog("builders.injected_errors", "FLAW", Flaw)


def plant(name: str, item: Item, ground: FlawContext, seed: int) -> Planted | None:
    """The item with that flaw; None when it cannot have it. The same item and seed give the same copy."""
    if not (item.question.strip() and item.answers and item.answers[0].strip()):
        return None
    if any(span.document not in ground.texts for span in item.evidence):
        return None
    return flaws()[name].plant(item, ground, Random(f"{seed}/{item.id}/{item.revision}/{name}"))


def is_right(name: str, planted: Planted, before: Item, decision: str, answered: AcceptedCopy) -> bool:
    """Whether the decision is a good annotator's: a flaw is mended or its item discarded, an item without one accepted."""
    if name == NO_FLAW:
        return decision == "accept"
    return decision == "discard" or flaws()[name].is_mended(planted, before, answered)


def with_answer(item: Item, answer: str) -> Item:
    """The item with that answer alone: other acceptable answers would tell what was changed."""
    return replace(item, answers=(answer,))


def entities(text: str, ground: str, language: str) -> list[str]:
    """Names of a text as whole phrases, each once, that surely are names: they stand at least twice in the ground, in English
    never in small letters; in Chinese titles in 《》, foreign names by their signs, and persons by their surnames."""
    found = sure_names(text) if language == "zh" else _english(text)
    return [name for name in found if ground.count(name) > 1 and (language == "zh" or name.lower() not in ground)]


def sentences_of(text: str, language: str) -> list[str]:
    """Its sentences without the white space between them."""
    return [text[start:end] for start, end in split_sentences(text, language)]


def holds_most(text: str, words: str, beside: str, language: str) -> bool:
    """Whether the text says at least half of what `words` say and `beside` does not."""
    telling = set(content_words(words, language)) - set(content_words(beside, language))
    there = telling & set(content_words(text, language))
    return strip_spaces(words) in strip_spaces(text) if not telling else 2 * len(there) >= len(telling)


def strip_spaces(text: str) -> str:
    """Without white space, in one case."""
    return "".join(text.split()).casefold()


def _english(text: str) -> list[str]:
    """Neighbouring capitalised words are one name."""
    words = {word for word in names(text, "en") if len(word) > 2 and word[0].isupper()}
    found: dict[str, None] = {}
    run: list[re.Match[str]] = []
    for match in [*WORD.finditer(text), None]:
        is_word = match is not None and match.group() in words
        if is_word and match is not None and (not run or text[run[-1].end() : match.start()] == " "):
            run.append(match)
            continue
        if run:
            found[re.sub(r"[’']s?$", "", text[run[0].start() : run[-1].end()])] = None
        run = [match] if is_word and match is not None else []
    return [name for name in found if "'" not in name and "’" not in name]
