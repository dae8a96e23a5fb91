"""CRUD-RAG's released layout: data/crud_split/split_merged.json, six arrays of rows by task, and data/80000_docs/, files
without an ending with an article a line. Read from a folder, from one JSON file (all tasks, or the rows of one), or from one
file of articles. Ours is the canonical record, this a view of it: evidence and history have no place there.

Rules. The key is task and ID together, for an ID stands in several tasks. What a row says beyond our nouns is kept in
labels.crud_rag. A summary's source is a document of its own (time, url, title and ID in its meta), as are the news of a
question and the article of a hallucination. The files of articles are the release's retrieval corpus, without what is left out
of it; a line break within an article becomes a space there."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.draft_steps import KINDS as KINDS_OF_THOUGHT
from core.draft_steps import describe_step
from core.errors import BenchError
from core.ids import content_hash
from core.json_lines import number_lines
from core.nouns import Document, Item, Provenance, Span
from core.readers.reading import clean_title, iso_date
from core.text.text import detect_language
from store.format import Bundle, Format
from store.formats import uhgeval
from store.formats._as_read import note_differences, restore_row
from store.formats._folder import write_common_files, write_text
from store.formats._lines import MAX_TEXT_CHARACTERS, check_text, describe_refusal
from store.formats._outside import OutsideQuestion, check_item, read_document
from store.formats._rows import read_rows, read_text, read_text_field
from store.formats._withheld import map_splits

ROWS = Path("data") / "crud_split" / "split_merged.json"
SHARDS = Path("data") / "80000_docs"
SHARD = 2_000
"""Articles of a file."""
ORIGIN = "CRUD-RAG layout"
BODY = "，正文："
"""Between an article's time or byline and its text."""
FIXED_FIELDS = frozenset(("text", "time", "url", "title", "news1", "news2", "news3", "thoughts"))
"""What nobody can edit here."""
SOURCE_FIELDS = ("time", "url", "title")
"""Told of the source, which another row may have brought in."""
_DATE = re.compile(r"\D{0,3}(\d{4}-\d{2}-\d{2})(?:[ T](\d{2})[:：](\d{2}))?")
_NO_ROWS = re.compile(r"manifest|checksums|.*_quest_gt_save")
"""Stems of JSON files that hold no rows."""


