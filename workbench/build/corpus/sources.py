"""The texts of a release's items: what evidence says, and the sources that retrieval must not see, with what of them leaks."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from builders.near_duplicates.leakage import leakage, report
from builders.task import nothing_left_out, tasks
from core.nouns import Document, Item, Span
from store.releases.releases import Members


def cutter(found: Sequence[Document]) -> Callable[[Span], str]:
    """span -> its text."""
    texts = {document.id: document.text for document in found}
    return lambda span: texts[span.document][span.start : span.end] if span.document in texts else ""


def sources_of(found: Sequence[Item]) -> set[str]:
    """Ids of the documents that retrieval must not see for the sake of these items."""
    known = tasks()
    return {id_ for item in found if item.task in known for id_ in known[item.task].leaves_out(item)}


def leaves_any_out(task: str) -> bool:
    """Whether items of that task have a source that retrieval must not see."""
    known = tasks()
    return task in known and known[task].leaves_out is not nothing_left_out


def copies_of(sources: Mapping[str, str], corpus: Sequence[Document]) -> set[str]:
    """Ids of the documents that are exact or near copies of one of the sources (id -> text)."""
    leaks = leakage(sources, ((document.id, document.text) for document in corpus))
    return {name for leak in leaks for name in (*leak.exact, *(one.document for one in leak.near))}


def leakage_of(content: Members) -> dict[str, Any]:
    """What of the left-out sources still stands in the retrieval corpus (builders/near_duplicates/leakage.py); empty where none
    is left out."""
    if not content.left_out:
        return {}
    wanted = sources_of(content.items)
    sources = {d.id: d.text for d in content.documents if d.id in content.left_out and d.id in wanted}
    corpus = content.retrieval
    return report(leakage(sources, ((document.id, document.text) for document in corpus)), len(corpus))
