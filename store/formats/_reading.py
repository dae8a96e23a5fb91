"""Read records as documents, items and variants. The records come from an exported folder, where they are compared with the
manifest, or from a single file of exported items and questions of other projects. A faulty record is rejected with its position
in the file, and the rest is still read."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import content_hash
from core.json_lines import JsonLine
from core.nouns import Document, Item, Provenance, Variant
from core.records import document_from_record, item_from_record, item_record, variant_from_record
from core.shapes import DocumentShape, ItemShape, VariantShape, check_shape
from store.format import Bundle
from store.formats._folder import read_release
from store.formats._hashed_records import NUGGETS, TWINS, read_records
from store.formats._lines import MAX_TEXT_CHARACTERS, describe_refusal
from store.formats._outside import OutsideQuestion, check_item, parse_outside
from store.formats._tables import read_tables

OURS = frozenset(("revision", "evidence", "provenance", "given", "steps"))
"""Keys of an item record that records of other projects do not have. A record without these keys, or with contexts, is read as
a question of another project."""
WITHHELD_MESSAGE = "is withheld: its answers are not here"
SPLIT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}")
"""Pattern of a valid split name, which becomes part of file names."""


def read_ours(
    folder: Path,
    lines_of: Callable[[str], Iterable[JsonLine]],
    ending: str,
    is_whole: Callable[[Mapping[str, Any]], bool] = lambda item: True,
) -> Bundle:
    """Read a folder that this program exported; `lines_of(stem)` yields the records of documents, items or variants. Records
    that differ from the manifest are rejected, so that a changed folder is never read as the original release. If `is_whole`
    returns False for an item's record, only a few fields are read, without question and answers, and the hash is not
    checked."""
    manifest, name, hash_ = read_release(folder)
    named = _index_manifest(manifest, folder)
    refused: list[Mapping[str, Any]] = []
    nouns: dict[str, dict[str, Any]] = {"documents": {}, "items": {}, "variants": {}}
    texts: dict[str, str] = {}

    def check_record(kind: str, record: Mapping[str, Any]) -> None:
        is_outline = kind == "items" and not is_whole(record)
        noun: Any = _read_outline(record) if is_outline else _read(kind, record, texts)
        if noun.id in nouns[kind]:
            raise BenchError(f"repeats the id {noun.id}")
        if manifest and noun.id not in named[kind]:
            raise BenchError("is not in the manifest")
        if kind == "variants" and noun.item not in nouns["items"]:
            raise BenchError(f"belongs to item {noun.item}, which was not imported")
        wanted = named[kind].get(noun.id, {}).get("hash")
        if (
            kind != "documents"
            and not is_outline
            and wanted not in (None, content_hash(_select_hashed_record(kind, noun, record, texts)))
        ):
            raise BenchError("was changed: its content hash differs from the manifest's")
        nouns[kind][noun.id] = noun

    for kind in nouns:
        where = f"{kind}{ending}"
        for number, record, why in lines_of(kind):
            try:
                if record is None:
                    raise BenchError(why)
                check_record(kind, record)
            except BenchError as error:
                refused.append(describe_refusal(where, number, str(error).rstrip(".")))
        missing = sorted(named[kind].keys() - nouns[kind].keys())
        if len(missing) > sum(row["where"] == where for row in refused):
            refused.append(
                describe_refusal(where, None, f"lacks {len(missing)} {kind} of the manifest, {missing[0]} among them")
            )
    tables = read_tables(folder, manifest)
    nuggets, twins = (read_records(kind, folder, manifest) for kind in (NUGGETS, TWINS))
    return Bundle(
        documents=list(nouns["documents"].values()),
        items=list(nouns["items"].values()),
        refused=[*refused, *tables.refused, *nuggets.refused, *twins.refused],
        variants=list(nouns["variants"].values()),
        tables=tables.tables,
        nugget_sets=nuggets.records,
        absence_twins=twins.records,
        manifest=manifest,
        name=name,
        hash=hash_,
    )


def read_lone(where: str, lines: Iterable[JsonLine]) -> Bundle:
    """Read a single file that contains exported items, questions of other projects, or both."""
    items: dict[str, Item] = {}
    documents: dict[str, Document] = {}
    numbers: dict[str, int] = {}
    quotes: dict[str, list[str | None]] = {}
    refused: list[Mapping[str, Any]] = []
    for number, record, why in lines:
        try:
            if record is None:
                raise ValueError(why)
            question = _read_question(record, f"{where}:{number}")
            item = check_item(question.item)
            if item.id in items:
                raise ValueError(f"repeats the id {item.id} of line {numbers[item.id]}")
        except (ValueError, BenchError) as error:
            refused.append(describe_refusal(where, number, str(error).rstrip(".")))
            continue
        items[item.id], numbers[item.id] = item, number
        if not question.documents:
            quotes[item.id] = [span.get("text") for span in record.get("evidence") or ()]
        for document in question.documents:
            documents.setdefault(document.id, document)
    if not items:
        raise BenchError(str(refused[0]["message"]) if refused else f"{where} holds no items: give one JSON object a line.")
    return Bundle(documents=list(documents.values()), items=list(items.values()), refused=refused, lines=numbers, quotes=quotes)


def _read_question(record: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Read a record as an exported item or as a question of another project. Raises ValueError if the record is faulty; the
    caller adds the position in the file to the message."""
    if "contexts" in record or not OURS & record.keys():
        return parse_outside(record, origin)
    if record.get("withheld") is True:
        raise ValueError(WITHHELD_MESSAGE)
    check_shape(record, ItemShape)
    return OutsideQuestion(item_from_record(dict(record) | {"status": record.get("status") or "accepted"}), ())


