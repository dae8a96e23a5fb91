"""Parse questions with answers from other projects' files. Each JSON object becomes an Item, and its contexts become
Documents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from core.ids import content_hash, derived_id
from core.nouns import Document, Item, Level, Provenance, Span
from core.quality.conversations import LABEL, explain_fault
from core.records import item_record
from core.shapes import ItemShape, check_shape
from core.text.language import UNKNOWN, rows
from core.text.text import detect_language, overlap
from store.formats._lines import MAX_ANSWER_CHARACTERS, MAX_TEXT_CHARACTERS

LEVELS = (1, 2, 3, 4, "KS", "KU", "KA", None)
TITLE_CHARACTERS = 40
"""Number of characters at the start of a text that become its title if it has no title."""


class OutsideQuestion(NamedTuple):
    """A question from another project's file: an item with its documents."""

    item: Item
    documents: tuple[Document, ...]


def parse_outside(record: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Parse a question of another project from a record of the form {"id"?, "question", "answers"|"answer", "task"?, "level"?,
    "domain"?, "language"?, "labels"?, "contexts": [{"title"?, "text", "gold": bool}]}. A record without an id gets an id that
    is derived from its question, answers and contexts. Raises ValueError if the record is faulty; the caller adds the position
    in the file to the message."""
    question, answers = read_question(record), read_answers(record)
    domain, labels = _read_text(record, "domain") or "general", record.get("labels") or {}
    level = read_level(record.get("level"))
    if not isinstance(labels, Mapping):
        raise ValueError("has labels that are not a JSON object")
    pairs = _read_contexts(record, domain, origin)
    together = " ".join((question, answers[0], *(document.text for document, _ in pairs)))
    language = read_language(record, together)
    pairs = [(_in_language(document, language), is_gold) for document, is_gold in pairs]
    documents = [document for document, _ in pairs]
    evidence = tuple(dict.fromkeys(Span(d.id, 0, len(d.text)) for d, is_gold in pairs if is_gold))
    texts = {document.id: document.text for document in documents}
    id_ = record.get("id")
    if isinstance(id_, bool) or not isinstance(id_, str | int | None) or id_ == "":
        raise ValueError("has an id that is neither text nor a whole number")
    return OutsideQuestion(
        Item(
            id=derived_id("outside", question, *answers, "contexts", *texts) if id_ is None else str(id_),
            task=_read_text(record, "task") or "question_answering",
            question=question,
            answers=answers,
            evidence=evidence,
            level=level,
            domain=domain,
            language=language,
            status="accepted",
            labels=dict(labels),
            given=tuple(dict.fromkeys(document.id for document in documents)),
            overlap=overlap(question, "\n".join(texts[span.document] for span in evidence), language),
            provenance=Provenance(origin="imported"),
        ),
        tuple(documents),
    )


def give_own_id(item: Item) -> Item:
    """Return the item with an id derived from its content. A question gets such an id if its original id already belongs to a
    question from another file or in another language. The label `own_id` of the item stores the original id."""
    id_ = derived_id("apart", item.id, item.question, *item.answers, item.language)
    return replace(item, id=id_, labels={**item.labels, "own_id": item.id})


def check_item(item: Item) -> Item:
    """Return the item if its fields have valid types and values. Raises ValueError if a field is invalid; the caller adds the
    position in the file to the message."""
    check_shape(item_record(item, lambda span: ""), ItemShape)
    if item.language not in (UNKNOWN, *rows()):
        raise ValueError(refuse_language(item.language))
    if not item.question.strip() or max(map(len, (item.question, *item.answers))) > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"has no question, or a text of more than {MAX_ANSWER_CHARACTERS:,} characters")
    if any(not answer.strip() for answer in item.answers) or (item.status == "accepted" and not item.answers):
        raise ValueError("has no answers, or an empty answer: give `answers` as a list of texts")
    if LABEL in item.labels and (why := explain_fault(item.labels[LABEL])):
        raise ValueError(why)
    if any(span.end < span.start for span in item.evidence):
        raise ValueError("has an evidence span that ends before it begins")
    return item


def read_question(record: Mapping[str, Any], key: str = "question") -> str:
    question = record.get(key)
    if not isinstance(question, str) or not question.strip():
        raise ValueError(f"has no {key}")
    if len(question) > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"has a {key} of {len(question):,} characters, but at most {MAX_ANSWER_CHARACTERS:,} are allowed")
    return question


def read_answers(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the answers of the record: the list "answers", or the single text "answer"."""
    answers = record.get("answers", record.get("answer"))
    answers = [answers] if isinstance(answers, str) else answers
    if not isinstance(answers, list) or not answers:
        raise ValueError("has no answers: give `answers` as a list of texts, or one `answer`")
    if not all(isinstance(answer, str) and answer.strip() for answer in answers):
        raise ValueError("has an answer that is not text, or is empty")
    longest = max(map(len, answers))
    if longest > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"has an answer of {longest:,} characters, but at most {MAX_ANSWER_CHARACTERS:,} are allowed")
    return tuple(answers)


