"""Read MuSiQue's files, which are JSON lines of {"id", "question", "answer", "answer_aliases", "answerable", "paragraphs":
[{"idx", "title", "paragraph_text", "is_supporting"}], "question_decomposition": [{"question", "answer",
"paragraph_support_idx"}]}. The supporting paragraphs become the evidence, and the decomposition becomes the item's steps. A
question that its paragraphs do not answer gets the gold answer NO_ANSWER, the label answerable = false, and a new id, because
the same question with an answer has the same id. The program does not export in this format."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.nouns import Document, Span
from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._multi_hop import DOMAIN, build_question
from store.formats._outside import OutsideQuestion, read_document
from store.formats._streamed import QuestionPosition

NO_ANSWER = "noanswer"
"""Gold answer of a question that cannot be answered. The F1 of multi-hop data sets compares this answer only as a whole, like
yes and no."""


class MusiqueParagraphShape(TypedDict):
    idx: NotRequired[int]
    title: NotRequired[str | None]
    paragraph_text: str
    is_supporting: NotRequired[bool | None]


class HopShape(TypedDict, total=False):
    question: str | None
    answer: str | None
    paragraph_support_idx: int | None


class MusiqueRowShape(TypedDict):
    id: NotRequired[str | int | None]
    question: str
    answer: NotRequired[str | None]
    answer_aliases: NotRequired[list[str] | None]
    answerable: NotRequired[bool]
    paragraphs: list[MusiqueParagraphShape]
    question_decomposition: NotRequired[list[HopShape] | None]


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from one MuSiQue file, or from all files of a folder."""
    return _streamed.stream_bundles(path, '"question", "answer" and "paragraphs" of each question', _parse_question)


def _parse_question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    check_shape(row, MusiqueRowShape)
    answerable = row.get("answerable", True)
    if answerable and row.get("answer") is None:
        raise ValueError("has no gold answer, as in a test file")
    answers, labels = read_golds([row["answer"], *(row.get("answer_aliases") or [])] if answerable else [NO_ANSWER])
    paragraphs = row["paragraphs"]
    documents = {
        paragraph.get("idx", number): read_document(
            paragraph["paragraph_text"], title=paragraph.get("title"), domain=DOMAIN, origin=place.origin, language="en"
        )
        for number, paragraph in enumerate(paragraphs)
    }
    if len(documents) < len(paragraphs):
        raise ValueError("has two paragraphs with the same idx")
    evidence = [
        Span(document.id, 0, len(document.text))
        for paragraph, document in zip(paragraphs, documents.values(), strict=True)
        if paragraph.get("is_supporting") is True and answerable
    ]
    hops = row.get("question_decomposition") or []
    labels |= {"dataset": "musique", "answerable": answerable} | ({"hops": len(hops)} if hops else {})
    id_ = row.get("id")
    if not answerable and id_ is not None:
        id_ = f"{id_}#{NO_ANSWER}"
    record = {"id": id_, "question": row.get("question"), "answers": list(answers), "labels": labels}
    return build_question(
        record, list(documents.values()), evidence, [_build_hop(hop, documents) for hop in hops], place.origin
    )


def _build_hop(hop: Mapping[str, Any], documents: Mapping[Any, Document]) -> dict[str, Any]:
    document = documents.get(hop.get("paragraph_support_idx"))
    words = {name: hop.get(name) for name in ("question", "answer")}
    return {"kind": "hop", **words, "document": document.id if document else None}


FORMAT = Format(label="MuSiQue", pieces=pieces)
