"""HotpotQA: an array, or JSON lines, of {"_id", "question", "answer", "context": [[title, [sentence]]], "supporting_facts":
[[title, number of a sentence from 0]], "type", "level"}; of the columns that its copies on a hub have, too. A paragraph is a
document, and the supporting sentences are the evidence; a fact that names no sentence is told in the labels. Read only."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from core.shapes import check_shape
from store.format import Bundle, Format, join_bundles
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._multi_hop import build_question, read_paragraph, read_rows, resolve_facts
from store.formats._outside import OutsideQuestion
from store.formats._streamed import QuestionPosition

WANTED_FIELDS = '"question", "answer", "context" and "supporting_facts" of each question'


class HotpotRowShape(TypedDict, total=False):
    """What is optional of a row."""

    type: str | None
    level: str | None


def pieces(path: Path) -> Iterator[Bundle]:
    """One file, or the files of a folder."""
    return _streamed.stream_bundles(path, WANTED_FIELDS, partial(read_question, dataset="hotpotqa"))


def read_question(row: Mapping[str, Any], place: QuestionPosition, dataset: str) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    if row.get("answer") is None:
        raise ValueError("has no gold answer, as those of test files")
    check_shape(row, HotpotRowShape)
    answers, labels = read_golds([row["answer"]])
    found = [
        (title, read_paragraph(title, sentences, place.origin))
        for title, sentences in read_rows(row.get("context"), ("title", "sentences"), "paragraphs")
    ]
    paragraphs = {title: held for title, held in reversed(found) if held is not None}  # of a title twice, the first
    facts = read_rows(row.get("supporting_facts") or [], ("title", "sent_id"), "supporting facts")
    evidence, left_out = resolve_facts(dict(reversed(paragraphs.items())), facts)
    labels |= {"dataset": dataset} | {
        name: row[key] for name, key in (("question_type", "type"), ("difficulty", "level")) if row.get(key) is not None
    }
    labels |= {"facts_left_out": left_out} if left_out else {}
    record = {"id": row.get("_id", row.get("id")), "question": row.get("question"), "answers": list(answers), "labels": labels}
    return build_question(record, [held.document for _, held in found if held], evidence, (), place.origin)


FORMAT = Format(label="HotpotQA", read=lambda path: join_bundles(pieces(path)), pieces=pieces)