def read_level(value: Any) -> Level:
    if isinstance(value, bool) or value not in LEVELS:
        raise ValueError(f"has the level {str(value)[:20]!r}; valid levels are 1 to 4, KS, KU, KA and null")
    level: Level = value
    return level


def read_language(record: Mapping[str, Any], text: str, otherwise: str = UNKNOWN) -> str:
    """Return the language that the record gives; otherwise the language detected in `text`; otherwise `otherwise`."""
    language = _read_text(record, "language")
    if language is None:
        return detect_language(text, otherwise)
    if language not in (UNKNOWN, *rows()):
        raise ValueError(refuse_language(language))
    return language


def _in_language(document: Document, language: str) -> Document:
    """Return the document with its own language or, if that is unknown, with the given language."""
    return replace(document, language=language) if document.language == UNKNOWN else document


def refuse_language(language: str) -> str:
    """Return the end of an error message about a record whose language the program does not support."""
    return f"has the language {language[:20]!r}: known are {', '.join(rows())} and {UNKNOWN}"


def read_document(
    text: Any,
    *,
    title: str | None,
    domain: str,
    origin: str,
    language: str | None = None,
    licence: str | None = None,
    meta: Mapping[str, Any] | None = None,
) -> Document:
    """Build a document from the text of a record in another project's file. If the title is None, the beginning of the text
    becomes the title."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("has a context without text")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise ValueError(f"has a context of {len(text):,} characters, but at most {MAX_TEXT_CHARACTERS:,} are allowed")
    return Document(
        id=content_hash(text),
        text=text,
        title=title or " ".join(text[: 4 * TITLE_CHARACTERS].split())[:TITLE_CHARACTERS],
        domain=domain,
        language=language or detect_language(text),
        origin=origin,
        licence=licence,
        meta=meta or {},
    )


def _read_contexts(record: Mapping[str, Any], domain: str, origin: str) -> list[tuple[Document, bool]]:
    """Return (document, whether it proves the answer) for each context of the record."""
    contexts = record.get("contexts") or []
    if not isinstance(contexts, list):
        raise ValueError("has contexts that are not a list")
    pairs = []
    for context in contexts:
        context = {"text": context} if isinstance(context, str) else context
        if not isinstance(context, Mapping):
            raise ValueError("has a context that is not a JSON object")
        gold = context.get("gold", False)
        if not isinstance(gold, bool):
            raise ValueError("has a context whose gold is neither true nor false")
        document = read_document(
            context.get("text"),
            title=_read_text(context, "title"),
            domain=domain,
            origin=origin,
            licence=_read_text(context, "licence"),
        )
        pairs.append((document, gold))
    return pairs


def _read_text(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"has a value other than text as its {key}")
    return value or None
