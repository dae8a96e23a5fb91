"""Contain the common code of the formats of multi-hop data sets: paragraphs become documents, sentences that support the answer
become evidence, and a question gets R-Eval's level and domain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.nouns import Document, Span
from core.text.text import overlap
from store.formats._outside import OutsideQuestion, parse_outside, read_document

LEVEL, DOMAIN = "KA", "wiki"


class Paragraph(NamedTuple):
    """A paragraph of a multi-hop question: its document, and a span for each sentence, or None if the sentence is blank."""

    document: Document
    sentences: tuple[Span | None, ...]


def read_paragraph(title: Any, sentences: Any, origin: str) -> Paragraph | None:
    """Return the paragraph with its sentences, or None if the paragraph contains no words. Raises ValueError if the paragraph
    is faulty; the caller adds the position in the file to the message."""
    if (
        not isinstance(title, str)
        or not isinstance(sentences, list)
        or not all(isinstance(sentence, str) for sentence in sentences)
    ):
        raise ValueError("has a paragraph that is not a pair of a title and a list of sentences")
    text, places = "", list[tuple[int, int] | None]()
    for sentence in sentences:
        words = sentence.strip()
        text += " " if text and words else ""
        places.append((len(text), len(text) + len(words)) if words else None)
        text += words
    if not text:
        return None
    document = read_document(text, title=title.strip() or None, domain=DOMAIN, origin=origin, language="en")
    return Paragraph(document, tuple(None if place is None else Span(document.id, *place) for place in places))


def resolve_facts(paragraphs: Mapping[str, Paragraph], facts: Iterable[Any]) -> tuple[list[Span], list[Any]]:
    """Return (spans of the sentences that the supporting facts name, in document order; the facts that name no existing
    sentence). A supporting fact consists of a paragraph's title and the number of a sentence in it, from 0. Raises ValueError
    if a fact is faulty; the caller adds the position in the file to the message."""
    spans, left_out = dict[Span, None](), []
    for fact in facts:
        if not isinstance(fact, list | tuple) or len(fact) != 2 or not isinstance(fact[0], str) or not _is_place(fact[1]):
            raise ValueError("has a supporting fact that is not a pair of a title and a sentence number")
        named = paragraphs.get(fact[0])
        span = named.sentences[fact[1]] if named and fact[1] < len(named.sentences) else None
        if span is None:
            left_out.append(list(fact))
        else:
            spans[span] = None
    places = {paragraph.document.id: place for place, paragraph in enumerate(paragraphs.values())}
    return sorted(spans, key=lambda span: (places[span.document], span.start)), left_out


def build_question(
    record: Mapping[str, Any],
    documents: Sequence[Document],
    evidence: Sequence[Span],
    steps: Sequence[Mapping[str, Any]],
    origin: str,
) -> OutsideQuestion:
    """Build a question from a record of another project (see `parse_outside`) with the given documents, evidence and steps."""
    item = parse_outside({"level": LEVEL, "domain": DOMAIN, "language": "en", **record}, origin).item
    by_id = {document.id: document for document in documents}
    text = "\n".join(by_id[span.document].text[span.start : span.end] for span in evidence)
    share = overlap(item.question, text, item.language)
    item = replace(item, evidence=tuple(evidence), given=tuple(by_id), steps=tuple(steps), overlap=share)
    return OutsideQuestion(item, tuple(by_id.values()))


def read_rows(value: Any, keys: Sequence[str], what: str) -> list[tuple[Any, ...]]:
    """Return the rows of `value`. `value` is either a list [[a, b], ...] or, as on the Hugging Face hub, a dict of columns
    {key: [a, ...], key: [b, ...]}."""
    if isinstance(value, Mapping):
        columns = [value.get(key) for key in keys]
        if not all(isinstance(column, list) for column in columns) or len({len(c or ()) for c in columns}) > 1:
            raise ValueError(f"has {what} whose columns have different lengths or are not lists")
        return list(zip(*(column or () for column in columns), strict=True))
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == len(keys) for row in value):
        raise ValueError(f"has {what} that are not a list of {' and '.join(keys)}")
    return [tuple(row) for row in value]


def _is_place(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
