"""Converts objects of core.nouns, such as items and documents, to JSON records and back. These JSON records are printed by the
command line, contained in exports, and read by imports. The keys of the records must not change, because users' scripts depend
on them."""

from collections.abc import Callable, Mapping
from typing import Any

from core.as_json import as_json
from core.errors import BenchError
from core.nouns import Document, Item, Provenance, Span, Variant

PLAIN_ITEM_FIELDS = ("id", "revision", "status", "task", "level", "domain", "language", "question")
OTHER_ITEM_FIELDS = ("labels", "inputs", "given", "steps", "overlap")
DOCUMENT_FIELDS = ("id", "title", "domain", "language", "origin", "licence", "published", "meta")
VARIANT_FIELDS = ("id", "item", "revision", "kind", "text", "status", "generator", "seed", "checks")
"""Names of the fields that a variant and its JSON record share, in the record's order."""


def item_record(item: Item, text: Callable[[Span], str]) -> dict[str, Any]:
    """Return an Item as a JSON record; `text` is a function that returns the text of a span."""
    evidence = [as_json(span) | {"text": text(span)} for span in item.evidence]
    head = pick_fields(item, PLAIN_ITEM_FIELDS) | {"answers": list(item.answers), "evidence": evidence}
    return head | pick_fields(item, (*OTHER_ITEM_FIELDS, "provenance"))


def item_from_record(record: Mapping[str, Any]) -> Item:
    """Build an Item from a record that `item_record` wrote, ignoring the text of the evidence. Raises BenchError if a field is
    faulty."""
    from core.shapes import ItemShape

    _check_record("An item", record, ItemShape)
    provenance = _filled_fields(record.get("provenance") or {}, ("agent", "prompt", "seed", "calls", "origin"))
    return Item(
        answers=tuple(record["answers"]),
        evidence=tuple(Span(e["document"], e["start"], e["end"]) for e in record.get("evidence") or ()),
        provenance=Provenance(**{"origin": "imported"} | provenance),
        **_filled_fields(record, PLAIN_ITEM_FIELDS + OTHER_ITEM_FIELDS),
    )


def document_record(document: Document, with_text: bool = True) -> dict[str, Any]:
    """Return a Document as a JSON record, with or without its text."""
    more = {"text": document.text} if with_text else {"characters": len(document.text)}
    return pick_fields(document, DOCUMENT_FIELDS) | more


def document_from_record(record: Mapping[str, Any]) -> Document:
    """Build a Document from a record that `document_record` wrote with its text. Raises BenchError if a field is faulty."""
    from core.shapes import DocumentShape

    _check_record("A document", record, DocumentShape)
    return Document(**_filled_fields(record, DOCUMENT_FIELDS) | {"text": record["text"], "title": record["title"]})


def variant_record(variant: Variant) -> dict[str, Any]:
    """Return a Variant as a JSON record."""
    return pick_fields(variant, VARIANT_FIELDS)


def variant_from_record(record: Mapping[str, Any]) -> Variant:
    """Build a Variant from a record that `variant_record` wrote. Raises BenchError if a field is faulty."""
    from core.shapes import VariantShape

    _check_record("A variant", record, VariantShape)
    return Variant(**_filled_fields(record, VARIANT_FIELDS))


def pick_fields(noun: object, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields with these names as JSON values."""
    return {name: as_json(getattr(noun, name)) for name in names}


def _filled_fields(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of the record that are not empty, with lists as tuples; the dataclass has defaults for the empty
    fields."""
    values = {name: record.get(name) for name in names}
    return {
        n: tuple(value) if isinstance(value, list) else value for n, value in values.items() if value not in (None, "", [], {})
    }


def _check_record(noun: str, record: object, shape: Any) -> None:
    from core.shapes import check_shape

    try:
        check_shape(record, shape)
    except ValueError as error:
        raise BenchError(f"{noun} {error}.") from error
