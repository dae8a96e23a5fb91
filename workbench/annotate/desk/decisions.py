"""Check a decision that the review page sent, and apply its edit to the item. If the text is unchanged, there is no edit, even
if the browser's text box changed the line endings."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from builders.drafting.drafting import overlap_of
from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item, Review, Span, Status
from core.person_name import UNSTORABLE
from core.quality import crag
from core.wording.frames import is_filled
from store.engine.database import Database
from store.items import frames
from store.queue.kind import ItemKind
from store.reviews import opinions
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk.desk_data import QualificationFeedback
from workbench.annotate.desk.reading import DocumentCache

MAX_CHARACTERS = {"question": 20_000, "answer": 200_000, "reason": 5_000, "comment": 5_000, "name": 200, "key": 200}
LONG_ANSWER_CHARACTERS = 50_000
"""Number of characters from which a person must confirm a new answer, because nobody types an answer of this length."""
MARKS = ("supported", "fix", "drop")
"""The marks that a reviewer can give to a claim of an answer."""
MAX_CLAIMS = 500
"""Maximum number of claims of one answer, and of spans of one item."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A decision that the review page sent, with what the page showed at that moment."""

    key: str
    """Key that the screen creates for each click, so that one click is stored only once."""
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
    """A record {"claim", "mark"} for each claim that the reviewer marked."""
    label_answers: Mapping[str, Any] | None = None
    """Dict from the name of a label question to the reviewer's answer, or None if the screen showed no label questions."""
    labels: Mapping[str, str] | None = None
    """Dict with the values of CRAG's labels and of the domain that the reviewer chose on the screen, or None if the screen
    showed no labels."""
    seconds: float | None = None
    seen: Status | None = None
    """Status of the item on the screen, or None if unknown."""
    guideline: int | None = None
    """Version of the guideline on the screen, or None if unknown."""
    tab: str = ""
    """Id of the browser tab that sent the decision; "" if unknown."""
    onward: ItemKind | None = None
    """Kind of item that the person wants to get next, or None if the person wants no next item."""
    between: tuple[str, ...] = ()
    """Ids of the opinions between which the person decides; empty for an ordinary decision."""


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The outcome of a decision that the review page sent (a DecisionRequest)."""

    item: Item
    """The item as it is after the decision, with its new status and revision."""
    is_repeat: bool
    """Whether the same request was stored before, so that nothing was stored now."""
    told: str = ""
    """What the opinion means for the item, in words, if several people review it."""
    feedback: QualificationFeedback | None = None
    """The injected error and the right decision, which a person sees during qualification; None otherwise."""
    next_item: str | None = None
    """Id of the next item, which is now reserved for the person; None if the person wanted no next item or if none was reserved
    yet."""


def check_length(name: str, text: str, limit: int) -> None:
    """Raise BenchError if `text` has more than `limit` characters."""
    if len(text) > limit:
        raise BenchError(f"The {name} has {len(text):,} characters; at most {limit:,} can be stored: shorten it.")


def check_text(name: str, text: str, limit: int) -> None:
    """Raise BenchError if `text` has more than `limit` characters, or contains a character that cannot be stored."""
    check_length(name, text, limit)
    if UNSTORABLE.search(text):
        raise BenchError(f"The {name} contains a character that no file can store (NUL or a broken character): remove it.")


def check_new_words(
    item: Item, question: str | None, answer: str | None, reason: str = "", *, allows_long: bool = False
) -> None:
    """Raise BenchError if a new question, answer or reason cannot be stored. Also raise it if a new answer (None = unchanged)
    has LONG_ANSWER_CHARACTERS or more characters and `allows_long` is False."""
    for name, text in (("question", question or ""), ("answer", answer or ""), ("reason", reason)):
        check_text(name, text, MAX_CHARACTERS[name])
    if answer is None or allows_long or len(answer) < LONG_ANSWER_CHARACTERS or answer == first_answer(item):
        return
    raise BenchError(
        f"The answer has {len(answer):,} characters, more than a pasted page: nothing was stored; shorten it, or give "
        "--allow-long to store it all the same."
    )


def check_seconds(seconds: float | None) -> None:
    """Raise BenchError unless `seconds`, the person's active time, is None or a finite number of 0 or more."""
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise BenchError("The active time is not a number of seconds: load the page again.")


