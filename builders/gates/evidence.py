"""Refuse a draft whose evidence is not in the documents that it was drafted from. Evidence in the draft's source document is
valid, even if systems are not allowed to retrieve this document. Also refuse an explicit factoid whose answer does not occur
verbatim in the evidence, and flag a question that contains its answer."""

import re
from dataclasses import replace
from unicodedata import normalize

from builders.gate import Finding, Gate, GateContext
from core.errors import BenchError
from core.nouns import Item
from core.text.language import find_row
from core.text.numbered import NumberedSentences

VERBATIM = "explicit_factoid"
"""Name of the task whose answers must occur verbatim in their evidence."""
EDGE = " .,;:!?\"'“”‘’()[]、。，；：！？（）《》「」"


def check(item: Item, context: GateContext) -> Finding:
    if not item.evidence:
        return Finding("refuse", "No evidence was given.")
    texts = []
    for span in item.evidence:
        where = {"document": span.document, "start": span.start, "end": span.end}
        if item.given and span.document not in (*item.given, item.labels.get("source")):
            return Finding("refuse", f"Evidence is cited from document {span.document}, which was not shown.", where)
        try:
            text = context.text_of(span)
        except BenchError as error:
            return Finding("refuse", f"Evidence cannot be read: {error}", where)
        if not 0 <= span.start < span.end or len(text) != span.end - span.start or not text.strip():
            return Finding("refuse", f"Evidence {span.start} to {span.end} is not a text of document {span.document}.", where)
        texts.append(text)
    if not item.answers or not item.answers[0].strip():
        return Finding("refuse", "There is no answer.")
    answer, moved = item.answers[0], any(step.get("kind") == "repaired" for step in item.steps)
    if item.task == VERBATIM and not contains_answer("\n".join(texts), answer, item.language):
        return Finding("refuse", f"The answer {answer!r} does not occur in the cited evidence.", {"answer": answer})
    if item.task in (VERBATIM, "implicit_factoid") and contains_answer(item.question, answer, item.language):
        return Finding("flag", "The question already contains its answer.", {"repaired": moved})
    why = "The answer was in another sentence than the cited one; the evidence was moved there." if moved else ""
    return Finding("pass", why, {"repaired": moved})


def repair_evidence(item: Item, context: GateContext, window: NumberedSentences) -> Item:
    """Return the item with its evidence moved to the sentence that contains the answer, if the cited sentences do not contain
    the answer and exactly one sentence of the window does. Otherwise, return the item unchanged."""
    try:
        cited = "\n".join(context.text_of(span) for span in item.evidence)
    except BenchError:
        return item
    answer = item.answers[0] if item.answers else ""
    if item.task != VERBATIM or contains_answer(cited, answer, item.language):
        return item
    places = [sentence.span for sentence in window.sentences if contains_answer(sentence.text, answer, item.language)]
    if len(places) != 1:
        return item
    step = {"kind": "repaired", "gate": "evidence", "from": [s.triple for s in item.evidence]}
    return replace(item, evidence=(places[0],), steps=(*item.steps, step))


def contains_answer(text: str, answer: str, language: str) -> bool:
    """Check whether the text contains the answer, ignoring character width, case, white space and punctuation at the ends.
    English words and numbers must match as a whole: "party" does not contain "art", nor "1912" contain "12"."""
    wanted, there = _normalise_text(answer, language).strip(EDGE), _normalise_text(text, language)
    if not wanted:
        return False
    before = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", wanted) else ""
    after = r"(?![a-z0-9])" if re.search(r"[a-z0-9]$", wanted) else ""
    return re.search(before + re.escape(wanted) + after, there) is not None


def _normalise_text(text: str, language: str) -> str:
    text = normalize("NFKC", text).casefold().translate(str.maketrans("“”‘’–—", "\"\"''--"))
    return re.sub(r"\s+", find_row(language).separator, text)


GATE = Gate(version="1", check=check)
