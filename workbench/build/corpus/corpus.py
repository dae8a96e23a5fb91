"""Add documents to the corpus, list and read them, and change their licence, domain or language."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from builders.drafting.samples import sample_documents, sample_items
from builders.ingest import DuplicateDocument, NamedFile, OriginalFile, RefusedFile, domain_name, ingest
from core.as_json import Json
from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Document, Span
from core.text.language import read_language
from core.text.text import count_tokens
from store.corpus import document_changes, document_pages, documents, originals
from store.corpus.document_changes import DocumentChange
from store.corpus.document_pages import CorpusSize, DocumentFilter, DocumentRow
from store.engine.database import Database
from store.items import board, items
from store.jobs import jobs
from workbench.control import Control
from workbench.roles import requires

__all__ = ["CorpusSize", "CorpusStage", "DocumentFilter", "DocumentRow", "Length"]

T = TypeVar("T")
MAX_BATCH_DOCUMENTS = 1000
"""Maximum number of documents that are stored in one transaction."""
MAX_BATCH_BYTES = 32 * 2**20
"""Approximate maximum number of bytes of original files in memory before they are stored."""
MAX_LICENCE_CHARACTERS = 100


class Length(NamedTuple):
    """Minimum and maximum number of characters of a new document."""

    least: int | None = None
    most: int | None = None
    """Maximum number of characters, or None without a limit."""

    def check(self) -> None:
        """Raise BenchError if no text can satisfy both limits."""
        for bound in self:
            if bound is not None and bound < 1:
                raise BenchError(f"A length limit of {bound} characters is not possible: give at least 1, or omit the limit.")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise BenchError(
                f"No text has at least {self.least:,} and at most {self.most:,} characters: change one of the two limits."
            )

    def explain_misfit(self, text: str) -> str:
        """Return the reason why the text does not fit the limits, as the end of a sentence that begins with the document's
        name; "" if it fits."""
        if self.least is not None and len(text) < self.least:
            return f"has {len(text):,} characters, fewer than {self.least:,}"
        if self.most is not None and len(text) > self.most:
            return f"has {len(text):,} characters, more than {self.most:,}"
        return ""


class MisfitDocument(NamedTuple):
    """A document that was not added because it is too short or too long."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class AddedDocuments:
    """What adding files to the corpus did."""

    added: list[Document] = field(default_factory=list)
    """Documents that were added, without their texts."""
    characters: dict[str, int] = field(default_factory=dict)
    """Dict from the id of each added document to the length of its text."""
    already: list[DuplicateDocument] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)
    left_out: list[MisfitDocument] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    """A sentence for each added document whose language is unclear, or whose file has bytes that are not text."""
    own_facts: dict[str, int] = field(default_factory=dict)
    """Dict from domain, language or licence to the number of added documents whose file states another value than the one
    given."""


def describe_own_facts(counts: Mapping[str, int]) -> list[str]:
    """Return a message for each property, such as the licence, for which some files state another value than the one given; the
    files' values are used."""
    return [
        f"{n:,} of the added documents {'keeps' if n == 1 else 'keep'} the {name} that the file states, not the one given: "
        f"the page Corpus or `{COMMAND} documents change` changes it."
        for name, n in counts.items()
    ]


