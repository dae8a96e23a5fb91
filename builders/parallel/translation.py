"""Translate an item with the documents of its evidence, and check that the translation states the same: each gold answer stands
word for word in the translated evidence, and the numbers, units and dates of answers and evidence are equal by value."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from builders.parallel.alignment import have_same_figures
from core.agent import Sampling
from core.errors import Unreadable
from core.ids import content_hash, derived_id
from core.nouns import Document, Item, Provenance, Span
from core.retrieval.chunks import chunk
from core.text.figures import list_missing_figures
from core.text.language import find_row, language_name, may_match
from core.text.text import detect_language, overlap
from prompts.prompt import load
from prompts.reply import Ask, ask_for

PASSAGE = "rewrite/translated_passage"
QUESTION = "rewrite/translated_question"
PASSAGE_TOKENS = 700
"""Maximum number of tokens of a passage that is translated in one call."""
REPLY_TOKENS = 4_096
"""Maximum number of tokens of a reply."""
Fault = Literal[
    "unreadable reply",
    "other number of answers",
    "not translated",
    "evidence not in the document",
    "answer not in the evidence",
    "other figures",
    "other figures in the evidence",
    "not in the translated document",
    "no evidence",
    "own text",
]
"""Reason why an item was not translated. no evidence: there is no document to translate; own text: the question brings further
texts of its own; other figures: the gold answers state other numbers or dates; not in the translated document: the agent did
not find the answer there."""


class TranslatedItem(NamedTuple):
    """What came of translating an item."""

    item: Item | None
    """The translated item as a draft; None = there is none."""
    fault: Fault | None = None
    calls: tuple[str, ...] = ()


async def translate_document(ask: Ask, document: Document, language: str, agent: str) -> Document:
    """Return the document translated into the language, passage by passage. Raises Unreadable if a reply cannot be used."""
    prompt = load(PASSAGE, document.language)
    title, pieces = document.title, list[str]()
    for span in chunk(document, PASSAGE_TOKENS):
        text = document.text[span.start : span.end]
        if not text.strip():
            continue
        inputs = {"language": language_name(language), "title": document.title, "text": text.strip()}
        reply = await ask_for(ask, prompt, inputs, Sampling(max_tokens=REPLY_TOKENS))
        title = title if pieces else reply.values["title"].strip() or title
        after = text[len(text.rstrip()) :]
        pieces += [reply.values["translation"].strip(), after if "\n" in after else find_row(language).separator]
    translated = "".join(pieces).strip()
    return replace(
        document,
        id=content_hash(translated),
        text=translated,
        title=title,
        language=language,
        origin=f"translated by {agent}",
        meta={"translated_from": document.id},
    )


async def translate_item(
    ask: Ask, item: Item, originals: Mapping[str, Document], translated: Mapping[str, Document], language: str, agent: str
) -> TranslatedItem:
    """Return the item in the language, as a draft on the translated documents. `originals` and `translated` are dicts from the
    id of an original document to the document and to its translation. The agent is asked again if a reply fails a check."""
    texts = [document.text for document in translated.values()]
    evidence = [originals[span.document].text[span.start : span.end] for span in item.evidence]
    faults: list[Fault] = []

    def check(values: Mapping[str, Any]) -> str | None:
        if fault := find_fault(item, evidence, values, texts, language):
            faults.append(fault)
            return _EXPLAINED[fault]
        return None

    inputs = {
        "language": language_name(language),
        "question": item.question,
        "answers": _number(item.answers),
        "sentences": _number(evidence),
        "text": "\n\n".join(texts),
    }
    prompt = load(QUESTION, item.language)
    try:
        reply = await ask_for(ask, prompt, inputs, Sampling(max_tokens=REPLY_TOKENS), check)
    except Unreadable as error:
        return TranslatedItem(None, faults[-1] if faults else "unreadable reply", error.calls)
    values = reply.values
    if values.get("none"):
        return TranslatedItem(None, "not in the translated document", reply.calls)
    spans = tuple(dict.fromkeys(_locate(quote.strip(), translated.values()) for quote in values["quotes"] if quote.strip()))
    quotes = "\n".join(values["quotes"])
    return TranslatedItem(
        Item(
            id=derived_id("translated", item.id, str(item.revision), language, agent),
            task=item.task,
            question=values["question"].strip(),
            answers=tuple(dict.fromkeys(answer.strip() for answer in values["answers"])),
            evidence=spans,
            level=item.level,
            domain=item.domain,
            language=language,
            given=tuple(translated[name].id for name in dict.fromkeys(item.given) if name in translated)
            or tuple(dict.fromkeys(span.document for span in spans)),
            steps=(
                {
                    "kind": "source_item",
                    "item": item.id,
                    "revision": item.revision,
                    "question": item.question,
                    "answer": item.answers[0],
                },
            ),
            overlap=overlap(values["question"], quotes, language),
            provenance=Provenance(agent, prompt.identity, None, reply.calls),
        ),
        None,
        reply.calls,
    )


def find_fault(
    item: Item, evidence: Sequence[str], values: Mapping[str, Any], texts: Sequence[str], language: str
) -> Fault | None:
    """Return what is wrong with the reply as a translation of the item, or None. `evidence` are the texts of the item's
    evidence, `texts` the translated documents."""
    answers, quotes = [answer.strip() for answer in values["answers"]], [quote.strip() for quote in values["quotes"]]
    if len(answers) != len(item.answers) or not all(answers):
        return "other number of answers"
    if not may_match(detect_language(values["question"]), language):
        return "not translated"
    if not any(quotes) or any(not any(quote in text for text in texts) for quote in quotes):
        return "evidence not in the document"
    before, after = "\n".join(evidence), "\n".join(quotes)
    if any(gold in before and answer not in after for gold, answer in zip(item.answers, answers, strict=True)):
        return "answer not in the evidence"
    languages, pairs = (item.language, language), zip(item.answers, answers, strict=True)
    if not all(have_same_figures((gold,), (answer,), languages) for gold, answer in pairs):
        return "other figures"
    missing = [
        figure for figure in list_missing_figures(before, after) if figure != "1"
    ]  # "first" and "one" are often no figure
    return "other figures in the evidence" if missing else None


_EXPLAINED: Mapping[Fault, str] = {
    "other number of answers": "answers must have one entry for each gold answer, in their order",
    "not translated": "the question is not in the language to translate into",
    "evidence not in the document": "a quote does not stand word for word in the translated document",
    "answer not in the evidence": "an answer does not stand word for word in the quotes",
    "other figures": "an answer states another number, unit or date than the gold answer",
    "other figures in the evidence": "the quotes lack a number, unit or date of the numbered sentences",
}


def explain_untranslatable(item: Item) -> Fault | None:
    """Return why the item cannot be translated, or None if it can."""
    if item.inputs:
        return "own text"
    return None if item.evidence and item.answers else "no evidence"


def _number(texts: Sequence[str]) -> str:
    return "\n".join(f"[{number}] {' '.join(text.split())}" for number, text in enumerate(texts, 1))


def _locate(quote: str, documents: Iterable[Document]) -> Span:
    """Return the place of the quote in the first of the documents that has it."""
    document = next(one for one in documents if quote in one.text)
    start = document.text.index(quote)
    return Span(document.id, start, start + len(quote))
