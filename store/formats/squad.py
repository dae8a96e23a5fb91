"""Read and write SQuAD 1.1 and 2.0: {"version", "data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question",
"answers": [{"text", "answer_start"}], "is_impossible"?}]}]}]}. A paragraph becomes a document; the sentences that contain the
answers become the evidence. Questions that are marked as impossible have no gold answer; they are counted but not imported.

A release is written to squad.json, with the questions grouped by paragraph and the offset of each answer."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.errors import BenchError
from core.json_lines import strict_json
from core.nouns import Document, Item, Span
from core.shapes import check_shape
from core.text.text import overlap, split_sentences
from store.format import Bundle, Format
from store.formats._as_read import read_kept
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import WITHHELD, describe_refusal, find_file, list_links
from store.formats._outside import OutsideQuestion, parse_outside, read_document
from store.formats._rows import read_text
from store.formats._withheld import select_withheld, sort_items

FILE = "squad.json"
ORIGIN = "SQuAD layout"


class AnswerShape(TypedDict):
    text: str
    answer_start: NotRequired[int | None]


class SquadRowShape(TypedDict):
    id: NotRequired[str | int | None]
    question: str
    answers: NotRequired[list[AnswerShape] | None]
    is_impossible: NotRequired[bool | None]


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the items in SQuAD's format. Raises BenchError if an item has no paragraph, or if its answer does not occur in the
    paragraph."""
    texts, hidden = {document.id: document for document in bundle.documents}, select_withheld(bundle, withheld)
    titles: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for item in sort_items(bundle):
        paragraph = _find_paragraph(item, texts)
        row = {"id": item.id, "question": item.question, "is_impossible": False}
        if item.id in hidden:
            row |= {"answers": [], "answer_hashes": hash_answers(item, bundle)}
        else:
            row |= {
                "answers": [{"text": answer, "answer_start": _find_place(item, answer, paragraph)} for answer in item.answers]
            }
        titles.setdefault(paragraph.title, {}).setdefault(paragraph.id, []).append(row)
    data = [
        {"title": title, "paragraphs": [{"context": texts[id_].text, "qas": rows} for id_, rows in paragraphs.items()]}
        for title, paragraphs in titles.items()
    ]
    write_text(folder / FILE, json.dumps({"version": "v2.0", "data": data}, ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read one SQuAD file, a folder exported in this format, or all .json files of another folder. In a folder, a file in
    another format is rejected, and the other files are read."""
    files = _list_files(path)
    collector = QuestionCollector(files[0].name, "Question")
    collector.refused += [describe_refusal(link.name, None, "is a link, which is not followed") for link in list_links(path)]
    for file in files:
        collector.where = file.name
        try:
            _collect_file(file, collector)
        except BenchError as error:
            if len(files) == 1:
                raise
            collector.refused.append({"where": file.name, "line": None, "message": str(error)})
    return collector.bundle(path, "articles with paragraphs and questions")


def _list_files(path: Path) -> list[Path]:
    """Return the file itself, the file of an exported folder, or every .json file of another folder, sorted by name."""
    is_other = path.is_dir() and not (path / FILE).is_file()
    files = sorted(file for file in path.iterdir() if file.suffix == ".json" and not file.is_symlink()) if is_other else []
    return files or [find_file(path, FILE, "a SQuAD file or a folder of them")]


def _collect_file(file: Path, collector: QuestionCollector) -> None:
    """Add the questions of one SQuAD file. Raises BenchError if the file is not in SQuAD's format."""
    try:
        whole = strict_json(read_text(file))
    except ValueError as error:
        raise BenchError(f"{file} {error}: give a whole SQuAD file.") from error
    if not isinstance(whole, Mapping) or not isinstance(whole.get("data"), list):
        raise BenchError(f'{file} is not a SQuAD file: it has no array "data" of articles.')
    impossible = 0

    def read_question(row: Mapping[str, Any], origin: str) -> OutsideQuestion | None:
        nonlocal impossible
        check_shape(row["qa"], SquadRowShape)
        if row["qa"].get("is_impossible") is True:
            impossible += 1
            return None
        return _parse_question(row["title"], row["context"], row["qa"])

    collector.collect(((number, *row) for number, row in enumerate(_list_questions(whole["data"]), 1)), read_question)
    if impossible:
        are = "1 question is" if impossible == 1 else f"{impossible:,} questions are"
        why = (
            f"{are} marked impossible in {file.name}: there is no gold answer in the paragraph, so nothing was imported "
            "for them."
        )
        collector.refused.append({"where": file.name, "line": None, "message": why})


def _list_questions(data: Sequence[Any]) -> Iterator[tuple[dict[str, Any] | None, str]]:
    """Yield for each question, in the order of the file: ({"title", "context", "qa"} or None, reason why the question cannot be
    read)."""
    for article in data:
        if not isinstance(article, Mapping) or not isinstance(article.get("paragraphs"), list):
            yield None, "belongs to an article without paragraphs"
            continue
        title = article.get("title") or ""
        if not isinstance(title, str):
            yield None, "belongs to an article whose title is not text"
            continue
        for paragraph in article["paragraphs"]:
            if not isinstance(paragraph, Mapping) or not isinstance(paragraph.get("qas"), list):
                yield None, "belongs to a paragraph without questions"
                continue
            for qa in paragraph["qas"]:
                row = {"title": title, "context": paragraph.get("context"), "qa": qa}
                yield row if isinstance(qa, Mapping) else None, "is not a JSON object"


def _parse_question(title: str, context: Any, row: Mapping[str, Any]) -> OutsideQuestion:
    """Parse a row as a question. Raises ValueError if the row is faulty; the caller adds the position in the file to the
    message."""
    golds = row.get("answers") or []
    if is_withheld(row, golds):
        raise ValueError(WITHHELD)
    answers, labels = read_golds([gold["text"] for gold in golds])
    read = _read_paragraph if isinstance(context, str) else _read_paragraph.__wrapped__  # only a text can be a key
    paragraph, sentences = read(title, context)
    places = {gold["text"]: _locate_answer(gold, paragraph) for gold in reversed(golds) if gold["text"] in answers}
    question = {"id": row.get("id"), "question": row.get("question"), "answers": list(answers), "labels": labels}
    item = parse_outside(question, ORIGIN).item
    evidence = tuple(sorted({_find_sentence(paragraph, sentences, places[answer], len(answer)) for answer in answers}))
    text = "\n".join(paragraph.text[span.start : span.end] for span in evidence)
    item = replace(
        item,
        evidence=evidence,
        given=(paragraph.id,),
        labels=dict(item.labels) | {"squad": {"starts": [places[answer] for answer in answers]}},
        language=paragraph.language,
        overlap=overlap(item.question, text, paragraph.language),
    )
    return OutsideQuestion(item, (paragraph,))


@lru_cache(maxsize=2)  # the questions of one paragraph follow each other
def _read_paragraph(title: str, context: Any) -> tuple[Document, list[tuple[int, int]]]:
    """Return a paragraph as a document, and the start and end of each of its sentences. Raises ValueError if the paragraph is
    not text."""
    paragraph = read_document(context, title=title.replace("_", " ") or None, domain="general", origin=ORIGIN)
    return paragraph, split_sentences(paragraph.text, paragraph.language)


def _locate_answer(answer: Mapping[str, Any], paragraph: Document) -> int:
    """Return the offset of the answer in the paragraph: its answer_start if the answer is there, otherwise its first
    occurrence. Raises ValueError if the answer does not occur in the paragraph."""
    text, start = answer["text"], answer.get("answer_start")
    if isinstance(start, int) and not isinstance(start, bool) and start >= 0 and paragraph.text.startswith(text, start):
        return start
    offset = paragraph.text.find(text)
    if offset < 0:
        raise ValueError(f"has the answer {text[:40]!r}, which does not occur in its paragraph")
    return offset


def _find_sentence(paragraph: Document, sentences: Sequence[tuple[int, int]], start: int, length: int) -> Span:
    """Return the span of the sentences that contain the `length` characters of the paragraph from offset `start`, or some of
    them."""
    held = [(a, b) for a, b in sentences if a < start + length and b > start]
    return Span(paragraph.id, min([start, *(a for a, _ in held)]), max([start + length, *(b for _, b in held)]))


def _find_paragraph(item: Item, texts: Mapping[str, Document]) -> Document:
    ids = dict.fromkeys(item.given) or dict.fromkeys(span.document for span in item.evidence)
    if len(ids) != 1 or next(iter(ids)) not in texts:
        raise BenchError(
            f"{item.id} belongs to {len(ids)} documents, but SQuAD's layout has one document per question: export as jsonl "
            "instead."
        )
    return texts[next(iter(ids))]


def _find_place(item: Item, answer: str, paragraph: Document) -> int:
    """Return the answer's offset in the paragraph: its offset in the imported file; otherwise its first occurrence after the
    start of the evidence; otherwise its first occurrence."""
    starts = [at for at in read_kept(item, "squad").get("starts", ()) if isinstance(at, int)]
    for at in starts:
        if paragraph.text.startswith(answer, at):
            return at
    begins = [*starts, *(span.start for span in item.evidence if span.document == paragraph.id), 0]
    for begin in begins:
        if (at := paragraph.text.find(answer, begin)) >= 0:
            return at
    raise BenchError(
        f"The answer {answer[:40]!r} of {item.id} does not occur in its paragraph, but SQuAD's layout needs its position: "
        "export as jsonl instead."
    )


FORMAT = Format(label="SQuAD", write=write, read=read)
