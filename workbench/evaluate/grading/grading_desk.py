"""Show the answers of a grading batch to people who grade: one answer at a time with question, gold answers and evidence, in a
random order that the batch's seed determines. The screen shows neither the system, nor the judge's verdicts, nor other people's
marks."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from builders.task import tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Grade, Item, Span, Trace
from core.quality.grading import RIGHT_WRONG, SCHEMES, EffectiveGrade, SchemeMark, grading_role, settle_grades
from eval.metric import split_name
from store.engine.database import Database
from store.items import items
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace
from store.variants import variants
from workbench.annotate.desk.decisions import MAX_CHARACTERS
from workbench.annotate.desk.reading import DocumentCache
from workbench.evaluate.grading.grading import get_grading, places_for_people
from workbench.roles import requires

HOLD_SECONDS = 900.0
"""Number of seconds for which an answer on a person's screen stays reserved for that person."""
CLAIM_QUESTIONS: Mapping[str, str] = {
    "s_f1": "Does the text say what the sentence says?",
    "nuggets": "Does the answer contain the nugget?",
    "": "Do the passages support the sentence?",
}
"""Dict from metric to the question that people answer about a judge's verdict on one sentence; the key "" stands for all other
metrics."""
CLAIM_MARKS = (SchemeMark("right", "Yes."), SchemeMark("wrong", "No, or not all of it."))


class Quote(NamedTuple):
    """An excerpt of a document that the grading screen shows."""

    title: str
    text: str
    number: str = ""
    """Rank of the retrieved passage that contains the excerpt; "" if it comes from no passage."""


class MarkNote(NamedTuple):
    """One person's mark on an answer, with a comment."""

    mark: str
    comment: str


class ClaimSheet(NamedTuple):
    """What people see when they grade a judge's verdict on a sentence or nugget: the sentence, and the text or passages to
    compare it with."""

    asks: str
    unit: str
    """What the sentence is: "Sentence" or "Nugget"."""
    sentence: str
    text: str
    passages: Sequence[Quote]


@dataclass(frozen=True, slots=True)
class GradingSheet:
    """What the grading screen shows of one answer of a batch."""

    place: str
    number: int
    """Number of the answer in the batch; the first is 1."""
    of: int
    """Number of all answers in the batch."""
    mine: int
    """Number of marks that this person gave in the batch."""
    language: str
    question: str
    inputs: Mapping[str, str]
    golds: Sequence[str]
    answer: str
    evidence: Sequence[Quote]
    claim: ClaimSheet | None
    """The judge's verdict to be graded, or None if whole answers are graded."""
    now: str
    """Time at which the question was asked; given if the right answer depends on it."""
    marks: Sequence[SchemeMark]
    between: Sequence[MarkNote]
    """Marks of other people that differ, if this person must decide between them."""
    standing: MarkNote | None
    """Mark that this person gave and that counts, or None."""
    needed: bool
    """Whether the answer needs a mark from this person."""


class AskedAnswer(NamedTuple):
    """A system's answer with its item and question."""

    item: Item
    """The item in the revision whose question the system was asked."""
    question: str
    """The question in the words in which the system was asked, which can be those of a variant."""
    trace: Trace

    @property
    def golds(self) -> Sequence[str]:
        golds: Sequence[str] = pick(tasks(), self.item.task, "task").reference(self.item)
        return golds

    @property
    def asked_at(self) -> str:
        return str(self.item.labels.get("query_time", ""))


