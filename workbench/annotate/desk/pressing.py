"""A decision as it comes from the screen: checked, and turned into the words that it leaves. What it changes nothing about is
no edit; what a reader's box did to line ends is none either."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from builders.drafting.drafting import overlap_of
from core.errors import BenchError
from core.nouns import Item, Span, Status
from core.quality import crag
from core.text.frames import is_filled
from workbench.annotate.desk.reading import DocumentCache

LONGEST = {"question": 20_000, "answer": 200_000, "reason": 5_000, "comment": 5_000, "name": 200, "key": 200}
"""Characters."""
MARKS = ("supported", "fix", "drop")
"""What a reader says of a claim."""
MOST = 500
"""Claims of one answer, and spans of one item, at most."""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """One press of a deciding key, and everything that was on the screen then."""

    key: str
    """Made on the screen, one a press: what comes twice with it is stored once."""
    person: str
    item: str
    revision: int
    decision: Literal["accept", "discard"]
    question: str
    answer: str
    evidence: tuple[Span, ...]
    reason: str = ""
    comment: str = ""
    claims: tuple[Mapping[str, Any], ...] = ()
    """{"claim", "mark"} of each claim that was marked."""
    label_answers: Mapping[str, Any] | None = None
    """Answers to label questions as they stood on the screen, by name; None = none stood there."""
    labels: Mapping[str, str] | None = None
    """CRAG's labels and the domain as they stood on the screen; None = none stood there."""
    seconds: float | None = None
    seen: Status | None = None
    """The status on the screen; None = not told."""
    guideline: int | None = None
    """The version of the guideline on the screen; None = not told."""
    tab: str = ""
    """The browser tab; "" = not told."""
    between: tuple[str, ...] = ()
    """Ids of the opinions that it decides between."""


class DecisionResult(NamedTuple):
    """What a press left."""

    item: Item
    """As it is now."""
    is_repeat: bool
    """True when the same press had come before."""
    told: str = ""
    """What becomes of it where several people are wanted."""
    feedback: Mapping[str, Any] | None = None
    """In practice: what was planted, what the person did, what was expected."""


def check(press: DecisionRequest) -> None:
    """Raises BenchError on what cannot be stored, in a sentence; nobody's text is cut in silence."""
    if not press.person.strip():
        raise BenchError("A decision needs a name: give yours first.")
    if not press.key.strip():
        raise BenchError("A decision needs a key of its own: load the page again.")
    texts = {
        "question": press.question,
        "answer": press.answer,
        "reason": press.reason,
        "comment": press.comment,
        "name": press.person,
        "key": press.key,
    }
    for name, text in texts.items():
        if len(text) > LONGEST[name]:
            raise BenchError(f"The {name} has {len(text):,} characters; at most {LONGEST[name]:,} can be stored: shorten it.")
        if _UNSTORABLE.search(text):
            raise BenchError(f"The {name} holds a character that no file can hold (NUL or half a character): take it out.")
    if press.decision not in ("accept", "discard"):
        raise BenchError(f"{press.decision!r} is no decision: accept or discard.")
    if press.seconds is not None and not (math.isfinite(press.seconds) and press.seconds >= 0):
        raise BenchError("The active time is no number of seconds: load the page again.")
    if max(len(press.claims), len(press.evidence)) > MOST:
        raise BenchError(f"More than {MOST} claims or places of evidence cannot be stored with one item.")
    if any(
        set(one) != {"claim", "mark"}
        or one["mark"] not in MARKS
        or not isinstance(one["claim"], str)
        or len(one["claim"]) > LONGEST["answer"]
        or _UNSTORABLE.search(one["claim"])
        for one in press.claims
    ):
        raise BenchError(f"A claim is marked as none of {', '.join(MARKS)}: mark it again.")
    for name, value in (press.labels or {}).items():
        if name != "domain" and name not in crag.LABELS:
            raise BenchError(f"{name[:40]!r} is no label that is chosen from a list: load the page again.")
        if why := crag.explain_label_fault(name, value):
            raise BenchError(f"The item {why}.")
    if press.decision == "discard" and not press.reason.strip():
        raise BenchError("A discard needs a reason: choose one, or write your own.")


