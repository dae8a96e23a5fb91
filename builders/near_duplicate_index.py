"""An index of the items that a new draft must not repeat. Looking up a question among ten thousand items takes milliseconds.
The similarity of two questions is the exact Jaccard index of their sets of character triples (English) or pairs (Chinese) after
normalisation."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple
from unicodedata import normalize

from core.nouns import Item, Span
from core.text.language import find_row
from core.text.scripts import MARKS

NEAR_JACCARD = 0.8
"""Least Jaccard similarity (0..1) at which two questions may be duplicates."""
MIN_SHARED_SHINGLES = 4
"""Least number of rare shingles that two questions must share to be compared; a higher number gives fewer pairs to compare."""
MAX_EARLIER_QUESTIONS = 12
"""Maximum number of earlier questions that a drafting prompt lists."""


class SimilarItem(NamedTuple):
    """An item in the index, with the Jaccard similarity (0..1) between its question and the question that was looked up."""

    item: str
    question: str
    answer: str
    evidence: tuple[Span, ...]
    jaccard: float


def normalise_words(text: str) -> str:
    """Return the text in half-width lower case, with only letters and digits, and one space between words."""
    return " ".join(re.findall(rf"[\w{MARKS}]+", normalize("NFKC", text).casefold().replace("_", " ")))


def shingles(text: str, language: str) -> frozenset[str]:
    """Return the set of character triples of the normalised text, or character pairs in scripts without spaces; a shorter text
    is a single shingle."""
    is_spaced = bool(find_row(language).separator)
    text = normalise_words(text) if is_spaced else normalise_words(text).replace(" ", "")
    size = 3 if is_spaced else 2
    return frozenset(text[i : i + size] for i in range(max(1, len(text) - size + 1))) if text else frozenset()


class ShingleProbe(NamedTuple):
    """Some lower-case pieces of a question's text; a near duplicate of the question contains at least `least` of them."""

    pieces: tuple[str, ...]
    least: int


def probe(question: str, language: str, least: float = NEAR_JACCARD) -> ShingleProbe:
    """Return pieces of the question's text. A text search for these pieces finds all near duplicates whose Jaccard index is at
    least `least`. A near duplicate lacks at most the share (1 - least) of the question's pieces. Pieces that contain a space
    are left out, because a near duplicate may have other white space or punctuation there."""
    signs = shingles(question, language)
    pieces = tuple(sorted(sign for sign in signs if " " not in sign))
    return ShingleProbe(pieces, max(0, len(pieces) - int((1 - least) * len(signs) + 1e-9)))


class NearDuplicateIndex:
    """An index of items by their question and the texts that the question is about; adding an item is cheap. Refused items and
    items without an answer are not indexed, so that they never cause another item to be refused."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items: list[tuple[str, str, str, tuple[Span, ...], frozenset[str]]] = []
        self._places: dict[tuple[str, str], array[int]] = {}
        self._exact: dict[tuple[str, str], list[str]] = {}
        self._there: set[tuple[str, int]] = set()
        self._drafts: dict[tuple[str, str], list[int]] = {}
        for item in items:
            self.add(item)

    def __len__(self) -> int:
        return len(self._items)

    def add(self, item: Item) -> None:
        """Add an item to the index, unless the index already contains this revision of the item."""
        if item.status == "refused" or not item.answers or (item.id, item.revision) in self._there:
            return
        self._there.add((item.id, item.revision))
        signs = shingles(_question_text(item), item.language)
        place = len(self._items)
        answer = item.answers[0] if item.answers else ""
        self._items.append((item.id, item.question, answer, item.evidence, signs))
        if item.provenance.origin == "drafted":
            for document in {span.document for span in item.evidence}:
                self._drafts.setdefault((item.task, document), []).append(place)
        for sign in signs:
            self._places.setdefault((item.language, sign), array("i")).append(place)
        for text in item.answers or ("",):
            self._exact.setdefault((_strip_spaces(_question_text(item)), _strip_spaces(text)), []).append(item.id)

    def list_asked(
        self, task: str, spans: Iterable[Span], most: int = MAX_EARLIER_QUESTIONS, among: int | None = None
    ) -> tuple[str, ...]:
        """Return the questions of the task's last `most` drafts whose evidence overlaps the spans, oldest first. If `among` is
        given, only the first `among` items of the index are searched."""
        last = len(self) if among is None else among
        places = {
            place
            for span in spans
            for place in self._drafts.get((task, span.document), ())
            if place < last and any(e.overlaps(span) for e in self._items[place][3])
        }
        return tuple(self._items[place][1] for place in sorted(places)[-most:])

    def find_same(self, item: Item) -> str | None:
        """Return the id of another item with the same question and an equal answer after normalisation, or None if no item has
        both."""
        question = _strip_spaces(_question_text(item))
        for answer in item.answers or ("",):
            for other in self._exact.get((question, _strip_spaces(answer)), ()):
                if other != item.id:
                    return other
        return None

    def find_near(self, item: Item, least: float = NEAR_JACCARD) -> list[SimilarItem]:
        """Return the other items whose question has a Jaccard index of at least `least` with the item's, most similar first."""
        signs = shingles(_question_text(item), item.language)
        near = []
        for place in self._candidates(signs, item.language, least):
            other, question, answer, evidence, having = self._items[place]
            if other != item.id:
                both = len(signs & having)
                jaccard = both / (len(signs) + len(having) - both)
                if jaccard >= least:
                    near.append(SimilarItem(other, question, answer, evidence, jaccard))
        return sorted(near, key=lambda n: (-n.jaccard, n.item))

    def _candidates(self, signs: frozenset[str], language: str, least: float) -> list[int]:
        """Return the indices of the items whose question may have a Jaccard index of at least `least` with the shingles in
        `signs`. A question with a Jaccard index of at least `least` lacks at most (1 - least) n of the n shingles, so it has at
        least m of any (1 - least) n + m of the shingles. Items are counted only in the posting lists of the rarest shingles,
        which are the shortest lists."""
        import numpy as np

        lists = sorted((self._places[language, sign] for sign in signs if (language, sign) in self._places), key=len)
        missing = int((1 - least) * len(signs) + 1e-9) - (len(signs) - len(lists))
        if missing < 0 or not lists:
            return []
        more = 1 + len(signs) // 3
        looked = lists[: missing + more]
        counts = np.bincount(np.concatenate([np.frombuffer(places.tobytes(), np.int32) for places in looked]))
        likely = np.flatnonzero(counts >= max(1, len(looked) - missing))
        return [place for place in likely.tolist() if least * len(signs) <= len(self._items[place][4]) + 1e-9]


