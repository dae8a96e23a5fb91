"""Provide code for the tasks that make items by reverse construction. A task of reverse construction makes the question and the
answer from a source article, which retrieval then excludes. The shared code searches for other documents about the event of the
source article, compares each of them with the article, records the comparison in a step of the item, and builds the item."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.drafting.searching import ask_queries, describe_search
from builders.near_duplicates.near_copies import judge, limits
from builders.task import Kit, Window
from core.nouns import Document, Item

SOURCE = "source"
"""Key in an item's labels under which the id of its source document is stored."""


class SourceSearch(NamedTuple):
    """The result of searching for other documents about the same event as a source document."""

    kept: tuple[Document, ...]
    """Documents that the search found and that are not near copies of the source, each once, in the order of the search
    results."""
    steps: tuple[Mapping[str, Any], ...]
    """Steps of the item, one per query, with all documents found and the reasons for keeping or dropping each."""


async def search(queries: Sequence[str], window: Window, kit: Kit) -> SourceSearch:
    """Search with the queries for documents on the source's event, drop near copies of the source, and add the kept documents
    to the corpus. Raises SearchFailed if the search fails."""
    source = window.given_documents[0]
    text = "\n".join(sentence.text for sentence in window.sentences.sentences)
    limit = limits(kit, window.language)
    asked, found = await ask_queries(queries, source, kit)
    judged = judge(text, source, window.language, found, limit, kit.similarity)
    verdicts = {hit.found.document.id: hit for hit in judged}
    kept = tuple(replace(hit.found.document, domain=window.domain) for hit in judged if hit.kept)
    await kit.add_documents(kept)
    told = [(query, [verdicts[hit.document.id]._replace(found=hit).step for hit in hits]) for query, hits in asked]
    return SourceSearch(kept, tuple(describe_search(query, hits, limit, kit) for query, hits in told))


def left_out(item: Item) -> tuple[str, ...]:
    """Return the ids of the documents that retrieval must exclude for this item: its source document, or none if it has no
    source."""
    source = item.labels.get(SOURCE)
    return (source,) if isinstance(source, str) and source else ()
