"""UHGEval: beginnings of news with a hallucinated continuation and its annotated keywords, as JSON lines or an array. Each row
becomes an item of hallucination_repair. With a repaired text it comes in accepted; without one it is work to be done: drafted,
with no answer, for a person to write it on the desk or for `draft --task hallucination_repair` to start from.

Its article (beginning + rest) is a document; the item's evidence is what really followed, where it stands there. Exported, a
release goes into uhgeval.jsonl, a row a line, each key as it was read unless a person edited it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import content_hash
from core.json_lines import read_object
from core.nouns import Document, Item, Provenance, Span
from core.readers.reading import clean_title, iso_date
from core.text.text import detect_language
from store.format import Bundle, Format
from store.formats._annotations import annotation_texts, edit_annotation, read_annotations
from store.formats._as_read import note_differences, restore_row
from store.formats._folder import write_common_files, write_lines
from store.formats._lines import describe_refusal
from store.formats._outside import OutsideQuestion, check_item, read_document
from store.formats._rows import ArrayElement, read_rows, read_text, read_text_field
from store.formats._withheld import map_splits

TASK = "hallucination_repair"
FILE = "uhgeval.jsonl"
ORIGIN = "UHGEval layout"
REPAIRED_KEY = "hallucinatedMod"
"""The key of the repaired text; UHGEval's own rows have none, those that CRUD-RAG made of them do."""
NEEDED_KEYS = ("newsBeginning", "hallucinatedContinuation")
FIXED_FIELDS = frozenset(("newsRemainder", "realContinuation", "headLine", "broadcastDate", "type", "generatedBy"))
"""What nobody can edit here."""
ARTICLE_FIELDS = ("headLine", "broadcastDate")
"""Told of the article, which another row may have brought in."""
FAILED_CALL = re.compile(r"request openai failed", re.IGNORECASE)
"""What stands for a reply where the call for it failed."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Raises BenchError when an item is of another task."""
    if odd := [item for item in bundle.items if item.task != TASK]:
        raise BenchError(
            f"{len(odd)} items are not of {TASK}, {odd[0].id} among them: UHGEval's layout has no place for them, "
            f"freeze a release with --task {TASK}."
        )
    splits, texts = map_splits(bundle), {document.id: document for document in bundle.documents}
    rows = []
    for item in sorted(bundle.items, key=lambda i: i.id):
        row = build_row(item, texts, "id")
        rows.append(withhold_row(row, item, bundle) if splits.get(item.id, "test") in withheld else row)
    write_lines(folder / FILE, rows)
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """An exported folder, or one file of rows."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one file of rows.")
    items: dict[str, Item] = {}
    documents: dict[str, Document] = {}
    refused: list[Mapping[str, Any]] = []
    text = read_text(file)
    is_lines = not text.lstrip().startswith("[")
    for row in _lines(text) if is_lines else read_rows(text):
        try:
            if row.why or not isinstance(row.value, Mapping):
                raise ValueError(row.why or "is no JSON object")
            found = read_row(row.value, "id")
            if found.item.id in items:
                raise ValueError(f"repeats the id {row.value.get('id')!r} of a row before it")
        except ValueError as error:
            refused.append(describe_refusal(file.name, row.number, str(error), "Line" if is_lines else "Row"))
            continue
        items[found.item.id] = found.item
        documents |= {document.id: document for document in found.documents if document.id not in documents}
    if not items:
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds no rows: give one JSON object a line.")
    return Bundle(documents=list(documents.values()), items=list(items.values()), refused=refused)


def read_row(row: Mapping[str, Any], id_key: str) -> OutsideQuestion:
    """The item of a row with its article; without a repaired text it is drafted and has no answer. Raises ValueError with the
    end of a sentence."""
    if "answer_hashes" in row and not row.get(REPAIRED_KEY):
        raise ValueError("is withheld: its answers are not in this layout")
    name = read_text_field(row, id_key, needed=True)
    beginning, hallucinated = (read_text_field(row, key, needed=True) for key in NEEDED_KEYS)
    rest, real, repaired = (read_text_field(row, key) for key in ("newsRemainder", "realContinuation", REPAIRED_KEY))
    for key, text in ((NEEDED_KEYS[1], hallucinated), (REPAIRED_KEY, repaired)):
        if FAILED_CALL.search(text):
            raise ValueError(f"has the words of a failed API call as its {key}: it is no text to learn from")
    if REPAIRED_KEY in row and not repaired.strip():
        raise ValueError(f"has an empty {REPAIRED_KEY}")
    labels: dict[str, Any] = {"annotations": read_annotations(row["annotations"])} if row.get("annotations") is not None else {}
    documents = _article(row, beginning, rest, name) if rest.strip() else ()
    evidence = tuple(span for document in documents for span in _find_spans(real or repaired, document, len(beginning)))
    item = Item(
        id=f"{TASK}:{name}" if repaired else f"{TASK}:{name}:{content_hash(hallucinated)[-8:]}",
        task=TASK,
        question=beginning.strip(),
        answers=(repaired.strip(),) if repaired else (),
        evidence=evidence,
        language=detect_language(beginning),
        status="accepted" if repaired else "drafted",
        labels=labels,
        inputs={"hallucinated": hallucinated.strip()},
        given=tuple(document.id for document in documents),
        provenance=Provenance(origin="imported"),
    )
    told = build_row(item, {document.id: document for document in documents}, id_key) | {id_key: name}
    labels["uhgeval"] = {"id": name} | note_differences(row, told, ARTICLE_FIELDS)
    return OutsideQuestion(check_item(item), documents)


def build_row(item: Item, documents: Mapping[str, Document], id_key: str) -> dict[str, Any]:
    """The item as a row, in the layout's order of keys."""
    found = item.labels.get("uhgeval")
    kept: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    article = next((documents[name] for name in item.given if name in documents), None)
    repaired, edit = "".join(item.answers[:1]), item.labels.get("edit")
    notes = [edit_annotation(edit)] if edit else item.labels.get("annotations", [])
    meta = article.meta if article else {}
    told = {
        id_key: kept.get("id", item.id),
        "headLine": article.title if article else "",
        "broadcastDate": meta.get("broadcastDate", article.published or "" if article else ""),
        "type": edit["class"] if edit else "",
        "newsBeginning": item.question,
        "hallucinatedContinuation": item.inputs.get("hallucinated", ""),
        "generatedBy": item.provenance.agent or "",
        "annotations": annotation_texts(notes),
        "realContinuation": repaired if edit else "",
        "newsRemainder": _rest(article, item.question),
        REPAIRED_KEY: repaired,
    }
    return restore_row(told, kept, FIXED_FIELDS)


def withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """A withheld row: what a system is shown, and hashes of the answers."""
    open_keys = [key for key in row if key in ("id", "ID", *NEEDED_KEYS)]
    hashes = [content_hash([bundle.salts[item.id], answer]) for answer in item.answers]
    return {key: row[key] for key in open_keys} | {"answer_hashes": hashes}


def _lines(text: str) -> Iterator[ArrayElement]:
    for number, raw in enumerate(text.split("\n"), 1):
        line = read_object(number, raw)
        if line is not None:
            yield ArrayElement("", number, line.record, line.why)


def _article(row: Mapping[str, Any], beginning: str, rest: str, name: str) -> tuple[Document, ...]:
    title, date = read_text_field(row, "headLine"), read_text_field(row, "broadcastDate")
    document = read_document(
        beginning + rest,
        title=clean_title(title) or None,
        domain="general",
        origin=ORIGIN,
        meta={"id": name} | ({"broadcastDate": date} if date else {}),
    )
    return (replace(document, published=iso_date(date)),)


def _find_spans(text: str, document: Document, start: int) -> Iterator[Span]:
    """Where the text stands in the document, from `start` on."""
    words = text.strip()
    at = document.text.find(words, start) if words else -1
    if at >= 0:
        yield Span(document.id, at, at + len(words))


def _rest(article: Document | None, beginning: str) -> str:
    """What follows the beginning in its article; "" where it does not stand there."""
    if article is None:
        return ""
    words = [re.escape(word) for word in beginning.split()]
    found = re.search(r"\s+".join(words), article.text) if words else None
    return article.text[found.end() :] if found else ""


FORMAT = Format(label="UHGEval", write=write, read=read)