def check_request(request: DecisionRequest) -> None:
    """Raise BenchError if the request has a value that cannot be stored; a text that is too long is never cut."""
    if not request.person.strip():
        raise BenchError("A decision needs a name: give yours first.")
    if not request.key.strip():
        raise BenchError("The page sent this decision without a request key: load the page again.")
    for name in ("question", "answer", "reason", "comment", "key"):
        check_text(name, getattr(request, name), MAX_CHARACTERS[name])
    check_text("name", request.person, MAX_CHARACTERS["name"])
    if request.decision not in ("accept", "discard"):
        raise BenchError(f"{request.decision!r} is not a decision: accept or discard.")
    check_seconds(request.seconds)
    if max(len(request.claims), len(request.evidence)) > MAX_CLAIMS:
        raise BenchError(f"One item can have at most {MAX_CLAIMS} claims and {MAX_CLAIMS} evidence passages: remove some.")
    if not all(map(_is_marked, request.claims)):
        raise BenchError(f"The mark of a claim must be one of {', '.join(MARKS)}: mark the claim again.")
    for name, value in (request.labels or {}).items():
        if name != "domain" and name not in crag.LABELS:
            raise BenchError(f"{name[:40]!r} is not a label that the page can change: load the page again.")
        if why := crag.explain_label_fault(name, value):
            raise BenchError(f"The item {why}.")
    if request.decision == "discard" and not request.reason.strip():
        raise BenchError("A discard needs a reason: choose one, or write your own.")


def _is_marked(claim: Mapping[str, Any]) -> bool:
    text = claim.get("claim")
    is_storable = isinstance(text, str) and len(text) <= MAX_CHARACTERS["answer"] and not UNSTORABLE.search(text)
    return set(claim) == {"claim", "mark"} and claim["mark"] in MARKS and is_storable


def apply_edit(item: Item, request: DecisionRequest, reading: DocumentCache) -> Item | None:
    """Return the item with the question, answer and evidence of the request, or None if these are unchanged. The returned item
    has the number of the revision that the person saw.

    Raises BenchError if text or evidence is missing, or if the evidence is not in the item's documents."""
    question = None if is_same_text(request.question, item.question) else request.question
    changed = with_words(item, question, None if is_same_text(request.answer, first_answer(item)) else request.answer)
    if is_evidence_moved(item, request):
        check_evidence(request.evidence, item, reading)
        changed = replace(changed or item, evidence=tuple(sorted(set(request.evidence))))
    if crag.is_labelled(item.labels) and with_labels(item, request.labels or {}) != item:
        changed = with_labels(changed or item, request.labels or {})
    return None if changed is None else replace(with_overlap(changed, reading), revision=request.revision)


def with_labels(item: Item, labels: Mapping[str, str]) -> Item:
    """Return the item with `labels` as its CRAG labels; a label that is new and empty is not added."""
    given = {name: labels[name] for name in crag.LABELS if name in labels and (labels[name] or name in item.labels)}
    return replace(item, domain=labels.get("domain", item.domain), labels={**item.labels, **given})


def find_typed_words(item: Item, request: DecisionRequest) -> dict[str, Json] | None:
    """Return the text and evidence of the request, which a discard stores, or None if they are the same as the item's."""
    is_same = is_same_text(request.question, item.question) and is_same_text(request.answer, first_answer(item))
    if is_same and not is_evidence_moved(item, request):
        return None
    spans: list[Json] = [span.triple for span in request.evidence]
    return {"question": request.question, "answer": request.answer, "evidence": spans}


def with_overlap(item: Item, reading: DocumentCache) -> Item:
    """Return the item after computing its overlap (the share of the question's words that occur in the evidence) again."""
    return replace(item, overlap=overlap_of(item, reading.text))


def with_words(item: Item, question: str | None, answer: str | None) -> Item | None:
    """Return the item with a new `question` and `answer` (None = keep the text), or None if nothing changes.

    A new answer replaces the first answer. If the item had a frame (a text that the reviewer must replace), it is marked as
    filled in. Raises BenchError if a text is empty."""
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
    """Raise BenchError when there is no span, or when a span is not text of one of the item's documents."""
    if not spans:
        raise BenchError("No evidence is left: mark at least one passage of the text.")
    documents = reading.documents_of(item)
    for span in spans:
        if span.document not in documents:
            raise BenchError(
                "Evidence is marked in a document that does not belong to this item: mark it in one of the item's documents."
            )
        document = reading.document(span.document)
        if not 0 <= span.start < span.end <= len(document.text):
            raise BenchError(
                f"Evidence from character {span.start} to {span.end} lies outside of {document.title}: mark it again."
            )
        if not document.text[span.start : span.end].strip():
            raise BenchError(
                f"Evidence from character {span.start} to {span.end} of {document.title} holds no words: mark it again."
            )