def _read(kind: str, record: Mapping[str, Any], texts: dict[str, str]) -> Any:
    """Read a record as a Document, Item or Variant. Raises BenchError if the record is faulty; the caller adds the position in
    the file to the message."""
    try:
        if kind == "documents":
            check_shape(record, DocumentShape)
            document = document_from_record(record)
            if len(document.text) > MAX_TEXT_CHARACTERS:
                raise ValueError(f"has more than {MAX_TEXT_CHARACTERS:,} characters")
            if content_hash(document.text) != document.id:
                raise ValueError("was changed: the hash of its text differs from its id")
            texts[document.id] = document.text
            return document
        if kind == "variants":
            check_shape(record, VariantShape)
            return variant_from_record(record)
        if record.get("withheld"):
            raise ValueError(WITHHELD_MESSAGE)
        check_shape(record, ItemShape)
        item = check_item(item_from_record(record))
        for span, quote in zip(item.evidence, record.get("evidence") or (), strict=True):
            if quote.get("text") != texts.get(span.document, "")[span.start : span.end]:
                raise ValueError(f"has evidence that differs from the text at {span.start}-{span.end} of {span.document}")
        return item
    except ValueError as error:
        raise BenchError(str(error)) from error


def _read_outline(record: Mapping[str, Any]) -> Item:
    """Read only those fields of an item that change how a run treats other items. Raises BenchError if the record is faulty;
    the caller adds the position in the file to the message."""
    if record.get("withheld"):
        raise BenchError(WITHHELD_MESSAGE)
    try:
        provenance = record.get("provenance") or {}
        return Item(
            id=str(record["id"]),
            task=str(record["task"]),
            question="",
            answers=(),
            level=record.get("level"),
            domain=str(record["domain"]),
            language=str(record["language"]),
            revision=int(record["revision"]),
            status="accepted",
            labels=dict(record.get("labels") or {}),
            given=tuple(record.get("given") or ()),
            provenance=Provenance(agent=provenance.get("agent"), origin="imported"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BenchError("is not an exported item") from error


def _select_hashed_record(
    kind: str, noun: Item | Variant, record: Mapping[str, Any], texts: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return the record in the form whose hash is in the manifest."""
    if isinstance(noun, Item):
        return item_record(noun, lambda span: texts[span.document][span.start : span.end])
    return record


def _index_manifest(manifest: Mapping[str, Any], folder: Path) -> dict[str, dict[str, Any]]:
    """Return the manifest's rows as a dict from kind (documents, items, variants) to a dict from id to row. Raises BenchError
    if this program did not write the manifest."""
    kinds = ("documents", "items", "variants")
    if not manifest:
        return {kind: {} for kind in kinds}
    try:
        named = {kind: {row["id"]: row for row in manifest[kind]} for kind in kinds}
        splits = {row["split"] for row in manifest["items"]}
    except (KeyError, TypeError) as error:
        raise BenchError(f"{folder}/manifest.json is not a release's manifest: export the release again.") from error
    if odd := [name for name in splits if not isinstance(name, str) or not SPLIT.fullmatch(name)]:
        raise BenchError(f"{folder}/manifest.json names the split {str(odd[0])[:40]!r}, which is not a valid split name.")
    return named
