"""Checks a decision from the screen and applies its edit to the item. Text without changes is not an edit, and neither are the
line ends that a text box changes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from builders.drafting.drafting import overlap_of
from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item, Review, Span, Status
from core.person_name import UNSTORABLE
from core.quality import crag
from core.text.frames import is_filled
from store.engine.database import Database
from store.queue.kind import ItemKind
from store.reviews import opinions
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.desk_data import QualificationFeedback
from workbench.annotate.desk.reading import DocumentCache

MAX_CHARACTERS = {"question": 20_000, "answer": 200_000, "reason": 5_000, "comment": 5_000, "name": 200, "key": 200}
MARKS = ("supported", "fix", "drop")
"""Marks that a reader can give a claim."""
MAX_CLAIMS = 500
"""Maximum number of claims of one answer, and of spans of one item."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A decision sent from the desk, with everything that was on the screen then."""

    key: str
    """Idempotency key of the button press, made on the screen; a repeated request stores nothing."""
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
    """{"claim", "mark"} of each marked claim."""
    label_answers: Mapping[str, Any] | None = None
    """Answers to label questions on the screen, by name; None = no label questions."""
    labels: Mapping[str, str] | None = None
    """CRAG's labels and the domain on the screen; None = no labels."""
    seconds: float | None = None
    seen: Status | None = None
    """Status on the screen; None = unknown."""
    guideline: int | None = None
    """Version of the guideline on the screen; None = unknown."""
    tab: str = ""
    """Id of the browser tab; "" = unknown."""
    onward: ItemKind | None = None
    """Kind of the item that the person wants next; None = none."""
    between: tuple[str, ...] = ()
    """Ids of the opinions that the request decides between."""


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a request."""

    item: Item
    """The item after the decision."""
    is_repeat: bool
    """True when the same request was handled before."""
    told: str = ""
    """Effect on the item in words, for an item that needs several people."""
    feedback: QualificationFeedback | None = None
    """Feedback in qualification; None outside qualification."""
    next_item: str | None = None
    """Item that the person holds from now on; None when the request wants none, or when no item was taken with it."""


def check_length(name: str, text: str, limit: int) -> None:
    """Raise BenchError when the text is too long to store."""
    if len(text) > limit:
        raise BenchError(f"The {name} has {len(text):,} characters; at most {limit:,} can be stored: shorten it.")


def check_text(name: str, text: str, limit: int) -> None:
    """Raise BenchError when the text is too long to store, or contains a character that cannot be stored."""
    check_length(name, text, limit)
    if UNSTORABLE.search(text):
        raise BenchError(f"The {name} contains a character that no file can store (NUL or half of a character): remove it.")


def check_seconds(seconds: float | None) -> None:
    """Raise BenchError unless the active time is None or a finite number from 0."""
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise BenchError("The active time is not a number of seconds: load the page again.")


def check_request(request: DecisionRequest) -> None:
    """Raise BenchError on a value that cannot be stored; text is never truncated."""
    if not request.person.strip():
        raise BenchError("A decision needs a name: give yours first.")
    if not request.key.strip():
        raise BenchError("A decision needs a key of its own: load the page again.")
    for name in ("question", "answer", "reason", "comment", "key"):
        check_text(name, getattr(request, name), MAX_CHARACTERS[name])
    check_text("name", request.person, MAX_CHARACTERS["name"])
    if request.decision not in ("accept", "discard"):
        raise BenchError(f"{request.decision!r} is not a decision: accept or discard.")
    check_seconds(request.seconds)
    if max(len(request.claims), len(request.evidence)) > MAX_CLAIMS:
        raise BenchError(f"More than {MAX_CLAIMS} claims or places of evidence cannot be stored with one item.")
    if not all(map(_is_marked, request.claims)):
        raise BenchError(f"A claim is marked as none of {', '.join(MARKS)}: mark it again.")
    for name, value in (request.labels or {}).items():
        if name != "domain" and name not in crag.LABELS:
            raise BenchError(f"{name[:40]!r} is not a label that is chosen from a list: load the page again.")
        if why := crag.explain_label_fault(name, value):
            raise BenchError(f"The item {why}.")
    if request.decision == "discard" and not request.reason.strip():
        raise BenchError("A discard needs a reason: choose one, or write your own.")


def _is_marked(claim: Mapping[str, Any]) -> bool:
    text = claim.get("claim")
    is_storable = isinstance(text, str) and len(text) <= MAX_CHARACTERS["answer"] and not UNSTORABLE.search(text)
    return set(claim) == {"claim", "mark"} and claim["mark"] in MARKS and is_storable


def apply_edit(item: Item, request: DecisionRequest, reading: DocumentCache) -> Item | None:
    """Return the item with the text and evidence on the screen; None when nothing changed. The item's revision is the request's
    revision.

    Raises BenchError when text or evidence is missing, or when the evidence is not in the item's documents."""
    question = None if is_same_text(request.question, item.question) else request.question
    changed = with_words(item, question, None if is_same_text(request.answer, first_answer(item)) else request.answer)
    if is_evidence_moved(item, request):
        check_evidence(request.evidence, item, reading)
        changed = replace(changed or item, evidence=tuple(sorted(set(request.evidence))))
    if crag.is_labelled(item.labels) and with_labels(item, request.labels or {}) != item:
        changed = with_labels(changed or item, request.labels or {})
    return None if changed is None else replace(with_overlap(changed, reading), revision=request.revision)


