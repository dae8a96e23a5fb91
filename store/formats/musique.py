"""MuSiQue: JSON lines of {"id", "question", "answer", "answer_aliases", "answerable", "paragraphs": [{"idx", "title",
"paragraph_text", "is_supporting"}], "question_decomposition": [{"question", "answer", "paragraph_support_idx"}]}. Supporting
paragraphs are the evidence, the decomposition is kept as the item's steps. A question that its paragraphs do not answer comes
in as one whose gold is NO_ANSWER, with the label answerable = false and an id of its own: its twin has the same. Read only."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.nouns import Document, Span
from core.shapes import check_shape
from store.format import Bundle, Format, join_bundles
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._multi_hop import DOMAIN, build_question
from store.formats._outside import OutsideQuestion, read_document
from store.formats._streamed import QuestionPosition

NO_ANSWER = "noanswer"
"""The word that F1 of multi-hop sets knows for no answer beside yes and no."""


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
    """One file, or the files of a folder."""
    return _streamed.stream_bundles(path, '"question", "answer" and "paragraphs" of each question', _question)


def _question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    check_shape(row, MusiqueRowShape)
    answerable = row.get("answerable", True)
    if answerable and row.get("answer") is None:
        raise ValueError("has no gold answer, as those of test files")
    answers, labels = read_golds([row["answer"], *(row.get("answer_aliases") or [])] if answerable else [NO_ANSWER])
    paragraphs = row["paragraphs"]
    documents = {one.get("idx", n): _document(one, place) for n, one in enumerate(paragraphs)}
    if len(documents) < len(paragraphs):
        raise ValueError("has two paragraphs of one idx")
    evidence = [
        Span(documents[one.get("idx", n)].id, 0, len(documents[one.get("idx", n)].text))
        for n, one in enumerate(paragraphs)
        if one.get("is_supporting") is True and answerable
    ]
    hops = row.get("question_decomposition") or []
    labels |= {"dataset": "musique", "answerable": answerable} | ({"hops": len(hops)} if hops else {})
    id_ = row.get("id")
    if not answerable and id_ is not None:
        id_ = f"{id_}#{NO_ANSWER}"
    record = {"id": id_, "question": row.get("question"), "answers": list(answers), "labels": labels}
    return build_question(record, list(documents.values()), evidence, [_hop(hop, documents) for hop in hops], place.origin)


def _document(one: Mapping[str, Any], place: QuestionPosition) -> Document:
    return read_document(one["paragraph_text"], title=one.get("title"), domain=DOMAIN, origin=place.origin, language="en")


def _hop(hop: Mapping[str, Any], documents: Mapping[Any, Document]) -> dict[str, Any]:
    support = hop.get("paragraph_support_idx")
    return {
        "kind": "hop",
        "question": hop.get("question"),
        "answer": hop.get("answer"),
        "document": documents[support].id if support in documents else None,
    }


FORMAT = Format(label="MuSiQue", read=lambda path: join_bundles(pieces(path)), pieces=pieces)
