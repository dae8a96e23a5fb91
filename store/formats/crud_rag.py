"""Read and write CRUD-RAG's published layout. data/crud_split/split_merged.json has six arrays of rows, one per task;
data/80000_docs/ has files without a suffix, with one article per line. The input is a folder, one JSON file (with all tasks, or
the rows of one task), or one file of articles. CRUD-RAG's layout has no evidence and no review history.

An item's id combines task and ID, because several tasks use the same IDs. Fields of a row for which an item has no field are
stored in labels.crud_rag. The following texts become separate documents: the source of a summary (with time, url, title and ID
in its meta), the news of a question, and the article of a hallucination. The article files contain the documents that systems
may search; line breaks within an article are written as spaces."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.draft_steps import KINDS as KINDS_OF_THOUGHT
from core.draft_steps import describe_step
from core.errors import BenchError
from core.json_lines import number_lines
from core.nouns import Document, Item, Provenance, Span
from core.readers.reading import clean_title, iso_date
from core.text.text import detect_language
from store.format import Bundle, Format
from store.formats import uhgeval
from store.formats._as_read import note_differences, read_kept, restore_row
from store.formats._folder import write_common_files, write_text
from store.formats._golds import hash_answers
from store.formats._lines import MAX_TEXT_CHARACTERS, WITHHELD, check_text, describe_refusal, read_start
from store.formats._outside import OutsideQuestion, check_item, read_document
from store.formats._rows import read_rows, read_text, read_text_field
from store.formats._withheld import select_withheld

ROWS = Path("data") / "crud_split" / "split_merged.json"
SHARDS = Path("data") / "80000_docs"
ARTICLES_PER_FILE = 2_000
ORIGIN = "CRUD-RAG layout"
BODY = "，正文："
"""Text that separates the time or byline of an article from its body."""
FIXED_FIELDS = frozenset(("text", "time", "url", "title", "news1", "news2", "news3", "thoughts"))
"""Fields of a CRUD-RAG row that cannot be edited in the workbench."""
SOURCE_FIELDS = ("time", "url", "title")
"""Fields that describe the source article; an earlier row may have imported this article already."""
_DATE = re.compile(r"\D{0,3}(\d{4}-\d{2}-\d{2})(?:[ T](\d{2})[:：](\d{2}))?")
_NO_ROWS = re.compile(r"manifest|checksums|croissant|ro-crate-metadata|.*_quest_gt_save")
"""Pattern of the names, without suffix, of JSON files that contain no rows."""


class CrudArray(NamedTuple):
    """One of the six arrays of a CRUD-RAG file, with the keys of its rows."""

    task: str
    asks: str
    """Key under which a row has the question."""
    answers: str
    """Key under which a row has the answer."""
    news: int = 0
    """Number of documents in a row, under the keys news1, news2, ..."""


KINDS: Mapping[str, CrudArray] = {
    "event_summary": CrudArray("summary", "event", "summary"),
    "continuing_writing": CrudArray("continuation", "beginning", "continuing"),
    "hallu_modified": CrudArray("hallucination_repair", "newsBeginning", uhgeval.REPAIRED_KEY),
    "questanswer_1doc": CrudArray("qa_one_document", "questions", "answers", 1),
    "questanswer_2docs": CrudArray("qa_two_documents", "questions", "answers", 2),
    "questanswer_3docs": CrudArray("qa_three_documents", "questions", "answers", 3),
}
PARTS = {kind.task: part for part, kind in KINDS.items()}


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the rows sorted by their ID. Raises BenchError if an item's task does not exist in CRUD-RAG."""
    if odd := [item for item in bundle.items if item.task not in PARTS]:
        raise BenchError(
            f"{len(odd)} items belong to none of the six tasks, for example {odd[0].id}: CRUD-RAG's layout cannot hold "
            "them; freeze a release of its tasks with --task."
        )
    texts, hidden = {document.id: document for document in bundle.documents}, select_withheld(bundle, withheld)
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in KINDS}
    for item in bundle.items:
        row = _build_row(item, texts)
        parts[PARTS[item.task]].append(_withhold_row(row, item, bundle) if item.id in hidden else row)
    for rows in parts.values():
        rows.sort(key=lambda row: str(row["ID"]))
    (folder / ROWS).parent.mkdir(parents=True)
    (folder / SHARDS).mkdir(parents=True)
    write_text(folder / ROWS, json.dumps(parts, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    left_out = set(bundle.manifest.get("left_out", ()))
    articles = [_join_lines(d.text) for d in sorted(bundle.documents, key=lambda d: d.id) if d.id not in left_out]
    for number, start in enumerate(range(0, len(articles), ARTICLES_PER_FILE), 1):
        write_text(folder / SHARDS / f"documents_part_{number}", "\n".join(articles[start : start + ARTICLES_PER_FILE]) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read the rows and articles of a folder or file. A faulty row or article is rejected with its position, and the rest is
    still read."""
    content = _Content({}, {}, {}, [])
    if not path.is_dir():
        _read_rows(path, path.name, content) if _holds_json(path) else _read_articles(path, path.name, content)
    else:
        names = {file: file.relative_to(path).as_posix() for file in sorted(path.rglob("*"))}
        links = [name for file, name in names.items() if file.is_symlink()]
        content.refused.extend(describe_refusal(name, None, "is a link, which is not followed") for name in links)
        files = {file: name for file, name in names.items() if file.is_file() and not file.is_symlink()}
        for file, name in files.items():
            if file.suffix == ".json" and not _NO_ROWS.fullmatch(file.stem):
                _read_rows(file, name, content)
        for file, name in files.items():
            if file.parent.name.endswith("_docs") and file.suffix not in (".json", ".jsonl", ".md"):
                _read_articles(file, name, content)
    if not content.items and not content.documents:
        raise BenchError(str(content.refused[0]["message"]) if content.refused else f"{path} holds no rows and no articles.")
    items = [_with_source(item, content) for item in content.items.values()]
    return Bundle(documents=list(content.documents.values()), items=items, refused=content.refused)


class _Content(NamedTuple):
    """The CRUD-RAG rows and news articles that were read so far."""

    items: dict[str, Item]
    rows: dict[str, tuple[str, Mapping[str, Any]]]
    """Dict from item id to (position of the row in the file, row)."""
    documents: dict[str, Document]
    refused: list[Mapping[str, Any]]


def _read_rows(file: Path, where: str, content: _Content) -> None:
    try:
        rows = list(read_rows(read_text(file)))
    except BenchError as error:
        content.refused.append(describe_refusal(where, None, f"cannot be used: {error}".rstrip(".")))
        return
    for part, number, value, why in rows:
        place = f"{part} in {where}" if part else where
        try:
            if why or not isinstance(value, Mapping):
                raise ValueError(why or "is not a JSON object")
            question = _parse_item(part or _find_part(value), value)
        except ValueError as error:
            content.refused.append(describe_refusal(place, number, str(error), "Row"))
            continue
        item = question.item
        before = content.rows.get(item.id)
        if before is None:
            content.items[item.id], content.rows[item.id] = item, (f"row {number} of {place}", value)
            for document in question.documents:
                content.documents.setdefault(document.id, document)
        elif before[1] != value:
            content.refused.append(describe_refusal(place, number, f"repeats the ID of {before[0]} with another text", "Row"))


def _find_part(row: Mapping[str, Any]) -> str:
    """Return the name of the array that the row belongs to, which the row's keys show. Raises ValueError if the keys match no
    array."""
    by_keys = (
        ("hallu_modified", uhgeval.NEEDED_KEYS),
        ("continuing_writing", ("beginning",)),
        ("questanswer_3docs", ("news3",)),
        ("questanswer_2docs", ("news2",)),
        ("questanswer_1doc", ("news1",)),
        ("event_summary", ("event", "text")),
    )
    part = next((part for part, keys in by_keys if all(key in row for key in keys)), None)
    if part is None:
        raise ValueError("does not have the keys of any of the six tasks")
    return part


def _parse_item(part: str, row: Mapping[str, Any]) -> OutsideQuestion:
    """Parse a row of the array `part` as a question. Raises ValueError if the row is faulty; the caller adds the position in
    the file to the message."""
    kind = KINDS.get(part)
    if kind is None:
        raise ValueError(f"is listed under {part[:40]!r}, which is not one of the six tasks")
    if kind.task == uhgeval.TASK:
        if uhgeval.REPAIRED_KEY not in row and "answer_hashes" not in row:
            raise ValueError(f"has no {uhgeval.REPAIRED_KEY}: import it with --format uhgeval to have it repaired")
        return uhgeval.read_row(row, "ID")
    if "answer_hashes" in row and not row.get(kind.answers):
        raise ValueError(WITHHELD)
    name, question, answer = (read_text_field(row, key, needed=True) for key in ("ID", kind.asks, kind.answers))
    failed = [key for key in row if isinstance(row[key], str) and uhgeval.FAILED_CALL.search(row[key])]
    if failed:
        raise ValueError(f"has the error message of a failed API call as its {failed[0]}: this text cannot be used")
    documents = tuple(_parse_documents(kind, row, name))
    event = read_text_field(row, "event") if kind.asks != "event" else ""
    thoughts = read_text_field(row, "thoughts")
    labels: dict[str, Any] = {"event": event} if event else {}
    if kind.task == "summary":
        labels["source"] = documents[0].id
    item = Item(
        id=f"{kind.task}:{name}",
        task=kind.task,
        question=question.strip(),
        answers=(answer.strip(),),
        language=detect_language(f"{question} {answer}", "zh"),
        status="accepted",
        labels=labels,
        given=tuple(document.id for document in documents) if kind.news else (),
        steps=({"kind": "thoughts", "text": thoughts},) if thoughts else (),
        provenance=Provenance(origin="imported"),
    )
    ours = _build_row(item, {document.id: document for document in documents}) | {"ID": name}
    labels["crud_rag"] = {"ID": name} | note_differences(row, ours, SOURCE_FIELDS)
    return OutsideQuestion(check_item(item), documents)


def _parse_documents(kind: CrudArray, row: Mapping[str, Any], name: str) -> Iterator[Document]:
    """Yield the documents of a CRUD-RAG row."""
    if kind.task == "summary":
        meta = {key: read_text_field(row, key) for key in SOURCE_FIELDS if key in row}
        text = read_text_field(row, "text", needed=True)
        yield _build_article(text, clean_title(meta.get("title", "")), meta | {"ID": name})
    for number in range(1, kind.news + 1):
        yield _build_article(read_text_field(row, f"news{number}", needed=True), "", {})


def _build_article(text: str, title: str, meta: Mapping[str, Any]) -> Document:
    """Build the document of a news article; its publication date is read from the text before the article's body, if that text
    begins with a date."""
    head, _, body = text.partition(BODY)
    title = title or clean_title(body[:160])[:40]
    document = read_document(text, title=title or None, domain="general", origin=ORIGIN, meta=meta)
    date = _DATE.match(head)
    return replace(document, published=iso_date(f"{date[1]}T{date[2]}:{date[3]}" if date[2] else date[1]) if date else None)


def _with_source(item: Item, content: _Content) -> Item:
    """Return the item with its source document, if its task is continuation and the source is found; otherwise return it
    unchanged. The source document of the summary with the same ID is the source, provided that it contains the beginning of the
    text."""
    if item.task != "continuation":
        return item
    summary = content.items.get(f"summary:{item.labels['crud_rag']['ID']}")
    source = content.documents.get(summary.labels["source"]) if summary else None
    at = source.text.find(item.question) if source else -1
    if source is None or at < 0:
        return item
    start = source.text.find(item.answers[0], at + len(item.question))
    evidence = (Span(source.id, start, start + len(item.answers[0])),) if start >= 0 else ()
    return replace(item, labels={"source": source.id, **item.labels}, evidence=evidence)


def _build_row(item: Item, documents: Mapping[str, Document]) -> dict[str, Any]:
    """Return the item as a CRUD-RAG row, with the keys in the order of the format."""
    kind = KINDS[PARTS[item.task]]
    if item.task == uhgeval.TASK:
        return uhgeval.build_row(item, documents, "ID")
    kept = read_kept(item, "crud_rag")
    ours: dict[str, Any] = {"ID": kept.get("ID", item.id), "event": item.labels.get("event", "")}
    if kind.news:
        texts = [documents[name].text for name in item.given if name in documents]
        ours |= {f"news{number}": text for number, text in zip(range(1, kind.news + 1), texts, strict=False)}
    ours |= {kind.asks: item.question, kind.answers: "".join(item.answers[:1])}
    if kind.news > 1:
        ours["thoughts"] = _format_thoughts(item)
    source = documents.get(str(item.labels.get("source"))) if item.task == "summary" else None
    if source is not None:
        ours |= {
            "text": source.text,
            "time": source.meta.get("time") or source.published or "",
            "url": source.meta.get("url") or (source.origin if "://" in source.origin else ""),
            "title": source.meta.get("title") or source.title,
        }
    return restore_row(ours, kept, FIXED_FIELDS)


def _format_thoughts(item: Item) -> str:
    """Return the reasoning behind a question: the imported text, or, for a drafted question, the steps of its draft."""
    for step in item.steps:
        if step.get("kind") == "thoughts":
            return str(step["text"])
    steps = [step for step in item.steps if step.get("kind") in KINDS_OF_THOUGHT]
    return "\n".join(f"{step['kind']}: {describe_step(step, item.given)}" for step in steps)


def _withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """Return the row of a withheld item: only the fields that a system is allowed to see, and hashes of the answers."""
    if item.task == uhgeval.TASK:
        return uhgeval.withhold_row(row, item, bundle)
    return {key: row[key] for key in ("ID", KINDS[PARTS[item.task]].asks)} | {"answer_hashes": hash_answers(item, bundle)}


def _holds_json(path: Path) -> bool:
    """Check whether a single file contains JSON rows and not articles. A file of articles can begin with a bracket too."""
    start = read_start(path).removeprefix(b"\xef\xbb\xbf").lstrip()
    return path.suffix == ".json" or bool(re.match(rb'\{\s*"|\[\s*[\{\]]', start))


def _read_articles(file: Path, where: str, content: _Content) -> None:
    """Read one article per line into `content`. An article with the same text as a row's document is not stored again."""
    articles = {_join_lines(document.text) for document in content.documents.values()}
    with file.open("rb") as lines:
        try:
            check_text(file, lines.read(4096))
        except BenchError as error:
            content.refused.append(describe_refusal(where, None, f"cannot be used: {error}".rstrip(".")))
            return
        lines.seek(0)
        for number, raw in number_lines(lines, 6 * MAX_TEXT_CHARACTERS):
            try:
                if raw is None:
                    raise ValueError("exceeds the maximum length of an article")
                text = raw.decode("utf-8").rstrip("\r\n").removeprefix("\ufeff")
                if "\0" in text:
                    raise ValueError("holds U+0000, a NUL character")
                if text.strip() and _join_lines(text) not in articles:
                    document = _build_article(text, "", {})
                    content.documents.setdefault(document.id, document)
            except UnicodeDecodeError as error:
                content.refused.append(describe_refusal(where, number, f"is not UTF-8 at its byte {error.start + 1:,}"))
            except ValueError as error:
                content.refused.append(describe_refusal(where, number, str(error)))


def _join_lines(text: str) -> str:
    """Return the text of an article with each line break replaced by a space."""
    lines = re.split(r"[\r\n]+", text)
    return " ".join(line.strip(" \t") for line in lines).strip() if len(lines) > 1 else text


FORMAT = Format(label="CRUD-RAG layout", write=write, read=read)
