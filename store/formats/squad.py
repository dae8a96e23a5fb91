"""SQuAD 1.1 and 2.0: {"version", "data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers": [{"text",
"answer_start"}], "is_impossible"?}]}]}]}. A paragraph is a document; the evidence of a question is the sentences in which its
answers stand. Questions that are marked impossible have no gold answer: they are kept out, and their number is told.

A release goes out into squad.json: questions of one paragraph by their paragraph, answers with the place where they stand."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.errors import BenchError
from core.json_lines import strict_json
from core.nouns import Document, Item, Span
from core.shapes import check_shape
from core.text.text import overlap, split_sentences
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._outside import OutsideQuestion, parse_outside, read_document
from store.formats._rows import read_text
from store.formats._withheld import map_splits

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
    """Raises BenchError when an item belongs to no paragraph, or its answer does not stand in it."""
    texts, splits = {document.id: document for document in bundle.documents}, map_splits(bundle)
    titles: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for item in sorted(bundle.items, key=lambda i: i.id):
        paragraph = _paragraph(item, texts)
        row = {"id": item.id, "question": item.question, "is_impossible": False}
        if splits.get(item.id, "test") in withheld:
            row |= {"answers": [], "answer_hashes": hash_answers(item, bundle)}
        else:
            row |= {"answers": [{"text": answer, "answer_start": _place(item, answer, paragraph)} for answer in item.answers]}
        titles.setdefault(paragraph.title, {}).setdefault(paragraph.id, []).append(row)
    data = [
        {"title": title, "paragraphs": [{"context": texts[id_].text, "qas": rows} for id_, rows in found.items()]}
        for title, found in titles.items()
    ]
    write_text(folder / FILE, json.dumps({"version": "v2.0", "data": data}, ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """One file, or an exported folder."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one SQuAD file.")
    try:
        whole = strict_json(read_text(file))
    except ValueError as error:
        raise BenchError(f"{path} {error}: give a whole SQuAD file.") from error
    if not isinstance(whole, Mapping) or not isinstance(whole.get("data"), list):
        raise BenchError(f'{path} is no SQuAD file: it has no array "data" of articles.')
    found, impossible = QuestionCollector(file.name, "Question"), 0
    for number, (title, context, row, why) in enumerate(_questions(whole["data"]), 1):
        try:
            if why or row is None:
                raise ValueError(why)
            check_shape(row, SquadRowShape)
            if row.get("is_impossible") is True:
                impossible += 1
                continue
            found.add(number, _question(title, context, row))
        except ValueError as error:
            found.refuse(number, str(error))
    if impossible:
        are = "1 question is" if impossible == 1 else f"{impossible:,} questions are"
        found.refused.append(
            {
                "where": file.name,
                "line": None,
                "message": (
                    f"{are} marked impossible in {file.name}: no gold answer stands in the paragraph, so they did not come in."
                ),
            }
        )
    return found.bundle(path, "articles with paragraphs and questions")


def _questions(data: Sequence[Any]) -> Iterator[tuple[str, Any, Mapping[str, Any] | None, str]]:
    """(title, paragraph, question, why it cannot be read), in the file's order."""
    for article in data:
        if not isinstance(article, Mapping) or not isinstance(article.get("paragraphs"), list):
            yield "", "", None, "is of an article without paragraphs"
            continue
        title = article.get("title") or ""
        if not isinstance(title, str):
            yield "", "", None, "is of an article whose title is no text"
            continue
        for paragraph in article["paragraphs"]:
            if not isinstance(paragraph, Mapping) or not isinstance(paragraph.get("qas"), list):
                yield "", "", None, "is of a paragraph without questions"
                continue
            for row in paragraph["qas"]:
                is_row = isinstance(row, Mapping)
                yield title, paragraph.get("context"), row if is_row else None, "" if is_row else "is no JSON object"


def _question(title: str, context: Any, row: Mapping[str, Any]) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    given = row.get("answers") or []
    if is_withheld(row, given):
        raise ValueError("is withheld: its answers are not in this layout")
    answers, labels = read_golds([one["text"] for one in given])
    paragraph = read_document(context, title=title.replace("_", " ") or None, domain="general", origin=ORIGIN)
    places = {one["text"]: _locate_answer(one, paragraph) for one in reversed(given) if one["text"] in answers}
    made = parse_outside(
        {"id": row.get("id"), "question": row.get("question"), "answers": list(answers), "labels": labels}, ORIGIN
    )
    evidence = tuple(sorted({_sentence(paragraph, places[answer], len(answer)) for answer in answers}))
    told = "\n".join(paragraph.text[span.start : span.end] for span in evidence)
    labels = dict(made.item.labels) | {"squad": {"starts": [places[answer] for answer in answers]}}
    item = replace(
        made.item,
        evidence=evidence,
        given=(paragraph.id,),
        labels=labels,
        language=paragraph.language,
        overlap=overlap(made.item.question, told, paragraph.language),
    )
    return OutsideQuestion(item, (paragraph,))


def _locate_answer(answer: Mapping[str, Any], paragraph: Document) -> int:
    """Where the answer stands: at its answer_start, else where it is found. Raises ValueError."""
    text, start = answer["text"], answer.get("answer_start")
    if isinstance(start, int) and not isinstance(start, bool) and start >= 0 and paragraph.text.startswith(text, start):
        return start
    found = paragraph.text.find(text)
    if found < 0:
        raise ValueError(f"has the answer {text[:40]!r}, which does not stand in its paragraph")
    return found


def _sentence(paragraph: Document, start: int, length: int) -> Span:
    """The sentences that hold that stretch."""
    held = [(a, b) for a, b in split_sentences(paragraph.text, paragraph.language) if a < start + length and b > start]
    return Span(paragraph.id, min([start, *(a for a, _ in held)]), max([start + length, *(b for _, b in held)]))


def _paragraph(item: Item, texts: Mapping[str, Document]) -> Document:
    of = dict.fromkeys(item.given) or dict.fromkeys(span.document for span in item.evidence)
    if len(of) != 1 or next(iter(of)) not in texts:
        raise BenchError(f"{item.id} belongs to {len(of)} documents, and SQuAD's layout has one a question: choose jsonl.")
    return texts[next(iter(of))]


def _place(item: Item, answer: str, paragraph: Document) -> int:
    """Where it was read, else in the evidence, else in the paragraph."""
    kept = item.labels.get("squad")
    starts = kept.get("starts", ()) if isinstance(kept, Mapping) else ()
    begins = [*starts, *(span.start for span in item.evidence if span.document == paragraph.id), 0]
    exact = [at for at in starts if isinstance(at, int) and paragraph.text.startswith(answer, at)]
    if exact:
        return exact[0]
    found = next((at for begin in begins if (at := paragraph.text.find(answer, begin)) >= 0), -1)
    if found < 0:
        raise BenchError(
            f"The answer {answer[:40]!r} of {item.id} does not stand in its paragraph, and SQuAD's layout wants "
            "its place: choose jsonl."
        )
    return found


FORMAT = Format(label="SQuAD", write=write, read=read)
