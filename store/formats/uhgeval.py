"""Read and write UHGEval: JSON lines, or an array, of beginnings of news articles, each with a hallucinated continuation and
its annotated keywords. Each row is an item of the task hallucination_repair. A row with a repaired text becomes an accepted
item. A row without a repaired text becomes a drafted item without an answer; a person repairs the text during review, or an
agent does so with `draft --task hallucination_repair`.

The article of a row (its beginning and its rest) becomes a document; the evidence is the part of the document with the real
continuation. A release is written to uhgeval.jsonl with one row per line; values that nobody edited are written unchanged."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import content_hash
from core.json_lines import JsonLine, read_object
from core.nouns import Document, Item, Provenance, Span
from core.readers.reading import clean_title, iso_date
from core.text.text import detect_language
from store.format import Bundle, Format
from store.formats._annotations import annotation_texts, edit_annotation, read_annotations
from store.formats._as_read import note_differences, read_kept, restore_row
from store.formats._folder import write_common_files, write_lines
from store.formats._golds import hash_answers
from store.formats._lines import WITHHELD, describe_refusal, find_file
from store.formats._outside import OutsideQuestion, check_item, read_document
from store.formats._rows import read_rows, read_text, read_text_field
from store.formats._withheld import select_withheld, sort_items

TASK = "hallucination_repair"
FILE = "uhgeval.jsonl"
ORIGIN = "UHGEval layout"
REPAIRED_KEY = "hallucinatedMod"
"""Key of the repaired text. UHGEval's own rows lack this key, but rows that CRUD-RAG derived from them have it."""
NEEDED_KEYS = ("newsBeginning", "hallucinatedContinuation")
FIXED_FIELDS = frozenset(("newsRemainder", "realContinuation", "headLine", "broadcastDate", "type", "generatedBy"))
"""Fields of a UHGEval row that cannot be edited in the workbench."""
ARTICLE_FIELDS = ("headLine", "broadcastDate")
"""Fields that describe the article; an earlier row may have imported this article already."""
FAILED_CALL = re.compile(r"request openai failed", re.IGNORECASE)
"""Pattern of the error message that a row contains instead of a model's reply, because the API call failed."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the items as UHGEval rows. Raises BenchError if an item's task is not hallucination_repair."""
    if odd := [item for item in bundle.items if item.task != TASK]:
        raise BenchError(
            f"{len(odd)} items are not of the task {TASK}, for example {odd[0].id}: UHGEval's layout cannot hold them; "
            f"freeze a release with --task {TASK}."
        )
    texts, hidden = {document.id: document for document in bundle.documents}, select_withheld(bundle, withheld)
    rows = ((item, build_row(item, texts, "id")) for item in sort_items(bundle))
    shown = (withhold_row(row, item, bundle) if item.id in hidden else row for item, row in rows)
    write_lines(folder / FILE, shown)
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read a folder exported in UHGEval's format, or one file of rows."""
    file = find_file(path, FILE, "one file of rows")
    items: dict[str, Item] = {}
    documents: dict[str, Document] = {}
    refused: list[Mapping[str, Any]] = []
    text = read_text(file)
    is_lines = not text.lstrip().startswith("[")
    for number, row, why in _read_lines(text) if is_lines else (element.as_line() for element in read_rows(text)):
        try:
            if row is None:
                raise ValueError(why)
            question = read_row(row, "id")
            if question.item.id in items:
                raise ValueError(f"repeats the id {row.get('id')!r} of an earlier row")
        except ValueError as error:
            refused.append(describe_refusal(file.name, number, str(error), "Line" if is_lines else "Row"))
            continue
        items[question.item.id] = question.item
        documents |= {document.id: document for document in question.documents if document.id not in documents}
    if not items:
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds no rows: give one JSON object a line.")
    return Bundle(documents=list(documents.values()), items=list(items.values()), refused=refused)


