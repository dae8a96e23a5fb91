"""Make absence twins. A twin hides the passages with an item's evidence, near copies of the evidence, and passages that hold a
gold answer or enough of it.

What was hidden is then checked by another way: a BM25 search for the question and its answers; what it finds with an answer
among its first CHECKED_HITS visible passages, by the rules that compare figures and dates by value, is hidden too, until it
finds nothing. An item gets no twin, with a reason, if too much would have to be hidden or nothing can be searched for."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from typing import NamedTuple

from builders.absence.answer_search import find_answers, find_holders, list_terms, list_wanted_terms
from builders.drafting.answers import is_unanswerable
from builders.near_duplicates.near_copies import grams
from core.errors import BenchError
from core.nouns import Document, Item, Span
from core.quality.crag import INVALID_QUESTION
from core.retrieval.absence import DEFAULT_MOST, AbsenceTwin, HiddenPassage, Obstacle, Reason, overlaps
from core.retrieval.chunks import chunk
from core.retrieval.search import Bm25Index
from core.text.language import may_match
from core.wording.answer_leaks import find_leaked_answer

PASSAGE_TOKENS = 256
"""Maximum number of tokens of a passage that is hidden as a whole."""
EDGE_CHARACTERS = 200
"""Number of characters on each side of a cut between two passages that are searched together for an answer that was cut."""
COPIED_SHARE = 0.3
"""Least share (0..1) of the 5-grams of a piece of evidence that a near copy of it has. Of a copy that lacks one word in ten at
random, 0.9 ** 5 = 59 % of the 5-grams are left, and 33 % of one that lacks one in five."""
CHECKED_HITS = 10
"""Number of visible passages that the checking search looks at for each twin."""


class AbsenceTwins(NamedTuple):
    """The twins of the chosen items, and why the others have none."""

    twins: list[AbsenceTwin]
    obstacles: dict[str, Obstacle]
    """A dict from each chosen item without a twin to the reason."""


def draw_items(items: Sequence[Item], share: float, seed: int, what: str = "absence twins") -> list[Item]:
    """Draw the given share (above 0, at most 1) of the items at random, at least one, in the order of the items. `what` says
    what they are drawn for; its first word and the seed decide the draw. Raises BenchError for another share."""
    if not 0 < share <= 1:
        raise BenchError(f"The share of {what} is {share:g}: give a number above 0 and at most 1.")
    names = sorted(item.id for item in items)
    chosen = set(random.Random(f"{seed}:{what.split()[0]}").sample(names, min(len(names), max(1, round(share * len(names))))))
    return [item for item in items if item.id in chosen]


def make_twins(items: Sequence[Item], documents: Sequence[Document], most: int = DEFAULT_MOST) -> AbsenceTwins:
    """Return a twin for each item whose evidence can be taken out of the documents that systems search, by hiding at most
    `most` passages. Raises BenchError if `most` is below 1."""
    if most < 1:
        raise BenchError(f"An absence twin may hide {most} passages: allow 1 or more.")
    obstacles: dict[str, Obstacle] = {}
    wanted: dict[str, list[frozenset[str]]] = {}
    for item in items:
        sets = [list_wanted_terms(answer, item.language) for answer in item.answers]
        if not item.answers or is_unanswerable(item) or INVALID_QUESTION in item.answers[0].lower():
            obstacles[item.id] = "unanswerable"
        elif item.inputs:
            obstacles[item.id] = "own text"
        elif not all(sets):
            obstacles[item.id] = "general answer"
        else:
            wanted[item.id] = list(dict.fromkeys(terms for own in sets for terms in own))
    usable = [item for item in items if item.id in wanted]
    if not usable:
        return AbsenceTwins([], obstacles)
    passages = _Passages(documents)
    hidden: dict[str, dict[int, Reason]] = {
        item.id: {place: "evidence" for span in item.evidence for place in passages.find_places(span)} for item in usable
    }
    _hide_more(hidden, passages.find_near_copies(usable), "near copy")
    _hide_more(hidden, passages.find_answers(wanted), "answer")
    twins = []
    for item in usable:
        limit = min(most, len(passages.list_places(item.language)) // 2)
        if len(hidden[item.id]) <= limit and passages.hide_found(item, hidden[item.id], limit) and hidden[item.id]:
            of_item = [HiddenPassage(passages.spans[place], why) for place, why in hidden[item.id].items()]
            twins.append(AbsenceTwin(item.id, tuple(sorted(of_item))))
        else:
            obstacles[item.id] = "too much to hide" if hidden[item.id] else "nothing to hide"
    return AbsenceTwins(twins, obstacles)


def _hide_more(hidden: dict[str, dict[int, Reason]], found: Mapping[str, set[int]], why: Reason) -> None:
    """Add the passages that were found for each item to those that are hidden already, which keep their reasons."""
    for name, places in found.items():
        for place in sorted(places):
            hidden[name].setdefault(place, why)


class _Passages:
    """The passages of a corpus, and the ways to find those that prove an answer."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = {document.id: document for document in documents}
        self.spans: list[Span] = []
        self._of_document: dict[str, range] = {}
        for document in documents:
            first = len(self.spans)
            self.spans += chunk(document, PASSAGE_TOKENS)
            self._of_document[document.id] = range(first, len(self.spans))
        self._places: dict[str, list[int]] = {}
        self._indexes: dict[str, tuple[Bm25Index, Mapping[Span, int]]] = {}

    def text(self, span: Span) -> str:
        document = self.documents.get(span.document)
        return document.text[span.start : span.end] if document else ""

    def list_places(self, language: str) -> list[int]:
        """Return the indexes of the passages that may be in the language."""
        if language not in self._places:
            fit = [self.documents[span.document].language for span in self.spans]
            self._places[language] = [place for place, own in enumerate(fit) if may_match(own, language)]
        return self._places[language]

    def find_places(self, span: Span) -> list[int]:
        """Return the indexes of the passages that share a character with the span."""
        return [place for place in self._of_document.get(span.document, ()) if overlaps(self.spans[place], span)]

    def find_near_copies(self, items: Sequence[Item]) -> dict[str, set[int]]:
        """Return, by item, the passages with COPIED_SHARE or more of the 5-grams of a piece of its evidence; the pieces are cut
        where passages are."""
        owners: dict[frozenset[tuple[str, ...]], set[str]] = defaultdict(set)
        for item in items:
            for span in item.evidence:
                for place in self.find_places(span):
                    own = self.spans[place]
                    piece = Span(own.document, max(own.start, span.start), min(own.end, span.end))
                    owners[self._grams(piece)].add(item.id)
        owners.pop(frozenset(), None)
        found = find_holders(list(owners), map(self._grams, self.spans), lambda size: ceil(COPIED_SHARE * size))
        copies: dict[str, set[int]] = defaultdict(set)
        for names, places in zip(owners.values(), found, strict=True):
            for name in names:
                copies[name].update(places)
        return copies

    def _grams(self, span: Span) -> frozenset[tuple[str, ...]]:
        return grams(self.text(span), self.documents[span.document].language)

    def find_answers(self, wanted: Mapping[str, Sequence[frozenset[str]]]) -> dict[str, set[int]]:
        """Return, by item, the passages that hold one of the item's sets of terms; both passages if a cut goes through it."""
        distinct = list(dict.fromkeys(terms for sets in wanted.values() for terms in sets))
        edges = [at for at in range(1, len(self.spans)) if self.spans[at - 1].document == self.spans[at].document]
        texts = (list_terms(self.text(span)) for span in self.spans)
        joints = (list_terms(self._text_around(self.spans[at])) for at in edges)
        found = dict(zip(distinct, find_answers(distinct, (terms for part in (texts, joints) for terms in part)), strict=True))
        holders: dict[str, set[int]] = {}
        for name, sets in wanted.items():
            rows = {row for terms in sets for row in found[terms]}
            whole = {row for row in rows if row < len(self.spans)}
            cut = {edges[row - len(self.spans)] for row in rows - whole}
            missed = {at for at in cut if not whole & {at - 1, at}}
            holders[name] = whole | missed | {at - 1 for at in missed}
        return holders

    def _text_around(self, span: Span) -> str:
        start = max(0, span.start - EDGE_CHARACTERS)
        return self.documents[span.document].text[start : span.start + EDGE_CHARACTERS]

    def hide_found(self, item: Item, hidden: dict[int, Reason], limit: int) -> bool:
        """Search for the item's question with each of its answers, and add to `hidden` what the search finds with an answer,
        until it finds nothing. Return whether at most `limit` passages are then hidden."""
        for answer in item.answers:
            while len(hidden) <= limit:
                places = self._search(f"{item.question} {answer}", item.language, CHECKED_HITS + len(hidden))
                visible = [place for place in places if place not in hidden][:CHECKED_HITS]
                new = [at for at in visible if find_leaked_answer("", self.text(self.spans[at]), item.answers)]
                if not new:
                    break
                hidden |= dict.fromkeys(new, "found by search")
        return len(hidden) <= limit

    def _search(self, query: str, language: str, k: int) -> list[int]:
        if language not in self._indexes:
            places = {self.spans[place]: place for place in self.list_places(language)}
            index = Bm25Index(list(places), [self.text(span) for span in places], language)
            self._indexes[language] = (index, places)
        index, places_of = self._indexes[language]
        return [places_of[hit.span] for hit in index.search(query, k)]
