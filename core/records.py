"""Nouns <-> JSON records: the shapes that the command line prints, that exports hold, and that imports read. They are a
contract: scripts depend on their keys."""

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Item, Provenance, Span, Variant


def item_record(item: Item, text: Callable[[Span], str]) -> dict[str, Any]:
    """An Item as JSON; `text` cuts a span's text from its document."""
    return {
        "id": item.id, "revision": item.revision, "status": item.status, "task": item.task, "level": item.level,
        "domain": item.domain, "language": item.language, "question": item.question, "answers": list(item.answers),
        "evidence": [{"document": s.document, "start": s.start, "end": s.end, "text": text(s)} for s in item.evidence],
        "labels": dict(item.labels), "inputs": dict(item.inputs), "given": list(item.given),
        "steps": [dict(step) for step in item.steps], "overlap": item.overlap,
        "provenance": {
            "agent": item.provenance.agent, "prompt": item.provenance.prompt, "seed": item.provenance.seed,
            "calls": list(item.provenance.calls), "origin": item.provenance.origin,
        },
    }  # fmt: skip


def item_from_record(record: Mapping[str, Any]) -> Item:
    """The Item of a record made by item_record; evidence text is not read. Raises BenchError naming the field at fault."""
    field = "id"
    try:
        provenance: Mapping[str, Any] = record.get("provenance") or {}
        field = "evidence"
        evidence = tuple(Span(str(e["document"]), int(e["start"]), int(e["end"])) for e in record.get("evidence") or ())
        field = "task, question or answers"
        return Item(
            id=str(record["id"]), task=str(record["task"]), question=str(record["question"]),
            answers=tuple(str(a) for a in record["answers"]), evidence=evidence, level=record.get("level"),
            domain=record.get("domain") or "general", language=record.get("language") or "en",
            revision=int(record.get("revision") or 1), status=record.get("status") or "drafted",
            labels=dict(record.get("labels") or {}), inputs=dict(record.get("inputs") or {}),
            given=tuple(record.get("given") or ()), steps=tuple(record.get("steps") or ()), overlap=record.get("overlap"),
            provenance=Provenance(
                agent=provenance.get("agent"), prompt=provenance.get("prompt"), seed=provenance.get("seed"),
                calls=tuple(provenance.get("calls") or ()), origin=provenance.get("origin") or "imported",
            ),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise BenchError(f"An item's {field} cannot be read ({error}).") from error


def document_record(document: Document, with_text: bool = True) -> dict[str, Any]:
    """A Document as JSON, with or without its text."""
    record = {
        "id": document.id, "title": document.title, "domain": document.domain, "language": document.language,
        "origin": document.origin, "licence": document.licence, "published": document.published,
        "meta": dict(document.meta),
    }  # fmt: skip
    return record | ({"text": document.text} if with_text else {"characters": len(document.text)})


def document_from_record(record: Mapping[str, Any]) -> Document:
    """The Document of a record made by document_record, text included."""
    return Document(
        id=record["id"], text=record["text"], title=record["title"], domain=record["domain"], language=record["language"],
        origin=record.get("origin") or "", licence=record.get("licence"), published=record.get("published"),
        meta=dict(record.get("meta") or {}),
    )  # fmt: skip


def variant_record(variant: Variant) -> dict[str, Any]:
    """A Variant as JSON."""
    return {
        "id": variant.id, "item": variant.item, "revision": variant.revision, "kind": variant.kind, "text": variant.text,
        "status": variant.status, "generator": variant.generator, "seed": variant.seed, "checks": dict(variant.checks),
    }  # fmt: skip


def variant_from_record(record: Mapping[str, Any]) -> Variant:
    """The Variant of a record made by variant_record. Raises BenchError when one of its fields is missing."""
    try:
        return Variant(
            id=str(record["id"]), item=str(record["item"]), revision=int(record["revision"]), kind=str(record["kind"]),
            text=str(record["text"]), status=record.get("status") or "drafted", generator=record.get("generator") or "",
            seed=record.get("seed"), checks=dict(record.get("checks") or {}),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise BenchError(f"A variant cannot be read ({error}).") from error