class CorpusStage:
    """Methods that add, list, read and change the documents of the corpus."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._documents: dict[str, Document] = {}
        self._counts: dict[str, tuple[Any, Any]] = {}

    @requires("change the corpus", lambda arguments: "documents added", notes=["domain", "licence"])
    def add(
        self,
        paths: Iterable[str | Path | NamedFile],
        *,
        domain: str | None,
        language: str | None,
        form: str = "auto",
        licence: str | None = None,
        say: Callable[[str], None] = lambda message: None,
        known: set[str] | None = None,
        stop: Callable[[], bool] = lambda: False,
        length: Length = Length(),
    ) -> AddedDocuments:
        """Add the documents of files and folders to the corpus. If a file cannot be read, this is reported, and the other files
        are still added.

        `known` is the set of the corpus's ids if the caller has loaded it; the ids of new documents are added to it. `stop` is
        called after each batch of documents; if it returns True, the work ends."""
        result = AddedDocuments()
        left_out: set[str] = set()
        waiting: dict[str, Document] = {}
        files: dict[str, bytes] = {}

        def store() -> None:
            new = set(documents.add(self._db, list(waiting.values()), files).added)
            result.added.extend(replace(document, text="") for document in waiting.values() if document.id in new)
            result.characters.update((id_, len(document.text)) for id_, document in waiting.items() if id_ in new)
            notes = (str(one.meta.get("note") or "") for one in waiting.values() if one.id in new)
            result.unclear.extend(filter(None, notes))
            for name, value in given.items():
                if others := sum(getattr(one, name) != value for one in waiting.values() if one.id in new):
                    result.own_facts[name] = result.own_facts.get(name, 0) + others
            if len(result.added) >= MAX_BATCH_DOCUMENTS:
                say(f"{len(result.added)} added ...")
            waiting.clear()
            files.clear()

        length.check()
        stated = {
            "domain": domain and domain_name(domain),
            "language": language and read_language(language),
            "licence": licence,
        }
        given = {name: value for name, value in stated.items() if value}
        known = set(self.ids()) if known is None else known
        for outcome in ingest(paths, domain, language, form, licence, known.__contains__):
            if isinstance(outcome, OriginalFile):
                if outcome.document in left_out:
                    continue
                if outcome.document in waiting:
                    files.setdefault(outcome.document, outcome.file)
                else:
                    self._add_original(outcome)
                continue
            if len(waiting) >= MAX_BATCH_DOCUMENTS or sum(map(len, files.values())) >= MAX_BATCH_BYTES:
                store()
                if stop():
                    break
            if isinstance(outcome, Document) and (why := length.explain_misfit(outcome.text)):
                left_out.add(outcome.id)
                result.left_out.append(MisfitDocument(outcome.origin, f"{outcome.origin} {why}."))
            elif isinstance(outcome, Document):
                known.add(outcome.id)
                waiting[outcome.id] = outcome
            elif isinstance(outcome, DuplicateDocument):
                result.already.append(outcome)
            elif isinstance(outcome, RefusedFile):
                result.refused.append(outcome)
        store()
        return result

    @requires("change the corpus", lambda arguments: "tokens counted")
    def plan_count(self) -> str:
        """Queue the job that estimates the number of tokens of documents stored by older program versions, which made no
        estimate."""
        return jobs.find_or_create(self._db, "count", {})

    async def work_count(self, job: str, control: Control) -> dict[str, Json]:
        """Run the job that estimates tokens, one batch of documents after the other, until every document has an estimate."""
        counted = 0
        while not control.look() and (
            batch := await asyncio.to_thread(documents.list_uncounted, self._db, MAX_BATCH_DOCUMENTS)
        ):
            tokens = await asyncio.to_thread(lambda part: {d.id: count_tokens(d.text, d.language) for d in part}, batch)
            documents.set_tokens(self._db, tokens)
            counted += len(batch)
            control.say(f"{counted:,} documents counted")
        stopped = "cancelled" if control.stopping else None
        return {"counted": counted, "message": f"{counted:,} documents counted.", "stopped": stopped}

    @requires("change the corpus", lambda arguments: "the samples")
    def load_samples(self) -> None:
        """Add the sample documents and their reviewed items, unless they are already stored."""
        samples = sample_documents()
        documents.add(self._db, samples)
        items.add(self._db, sample_items(samples))

    def document(self, document: str) -> Document:
        """Return the document with its text, which stays cached in memory."""
        if document not in self._documents:
            self._documents[document] = documents.get(self._db, document)
        return self._documents[document]

    def text(self, span: Span) -> str:
        """Return the text of a span of a document."""
        return self.document(span.document).text[span.start : span.end]

    def load_documents(self, domain: str = "all", language: str | None = None) -> list[Document]:
        """Load the documents of a domain ("all" = every domain) and a language (None = every language) with their texts, oldest
        first."""
        return documents.load_documents(self._db, domain=None if domain == "all" else domain, language=language)

    def ids(self, only: DocumentFilter | None = None) -> list[str]:
        """Return the ids of the documents that match the filter, oldest first."""
        return document_pages.list_ids(self._db, only)

    def page(
        self, only: DocumentFilter, sort: str = "newest", limit: int = 50, offset: int = 0
    ) -> tuple[list[DocumentRow], int]:
        """Return (one page of the documents that match the filter, without their texts, number of all these documents)."""
        return document_pages.load_page(self._db, only, sort, limit, offset), document_pages.count(self._db, only)

    def size(self) -> CorpusSize:
        """Return the number of documents and the size of the whole corpus, with "" as domain and language."""
        return self._count_once("size", lambda: document_pages.load_size(self._db))

    def sizes(self) -> list[CorpusSize]:
        """Return the number of documents and their size for each domain and language."""
        return self._count_once("sizes", lambda: document_pages.load_sizes(self._db))

    def same_titles(self) -> int:
        """Count the documents that have the same title as another document."""
        return self._count_once("same_titles", lambda: document_pages.count_same_titles(self._db))

    def licences(self) -> list[str]:
        """List the licences that documents of the corpus have."""
        return document_pages.list_licences(self._db)

    def domains(self) -> list[str]:
        """List the domains that documents of the corpus have."""
        return board.list_domains(self._db)

    def languages(self) -> list[str]:
        """List the codes of the languages that documents of the corpus have."""
        return sorted({size.language for size in self.sizes()})

    def heading(self, document: str) -> DocumentRow:
        """Return the document with this id, without its text. Raises BenchError if the document does not exist."""
        row = document_pages.load_heading(self._db, document)
        if row is None:
            raise BenchError(f"No document {document} in this workspace.")
        return row

    def stretch(self, document: str, start: int, length: int) -> str:
        """Return `length` code points of the document's text from `start` on, without loading the whole text."""
        return document_pages.load_stretch(self._db, document, start, length)

    def items_of(self, document: str) -> list[tuple[str, str, str, str]]:
        """Return (id, question, task, status) of the newest 50 items that have evidence in the document."""
        return document_pages.list_items_of(self._db, document)

    def changes(self, document: str) -> list[DocumentChange]:
        """List the changes that people made to the document's licence, domain and language, oldest first."""
        return document_changes.list_changes(self._db, document)

    @requires("change the corpus", "ids", notes=["licence"])
    def set_licence(self, ids: Sequence[str], licence: str, person: str) -> int:
        """Set the licence of the documents ("" = none) and log the change; return the number of changed documents. Frozen
        releases keep the licence that they had."""
        name = licence.strip()
        if len(name) > MAX_LICENCE_CHARACTERS or "\n" in name:
            raise BenchError(f"A licence name of {len(name)} characters is too long: give its short name, like CC-BY-4.0.")
        return self._change(ids, "licence", name or None, person)

    @requires("change the corpus", "ids", notes=["domain"])
    def set_domain(self, ids: Sequence[str], domain: str, person: str) -> int:
        """Set the domain of the documents and log the change; return the number of changed documents. The domain of the
        documents' items stays the same."""
        return self._change(ids, "domain", domain_name(domain), person)

    @requires("change the corpus", "ids", notes=["language"])
    def set_language(self, ids: Sequence[str], language: str, person: str) -> int:
        """Set the language of the documents and log the change; return the number of changed documents. The language of the
        documents' items stays the same."""
        return self._change(ids, "language", read_language(language), person)

    def _change(self, ids: Sequence[str], field: str, value: str | None, person: str) -> int:
        self._documents.clear()  # cached documents still have the old licence and domain
        return document_changes.change_field(self._db, ids, field, value, check_name(person))

    def _count_once(self, name: str, count: Callable[[], T]) -> T:
        """Return the result of `count`, which counts over the whole corpus. The result is cached under `name` until the corpus
        changes."""
        mark = document_pages.fingerprint(self._db)
        if self._counts.get(name, (None, None))[0] != mark:
            self._counts[name] = (mark, count())
        counted: T = self._counts[name][1]
        return counted

    def _add_original(self, original: OriginalFile) -> None:
        """Store the original file of a document that an earlier program version added without its file."""
        if self.heading(original.document).meta.get("pages") == original.pages:
            originals.add(self._db, {original.document: original.file})


def check_name(person: str) -> str:
    """Return the name without spaces at its ends. Raises BenchError if the name is empty, because each change of the corpus is
    recorded with a person's name."""
    if not person.strip():
        raise BenchError("Changing the corpus requires a name: give yours first.")
    return person.strip()