class GradingDesk:
    """Methods with which people get the next answer of a batch, grade it, and undo a mark."""

    def __init__(self, database: Database) -> None:
        self._db, self._documents = database, DocumentCache(database)
        self._lock = threading.Lock()
        self._holds: dict[tuple[str, str], float] = {}
        """Dict from (key of the answer, person) to the end of the reservation, as a time of the monotonic clock."""

    @requires("grade answers", is_logged=False)
    def find_next(self, grading: str, person: str, after: str = "") -> str | None:
        """Return the key of the next answer that the person has to mark, or None if no answer is left. The search starts after
        the answer `after`, and continues at the beginning when it reaches the end. Answers that enough other people are grading
        at the moment are left out; answers that need a decision between marks come last. The answer is then reserved for this
        person for HOLD_SECONDS seconds."""
        batch = get_grading(self._db, grading)
        grades_by_place = grades.load_grades(self._db, batch.id)
        keys = [place.key for place in places_for_people(self._db, batch)]
        start = keys.index(after) + 1 if after in keys else 0
        with self._lock:
            now = time.monotonic()
            self._holds = {hold: until for hold, until in self._holds.items() if until > now}
            for wanted in ("", "resolves"):
                for key in [*keys[start:], *keys[:start]]:
                    effective = settle_grades(grades_by_place.get(key, ()), batch.graders)
                    fits = key != after and grading_role(effective, batch.graders, person) == wanted
                    if fits and self._is_free(key, person, effective, batch):
                        self._holds[key, person] = now + HOLD_SECONDS
                        return key
        effective = settle_grades(grades_by_place.get(after, ()), batch.graders)
        return after if after in keys and grading_role(effective, batch.graders, person) is not None else None

    @requires("grade answers", "place", is_logged=False)
    def load_sheet(self, grading: str, place: str, person: str) -> GradingSheet:
        """Return what the screen shows of one answer of a batch. Raises BenchError if the answer is not in the batch, or not in
        the workspace any more."""
        batch, batch_place = self._find(grading, place)
        places, grades_by_place = places_for_people(self._db, batch), grades.load_grades(self._db, batch.id)
        effective = settle_grades(grades_by_place.get(place, ()), batch.graders)
        role, own = grading_role(effective, batch.graders, person), last_mark(grades_by_place.get(place, ()), person)
        answer = load_answer(self._db, batch_place)
        if answer is None:
            raise BenchError("This answer or its question is no longer in this workspace: go on to the next answer.")
        return GradingSheet(
            place=place,
            number=[other.key for other in places].index(place) + 1,
            of=len(places),
            mine=sum(last_mark(marks, person) is not None for marks in grades_by_place.values()),
            language=answer.item.language,
            question=answer.question,
            inputs=dict(answer.item.inputs),
            golds=list(answer.golds),
            answer=answer.trace.answer or "",
            evidence=[self._quote(span) for span in answer.item.evidence],
            claim=self._build_claim(batch, batch_place, answer),
            now=answer.asked_at,
            marks=CLAIM_MARKS if batch.of and batch.scheme == RIGHT_WRONG else SCHEMES[batch.scheme].marks,
            between=_list_differing(grades_by_place.get(place, ()), effective) if role == "resolves" else [],
            standing=None if own is None else MarkNote(own.mark or "", own.comment),
            needed=role is not None or own is not None,
        )

    @requires("grade answers", "place", is_logged=False)
    def mark(
        self, grading: str, place: str, person: str, key: str, mark: str, comment: str = "", seconds: float | None = None
    ) -> None:
        """Store a person's mark on an answer. A new mark replaces the person's earlier mark. Calling `mark` again with the same
        `key` changes nothing. Raises BenchError if the scale does not have this mark, if `person` is empty, if enough other
        people have marked the answer, or if the batch is closed."""
        batch = self._find_open(grading, place, person)
        if mark not in SCHEMES[batch.scheme].names:
            raise BenchError(f"{mark!r} is not a mark of this batch: give one of {', '.join(SCHEMES[batch.scheme].names)}.")
        if len(comment) > MAX_CHARACTERS["comment"] or "\0" in comment:
            raise BenchError("The comment is too long or contains a null character: shorten it.")
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise BenchError("The active time is not a number of seconds: reload the page.")
        grade = Grade(key, place, person, mark, "", comment.strip(), seconds)
        if not grades.add_grade(self._db, grade, lambda earlier: role_for(person, earlier, batch.graders)):
            raise BenchError("Others have graded this answer in the meantime: go on to the next answer.")
        with self._lock:
            self._holds.pop((place, person), None)

    @requires("grade answers", "grading", is_logged=False)
    def undo(self, grading: str, person: str, key: str) -> str:
        """Withdraw the person's last mark in the batch; return the key of the answer. Raises BenchError if the person has given
        no mark in the batch, or if it is closed."""
        grades_by_place = grades.load_grades(self._db, get_grading(self._db, grading).id)
        own = [(place, last) for place, marks in grades_by_place.items() if (last := last_mark(marks, person)) is not None]
        if not own:
            raise BenchError("You have graded nothing in this batch: there is nothing to undo.")
        place, last = max(own, key=lambda pair: (pair[1].at, pair[1].id))
        self._find_open(grading, place, person)
        grades.add_grade(self._db, Grade(key, place, person, None, last.role), lambda earlier: last.role)
        return place

    def _is_free(self, key: str, person: str, effective: EffectiveGrade, batch: Grading) -> bool:
        """Return whether the answer still needs a mark from this person, if everybody who is grading it at the moment gives a
        mark."""
        others = sum(held == key and who != person and who not in effective.blind for held, who in self._holds)
        return others < (batch.graders - len(effective.blind) if effective.state == "open" else 1)

    def _find(self, grading: str, place: str) -> tuple[Grading, GradingPlace]:
        batch = get_grading(self._db, grading)
        match = next((other for other in places_for_people(self._db, batch) if other.key == place), None)
        if match is None:
            raise BenchError("No such answer in this batch: go on to the next answer.")
        return batch, match

    def _find_open(self, grading: str, place: str, person: str) -> Grading:
        """Return the open grading batch with this answer. Raises BenchError if `person` is empty or the batch is closed."""
        if not person.strip():
            raise BenchError("Give your name first: it is stored with the mark.")
        batch, _ = self._find(grading, place)
        if batch.closed is not None:
            raise BenchError("This batch is closed: it can no longer be graded.")
        return batch

    def _build_claim(self, batch: Grading, place: GradingPlace, answer: AskedAnswer) -> ClaimSheet | None:
        if place.verdict is None:
            return None
        metric, side = split_name(batch.of).metric, str(place.verdict["side"])
        passages: list[Quote] = []
        text = ""
        if metric == "s_f1":
            text = next(iter(answer.golds), "") if side == "precision" else answer.trace.answer or ""
        elif metric == "nuggets":
            text = answer.trace.answer or ""
        else:
            cited = [int(n) for n in side.removeprefix("cites ").split(", ")] if side.startswith("cites ") else None
            passages = [
                self._quote(span)._replace(number=str(n))
                for n, span in enumerate(answer.trace.retrieved or (), 1)
                if cited is None or n in cited
            ]
        question = CLAIM_QUESTIONS.get(metric, CLAIM_QUESTIONS[""])
        unit = "Nugget" if metric == "nuggets" else "Sentence"
        return ClaimSheet(question, unit, str(place.verdict["sentence"]), text, passages)

    def _quote(self, span: Span) -> Quote:
        try:
            return Quote(self._documents.document(span.document).title, self._documents.text(span))
        except BenchError:
            return Quote("", "(a passage of a document that is not in this workspace)")


