"""MuSiQue: JSON lines of {"id", "question", "answer", "answer_aliases", "answerable", "paragraphs": [{"idx", "title",
"paragraph_text", "is_supporting"}], "question_decomposition": [{"question", "answer", "paragraph_support_idx"}]}. Supporting
paragraphs are the evidence, the decomposition is kept as the item's steps. A question that its paragraphs do not answer comes
in as one whose gold is NO_ANSWER, with the label answerable = false and an id of its own: its twin has the same. Read only."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.nouns import Document, Span
from store.format import Bundle, Format, joined
from store.formats import _streamed
from store.formats._golds import golds
from store.formats._multi_hop import DOMAIN, multi_hop
from store.formats._outside import Outside, read_document
from store.formats._streamed import Place

NO_ANSWER = "noanswer"
"""The word that F1 of multi-hop sets knows for no answer beside yes and no."""


def pieces(path: Path) -> Iterator[Bundle]:
    """One file, or the files of a folder."""
    return _streamed.pieces(path, '"question", "answer" and "paragraphs" of each question', _question)


def _question(row: Mapping[str, Any], place: Place) -> Outside:
    answerable = row.get("answerable", True)
    if not isinstance(answerable, bool):
        raise ValueError("has an answerable that is neither true nor false")
    if answerable and row.get("answer") is None:
        raise ValueError("has no gold answer, as those of test files")
    aliases = row.get("answer_aliases") or []
    if not isinstance(aliases, list):
        raise ValueError("has answer_aliases that are no list")
    answers, labels = golds([row["answer"], *aliases] if answerable else [NO_ANSWER])
    paragraphs = row.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(isinstance(one, Mapping) for one in paragraphs):
        raise ValueError("has paragraphs that are no list of objects")
    documents = {one.get("idx", n): _document(one, place) for n, one in enumerate(paragraphs)}
    evidence = [Span(documents[one.get("idx", n)].id, 0, len(documents[one.get("idx", n)].text))
                for n, one in enumerate(paragraphs) if one.get("is_supporting") is True and answerable]  # fmt: skip
    hops = row.get("question_decomposition") or []
    if not isinstance(hops, list) or not all(isinstance(hop, Mapping) for hop in hops):
        raise ValueError("has a question_decomposition that is no list of objects")
    labels |= {"dataset": "musique", "answerable": answerable} | ({"hops": len(hops)} if hops else {})
    id_ = row.get("id")
    if not answerable and id_ is not None:
        id_ = f"{id_}#{NO_ANSWER}"
    record = {"id": id_, "question": row.get("question"), "answers": list(answers), "labels": labels}
    return multi_hop(record, list(documents.values()), evidence, [_hop(hop, documents) for hop in hops], place.origin)


def _document(one: Mapping[str, Any], place: Place) -> Document:
    title = one.get("title")
    return read_document(one.get("paragraph_text"), title=title if isinstance(title, str) else None, domain=DOMAIN,
                         origin=place.origin, language="en")  # fmt: skip


def _hop(hop: Mapping[str, Any], documents: Mapping[Any, Document]) -> dict[str, Any]:
    support = hop.get("paragraph_support_idx")
    return {"kind": "hop", "question": hop.get("question"), "answer": hop.get("answer"),
            "document": documents[support].id if support in documents else None}  # fmt: skip


FORMAT = Format(label="MuSiQue", read=lambda path: joined(pieces(path)), pieces=pieces)
