"""The corpus: documents come in, and are looked at again."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from builders.ingest import Already, Refused, ingest
from builders.samples import sample_documents, sample_items
from core.nouns import Document, Span
from core.records import document_record
from store import documents, items
from store.database import Database

BATCH = 200
"""Documents written in one transaction."""


class CorpusStage:
    """Verbs on documents."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._texts: dict[str, Document] = {}

    def add(
        self, paths: Iterable[str | Path], *, domain: str | None, language: str | None, form: str = "auto",
        licence: str | None = None, say: Callable[[str], None] = lambda message: None,
    ) -> dict[str, Any]:  # fmt: skip
        """Files and folders become documents, one by one: bad ones are reported and the rest goes in."""
        found: dict[str, Any] = {"added": [], "already": [], "refused": []}
        waiting: list[Document] = []

        def store() -> None:
            new = set(documents.add(self._db, waiting).added)
            found["added"] += [document_record(d, with_text=False) for d in waiting if d.id in new]
            if len(found["added"]) >= BATCH:
                say(f"{len(found['added'])} added ...")
            waiting.clear()

        known = {d.id for d in documents.listed(self._db)}
        for one in ingest([Path(p) for p in paths], domain, language, form, licence, known.__contains__):
            if isinstance(one, Document):
                known.add(one.id)
                waiting.append(one)
                if len(waiting) >= BATCH:
                    store()
            elif isinstance(one, Already):
                found["already"].append({"where": one.where, "document": one.document})
            elif isinstance(one, Refused):
                found["refused"].append({"where": one.where, "line": one.line, "message": one.message})
        store()
        return found

    def load_samples(self) -> None:
        """The sample documents and their reviewed items, unless they are there."""
        found = sample_documents()
        documents.add(self._db, found)
        items.add(self._db, sample_items(found))

    def document(self, document: str) -> Document:
        """A document with its text, kept after the first look."""
        if document not in self._texts:
            self._texts[document] = documents.get(self._db, document)
        return self._texts[document]

    def text(self, span: Span) -> str:
        """The text of a span."""
        return self.document(span.document).text[span.start : span.end]

    def chosen(self, domain: str, language: str | None = None) -> list[Document]:
        """The documents of a domain ("all" = every one) and language, with their texts, in the order they came in."""
        return documents.many(self._db, domain=None if domain == "all" else domain, language=language)

    def every(self) -> list[Document]:
        """All documents with their texts."""
        return documents.many(self._db)
