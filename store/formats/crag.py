"""Read and write CRAG's published layout: one JSON object per line, plain or compressed with bz2. An object has a question, its
gold answers and labels, and the whole HTML of the pages that a search returned. Lines are several MB long, so they are read one
by one, and the questions are returned in several bundles.

The id of an item is the record's interaction_id. A page becomes a document with the page's visible text, or else with its
snippet. A page with neither gives no document. Pages with the same text share one document; labels.crag.pages stores all search
results in their original order. The HTML is stored compressed beside the documents. An export contains the HTML if it is stored
and the person asks for it, and otherwise the document's text. Gold answers are not changed; in CRAG, "nan" is a valid answer.
CRAG's layout has no field for the web address of a gold answer."""

import ast
import bz2
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.json_lines import MAX_LINE_BYTES, JsonLine, number_lines, read_object, strict_json
from core.nouns import Document, Item, Provenance
from core.quality import crag
from core.readers.web_page import web_page
from store.corpus.web_pages import compress_page, hash_page
from store.format import Bundle, Format, join_bundles
from store.formats._as_read import note_differences, read_kept, restore_row
from store.formats._folder import write_common_files
from store.formats._golds import hash_answers
from store.formats._lines import MAX_ANSWER_CHARACTERS, WITHHELD, check_text, describe_refusal, find_file, read_start
from store.formats._outside import check_item, read_language
from store.formats._rows import read_text_field
from store.formats._withheld import map_splits, select_withheld, sort_items