class CrudArray(NamedTuple):
    """One of the six arrays."""

    task: str
    asks: str
    """Key of the question."""
    answers: str
    """Key of the answer."""
    news: int = 0
    """Documents that a row carries as news1, news2, ..."""


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
    """Rows sorted by their ID. Raises BenchError when an item is of another task."""
    if odd := [item for item in bundle.items if item.task not in PARTS]:
        raise BenchError(
            f"{len(odd)} items are of none of the six tasks, {odd[0].id} among them: CRUD-RAG's layout has no "
            "place for them, freeze a release of its tasks with --task."
        )
    splits, texts = map_splits(bundle), {document.id: document for document in bundle.documents}
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in KINDS}
    for item in bundle.items:
        row = _row(item, texts)
        is_closed = splits.get(item.id, "test") in withheld
        parts[PARTS[item.task]].append(_withhold_row(row, item, bundle) if is_closed else row)
    for rows in parts.values():
        rows.sort(key=lambda row: str(row["ID"]))
    (folder / ROWS).parent.mkdir(parents=True)
    (folder / SHARDS).mkdir(parents=True)
    write_text(folder / ROWS, json.dumps(parts, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    left_out = set(bundle.manifest.get("left_out", ()))
    articles = [_line(d.text) for d in sorted(bundle.documents, key=lambda d: d.id) if d.id not in left_out]
    for number, start in enumerate(range(0, len(articles), SHARD), 1):
        write_text(folder / SHARDS / f"documents_part_{number}", "\n".join(articles[start : start + SHARD]) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """A row or article that cannot be read is refused with its place, and the rest goes on."""
    found = _Found({}, {}, {}, [])
    if not path.is_dir():
        _read_rows(path, path.name, found) if _holds_json(path) else _read_articles(path, path.name, found)
    else:
        there = sorted(path.rglob("*"))
        files = [file for file in there if file.is_file() and not file.is_symlink()]
        found.refused.extend(
            describe_refusal(file.relative_to(path).as_posix(), None, "is a link, which is not followed")
            for file in there
            if file.is_symlink()
        )
        for file in files:
            if file.suffix == ".json" and not _NO_ROWS.fullmatch(file.stem):
                _read_rows(file, file.relative_to(path).as_posix(), found)
        for file in files:
            if file.parent.name.endswith("_docs") and file.suffix not in (".json", ".jsonl", ".md"):
                _read_articles(file, file.relative_to(path).as_posix(), found)
    if not found.items and not found.documents:
        raise BenchError(str(found.refused[0]["message"]) if found.refused else f"{path} holds no rows and no articles.")
    items = [_with_source(item, found) for item in found.items.values()]
    return Bundle(documents=list(found.documents.values()), items=items, refused=found.refused)


class _Found(NamedTuple):
    """What was read so far."""

    items: dict[str, Item]
    rows: dict[str, tuple[str, Mapping[str, Any]]]
    """Item id -> where its row stands, and the row."""
    documents: dict[str, Document]
    refused: list[Mapping[str, Any]]


def _read_rows(file: Path, where: str, found: _Found) -> None:
    try:
        rows = list(read_rows(read_text(file)))
    except BenchError as error:
        found.refused.append(describe_refusal(where, None, f"cannot be used: {error}".rstrip(".")))
        return
    for part, number, value, why in rows:
        place = f"{part} in {where}" if part else where
        try:
            if why or not isinstance(value, Mapping):
                raise ValueError(why or "is no JSON object")
            read_one = _item(part or _part_of(value), value)
        except ValueError as error:
            found.refused.append(describe_refusal(place, number, str(error), "Row"))
            continue
        item = read_one.item
        before = found.rows.get(item.id)
        if before is None:
            found.items[item.id], found.rows[item.id] = item, (f"row {number} of {place}", value)
            for document in read_one.documents:
                found.documents.setdefault(document.id, document)
        elif before[1] != value:
            found.refused.append(describe_refusal(place, number, f"repeats the ID of {before[0]} with other words", "Row"))


def _part_of(row: Mapping[str, Any]) -> str:
    """The array that a row without a name belongs to. Raises ValueError when it has the keys of none."""
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
        raise ValueError("has the keys of none of the six tasks")
    return part


def _item(part: str, row: Mapping[str, Any]) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence that begins with the row's place."""
    kind = KINDS.get(part)
    if kind is None:
        raise ValueError(f"stands under {part[:40]!r}, which is none of the six tasks")
    if kind.task == uhgeval.TASK:
        if uhgeval.REPAIRED_KEY not in row and "answer_hashes" not in row:
            raise ValueError(f"has no {uhgeval.REPAIRED_KEY}: import it with --format uhgeval to have it repaired")
        return uhgeval.read_row(row, "ID")
    if "answer_hashes" in row and not row.get(kind.answers):
        raise ValueError("is withheld: its answers are not in this layout")
    name, question, answer = (read_text_field(row, key, needed=True) for key in ("ID", kind.asks, kind.answers))
    failed = [key for key in row if isinstance(row[key], str) and uhgeval.FAILED_CALL.search(row[key])]
    if failed:
        raise ValueError(f"has the words of a failed API call as its {failed[0]}: it is no text to learn from")
    documents = tuple(_documents(kind, row, name))
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
        language=detect_language(f"{question} {answer}"),
        status="accepted",
        labels=labels,
        given=tuple(document.id for document in documents) if kind.news else (),
        steps=({"kind": "thoughts", "text": thoughts},) if thoughts else (),
        provenance=Provenance(origin="imported"),
    )
    told = _row(item, {document.id: document for document in documents}) | {"ID": name}
    labels["crud_rag"] = {"ID": name} | note_differences(row, told, SOURCE_FIELDS)
    return OutsideQuestion(check_item(item), documents)


def _documents(kind: CrudArray, row: Mapping[str, Any], name: str) -> Iterator[Document]:
    """The texts that a row carries."""
    if kind.task == "summary":
        about = {key: read_text_field(row, key) for key in SOURCE_FIELDS if key in row}
        text = read_text_field(row, "text", needed=True)
        yield _article(text, clean_title(about.get("title", "")), about | {"ID": name})
    for number in range(1, kind.news + 1):
        yield _article(read_text_field(row, f"news{number}", needed=True), "", {})


def _article(text: str, title: str, meta: Mapping[str, Any]) -> Document:
    """A document of an article; its date is the one before its text, where one stands there."""
    head, _, body = text.partition(BODY)
    made = read_document(text, title=title or clean_title(body[:160])[:40] or None, domain="general", origin=ORIGIN, meta=meta)
    date = _DATE.match(head)
    return replace(made, published=iso_date(f"{date[1]}T{date[2]}:{date[3]}" if date[2] else date[1]) if date else None)


def _with_source(item: Item, found: _Found) -> Item:
    """A continuation whose ID has a summary is of the same article, where its beginning stands in it."""
    if item.task != "continuation":
        return item
    summary = found.items.get(f"summary:{item.labels['crud_rag']['ID']}")
    source = found.documents.get(summary.labels["source"]) if summary else None
    at = source.text.find(item.question) if source else -1
    if source is None or at < 0:
        return item
    start = source.text.find(item.answers[0], at + len(item.question))
    evidence = (Span(source.id, start, start + len(item.answers[0])),) if start >= 0 else ()
    return replace(item, labels={"source": source.id, **item.labels}, evidence=evidence)


def _row(item: Item, documents: Mapping[str, Document]) -> dict[str, Any]:
    """The item as a row, in the layout's order of keys."""
    kind = KINDS[PARTS[item.task]]
    if item.task == uhgeval.TASK:
        return uhgeval.build_row(item, documents, "ID")
    found = item.labels.get("crud_rag")
    kept: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    told: dict[str, Any] = {"ID": kept.get("ID", item.id), "event": item.labels.get("event", "")}
    if kind.news:
        texts = [documents[name].text for name in item.given if name in documents]
        told |= {f"news{number}": text for number, text in zip(range(1, kind.news + 1), texts, strict=False)}
    told |= {kind.asks: item.question, kind.answers: "".join(item.answers[:1])}
    if kind.news > 1:
        told["thoughts"] = _thoughts(item)
    source = documents.get(str(item.labels.get("source"))) if item.task == "summary" else None
    if source is not None:
        told |= {
            "text": source.text,
            "time": source.meta.get("time") or source.published or "",
            "url": source.meta.get("url") or (source.origin if "://" in source.origin else ""),
            "title": source.meta.get("title") or source.title,
        }
    return restore_row(told, kept, FIXED_FIELDS)


def _thoughts(item: Item) -> str:
    """The reasoning behind a question: as it was read, or the steps that it was made in."""
    read = [str(step["text"]) for step in item.steps if step.get("kind") == "thoughts"]
    if read:
        return read[0]
    made = [step for step in item.steps if step.get("kind") in KINDS_OF_THOUGHT]
    return "\n".join(f"{step['kind']}: {describe_step(step, item.given)}" for step in made)


def _withhold_row(row: Mapping[str, Any], item: Item, bundle: Bundle) -> dict[str, Any]:
    """A withheld row: what a system is shown, and hashes of the answers."""
    if item.task == uhgeval.TASK:
        return uhgeval.withhold_row(row, item, bundle)
    hashes = [content_hash([bundle.salts[item.id], answer]) for answer in item.answers]
    return {key: row[key] for key in ("ID", KINDS[PARTS[item.task]].asks)} | {"answer_hashes": hashes}


def _holds_json(path: Path) -> bool:
    """Whether a lone file holds rows; an article may begin with a bracket, too."""
    try:
        with path.open("rb") as file:
            start = file.read(400).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error
    return path.suffix == ".json" or bool(re.match(rb'\{\s*"|\[\s*[\{\]]', start))


def _read_articles(file: Path, where: str, found: _Found) -> None:
    """An article a line; one that a row carried already is that row's document."""
    known = {_line(document.text) for document in found.documents.values()}
    with file.open("rb") as lines:
        try:
            check_text(file, lines.read(4096))
        except BenchError as error:
            found.refused.append(describe_refusal(where, None, f"cannot be used: {error}".rstrip(".")))
            return
        lines.seek(0)
        for number, raw in number_lines(lines, 6 * MAX_TEXT_CHARACTERS):
            try:
                if raw is None:
                    raise ValueError("is longer than an article may be")
                text = raw.decode("utf-8").rstrip("\r\n").removeprefix("\ufeff")
                if "\0" in text:
                    raise ValueError("holds U+0000, a NUL character")
                if text.strip() and _line(text) not in known:
                    document = _article(text, "", {})
                    found.documents.setdefault(document.id, document)
            except UnicodeDecodeError as error:
                found.refused.append(describe_refusal(where, number, f"is not UTF-8 at its byte {error.start + 1:,}"))
            except ValueError as error:
                found.refused.append(describe_refusal(where, number, str(error)))


def _line(text: str) -> str:
    """An article as one line."""
    lines = re.split(r"[\r\n]+", text)
    return " ".join(line.strip(" \t") for line in lines).strip() if len(lines) > 1 else text


FORMAT = Format(label="CRUD-RAG layout", write=write, read=read)
