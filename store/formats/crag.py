"""CRAG's released layout: one JSON object a line, plain or in bz2, each a question with its gold, its labels and the whole HTML
of the pages that a search had found. Lines of several MB are read one by one, and handed over in pieces.

Rules. The id is interaction_id. A page becomes a document of its visible text; without any it becomes its snippet, without one
no document. Pages that say the same are one document; every rank, as it was, stands in labels.crag.pages. The HTML is kept
beside the documents, packed; an export has it where it is kept and asked for, else the document's text in its place. Golds stay
what they are: "nan" is a text here. A gold's URL has no place in this layout."""

import ast
import bz2
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import content_hash
from core.json_lines import MAX_LINE_BYTES, JsonLine, number_lines, read_object, strict_json
from core.nouns import Document, Item, Provenance
from core.quality import crag
from core.readers.web_page import web_page
from store.corpus.web_pages import compress_page, hash_page
from store.format import Bundle, Format, join_bundles
from store.formats._as_read import note_differences, restore_row
from store.formats._folder import write_common_files
from store.formats._lines import MAX_ANSWER_CHARACTERS, check_text, describe_refusal
from store.formats._outside import check_item, read_language
from store.formats._rows import read_text_field
from store.formats._withheld import map_splits

TASK = "web_question"
FILE = "crag.jsonl.bz2"
HTML_CHARACTERS_PER_PIECE = 16_000_000
"""Characters of HTML after which a piece is handed over."""
MAX_QUESTIONS_PER_PIECE = 200
"""Questions of a piece."""
MOST_TIMES = 256
"""How many times its own size a packed file may unpack to."""
MOST_BLANK = 100_000
"""Blank lines of a packed file: 45 bytes hold a million of them, and each takes as long as a line with words."""
FIXED_FIELDS = frozenset(("interaction_id", "split"))
"""What nobody can edit here."""
ALTERNATIVES = ("alt_ans", "alternative_answers")
"""Both spellings that there are; the value is a list, or a list written as a text."""
PAGE = ("page_name", "page_url", "page_snippet", "page_result", "page_last_modified")
OURS = frozenset(("document", "html", "blank", "without", "why"))
"""What stands in a page's entry and is no key of the layout."""
VALIDATION = frozenset(("dev", "train", "valid", "validation"))
"""Names of our splits that stand for CRAG's split 0."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Lines sorted by id. Raises BenchError when an item lacks one of CRAG's labels, or has another domain."""
    _check(bundle)
    splits, documents = map_splits(bundle), {document.id: document for document in bundle.documents}
    with bz2.open(folder / FILE, "wb") as out:
        for item in sorted(bundle.items, key=lambda i: i.id):
            row = _row(item, splits.get(item.id, "test"))
            row |= {"search_results": [_page_row(page, documents, bundle) for page in _pages(item, documents)]}
            if splits.get(item.id, "test") in withheld:
                row = _withhold_row(row, item, bundle)
            out.write((json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8"))
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """All of it at once."""
    return join_bundles(pieces(path))


def pieces(path: Path) -> Iterator[Bundle]:
    """The questions of an exported folder, or of one .jsonl or .jsonl.bz2 file, some at a time. A line that cannot be read is
    refused with its number, and the rest goes on."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one file of questions.")
    found, piece, refused = 0, _Piece(), list[Mapping[str, Any]]()
    seen: dict[str, int] = {}
    documents: dict[str, _Became] = {}
    for line in _lines(file):
        try:
            if line.record is None:
                raise ValueError(line.why)
            id_ = read_text_field(line.record, "interaction_id", needed=True)
            if id_ in seen:
                raise ValueError(f"repeats the interaction_id {id_[:60]!r} of line {seen[id_]}")
            item = _item(line.record, piece, documents)
        except ValueError as error:
            refused.append(describe_refusal(file.name, line.number, str(error)))
            continue
        seen[id_] = line.number
        piece.items.append(item)
        found += 1
        if piece.size > HTML_CHARACTERS_PER_PIECE or len(piece.items) >= MAX_QUESTIONS_PER_PIECE:
            yield piece.bundle(refused)
            piece, refused = _Piece(), []
    if not found:
        raise BenchError(str(refused[0]["message"]) if refused else f"{path} holds no questions: give one JSON object a line.")
    if piece.items or refused:
        yield piece.bundle(refused)


class _Became(NamedTuple):
    """What a page became: a document, or none, and why it is not the whole page."""

    document: str | None
    why: str


@dataclass(slots=True)
class _Piece:
    """What was read since the last piece was handed over."""

    items: list[Item] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    web_pages: dict[str, bytes] = field(default_factory=dict)
    size: int = 0
    """Characters of HTML."""

    def bundle(self, refused: list[Mapping[str, Any]]) -> Bundle:
        return Bundle(documents=list(self.documents.values()), items=self.items, web_pages=self.web_pages, refused=refused)


def alternatives(value: Any) -> list[str]:
    """Other golds, of a list or of a list written as a text; blank ones are left out. Raises ValueError with the end of a
    sentence."""
    found = value
    if isinstance(value, str):
        found = _written_list(value)
    if found is None:
        found = []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("has other answers that are no list of texts")
    if any(len(one) > MAX_ANSWER_CHARACTERS for one in found):
        raise ValueError(f"has another answer of more than {MAX_ANSWER_CHARACTERS:,} characters")
    return [one for one in found if one.strip()]


def _written_list(text: str) -> Any:
    """A list as JSON or as Python writes it; any other text is one answer."""
    if not text.strip().startswith("["):
        return [text]
    try:
        return strict_json(text)
    except ValueError:
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [text]


def _lines(file: Path) -> Iterator[JsonLine]:
    """Raises BenchError when it cannot be opened or is plainly something else; a file that breaks off gives a last line that
    says so."""
    number = blank = 0
    try:
        with file.open("rb") as plain:
            start = plain.read(4096)
        is_packed = start.startswith(b"BZh")
        if not is_packed:
            check_text(file, start)
        with _Unpacked(file) if is_packed else file.open("rb") as stream:
            for number, raw in number_lines(stream, MAX_LINE_BYTES):
                long = JsonLine(number, None, f"is longer than {MAX_LINE_BYTES // 2**20} MB")
                line = long if raw is None else read_object(number, raw)
                if line is not None:
                    yield line
                    continue
                blank += 1
                if is_packed and blank > MOST_BLANK:
                    raise OSError(f"it unpacks to more than {MOST_BLANK:,} blank lines")
    except (OSError, EOFError) as error:
        if not number:
            raise BenchError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
        yield JsonLine(number + 1, None, f"cannot be unpacked, nor what stands behind it ({error})")


class _Unpacked(bz2.BZ2File):
    """A packed file that is given up when it unpacks to very many times its size: pages do not, blanks do."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, "rb")
        self._most = MOST_TIMES * max(file.stat().st_size, 2**18)

    def readline(self, size: Any = -1) -> bytes:
        line = super().readline(size)
        if self.tell() > self._most:
            raise OSError(f"it unpacks to more than {MOST_TIMES} times its size")
        return line


def _item(record: Mapping[str, Any], piece: _Piece, documents: dict[str, _Became]) -> Item:
    """The item of a record; its pages go into the piece. `documents` = hash of HTML -> document, of those of pieces before.
    Raises ValueError with the end of a sentence."""
    if "answer_hashes" in record:
        raise ValueError("is withheld: its answers are not in this layout")
    question, answer = read_text_field(record, "query", needed=True), read_text_field(record, "answer", needed=True)
    domain, labels = _labels(record)
    key = next((name for name in ALTERNATIVES if name in record), None)
    others = alternatives(record[key]) if key else []
    found = record.get("search_results", [])
    if not isinstance(found, list) or not all(isinstance(page, dict) for page in found):
        raise ValueError("has search_results that are no list of pages")
    for page in found:
        for name in PAGE:
            if not isinstance(page.get(name, ""), str):
                raise ValueError(f"has a page with something else than text as its {name}")
    pages = [_page(page, domain, piece, documents) for page in found]
    given = tuple(dict.fromkeys(page["document"] for page in pages if page["document"]))
    item = Item(
        id=str(record["interaction_id"]),
        task=TASK,
        question=question,
        answers=(answer, *others),
        domain=domain,
        language=read_language({}, question),
        status="accepted",
        labels=labels,
        given=given,
        provenance=Provenance(origin="imported"),
    )
    head = {name: value for name, value in record.items() if name != "search_results" and name != key}
    told = {name: value for name, value in _row(item, "").items() if name not in ALTERNATIVES}
    kept: dict[str, Any] = note_differences(head, told, ("split",))
    kept |= {"alternatives": {"key": key, "value": record[key]}} if key else {}
    return check_item(replace(item, labels=labels | {"crag": kept | {"pages": pages}}))


def _labels(record: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """(domain, CRAG's labels and the query time). Raises ValueError with the end of a sentence."""
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
        raise ValueError("has a split that is no whole number")
    return str(labels.pop("domain")), labels


def _page(page: Mapping[str, Any], domain: str, piece: _Piece, documents: dict[str, _Became]) -> dict[str, Any]:
    """One rank of the results as it is kept: its `document`, the hash of its `html`, and what it said of itself; `blank` = a
    page without a word, `why` = why the document is its snippet, `without` = keys that it does not have."""
    raw = page.get("page_result", "")
    snippet, name, url, modified = (
        page.get(key, "") for key in ("page_snippet", "page_name", "page_url", "page_last_modified")
    )
    kept = {key: value for key, value in page.items() if key not in OURS and key != "page_result"}
    key = hash_page(raw if raw.strip() else f"{raw}\n{snippet}")
    if key not in documents:
        document, why = web_page(raw, snippet=snippet, name=name, url=url, modified=modified, domain=domain)
        piece.size += len(raw)
        if document is not None:
            piece.documents.setdefault(document.id, document)
        if raw.strip():
            piece.web_pages[key] = compress_page(raw)
        documents[key] = _Became(document.id if document else None, why)
    kept |= {"document": documents[key].document} | ({"why": documents[key].why} if documents[key].why else {})
    if "page_result" not in page:
        return kept | {"without": ["page_result"]}
    return kept | ({"html": key} if raw.strip() else {"blank": raw})


def _row(item: Item, split: str) -> dict[str, Any]:
    """The item as a record, without its pages."""
    found = item.labels.get("crag")
    kept: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    told = {
        "interaction_id": item.id,
        "query_time": item.labels.get("query_time", ""),
        "domain": item.domain,
        "question_type": item.labels.get("question_type"),
        "static_or_dynamic": item.labels.get("static_or_dynamic"),
        "query": item.question,
        "answer": item.answers[0] if item.answers else "",
        "split": 0 if split in VALIDATION else 1,
        "popularity": item.labels.get("popularity", ""),
    }
    return restore_row(told, kept, FIXED_FIELDS) | _alternatives(item, kept)


def _alternatives(item: Item, kept: Mapping[str, Any]) -> dict[str, Any]:
    """The other golds under the key and in the form in which they were read, as they are now."""
    others, before = list(item.answers[1:]), kept.get("alternatives")
    if not isinstance(before, Mapping):
        return {"alt_ans": others} if others or ("more" not in kept and "pages" not in kept) else {}
    value = before["value"]
    if alternatives(value) == others:
        return {before["key"]: value}
    return {before["key"]: json.dumps(others, ensure_ascii=False) if isinstance(value, str) else others}


def _pages(item: Item, documents: Mapping[str, Document]) -> list[Mapping[str, Any]]:
    """The ranks of an item's results; of an item that came without any, the documents that it was given."""
    found = item.labels.get("crag")
    pages = found.get("pages") if isinstance(found, Mapping) else None
    if pages is not None:
        return list(pages)
    given = [documents[name] for name in item.given if name in documents]
    return [
        {
            "document": d.id,
            "page_name": d.title,
            "page_url": d.meta.get("url", d.origin),
            "page_snippet": "",
            "page_last_modified": "",
        }
        for d in given
    ]


def _page_row(page: Mapping[str, Any], documents: Mapping[str, Document], bundle: Bundle) -> dict[str, Any]:
    """A rank as a record: with its HTML where it is kept and wanted, else with the text of its document."""
    own = {name: value for name, value in page.items() if name not in OURS}
    if "page_result" in page.get("without", ()):
        return own
    html = bundle.web_page(page["html"]) if "html" in page else None
    document = documents.get(str(page["document"]))
    text = "" if document is None or document.meta.get("is_snippet") else document.text
    return own | {"page_result": page.get("blank", text) if html is None else html}


def _withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """A withheld record: what a system is shown, and hashes of the golds. Its type could tell of a false premise."""
    shown = ("interaction_id", "query_time", "domain", "query", "split", "search_results")
    hashes = [content_hash([bundle.salts[item.id], answer]) for answer in item.answers]
    return {key: row[key] for key in shown if key in row} | {"answer_hashes": hashes}


def _check(bundle: Bundle) -> None:
    for item in bundle.items:
        labels = {"domain": item.domain, "popularity": "", **item.labels}
        why = next((why for name in ("domain", *crag.LABELS) if (why := crag.explain_label_fault(name, labels.get(name)))), "")
        if why:
            raise BenchError(
                f"Item {item.id} {why}; CRAG's layout has no place for it: label it in the review, or freeze a "
                "release without it."
            )


FORMAT = Format(label="CRAG layout", write=write, read=read, pieces=pieces)