def with_labels(item: Item, labels: Mapping[str, str]) -> Item:
    """Return the item with these CRAG labels; an empty label is not added where the item lacks it."""
    given = {name: labels[name] for name in crag.LABELS if name in labels and (labels[name] or name in item.labels)}
    return replace(item, domain=labels.get("domain", item.domain), labels={**item.labels, **given})


def find_typed_words(item: Item, request: DecisionRequest) -> dict[str, Json] | None:
    """Return the text and evidence on the screen, to store with a discard; None when they equal the item's."""
    is_same = is_same_text(request.question, item.question) and is_same_text(request.answer, first_answer(item))
    if is_same and not is_evidence_moved(item, request):
        return None
    spans: list[Json] = [[span.document, span.start, span.end] for span in request.evidence]
    return {"question": request.question, "answer": request.answer, "evidence": spans}


def with_overlap(item: Item, reading: DocumentCache) -> Item:
    """Return the item with the current overlap of its question and evidence."""
    return replace(item, overlap=overlap_of(item, reading.text))


def with_words(item: Item, question: str | None, answer: str | None) -> Item | None:
    """Return the item with its new texts (None = unchanged); None when nothing changes.

    The edit changes the first answer; an answer fills the frame. Raises BenchError on empty text."""
    for name, text in (("question", question), ("answer", answer)):
        if text is not None and not text.strip():
            raise BenchError(f"The {name} is empty: enter text, or keep the previous text.")
    new_question = item.question if question is None else question.strip()
    answers = item.answers if answer is None else (answer.strip(), *item.answers[1:])
    if (new_question, answers) == (item.question, item.answers):
        return None
    labels = {key: value for key, value in item.labels.items() if key != "frame" or answer is None}
    return replace(item, question=new_question, answers=answers, labels=labels)


def check_evidence(spans: Sequence[Span], item: Item, reading: DocumentCache) -> None:
    """Raise BenchError unless there is evidence, and every span is text of a document of the item."""
    if not spans:
        raise BenchError("No evidence is left: mark at least one place in the text.")
    documents = reading.documents_of(item)
    for span in spans:
        if span.document not in documents:
            raise BenchError("Evidence is marked in a document that does not belong to this item: mark it in one of its own.")
        document = reading.document(span.document)
        if not 0 <= span.start < span.end <= len(document.text):
            raise BenchError(f"Evidence from {span.start} to {span.end} lies outside of {document.title}: mark it again.")
        if not document.text[span.start : span.end].strip():
            raise BenchError(f"Evidence from {span.start} to {span.end} of {document.title} holds no words: mark it again.")


def frame_words(item: Item) -> str:
    """Return the text that a person has to replace with their own answer; "" when the item is not a frame to fill."""
    return first_answer(item) if item.labels.get("frame") else ""


def check_acceptable(item: Item, frame: str) -> None:
    """Raise BenchError for an item that must not be in a release: without a question, without an answer, or with an unfilled
    frame.

    `frame` is the text with gaps (frame) that the item was drafted as, or "" if it was not drafted as one."""
    if not item.question.strip() or not item.answers or not item.answers[0].strip():
        raise BenchError(f"{item.id} has no question or no answer: write both to accept it, or discard it.")
    if frame and not is_filled(item.answers[0], frame, item.language):
        raise BenchError(
            f"{item.id} is a frame to fill, and its answer is still the frame's words: write the answer in your own words to "
            f"accept it, or discard it."
        )


def unsent_of(request: DecisionRequest) -> UnsentEdit:
    """Return the unsent edits in the request."""
    words = (request.person, request.item, request.revision, request.question, request.answer, request.evidence)
    return UnsentEdit(*words, tab=request.tab, label_answers=request.label_answers or {})


def first_answer(item: Item) -> str:
    """Return the answer that is shown; "" when there is none."""
    return item.answers[0] if item.answers else ""


def is_evidence_moved(item: Item, request: DecisionRequest) -> bool:
    return set(request.evidence) != set(item.evidence)


def is_same_text(a: str, b: str) -> bool:
    """Return whether both texts are equal, except for line ends and white space around them."""
    return clean_text(a) == clean_text(b)


def clean_text(text: str) -> str:
    """Return the text with \\n as the only line end, and without white space around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def describe_outcome(database: Database, review: Review, item: Item) -> str:
    """Describe the effect of an opinion on the item, without anybody's text; "" for a decision."""
    if review.role != "opinion":
        return ""
    if item.status != "drafted":
        return f"all agreed: {item.status}"
    missing = opinions.count_missing(database, item.id)
    return f"waits for {missing} more" if missing else "opinions differ: somebody decides between them"


def find_taken_opinion(database: Database, request: DecisionRequest, outcome: Item) -> str | None:
    """Return the id of an opinion with the same result, among the opinions that the request decides between; None when there is
    none."""
    matches = [one for one in opinions.load_opinions_on(database.rows, request.item) if one.review.decision == request.decision]
    if request.decision == "accept":
        matches = [opinion for opinion in matches if _words(opinion.item) == _words(outcome)]
    matches.sort(key=lambda opinion: opinion.review.reason != request.reason.strip())
    return matches[0].review.id if matches else None


def _words(item: Item) -> tuple[Any, ...]:
    words = opinions.edited_fields(item)
    return words[:2], frozenset(item.evidence), words[3:]