def read_row(row: Mapping[str, Any], id_key: str) -> OutsideQuestion:
    """Parse a row as an item with its article. A row without a repaired text becomes a drafted item without an answer. Raises
    ValueError if the row is faulty; the caller adds the position in the file to the message."""
    if "answer_hashes" in row and not row.get(REPAIRED_KEY):
        raise ValueError(WITHHELD)
    name = read_text_field(row, id_key, needed=True)
    beginning, hallucinated = (read_text_field(row, key, needed=True) for key in NEEDED_KEYS)
    rest, real, repaired = (read_text_field(row, key) for key in ("newsRemainder", "realContinuation", REPAIRED_KEY))
    for key, text in ((NEEDED_KEYS[1], hallucinated), (REPAIRED_KEY, repaired)):
        if FAILED_CALL.search(text):
            raise ValueError(f"has the error message of a failed API call as its {key}: this text cannot be used")
    if REPAIRED_KEY in row and not repaired.strip():
        raise ValueError(f"has an empty {REPAIRED_KEY}")
    labels: dict[str, Any] = {"annotations": read_annotations(row["annotations"])} if row.get("annotations") is not None else {}
    documents = _build_article(row, beginning, rest, name) if rest.strip() else ()
    item = Item(
        id=f"{TASK}:{name}" if repaired else f"{TASK}:{name}:{content_hash(hallucinated)[-8:]}",
        task=TASK,
        question=beginning.strip(),
        answers=(repaired.strip(),) if repaired else (),
        evidence=tuple(span for document in documents for span in _find_spans(real or repaired, document, len(beginning))),
        language=detect_language(beginning, "zh"),
        status="accepted" if repaired else "drafted",
        labels=labels,
        inputs={"hallucinated": hallucinated.strip()},
        given=tuple(document.id for document in documents),
        provenance=Provenance(origin="imported"),
    )
    ours = build_row(item, {document.id: document for document in documents}, id_key) | {id_key: name}
    labels["uhgeval"] = {"id": name} | note_differences(row, ours, ARTICLE_FIELDS)
    return OutsideQuestion(check_item(item), documents)


def build_row(item: Item, documents: Mapping[str, Document], id_key: str) -> dict[str, Any]:
    """Return the item as a UHGEval row, with the keys in the order of the format."""
    kept = read_kept(item, "uhgeval")
    article = next((documents[name] for name in item.given if name in documents), None)
    repaired, edit = "".join(item.answers[:1]), item.labels.get("edit")
    annotations = [edit_annotation(edit)] if edit else item.labels.get("annotations", [])
    meta = article.meta if article else {}
    ours = {
        id_key: kept.get("id", item.id),
        "headLine": article.title if article else "",
        "broadcastDate": meta.get("broadcastDate", article.published or "" if article else ""),
        "type": edit["class"] if edit else "",
        "newsBeginning": item.question,
        "hallucinatedContinuation": item.inputs.get("hallucinated", ""),
        "generatedBy": item.provenance.agent or "",
        "annotations": annotation_texts(annotations),
        "realContinuation": repaired if edit else "",
        "newsRemainder": _find_rest(article, item.question),
        REPAIRED_KEY: repaired,
    }
    return restore_row(ours, kept, FIXED_FIELDS)


def withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """Return the row of a withheld item: only the fields that a system is allowed to see, and hashes of the answers."""
    return {key: row[key] for key in row if key in ("id", "ID", *NEEDED_KEYS)} | {"answer_hashes": hash_answers(item, bundle)}


def _read_lines(text: str) -> Iterator[JsonLine]:
    for number, raw in enumerate(text.split("\n"), 1):
        if line := read_object(number, raw):
            yield line


def _build_article(row: Mapping[str, Any], beginning: str, rest: str, name: str) -> tuple[Document, ...]:
    title, date = read_text_field(row, "headLine"), read_text_field(row, "broadcastDate")
    meta = {"id": name} | ({"broadcastDate": date} if date else {})
    document = read_document(beginning + rest, title=clean_title(title) or None, domain="general", origin=ORIGIN, meta=meta)
    return (replace(document, published=iso_date(date)),)


def _find_spans(text: str, document: Document, start: int) -> Iterator[Span]:
    """Yield the span of the text's first occurrence in the document from offset `start` on, if there is one."""
    words = text.strip()
    at = document.text.find(words, start) if words else -1
    if at >= 0:
        yield Span(document.id, at, at + len(words))


def _find_rest(article: Document | None, beginning: str) -> str:
    """Return the text that follows `beginning` in its article, or "" if the article does not contain it."""
    words = [re.escape(word) for word in beginning.split()]
    match = re.search(r"\s+".join(words), article.text) if article and words else None
    return article.text[match.end() :] if article and match else ""


FORMAT = Format(label="UHGEval", write=write, read=read)