def near_pairs(items: Iterable[Item], least: float = NEAR_JACCARD) -> Iterator[tuple[Item, Item, float]]:
    """Yield (item, item, Jaccard index) for every two items of one language whose questions, together with the texts they are
    about, have a Jaccard index of at least `least`. Comparing all items at once is much faster than a lookup per item: only
    items that share MIN_SHARED_SHINGLES of their rarest shingles are compared (prefix filter: Chaudhuri et al. 2006; more than
    one shared: Wang et al. 2012)."""
    numbers: dict[str, int] = {}

    def number_shingles(item: Item) -> "array[int]":
        ordered = sorted(shingles(_question_text(item), item.language))
        return array("i", [numbers.setdefault(sign, len(numbers)) for sign in ordered])

    signs = [(item, number_shingles(item)) for item in items]
    counts = Counter(chain.from_iterable(own_numbers for _, own_numbers in signs))
    rank = {number: place for place, number in enumerate(sorted(counts, key=lambda number: (counts[number], number)))}
    places: dict[tuple[str, int], list[int]] = {}
    done: list[tuple[Item, array[int]]] = []
    for item, own_numbers in sorted(signs, key=lambda pair: (len(pair[1]), pair[0].id)):
        having, slack = set(own_numbers), int((1 - least) * len(own_numbers) + 1e-9)
        rarest = [(item.language, sign) for sign in sorted(own_numbers, key=rank.__getitem__)[: slack + MIN_SHARED_SHINGLES]]
        shared = Counter(chain.from_iterable(places.get(sign, ()) for sign in rarest))
        needed = min(MIN_SHARED_SHINGLES, len(own_numbers) - slack)
        for place in sorted(place for place, n in shared.items() if n >= needed):
            other, others = done[place]
            both = len(having.intersection(others))
            jaccard = both / (len(having) + len(others) - both)
            if jaccard >= least:
                yield other, item, jaccard
        for sign in rarest:
            places.setdefault(sign, []).append(len(done))
        done.append((item, own_numbers))


class NearDuplicateOverlay(NearDuplicateIndex):
    """An index that contains the items of another index, `ground`, and further items. The further items are added only to this
    index, so that searches in `ground` do not find them."""

    def __init__(self, ground: NearDuplicateIndex) -> None:
        super().__init__()
        self._ground = ground

    def list_asked(
        self, task: str, spans: Iterable[Span], most: int = MAX_EARLIER_QUESTIONS, among: int | None = None
    ) -> tuple[str, ...]:
        where = tuple(spans)
        return (*self._ground.list_asked(task, where, most), *super().list_asked(task, where, most, among))[-most:]

    def find_same(self, item: Item) -> str | None:
        return self._ground.find_same(item) or super().find_same(item)

    def find_near(self, item: Item, least: float = NEAR_JACCARD) -> list[SimilarItem]:
        return sorted(
            [*self._ground.find_near(item, least), *super().find_near(item, least)], key=lambda n: (-n.jaccard, n.item)
        )


def _question_text(item: Item) -> str:
    """Return the item's question together with the input texts that it is about."""
    return "\n".join([item.question, *item.inputs.values()])


def _strip_spaces(text: str) -> str:
    """Return the normalised text without spaces, so that the answers "1.4 米" and "1.4米" are equal."""
    return normalise_words(text).replace(" ", "")
