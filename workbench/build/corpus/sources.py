"""The texts of a release's items: their evidence, the sources that retrieval must not see, and the leaks of these sources."""

from collections.abc import Callable, Mapping, Sequence

from builders.near_duplicates.leakage import leakage, report
from builders.task import exclude_nothing, tasks
from core.as_json import Json
from core.nouns import Document, Item, Span
from store.releases.releases import ReleaseMembers


def cutter(documents: Sequence[Document]) -> Callable[[Span], str]:
    """Return a function that cuts the text of a span; "" when the span's document is not among these documents."""
    texts = {document.id: document.text for document in documents}
    return lambda span: texts[span.document][span.start : span.end] if span.document in texts else ""


def sources_of(items: Sequence[Item]) -> set[str]:
    """List the ids of the documents that retrieval must not see because of these items."""
    return {id_ for item in items if (task := tasks().get(item.task)) for id_ in task.excluded_documents(item)}


def leaves_any_out(task: str) -> bool:
    """Return whether items of that task have a source that retrieval must not see."""
    return task in tasks() and tasks()[task].excluded_documents is not exclude_nothing


def copies_of(sources: Mapping[str, str], corpus: Sequence[Document]) -> set[str]:
    """Return the ids of the documents that are exact or near copies of one of the sources (id -> text)."""
    leaks = leakage(sources, ((document.id, document.text) for document in corpus))
    return {name for leak in leaks for name in (*leak.exact, *(copy.document for copy in leak.near))}


def leakage_of(content: ReleaseMembers) -> dict[str, Json]:
    """Return the text of excluded sources that the retrieval corpus still contains, in the format of
    builders/near_duplicates/leakage.py; empty if no source is excluded."""
    if not content.left_out:
        return {}
    wanted = sources_of(content.items)
    sources = {d.id: d.text for d in content.documents if d.id in content.left_out and d.id in wanted}
    corpus = content.retrieval
    return report(leakage(sources, ((document.id, document.text) for document in corpus)), len(corpus))
