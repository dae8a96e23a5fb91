"""Nouns <-> JSON records: the shapes that the command line prints, that exports hold, and that imports read. They are a
contract: scripts depend on their keys."""

from collections.abc import Callable, Mapping
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Item, Provenance, Span, Variant


def item_record(item: Item, text: Callable[[Span], str]) -> dict[str, Any]:
    """An Item as JSON; `text` cuts a span's text from its document."""
    return {
        "id": item.id,
        "revision": item.revision,
        "status": item.status,
        "task": item.task,
        "level": item.level,
        "domain": item.domain,
        "language": item.language,
        "question": item.question,
        "answers": list(item.answers),
        "evidence": [{"document": s.document, "start": s.start, "end": s.end, "text": text(s)} for s in item.evidence],
        "labels": dict(item.labels),
        "inputs": dict(item.inputs),
        "given": list(item.given),
        "steps": [dict(step) for step in item.steps],
        "overlap": item.overlap,
        "provenance": {
            "agent": item.provenance.agent,
            "prompt": item.provenance.prompt,
            "seed": item.provenance.seed,
            "calls": list(item.provenance.calls),
            "origin": item.provenance.origin,
        },
    }


def item_from_record(record: Mapping[str, Any]) -> Item:
    """The Item of a record made by item_record; evidence text is not read. Raises BenchError naming the field at fault."""
    from core.shapes import ItemShape

    _check("An item", record, ItemShape)
    provenance: Mapping[str, Any] = record.get("provenance") or {}
    return Item(
        id=record["id"],
        task=record["task"],
        question=record["question"],
        answers=tuple(record["answers"]),
        evidence=tuple(Span(e["document"], e["start"], e["end"]) for e in record.get("evidence") or ()),
        level=record.get("level"),
        domain=record.get("domain") or "general",
        language=record.get("language") or "en",
        revision=record.get("revision") or 1,
        status=record.get("status") or "drafted",
        labels=dict(record.get("labels") or {}),
        inputs=dict(record.get("inputs") or {}),
        given=tuple(record.get("given") or ()),
        steps=tuple(record.get("steps") or ()),
        overlap=record.get("overlap"),
        provenance=Provenance(
            agent=provenance.get("agent"),
            prompt=provenance.get("prompt"),
            seed=provenance.get("seed"),
            calls=tuple(provenance.get("calls") or ()),
            origin=provenance.get("origin") or "imported",
        ),
    )


def document_record(document: Document, with_text: bool = True) -> dict[str, Any]:
    """A Document as JSON, with or without its text."""
    record = {
        "id": document.id,
        "title": document.title,
        "domain": document.domain,
        "language": document.language,
        "origin": document.origin,
        "licence": document.licence,
        "published": document.published,
        "meta": dict(document.meta),
    }
    return record | ({"text": document.text} if with_text else {"characters": len(document.text)})


def document_from_record(record: Mapping[str, Any]) -> Document:
    """The Document of a record made by document_record, text included. Raises BenchError naming the field at fault."""
    from core.shapes import DocumentShape

    _check("A document", record, DocumentShape)
    return Document(
        id=record["id"],
        text=record["text"],
        title=record["title"],
        domain=record["domain"],
        language=record["language"],
        origin=record.get("origin") or "",
        licence=record.get("licence"),
        published=record.get("published"),
        meta=dict(record.get("meta") or {}),
    )


def variant_record(variant: Variant) -> dict[str, Any]:
    """A Variant as JSON."""
    return {
        "id": variant.id,
        "item": variant.item,
        "revision": variant.revision,
        "kind": variant.kind,
        "text": variant.text,
        "status": variant.status,
        "generator": variant.generator,
        "seed": variant.seed,
        "checks": dict(variant.checks),
    }


def variant_from_record(record: Mapping[str, Any]) -> Variant:
    """The Variant of a record made by variant_record. Raises BenchError naming the field at fault."""
    from core.shapes import VariantShape

    _check("A variant", record, VariantShape)
    return Variant(
        id=record["id"],
        item=record["item"],
        revision=record["revision"],
        kind=record["kind"],
        text=record["text"],
        status=record.get("status") or "drafted",
        generator=record.get("generator") or "",
        seed=record.get("seed"),
        checks=dict(record.get("checks") or {}),
    )


def _check(what: str, record: object, shape: Any) -> None:
    from core.shapes import check_shape

    try:
        check_shape(record, shape)
    except ValueError as error:
        raise BenchError(f"{what} {error}.") from error
