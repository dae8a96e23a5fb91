"""The corpus: documents come in, and are looked at again."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from builders.drafting.samples import sample_documents, sample_items
from builders.ingest import Already, Named, Original, RefusedFile, domain_name, ingest
from core.errors import BenchError
from core.nouns import Document, Span
from core.records import document_record
from core.text.text import count_tokens
from store.corpus import document_changes, document_pages, documents, originals
from store.corpus.document_pages import DocumentRow, Filter
from store.engine.database import Database
from store.items import board, items
from store.jobs import jobs
from workbench.control import Control
from workbench.roles import act

__all__ = ["CorpusStage", "DocumentRow", "Filter", "Length"]

T = TypeVar("T")
BATCH = 1000
"""Documents written in one transaction."""
BATCH_BYTES = 32 * 2**20
"""Bytes of their files that wait to be written, about: each is held in memory until then."""
LONGEST_LICENCE = 100


class Length(NamedTuple):
    """How many characters a document must have to come in."""

    least: int | None = None
    most: int | None = None
    """None = no bound."""

    def check(self) -> None:
        """Raises BenchError when no document can be that long."""
        for bound in self:
            if bound is not None and bound < 1:
                raise BenchError(f"A length of {bound} characters is none: give at least 1, or leave it out.")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise BenchError(f"No text has at least {self.least:,} and at most {self.most:,} characters: change one of them.")

    def misfit(self, text: str) -> str:
        """Why the text stays out, to stand behind its name; "" when it comes in."""
        if self.least is not None and len(text) < self.least:
            return f"has {len(text):,} characters, fewer than {self.least:,}"
        if self.most is not None and len(text) > self.most:
            return f"has {len(text):,} characters, more than {self.most:,}"
        return ""


class CorpusStage:
    """Verbs on documents."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._texts: dict[str, Document] = {}
        self._counts: dict[str, tuple[Any, Any]] = {}

    def known(self) -> set[str]:
        """Ids of the documents that are there."""
        return set(document_pages.ids(self._db))

    @act("change the corpus", lambda given: "documents added", notes=["domain", "licence"])
    def add(
        self,
        paths: Iterable[str | Path | Named],
        *,
        domain: str | None,
        language: str | None,
        form: str = "auto",
        licence: str | None = None,
        say: Callable[[str], None] = lambda message: None,
        known: set[str] | None = None,
        stop: Callable[[], bool] = lambda: False,
        length: Length = Length(),
    ) -> dict[str, Any]:
        """Files and folders become documents, one by one: bad ones are reported and the rest goes in; those that are shorter or
        longer than `length` are left out. `known`: ids that are there, when the caller has them; new ones are put in. `stop` is
        asked after each batch: True ends the work there."""
        found: dict[str, Any] = {"added": [], "already": [], "refused": [], "left_out": []}
        left_out: set[str] = set()
        waiting: dict[str, Document] = {}
        files: dict[str, bytes] = {}

        def store() -> None:
            new = set(documents.add(self._db, list(waiting.values()), files).added)
            found["added"] += [document_record(d, with_text=False) for d in waiting.values() if d.id in new]
            if len(found["added"]) >= BATCH:
                say(f"{len(found['added'])} added ...")
            waiting.clear()
            files.clear()

        length.check()
        known = self.known() if known is None else known
        for one in ingest(paths, domain, language, form, licence, known.__contains__):
            if isinstance(one, Original):
                if one.document in left_out:
                    continue
                if one.document in waiting:
                    files.setdefault(one.document, one.file)
                else:
                    self._complete(one)
                continue
            if len(waiting) >= BATCH or sum(map(len, files.values())) >= BATCH_BYTES:
                store()
                if stop():
                    break
            if isinstance(one, Document) and (why := length.misfit(one.text)):
                left_out.add(one.id)
                found["left_out"].append({"where": one.origin, "message": f"{one.origin} {why}."})
            elif isinstance(one, Document):
                known.add(one.id)
                waiting[one.id] = one
            elif isinstance(one, Already):
                found["already"].append({"where": one.where, "document": one.document})
            elif isinstance(one, RefusedFile):
                found["refused"].append({"where": one.where, "line": one.line, "message": one.message})
        store()
        return found

    @act("change the corpus", lambda given: "tokens counted")
    def plan_count(self) -> str:
        """The job that estimates the tokens of documents that have none yet: those of an older workspace."""
        return jobs.find_or_create(self._db, "count", {})

    async def work_count(self, job: str, control: Control) -> dict[str, Any]:
        """A batch at a time, until none is left."""
        counted = 0
        while not control.look() and (found := await asyncio.to_thread(documents.list_uncounted, self._db, BATCH)):
            tokens = await asyncio.to_thread(lambda batch: {d.id: count_tokens(d.text, d.language) for d in batch}, found)
            documents.set_tokens(self._db, tokens)
            counted += len(found)
            control.say(f"{counted:,} documents counted")
        return {
            "counted": counted,
            "message": f"{counted:,} documents counted.",
            "stopped": "cancelled" if control.stopping else None,
        }

    @act("change the corpus", lambda given: "the samples")
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

    def size(self) -> dict[str, Any]:
        """The whole corpus: documents, estimated tokens (sum, median, p90, longest), how many are uncounted or unlicensed."""
        return self._kept("size", lambda: document_pages.size(self._db)._asdict())

    def sizes(self) -> list[dict[str, Any]]:
        """The same by domain and language."""
        return self._kept("sizes", lambda: [row._asdict() for row in document_pages.sizes(self._db)])

    def page(self, only: Filter, sort: str = "newest", limit: int = 50, offset: int = 0) -> tuple[list[DocumentRow], int]:
        """(a page of the documents that the filter keeps, without their texts, how many it keeps in all)."""
        return document_pages.page(self._db, only, sort, limit, offset), document_pages.count(self._db, only)

    def ids(self, only: Filter) -> list[str]:
        """Ids of all documents that the filter keeps."""
        return document_pages.ids(self._db, only)

    def same_titles(self) -> int:
        """How many documents share their title with another one."""
        return self._kept("same_titles", lambda: document_pages.same_titles(self._db))

    def licences(self) -> list[str]:
        """Licences that documents have."""
        return document_pages.licences(self._db)

    def domains(self) -> list[str]:
        """Domains of the documents."""
        return board.domains(self._db)

    def heading(self, document: str) -> DocumentRow:
        """A document without its text; raises BenchError when there is none of that id."""
        found = document_pages.heading(self._db, document)
        if found is None:
            raise BenchError(f"No document {document} in this workspace.")
        return found

    def stretch(self, document: str, start: int, length: int) -> str:
        """So many code points of its text from there on, without reading the rest into memory."""
        return document_pages.stretch(self._db, document, start, length)

    def items_of(self, document: str) -> list[dict[str, str]]:
        """The newest items with evidence in it."""
        found = document_pages.items_of(self._db, document)
        return [{"id": id_, "question": question, "task": task, "status": status} for id_, question, task, status in found]

    def changes(self, document: str) -> list[dict[str, Any]]:
        """What people changed of it, oldest first."""
        return [change._asdict() for change in document_changes.of_document(self._db, document)]

    @act("change the corpus", "ids", notes=["licence"])
    def set_licence(self, ids: Sequence[str], licence: str, person: str) -> int:
        """Give those documents a licence ("" takes it away), on record; returns how many had another. Releases that are frozen
        keep what they were frozen with."""
        name = licence.strip()
        if len(name) > LONGEST_LICENCE or "\n" in name:
            raise BenchError(f"A licence of {len(name)} characters is no name: give its short name, like CC-BY-4.0.")
        return document_changes.change(self._db, ids, "licence", name or None, self._known_by(person))

    @act("change the corpus", "ids", notes=["domain"])
    def set_domain(self, ids: Sequence[str], domain: str, person: str) -> int:
        """Move those documents to a domain, on record; returns how many had another. Items keep the domain they have."""
        return document_changes.change(self._db, ids, "domain", domain_name(domain), self._known_by(person))

    def _kept(self, name: str, count: Callable[[], T]) -> T:
        """A count over the whole corpus, made once for each state of it."""
        mark = document_pages.mark(self._db)
        if self._counts.get(name, (None, None))[0] != mark:
            self._counts[name] = (mark, count())
        kept: T = self._counts[name][1]
        return kept

    def _complete(self, original: Original) -> None:
        """A document that came in before its file was kept has it from now on."""
        if self.heading(original.document).meta.get("pages") == original.pages:
            originals.add(self._db, {original.document: original.file})

    def _known_by(self, person: str) -> str:
        self._texts.clear()  # they hold the old licence and domain
        if not person.strip():
            raise BenchError("A change of the corpus wants a name: give yours first.")
        return person.strip()

    def text(self, span: Span) -> str:
        """The text of a span."""
        return self.document(span.document).text[span.start : span.end]

    def chosen(self, domain: str, language: str | None = None) -> list[Document]:
        """The documents of a domain ("all" = every one) and language, with their texts, in the order they came in."""
        return documents.load_documents(self._db, domain=None if domain == "all" else domain, language=language)

    def every(self) -> list[Document]:
        """All documents with their texts."""
        return documents.load_documents(self._db)
