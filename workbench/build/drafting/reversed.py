"""Items made by reverse construction, as a lead reads them: the source, what was searched for, and every hit kept or dropped
with its score."""

from collections.abc import Mapping
from typing import Any

from builders.task import tasks
from core.errors import BenchError
from core.nouns import Document, Item
from store.corpus import documents
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import Search
from store.queue.kind import ItemKind
from workbench.build.corpus.sources import leaves_any_out
from workbench.roles import act


class ReverseStage:
    """Verbs that look at them."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @act("draft items", is_logged=False)
    def counts(self) -> dict[str, int]:
        """Task -> how many items there are of it, of every task that keeps a source from retrieval."""
        found = dict.fromkeys((name for name in tasks() if leaves_any_out(name)), 0)
        for count in items.counts(self._db):
            if count.task in found:
                found[count.task] += count.items
        return found

    @act("draft items", is_logged=False)
    def page(self, task: str, limit: int, offset: int) -> list[dict[str, Any]]:
        """{"id", "question", "status", "language", "domain", "kept", "dropped"} of its items, newest first."""
        ids = finding.ids(self._db, Search(ItemKind(task=task)))[offset : offset + limit]
        return [_line(item) for item in items.load_items(self._db, ids)]

    @act("draft items", "id_", is_logged=False)
    def one(self, id_: str) -> dict[str, Any]:
        """{"id", "task", "question", "answer", "status", "source": {"id", "title", "text", "origin"} or None, "cited": the
        answer's evidence in it, "searches": [{"query", "provider", "limits", "hits": [{"document", "title", "score", "kept",
        "why", "containment", "cosine"}]}]}. Raises BenchError when there is no such item."""
        item = items.get(self._db, id_)
        wanted = tasks()[item.task].leaves_out(item) if item.task in tasks() else ()
        if not wanted:
            raise BenchError(f"{id_} was not made from a source that is kept from retrieval: choose one of the list.")
        there = {document.id: document for document in documents.load_documents(self._db, wanted)}
        source = there.get(wanted[0])
        return {
            "id": item.id,
            "task": item.task,
            "question": item.question,
            "answer": item.answers[0] if item.answers else "",
            "status": item.status,
            "source": _source(source),
            "cited": [there[s.document].text[s.start : s.end] for s in item.evidence if s.document in there],
            "searches": [dict(step) for step in item.steps if step.get("kind") == "search"],
        }


def _line(item: Item) -> dict[str, Any]:
    kept = _verdicts(item)
    return {
        "id": item.id,
        "question": item.question,
        "status": item.status,
        "language": item.language,
        "domain": item.domain,
        "kept": sum(kept.values()),
        "dropped": len(kept) - sum(kept.values()),
    }


def _verdicts(item: Item) -> Mapping[str, bool]:
    """Every document that was found -> whether it was kept."""
    return {hit["document"]: bool(hit["kept"]) for step in item.steps if step.get("kind") == "search" for hit in step["hits"]}


def _source(document: Document | None) -> dict[str, Any] | None:
    if document is None:
        return None
    return {"id": document.id, "title": document.title, "text": document.text, "origin": document.origin}