TASK = "web_question"
FILE = "crag.jsonl.bz2"
HTML_CHARACTERS_PER_PIECE = 16_000_000
MAX_QUESTIONS_PER_PIECE = 200
MAX_UNPACKING_RATIO = 256
"""Maximum ratio of a compressed file's size after unpacking to its size before."""
MAX_BLANK_LINES = 100_000
"""Maximum number of blank lines in a compressed file. 45 bytes can contain a million blank lines, and each takes as long to
read as a full line."""
FIXED_FIELDS = frozenset(("interaction_id", "split"))
"""Fields of a CRAG record that cannot be edited in the workbench."""
ALTERNATIVES_KEYS = ("alt_ans", "alternative_answers")
"""The two spellings of CRAG's key for alternative answers. The value of the key is a list, or a list written as text."""
PAGE_KEYS = ("page_name", "page_url", "page_snippet", "page_result", "page_last_modified")
OUR_KEYS = frozenset(("document", "html", "blank", "without", "why"))
"""Keys of a search result that this project adds to CRAG's layout."""
VALIDATION_SPLITS = frozenset(("dev", "train", "valid", "validation"))
"""Names of splits whose records are written with CRAG's split number 0."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the questions as JSON lines sorted by id. Raises BenchError if an item lacks a label that CRAG requires or has a
    domain that CRAG does not know."""
    _check(bundle)
    splits, hidden = map_splits(bundle), select_withheld(bundle, withheld)
    documents = {document.id: document for document in bundle.documents}
    with bz2.open(folder / FILE, "wb") as file:
        for item in sort_items(bundle):
            row = _build_row(item, splits.get(item.id, "test"))
            row |= {"search_results": [_build_page_row(page, documents, bundle) for page in _list_pages(item, documents)]}
            if item.id in hidden:
                row = _withhold_row(row, item, bundle)
            file.write((json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8"))
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read a whole CRAG file or exported folder at once, into one bundle."""
    return join_bundles(pieces(path))


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from an exported folder or from one .jsonl or .jsonl.bz2 file. A faulty line is rejected with
    its number, and the rest is still read."""
    file = find_file(path, FILE, "one file of questions")
    piece, refused = _Piece(), list[Mapping[str, Any]]()
    numbers: dict[str, int] = {}
    """Dict from question id to the number of its line."""
    documents: dict[str, _PageText] = {}
    for line in _read_lines(file):
        try:
            if line.record is None:
                raise ValueError(line.why)
            id_ = read_text_field(line.record, "interaction_id", needed=True)
            if id_ in numbers:
                raise ValueError(f"repeats the interaction_id {id_[:60]!r} of line {numbers[id_]}")
            item = _parse_item(line.record, piece, documents)
        except ValueError as error:
            refused.append(describe_refusal(file.name, line.number, str(error)))
            continue
        numbers[id_] = line.number
        piece.items.append(item)
        if piece.size > HTML_CHARACTERS_PER_PIECE or len(piece.items) >= MAX_QUESTIONS_PER_PIECE:
            yield piece.bundle(refused)
            piece, refused = _Piece(), []
    if not numbers:
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds no questions: give one JSON object a line.")
    if piece.items or refused:
        yield piece.bundle(refused)


class _PageText(NamedTuple):
    """The document that was made from a search result's web page."""

    document: str | None
    """Id of the document, or None if the page has no text."""
    why: str
    """Reason why the document is not the whole page; "" if it is the whole page."""


@dataclass(slots=True)
class _Piece:
    """The rows of a file that were read but are not yielded as a bundle yet."""

    items: list[Item] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    web_pages: dict[str, bytes] = field(default_factory=dict)
    size: int = 0
    """Number of characters of HTML in the rows of the piece."""

    def bundle(self, refused: list[Mapping[str, Any]]) -> Bundle:
        return Bundle(documents=list(self.documents.values()), items=self.items, web_pages=self.web_pages, refused=refused)


def read_alternatives(value: Any) -> list[str]:
    """Return the alternative gold answers that are not blank; they are given as a list or as the text of a list. Raises
    ValueError if they are faulty; the caller adds the position in the file to the message."""
    answers = _parse_list(value) if isinstance(value, str) else value
    if answers is None:
        return []
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise ValueError("has alternative answers that are not a list of texts")
    if any(len(answer) > MAX_ANSWER_CHARACTERS for answer in answers):
        raise ValueError(f"has an alternative answer of more than {MAX_ANSWER_CHARACTERS:,} characters")
    return [answer for answer in answers if answer.strip()]


def _parse_list(text: str) -> Any:
    """Parse the text of a list in the syntax of JSON or Python. Any other text counts as one answer."""
    if not text.strip().startswith("["):
        return [text]
    try:
        return strict_json(text)
    except ValueError:
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [text]


def _read_lines(file: Path) -> Iterator[JsonLine]:
    """Yield the lines of a file. If the rest of the file cannot be unpacked, the last line gives the reason instead of a
    record. Raises BenchError if the file cannot be opened or has another format."""
    number = blank = 0
    start = read_start(file)
    is_packed = start.startswith(b"BZh")
    if not is_packed:
        check_text(file, start)
    try:
        with _Unpacked(file) if is_packed else file.open("rb") as stream:
            for number, raw in number_lines(stream, MAX_LINE_BYTES):
                long = JsonLine(number, None, f"is longer than {MAX_LINE_BYTES // 2**20} MB")
                line = long if raw is None else read_object(number, raw)
                if line is not None:
                    yield line
                    continue
                blank += 1
                if is_packed and blank > MAX_BLANK_LINES:
                    raise OSError(f"it unpacks to more than {MAX_BLANK_LINES:,} blank lines")
    except (OSError, EOFError) as error:
        if not number:
            raise BenchError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
        yield JsonLine(number + 1, None, f"cannot be decompressed, nor can the rest of the file ({error})")


class _Unpacked(bz2.BZ2File):
    """A compressed file that raises an error when its content gets larger than MAX_UNPACKING_RATIO times its size. Only content
    that is mostly blank gets so large."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, "rb")
        self._max_bytes = MAX_UNPACKING_RATIO * max(file.stat().st_size, 2**18)

    def readline(self, size: Any = -1) -> bytes:
        line = super().readline(size)
        if self.tell() > self._max_bytes:
            raise OSError(f"it unpacks to more than {MAX_UNPACKING_RATIO} times its size")
        return line


def _parse_item(record: Mapping[str, Any], piece: _Piece, documents: dict[str, _PageText]) -> Item:
    """Parse a record as an item and add its pages to `piece`. `documents` is a dict from the hash of a page's HTML to the
    document made from it, including the pages of earlier pieces. Raises ValueError if the record is faulty; the caller adds the
    position in the file to the message."""
    if "answer_hashes" in record:
        raise ValueError(WITHHELD)
    question, answer = read_text_field(record, "query", needed=True), read_text_field(record, "answer", needed=True)
    domain, labels = _parse_labels(record)
    key = next((name for name in ALTERNATIVES_KEYS if name in record), None)
    others = read_alternatives(record[key]) if key else []
    results = record.get("search_results", [])
    if not isinstance(results, list) or not all(isinstance(page, dict) for page in results):
        raise ValueError("has search_results that are not a list of pages")
    for page in results:
        for name in PAGE_KEYS:
            if not isinstance(page.get(name, ""), str):
                raise ValueError(f"has a page whose {name} is not text")
    pages = [_parse_page(page, domain, piece, documents) for page in results]
    item = Item(
        id=str(record["interaction_id"]),
        task=TASK,
        question=question,
        answers=(answer, *others),
        domain=domain,
        language=read_language({}, question, "en"),
        status="accepted",
        labels=labels,
        given=tuple(dict.fromkeys(page["document"] for page in pages if page["document"])),
        provenance=Provenance(origin="imported"),
    )
    head = {name: value for name, value in record.items() if name != "search_results" and name != key}
    ours = {name: value for name, value in _build_row(item, "").items() if name not in ALTERNATIVES_KEYS}
    kept = note_differences(head, ours, ("split",))
    kept |= {"alternatives": {"key": key, "value": record[key]}} if key else {}
    return check_item(replace(item, labels=labels | {"crag": kept | {"pages": pages}}))


def _parse_labels(record: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return (domain, dict of CRAG's labels and the query time) of a record. Raises ValueError if the record is faulty; the
    caller adds the position in the file to the message."""
    labels: dict[str, Any] = {}
    for name in ("domain", "question_type", "static_or_dynamic"):
        if why := crag.explain_label_fault(name, record.get(name)):
            raise ValueError(why if record.get(name) is not None else f"has no {name}")
        labels[name] = record[name]
    if "popularity" in record:
        if why := crag.explain_label_fault("popularity", record["popularity"]):
            raise ValueError(why)
        labels["popularity"] = record["popularity"]
    if time := read_text_field(record, "query_time"):
        crag.read_query_time(time)
        labels["query_time"] = time
    split = record.get("split")
    if split is not None and (isinstance(split, bool) or not isinstance(split, int)):
        raise ValueError("has a split that is not a whole number")
    return str(labels.pop("domain")), labels


def _parse_page(page: Mapping[str, Any], domain: str, piece: _Piece, documents: dict[str, _PageText]) -> dict[str, Any]:
    """Return the entry of one search result: its `document`, the hash of its `html`, and the result's own fields. `blank` is
    the page's HTML if it has only white space, `why` is the reason why the document is not the whole page, and `without` lists
    missing keys."""
    raw = page.get("page_result", "")
    snippet, name, url, modified = (
        page.get(key, "") for key in ("page_snippet", "page_name", "page_url", "page_last_modified")
    )
    kept = {key: value for key, value in page.items() if key not in OUR_KEYS and key != "page_result"}
    key = hash_page(raw if raw.strip() else f"{raw}\n{snippet}")
    if key not in documents:
        document, why = web_page(raw, snippet=snippet, name=name, url=url, modified=modified, domain=domain)
        piece.size += len(raw)
        if document is not None:
            piece.documents.setdefault(document.id, document)
        if raw.strip():
            piece.web_pages[key] = compress_page(raw)
        documents[key] = _PageText(document.id if document else None, why)
    kept |= {"document": documents[key].document} | ({"why": documents[key].why} if documents[key].why else {})
    if "page_result" not in page:
        return kept | {"without": ["page_result"]}
    return kept | ({"html": key} if raw.strip() else {"blank": raw})


def _build_row(item: Item, split: str) -> dict[str, Any]:
    """Return the item as a CRAG record without its search results."""
    kept = read_kept(item, "crag")
    ours = {
        "interaction_id": item.id,
        "query_time": item.labels.get("query_time", ""),
        "domain": item.domain,
        "question_type": item.labels.get("question_type"),
        "static_or_dynamic": item.labels.get("static_or_dynamic"),
        "query": item.question,
        "answer": item.answers[0] if item.answers else "",
        "split": 0 if split in VALIDATION_SPLITS else 1,
        "popularity": item.labels.get("popularity", ""),
    }
    return restore_row(ours, kept, FIXED_FIELDS) | _build_alternatives(item, kept)


def _build_alternatives(item: Item, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dict with the item's current alternative gold answers, under the key and in the form (a list or the text of a
    list) in which they were imported."""
    others, before = list(item.answers[1:]), kept.get("alternatives")
    if not isinstance(before, Mapping):
        return {"alt_ans": others} if others or ("more" not in kept and "pages" not in kept) else {}
    value = before["value"]
    if read_alternatives(value) == others:
        return {before["key"]: value}
    return {before["key"]: json.dumps(others, ensure_ascii=False) if isinstance(value, str) else others}


def _list_pages(item: Item, documents: Mapping[str, Document]) -> list[Mapping[str, Any]]:
    """Return the search results of an item, or its given documents if it was read without search results."""
    pages = read_kept(item, "crag").get("pages")
    if pages is not None:
        return list(pages)
    return [
        {
            "document": d.id,
            "page_name": d.title,
            "page_url": d.meta.get("url", d.origin),
            "page_snippet": "",
            "page_last_modified": "",
        }
        for d in (documents[name] for name in item.given if name in documents)
    ]


def _build_page_row(page: Mapping[str, Any], documents: Mapping[str, Document], bundle: Bundle) -> dict[str, Any]:
    """Return a search result as a record. The record contains the page's HTML if the HTML is stored and requested for the
    export; otherwise it contains the text of the page's document."""
    own = {name: value for name, value in page.items() if name not in OUR_KEYS}
    if "page_result" in page.get("without", ()):
        return own
    html = bundle.web_page(page["html"]) if "html" in page else None
    document = documents.get(str(page["document"]))
    text = "" if document is None or document.meta.get("is_snippet") else document.text
    return own | {"page_result": page.get("blank", text) if html is None else html}


def _withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """Return the record of a withheld item: only the fields that a system is allowed to see, and hashes of the gold answers.
    The question type is removed, because it could reveal that the question has a false premise."""
    shown = ("interaction_id", "query_time", "domain", "query", "split", "search_results")
    return {key: row[key] for key in shown if key in row} | {"answer_hashes": hash_answers(item, bundle)}


def _check(bundle: Bundle) -> None:
    for item in bundle.items:
        labels = {"domain": item.domain, "popularity": "", **item.labels}
        why = next((why for name in ("domain", *crag.LABELS) if (why := crag.explain_label_fault(name, labels.get(name)))), "")
        if why:
            raise BenchError(
                f"Item {item.id} {why}; CRAG's layout cannot hold it: label the item in the review, or freeze a release "
                "without it."
            )


FORMAT = Format(label="CRAG layout", write=write, read=read, pieces=pieces)
