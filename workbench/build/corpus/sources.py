"""Find the documents that belong to a release's items: their evidence, the sources that RAG systems must not retrieve, and
copies of these sources that would reveal the answers."""

from collections.abc import Callable, Mapping, Sequence

from builders.near_duplicates.leakage import leakage, report
from builders.task import exclude_nothing, tasks
from core.as_json import Json
from core.nouns import Document, Item, Span
from store.releases.releases import ReleaseMembers


def cutter(documents: Sequence[Document]) -> Callable[[Span], str]:
    """Return a function that returns the text of a span; the text is "" if the span's document is not among `documents`."""
    texts = {document.id: document.text for document in documents}
    return lambda span: texts[span.document][span.start : span.end] if span.document in texts else ""


def sources_of(items: Sequence[Item]) -> set[str]:
    """Return the ids of the documents that contain the answers of `items` and that RAG systems must not retrieve."""
    return {id_ for item in items if (task := tasks().get(item.task)) for id_ in task.excluded_documents(item)}


def leaves_any_out(task: str) -> bool:
    """Return whether items of `task` have a source document that RAG systems must not retrieve."""
    return task in tasks() and tasks()[task].excluded_documents is not exclude_nothing


def copies_of(sources: Mapping[str, str], corpus: Sequence[Document]) -> set[str]:
    """Return the ids of the documents in `corpus` that are exact or near copies of a document in `sources`, a dict from id to
    text."""
    leaks = leakage(sources, ((document.id, document.text) for document in corpus))
    return {name for leak in leaks for name in (*leak.exact, *(copy.document for copy in leak.near))}


def leakage_of(content: ReleaseMembers) -> dict[str, Json]:
    """Return a report on how much text of the excluded sources the other documents of the release still contain, in the format
    of builders/near_duplicates/leakage.py. The report is empty if no source is excluded."""
    if not content.left_out:
        return {}
    wanted = sources_of(content.items)
    sources = {d.id: d.text for d in content.documents if d.id in content.left_out and d.id in wanted}
    corpus = content.retrieval
    return report(leakage(sources, ((document.id, document.text) for document in corpus)), len(corpus))
