"""Provide the sample data for a new workspace: eight documents about a fictional town, and reviewed items whose evidence is
given as quotes from these documents. Each quote must occur exactly once in its document; it then becomes a Span."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from builders.ingest import ingest
from core.errors import BenchError
from core.nouns import Document, Item, Provenance, Span
from core.text.text import overlap

FOLDER = Path(__file__).parents[2] / "samples"


def sample_documents(folder: Path = FOLDER / "documents") -> list[Document]:
    """Return the sample documents of the folder, in the order of their file names. Raises BenchError if a document cannot be
    read."""
    documents: list[Document] = []
    for path in sorted(folder.glob("*.md")):
        for outcome in ingest([path], None, None, "auto", None, lambda _: False):
            if not isinstance(outcome, Document):
                raise BenchError(f"The sample document {path} cannot be read: restore the file that came with Benchwright.")
            documents.append(replace(outcome, origin=f"samples/documents/{path.name}"))  # the same origin on every machine
    return documents


def sample_items(documents: Sequence[Document], path: Path = FOLDER / "items.jsonl") -> list[Item]:
    """Return the sample items in the file `path`, with the status accepted and evidence in `documents`. Raises BenchError if a
    quote does not occur exactly once in its document."""
    files = {Path(document.origin).name: document for document in documents}
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_item(json.loads(line), files, f"{path}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]


def _item(record: Mapping[str, Any], files: Mapping[str, Document], where: str) -> Item:
    absent = sorted({*record["given"], *(e["document"] for e in record["evidence"])} - set(files))
    if absent:
        raise BenchError(
            f"{where}: no sample document {', '.join(absent)}; pass all documents that sample_documents() returns."
        )
    given_ids = tuple(files[name].id for name in record["given"])
    spans = [_span(files[e["document"]], e["quote"], where) for e in record["evidence"]]
    spans.sort(key=lambda span: (given_ids.index(span.document), span.start))
    texts = {document.id: document.text for document in files.values()}
    evidence = "\n".join(texts[span.document][span.start : span.end] for span in spans)
    return Item(
        id=record["id"],
        task=record["task"],
        question=record["question"],
        answers=tuple(record["answers"]),
        evidence=tuple(spans),
        level=record["level"],
        domain=record["domain"],
        language=record["language"],
        status="accepted",
        labels=record["labels"],
        given=given_ids,
        overlap=overlap(record["question"], evidence, record["language"]),
        provenance=Provenance(origin="written"),
    )


def _span(document: Document, quote: str, where: str) -> Span:
    start = document.text.find(quote)
    if start < 0 or document.text.find(quote, start + 1) >= 0:
        raise BenchError(f"{where}: {quote[:40]!r} must occur exactly once in {document.title}; copy the quote from it.")
    return Span(document.id, start, start + len(quote))