def load_answer(database: Database, place: GradingPlace) -> AskedAnswer | None:
    """Return the question and the system's answer for one entry of a grading batch; None if the question or the answer is
    not in the workspace."""
    trace = runs.find_trace(database, place.run, (place.item, place.variant))
    revision = traces.find_revision(database, runs.get(database, place.run), place.item)
    worded = items.fetch_revisions(database.rows, [(place.item, revision, "accepted")]) if revision else []
    if trace is None or not worded:
        return None
    variant = next(iter(variants.load_variants(database, [place.variant] if place.variant else [])), None)
    return AskedAnswer(worded[0], variant.text if variant else worded[0].question, trace)


def role_for(person: str, earlier: Sequence[Grade], graders: int) -> Literal["", "resolves"] | None:
    """Return the role of the person's next mark: "" for a mark given without seeing others, "resolves" for a decision between
    marks, None if no mark is needed. The role depends on the earlier marks. If the person has already marked the answer, the
    new mark replaces the old one."""
    own = last_mark(earlier, person)
    return own.role if own is not None else grading_role(settle_grades(earlier, graders), graders, person)


def last_mark(earlier: Sequence[Grade], person: str) -> Grade | None:
    """Return the person's mark that counts, given the earlier marks, or None if the person has not marked the answer."""
    last = next((grade for grade in reversed(earlier) if grade.person == person), None)
    return last if last is not None and last.mark is not None else None


def _list_differing(earlier: Sequence[Grade], effective: EffectiveGrade) -> list[MarkNote]:
    """Return the marks that differ, in an order that does not reveal who gave them."""
    notes = [
        MarkNote(last.mark or "", last.comment) for who in effective.blind if (last := last_mark(earlier, who)) is not None
    ]
    return sorted(notes, key=lambda note: note.mark)
