"""Groups of related documents: from one document the search provider finds others; those that share a rare name with it, and
are no near copies of it or of each other, make a group. Every hit is kept in a step with its reason."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any, NamedTuple

from builders.near_copies import Judged, containment, judge, limits
from builders.proper_names import lead, proper_names
from builders.task import Found, Kit, Window
from builders.windows import together, tokens_of
from core.nouns import Document

HITS = 10
"""Hits of one search."""
NAMED = 6
"""Names that the second search asks for."""
LOOKED_AT = 40
"""Names of the starting document, the most frequent ones."""
RARE_SHARE, RARE_LEAST = 0.1, 20
"""A name is rare that stands in at most this share of the corpus's documents, or in at most so many."""
TRIED = 60
"""Groups of one starting document that are looked at."""
NUMBERS = {2: "two", 3: "three"}

Suits = Callable[[Sequence[Document]], str]
"""A group -> why nothing could be asked about it, to stand after "1 document"; empty = it suits."""


class Group(NamedTuple):
    """Related documents."""

    documents: tuple[Document, ...]
    """The starting one first."""
    shared: str
    """A rare name that stands in all of them."""


class Mark(NamedTuple):
    """One hit and what is known of it."""

    judged: Judged
    names: tuple[str, ...]
    """Rare names that it shares with the starting document, the rarest first."""
    why: str
    """Why it can be in no group; empty = it is related."""


async def gather(task_name: str, size: int, window: Window, kit: Kit, suits: Suits = lambda documents: "") -> Window:
    """The window of the group of `size` documents around the window's start; unfit, with the reason, where there is none. The
    documents of the group are in the corpus then. Raises SearchFailed."""
    start = window.start
    if start is None:  # it was gathered before
        return window
    names = (await asyncio.to_thread(proper_names, start.text, start.language))[:LOOKED_AT]
    asked: list[tuple[str, list[Found]]] = []
    for query in filter(None, dict.fromkeys((lead(start.text, start.language), " ".join(names[:NAMED])))):
        asked.append((query, await kit.find(query, HITS, frozenset({start.id}))))
    found = {one.document.id: one for _, hits in reversed(asked) for one in reversed(hits)}
    order = dict.fromkeys(one.document.id for _, hits in asked for one in hits)
    common = [name for name in names if sum(name in one.document.text for one in found.values()) >= size - 1]
    holding = await kit.holds(common)
    limit = limits(kit, start.language) | {"rare": rare_below(holding.documents)}
    rare = sorted((name for name in common if holding.with_words[name] <= limit["rare"]), key=holding.with_words.__getitem__)
    marks = _marked(window, start, [found[name] for name in order], rare, limit, kit)
    group, why = await asyncio.to_thread(_chosen, start, marks, rare, size, limit, suits)
    steps = [_step(query, hits, _told(marks, group, size), limit, kit) for query, hits in asked]
    if group is None:
        return replace(window, unfit=why, steps=tuple(steps))
    await kit.keep([replace(document, domain=window.domain) for document in group.documents[1:]])
    return together(task_name, group.documents, steps)


def rare_below(documents: int) -> int:
    """In so many documents of a corpus of that size a name may stand and be rare."""
    return max(RARE_LEAST, int(RARE_SHARE * documents))


def _marked(
    window: Window, start: Document, found: Sequence[Found], rare: Sequence[str], limit: Mapping[str, Any], kit: Kit
) -> list[Mark]:
    """Every hit with what is known of it."""
    marks = []
    for one in judge(start.text, start.id, start.language, found, limit, kit.likeness):
        document = one.found.document
        names = tuple(name for name in rare if name in document.text)
        why = "" if one.kept else one.why
        if not why and document.language != start.language:
            why = "It is in another language."
        elif not why and tokens_of(document) > window.room:
            why = f"It has more than {window.room:,} tokens."
        elif not why and not names:
            why = "It shares no rare name with the first document."
        marks.append(Mark(one, names, why))
    return marks


def _chosen(
    start: Document, marks: Sequence[Mark], rare: Sequence[str], size: int, limit: Mapping[str, Any], suits: Suits
) -> tuple[Group | None, str]:
    """The first group that suits, or why there is none."""
    lacks = "without a related one" if size == 2 else f"without {NUMBERS[size - 1]} related ones"
    for group in islice(_groups(start, marks, rare, size, limit), TRIED):
        why = suits(group.documents)
        if not why:
            return group, ""
        lacks = why
    return None, lacks


def _groups(
    start: Document, marks: Sequence[Mark], rare: Sequence[str], size: int, limit: Mapping[str, Any]
) -> Iterator[Group]:
    """Groups whose documents share a rare name, the rarest name first, then in the order that the documents were found."""
    related = [mark for mark in marks if not mark.why]
    seen: set[frozenset[str]] = set()
    copies: dict[tuple[str, str], bool] = {}

    def is_copy(one: Document, other: Document) -> bool:
        if (one.id, other.id) not in copies:
            share = containment(one.text, other.text, one.language) or 0.0
            copies[one.id, other.id] = share >= limit["containment"]
        return copies[one.id, other.id]

    for name in rare:
        members = [mark.judged.found.document for mark in related if name in mark.names]
        for others in combinations(members, size - 1):
            ids = frozenset(document.id for document in others)
            if ids not in seen and not any(is_copy(one, other) for one, other in combinations(others, 2)):
                seen.add(ids)
                yield Group((start, *others), name)


def _told(marks: Sequence[Mark], group: Group | None, size: int) -> dict[str, tuple[Mark, bool, str]]:
    """Document -> whether it is in the group, and why."""
    inside = {document.id for document in group.documents} if group else set()
    told = {}
    for mark in marks:
        name = mark.judged.found.document.id
        shares = f"It shares {', '.join(mark.names[:4])} with the first document"
        if name in inside:
            told[name] = (mark, True, f"{shares}.")
        else:
            rest = f"; the group has its {size} without it." if group else "."
            told[name] = (mark, False, mark.why or shares + rest)
    return told


def _step(
    query: str, hits: Sequence[Found], told: Mapping[str, tuple[Mark, bool, str]], limit: Mapping[str, Any], kit: Kit
) -> dict[str, Any]:
    rows = []
    for hit in hits:
        mark, is_kept, why = told[hit.document.id]
        row = mark.judged._replace(found=hit, kept=is_kept, why=why).step
        rows.append(row | {"shared": list(mark.names)})
    return {"kind": "search", "query": query, "provider": kit.provider, "k": HITS, "limits": dict(limit), "hits": rows}
