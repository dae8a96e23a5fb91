"""Find groups of related documents, for questions on several documents. A search provider finds documents similar to a starting
document. The group consists of the starting document and documents that share a rare name with it; no document of the group is
a near copy of another. One of the item's drafting steps records every search hit, and why the hit was chosen or not."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

from builders.drafting.searching import ask_queries, describe_search
from builders.drafting.windows import join_documents, tokens_of
from builders.near_duplicates.near_copies import JudgedHit, containment, judge, limits
from builders.task import FoundDocument, Kit, Window
from builders.variation.proper_names import lead, proper_names
from core.nouns import Document

MAX_SEARCHED_NAMES = 6
"""Maximum number of proper names in the second search query; the first query is the beginning of the document."""
MAX_STARTING_NAMES = 40
"""Maximum number of proper names taken from the starting document of a group, most frequent first."""
RARE_SHARE, RARE_LEAST = 0.1, 20
"""A name is rare if at most RARE_LEAST documents of the corpus contain the name, or if the share of the documents that contain
it is at most RARE_SHARE."""
NUMBERS = {2: "two", 3: "three"}


class DocumentGroup(NamedTuple):
    """A group of related documents, on which a question is drafted."""

    documents: tuple[Document, ...]
    """Documents of the group, the starting document first."""
    shared: str
    """A rare name that all documents of the group contain."""


class GroupHit(NamedTuple):
    """One document found by a search, with the facts that decide whether it can join the group."""

    judged: JudgedHit
    names: tuple[str, ...]
    """Rare names that the document shares with the starting document, rarest first."""
    why: str
    """Reason why the document cannot be in a group with the starting document; "" = the document can be in the group."""


async def gather(task_name: str, size: int, window: Window, kit: Kit) -> Window:
    """Return a window of `size` related documents: the window's starting document, and documents that a search finds. If there
    are not enough related documents, return the given window, marked as unusable with the reason. Found documents are added to
    the corpus. Raises SearchFailed if the search fails."""
    start = window.start
    if start is None:  # the documents of the window are already gathered
        return window
    names = (await asyncio.to_thread(proper_names, start.text, start.language))[:MAX_STARTING_NAMES]
    queries = filter(None, dict.fromkeys((lead(start.text, start.language), " ".join(names[:MAX_SEARCHED_NAMES]))))
    asked, found = await ask_queries(queries, start.id, kit)
    common = [name for name in names if sum(name in hit.document.text for hit in found) >= size - 1]
    holding = await kit.count_documents(common)
    limit = limits(kit, start.language) | {"rare": rare_below(holding.documents)}
    rare = sorted((name for name in common if holding.with_words[name] <= limit["rare"]), key=holding.with_words.__getitem__)
    marks = _mark_hits(window, start, found, rare, limit, kit)
    group, why = await asyncio.to_thread(_choose_group, start, marks, rare, size, limit)
    explained = _explain_hits(marks, group, size)
    steps = []
    for query, hits in asked:
        own = [(hit, *explained[hit.document.id]) for hit in hits]
        rows = [judged._replace(found=hit).step | {"shared": list(names)} for hit, judged, names in own]
        steps.append(describe_search(query, rows, limit, kit))
    if group is None:
        return replace(window, unfit=why, steps=tuple(steps))
    await kit.add_documents([replace(document, domain=window.domain) for document in group.documents[1:]])
    return join_documents(task_name, group.documents, steps)


def rare_below(documents: int) -> int:
    """Return the highest number of documents in which a rare name may occur, in a corpus of `documents` documents."""
    return max(RARE_LEAST, int(RARE_SHARE * documents))


def _mark_hits(
    window: Window, start: Document, hits: Sequence[FoundDocument], rare: Sequence[str], limit: Mapping[str, Any], kit: Kit
) -> list[GroupHit]:
    """Return every search hit as a GroupHit, with the rare names that it shares and the reason why it cannot join the group, if
    any."""
    marks = []
    for judged in judge(start.text, start.id, start.language, hits, limit, kit.similarity):
        document = judged.found.document
        names = tuple(name for name in rare if name in document.text)
        why = "" if judged.kept else judged.why
        if not why and document.language != start.language:
            why = "It is in another language."
        elif not why and tokens_of(document) > window.room:
            why = f"It has more than {window.room:,} tokens."
        elif not why and not names:
            why = "It shares no rare name with the first document."
        marks.append(GroupHit(judged, names, why))
    return marks


def _choose_group(
    start: Document, marks: Sequence[GroupHit], rare: Sequence[str], size: int, limit: Mapping[str, Any]
) -> tuple[DocumentGroup | None, str]:
    """Return the first suitable group of documents as (group, ""). If no group is suitable, return (None, the reason)."""
    lacks = "without a related one" if size == 2 else f"without {NUMBERS[size - 1]} related ones"
    group = next(_groups(start, marks, rare, size, limit), None)
    return group, "" if group else lacks


def _groups(
    start: Document, marks: Sequence[GroupHit], rare: Sequence[str], size: int, limit: Mapping[str, Any]
) -> Iterator[DocumentGroup]:
    """Yield every possible group of documents that share a rare name. Groups are sorted by the rarity of the name, rarest
    first, then by the order of the search results."""
    related = [mark for mark in marks if not mark.why]
    seen: set[frozenset[str]] = set()
    copies: dict[tuple[str, str], bool] = {}

    def is_copy(document: Document, other: Document) -> bool:
        if (document.id, other.id) not in copies:
            share = containment(document.text, other.text, document.language) or 0.0
            copies[document.id, other.id] = share >= limit["containment"]
        return copies[document.id, other.id]

    for name in rare:
        members = [mark.judged.found.document for mark in related if name in mark.names]
        for others in combinations(members, size - 1):
            ids = frozenset(document.id for document in others)
            if ids not in seen and not any(is_copy(first, other) for first, other in combinations(others, 2)):
                seen.add(ids)
                yield DocumentGroup((start, *others), name)


def _explain_hits(
    marks: Sequence[GroupHit], group: DocumentGroup | None, size: int
) -> Mapping[str, tuple[JudgedHit, Sequence[str]]]:
    """Return a dict from document id to (search hit with the decision and its reason as a sentence, shared names)."""
    inside = {document.id for document in group.documents} if group else set()
    explained = {}
    for mark in marks:
        name = mark.judged.found.document.id
        shares = f"It shares {', '.join(mark.names[:4])} with the first document"
        if name in inside:
            explained[name] = (mark.judged._replace(kept=True, why=f"{shares}."), mark.names)
        else:
            rest = f"; the group has its {size} without it." if group else "."
            explained[name] = (mark.judged._replace(kept=False, why=mark.why or shares + rest), mark.names)
    return explained