def edited(item: Item, press: DecisionRequest, reading: DocumentCache) -> Item | None:
    """The item in the words and with the evidence of the screen, `press.revision` its revision; None when nothing changed.
    Raises BenchError when words or evidence are missing, or evidence is no text of the item's documents."""
    question = None if same(press.question, item.question) else press.question
    changed = reworded(item, question, None if same(press.answer, first_answer(item)) else press.answer)
    if is_evidence_moved(item, press):
        check_evidence(press.evidence, item, reading)
        changed = replace(changed or item, evidence=tuple(sorted(set(press.evidence))))
    if is_relabelled(item, press):
        changed = labelled(changed or item, press.labels or {})
    return None if changed is None else replace(with_overlap(changed, reading), revision=press.revision)


def is_relabelled(item: Item, press: DecisionRequest) -> bool:
    return crag.is_labelled(item.labels) and labelled(item, press.labels or {}) != item


def labelled(item: Item, labels: Mapping[str, str]) -> Item:
    """The item with those of CRAG's labels; one that it lacks stays away as long as it is the empty one."""
    given = {name: labels[name] for name in crag.LABELS if name in labels and (labels[name] or name in item.labels)}
    return replace(item, domain=labels.get("domain", item.domain), labels={**item.labels, **given})


def typed(item: Item, press: DecisionRequest) -> dict[str, Any] | None:
    """The words and evidence of the screen where they are not the item's, to be kept with a discard; None when they are."""
    if same(press.question, item.question) and same(press.answer, first_answer(item)) and not is_evidence_moved(item, press):
        return None
    spans = [[span.document, span.start, span.end] for span in press.evidence]
    return {"question": press.question, "answer": press.answer, "evidence": spans}


def with_overlap(item: Item, reading: DocumentCache) -> Item:
    """The item with the overlap of its question and evidence as they are."""
    return replace(item, overlap=overlap_of(item, reading.text))


def reworded(item: Item, question: str | None, answer: str | None) -> Item | None:
    """The item with its new words (None = as they are); None when nothing changes. The first answer is the one that is edited;
    whoever writes one has filled the frame."""
    for name, text in (("question", question), ("answer", answer)):
        if text is not None and not text.strip():
            raise BenchError(f"The {name} is empty: give words, or leave it as it was.")
    asked = item.question if question is None else question.strip()
    answers = item.answers if answer is None else (answer.strip(), *item.answers[1:])
    if (asked, answers) == (item.question, item.answers):
        return None
    labels = {key: value for key, value in item.labels.items() if key != "frame" or answer is None}
    return replace(item, question=asked, answers=answers, labels=labels)


def check_evidence(spans: Sequence[Span], item: Item, reading: DocumentCache) -> None:
    """Raises BenchError unless every span is text of a document of the item, and there is one where there was one."""
    if not spans:
        raise BenchError("No evidence is left: mark at least one place in the text.")
    known = reading.documents_of(item)
    for span in spans:
        if span.document not in known:
            raise BenchError("Evidence is marked in a document that does not belong to this item: mark it in one of its own.")
        document = reading.document(span.document)
        if not 0 <= span.start < span.end <= len(document.text):
            raise BenchError(f"Evidence from {span.start} to {span.end} lies outside of {document.title}: mark it again.")
        if not document.text[span.start : span.end].strip():
            raise BenchError(f"Evidence from {span.start} to {span.end} of {document.title} holds no words: mark it again.")


def frame_words(item: Item) -> str:
    """The words that a person is to replace by an answer of their own; "" when the item is no frame to fill."""
    return first_answer(item) if item.labels.get("frame") else ""


def check_acceptable(item: Item, frame: str) -> None:
    """Raises BenchError for an item that no release should hold: nothing asked, nothing answered, a frame left unfilled.
    `frame` is the words of the frame that the item began as; "" = it began as none."""
    if not item.question.strip() or not item.answers or not item.answers[0].strip():
        raise BenchError(f"{item.id} has no question or no answer: write both to accept it, or discard it.")
    if frame and not is_filled(item.answers[0], frame, item.language):
        raise BenchError(
            f"{item.id} is a frame to fill, and its answer is still the frame's words: write the answer in your own words to "
            f"accept it, or discard it."
        )


def first_answer(item: Item) -> str:
    """The answer that is shown; "" when there is none."""
    return item.answers[0] if item.answers else ""


def is_evidence_moved(item: Item, press: DecisionRequest) -> bool:
    return set(press.evidence) != set(item.evidence)


def same(a: str, b: str) -> bool:
    """Whether they are the same but for line ends and white space around them."""
    return _lines(a) == _lines(b)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