def find_passages(item: Item, quotes: Sequence[str], reading: DocumentCache) -> tuple[Span, ...]:
    """Return the places of the quotes in the item's documents; white space may differ, and empty quotes are left out. Raises
    BenchError if the documents do not contain a quote, or contain it more than once."""
    own = {_join_words(reading.text(span)): span for span in item.evidence}
    spans = []
    for quote in map(_join_words, quotes):
        if not quote:
            continue
        if quote not in own:
            pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
            places = [
                Span(name, match.start(), match.end())
                for name in reading.documents_of(item)
                for match in pattern.finditer(reading.document(name).text)
            ]
            if len(places) != 1:
                where = f"occur {len(places)} times" if places else "do not occur"
                raise BenchError(f"The words “{quote[:60]}” {where} in the item's documents: copy a passage that occurs once.")
            own[quote] = places[0]
        spans.append(own[quote])
    return tuple(sorted(set(spans)))


def _join_words(text: str) -> str:
    return " ".join(text.split())


def frame_words(item: Item) -> str:
    """Return the text that a person has to replace with their own answer (a frame to fill), or "" if the item has none."""
    return first_answer(item) if item.labels.get("frame") else ""


def load_frame(database: Database, item: Item) -> str:
    """Load the frame (a text that a person has to replace with their own answer) with which the item was drafted, even if a
    person has replaced it since; "" if the item was not drafted as a frame."""
    if frame_words(item) or item.revision == 1:
        return frame_words(item)
    first = frames.fetch_frames(database.rows, [item.id])
    return first[item.id].answer if first else ""


def check_acceptable(item: Item, frame: str) -> None:
    """Raise BenchError for an item that may not be accepted: one without a question or an answer, or with an unfilled frame.

    `frame` is the text to replace (the frame) with which the item was drafted, or "" if it was drafted without a frame."""
    if not item.question.strip() or not item.answers or not item.answers[0].strip():
        raise BenchError(f"{item.id} has no question or no answer: write both to accept it, or discard it.")
    if frame and not is_filled(item.answers[0], frame, item.language):
        raise BenchError(
            f"{item.id} is a frame to fill, but its answer is still the frame's words or adds too little: to accept the "
            f"item, write the answer in sentences of your own and keep less than half of the frame, or discard the item."
        )


def unsent_of(request: DecisionRequest) -> UnsentEdit:
    """Convert the text and evidence of the request to unsent edits."""
    words = (request.person, request.item, request.revision, request.question, request.answer, request.evidence)
    return UnsentEdit(*words, tab=request.tab, label_answers=request.label_answers or {})


def first_answer(item: Item) -> str:
    """Return the item's first answer, which is the one that screens show, or "" if the item has no answer."""
    return item.answers[0] if item.answers else ""


def is_evidence_moved(item: Item, request: DecisionRequest) -> bool:
    return set(request.evidence) != set(item.evidence)


def is_same_text(a: str, b: str) -> bool:
    """Return whether both texts are equal apart from line endings and leading or trailing white space."""
    return clean_text(a) == clean_text(b)


def clean_text(text: str) -> str:
    """Return the text without leading and trailing white space, with \\n as the only line ending."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def describe_outcome(database: Database, review: Review, item: Item) -> str:
    """Describe the state of the item after an opinion (waits for others, is decided, or opinions differ), without quoting
    anybody; "" if the review is a decision, not an opinion."""
    if review.role != "opinion":
        return ""
    if item.status != "drafted":
        return f"all agreed: {item.status}"
    missing = opinions.count_missing(database, item.id)
    return f"waits for {missing} more" if missing else "opinions differ: somebody decides between them"


def find_taken_opinion(database: Database, request: DecisionRequest, outcome: Item) -> str | None:
    """Return the id of the opinion with which this decision between differing opinions agrees, or None if it agrees with
    none."""
    matches = [one for one in opinions.load_opinions_on(database.rows, request.item) if one.review.decision == request.decision]
    if request.decision == "accept":
        matches = [opinion for opinion in matches if _words(opinion.item) == _words(outcome)]
    matches.sort(key=lambda opinion: opinion.review.reason != request.reason.strip())
    return matches[0].review.id if matches else None


def _words(item: Item) -> tuple[Any, ...]:
    words = opinions.edited_fields(item)
    return words[:2], frozenset(item.evidence), words[3:]
