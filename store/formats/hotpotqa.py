"""Read HotpotQA: an array, or JSON lines, of {"_id", "question", "answer", "context": [[title, [sentence]]],
"supporting_facts": [[title, number of a sentence from 0]], "type", "level"}. The column layout of copies on the Hugging Face
hub is read too. A paragraph becomes a document, and the supporting sentences become the evidence. Supporting facts that name no
existing sentence are listed in the labels. The program does not export in this format."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._multi_hop import build_question, read_paragraph, read_rows, resolve_facts
from store.formats._outside import OutsideQuestion
from store.formats._streamed import QuestionPosition

WANTED_FIELDS = '"question", "answer", "context" and "supporting_facts" of each question'


class HotpotRowShape(TypedDict, total=False):
    """The fields of a HotpotQA row that can be missing, with their types."""

    type: str | None
    level: str | None


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from one HotpotQA file, or from all files of a folder."""
    return _streamed.stream_bundles(path, WANTED_FIELDS, partial(read_question, dataset="hotpotqa"))


def read_question(row: Mapping[str, Any], place: QuestionPosition, dataset: str) -> OutsideQuestion:
    """Parse a row as a question. Raises ValueError if the row is faulty; the caller adds the position in the file to the
    message."""
    if row.get("answer") is None:
        raise ValueError("has no gold answer, as in a test file")
    check_shape(row, HotpotRowShape)
    answers, labels = read_golds([row["answer"]])
    titled = [
        (title, read_paragraph(title, sentences, place.origin))
        for title, sentences in read_rows(row.get("context"), ("title", "sentences"), "paragraphs")
    ]
    paragraphs = {title: paragraph for title, paragraph in reversed(titled) if paragraph}  # of equal titles, the first counts
    facts = read_rows(row.get("supporting_facts") or [], ("title", "sent_id"), "supporting facts")
    evidence, left_out = resolve_facts(dict(reversed(paragraphs.items())), facts)
    labels |= {"dataset": dataset} | {
        name: row[key] for name, key in (("question_type", "type"), ("difficulty", "level")) if row.get(key) is not None
    }
    labels |= {"facts_left_out": left_out} if left_out else {}
    record = {"id": row.get("_id", row.get("id")), "question": row.get("question"), "answers": list(answers), "labels": labels}
    documents = [paragraph.document for _, paragraph in titled if paragraph]
    return build_question(record, documents, evidence, (), place.origin)


FORMAT = Format(label="HotpotQA", pieces=pieces)
