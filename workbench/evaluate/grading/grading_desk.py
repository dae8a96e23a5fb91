"""Answers of a batch as people meet them: question, gold answers, evidence and the answer, one at a time, in an order that the
batch's seed settles. Nothing that is shown tells which system gave it, what a judge said of it, or what others think."""

import math
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from builders.task import tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Grade, Item, Trace
from core.quality.grading import SCHEMES, EffectiveGrade, grading_role, settle_grades
from eval.reports.metric_names import split_name
from store.engine.database import Database
from store.items import items
from store.runs import grades, runs, traces
from store.runs.grades import Grading, GradingPlace
from store.variants import variants
from workbench.annotate.desk.decisions import MAX_CHARACTERS
from workbench.annotate.desk.reading import DocumentCache
from workbench.evaluate.grading.grading import grading_of
from workbench.roles import act

HELD = 900.0
"""Seconds that an answer is one person's after it was shown to them."""
ASKS: Mapping[str, str] = {
    "s_f1": "Does the text say what the sentence says?",
    "": "Do the passages support the sentence?",
}
"""What people are asked of a judge's single verdict, by metric."""


class GradingDesk:
    """Verbs on single answers of a batch."""

    def __init__(self, database: Database) -> None:
        self._db, self._reading = database, DocumentCache(database)
        self._lock = threading.Lock()
        self._holds: dict[tuple[str, str], float] = {}
        """(place, person) -> until when."""

    @act("grade answers", is_logged=False)
    def next(self, grading: str, person: str, after: str = "") -> str | None:
        """The next place behind that one, round again at the end, that wants this person's mark and that not enough others look
        at; first those that nobody must decide between. None when there is none. It is this person's for a while."""
        one = grading_of(self._db, grading)
        every = self._people_grade(one)
        given = grades.load_grades(self._db, one.id)
        keys = [place.key for place in every]
        start = keys.index(after) + 1 if after in keys else 0
        with self._lock:
            now = time.monotonic()
            self._holds = {held: until for held, until in self._holds.items() if until > now}
            for wanted in ("", "resolves"):
                for key in [*keys[start:], *keys[:start]]:
                    found = settle_grades(given.get(key, ()), one.graders)
                    fits = key != after and grading_role(found, one.graders, person) == wanted
                    if fits and self._is_free(key, person, found, one):
                        self._holds[key, person] = now + HELD
                        return key
        found = settle_grades(given.get(after, ()), one.graders)
        return after if after in keys and grading_role(found, one.graders, person) is not None else None

    @act("grade answers", "place", is_logged=False)
    def shown(self, grading: str, place: str, person: str) -> dict[str, Any]:
        """What the screen shows: {"place", "number", "of", "mine": marks this person gave, "language", "question", "inputs",
        "golds", "evidence": [{"title", "text"}], "answer", "claim": {"asks", "sentence", "text", "passages"} or None, "now",
        "marks": [{"name", "about"}], "between": [{"mark", "comment"}] for who decides, "standing": this person's own,
        "needed"}. Raises BenchError when there is no such place."""
        one, found = self._at(grading, place)
        every, given = self._people_grade(one), grades.load_grades(self._db, one.id)
        own = given.get(place, ())
        state = settle_grades(own, one.graders)
        role = grading_role(state, one.graders, person)
        asked = asked_at(self._db, found)
        if asked is None:
            raise BenchError("This answer or its question is not in this workspace any more: go on with the next.")
        item, trace = asked.item, asked.trace
        mine = last_of(own, person)
        return {
            "place": place,
            "number": [p.key for p in every].index(place) + 1,
            "of": len(every),
            "language": item.language,
            "mine": sum(last_of(marks, person) is not None for marks in given.values()),
            "question": asked.question,
            "inputs": dict(item.inputs),
            "golds": list(pick(tasks(), item.task, "task").reference(item)),
            "answer": trace.answer or "",
            "evidence": [self._cut(span) for span in item.evidence],
            "claim": self._claim(one, found, item, trace),
            "now": str(item.labels.get("query_time", "")),
            "marks": [mark._asdict() for mark in SCHEMES[one.scheme].marks]
            if not one.of
            else [{"name": "right", "about": "Yes."}, {"name": "wrong", "about": "No, or not all of it."}],
            "between": _between(own, state) if role == "resolves" else [],
            "standing": None if mine is None else {"mark": mine.mark, "comment": mine.comment},
            "needed": role is not None or mine is not None,
        }

    @act("grade answers", "place", is_logged=False)
    def mark(
        self, grading: str, place: str, person: str, key: str, mark: str, comment: str = "", seconds: float | None = None
    ) -> None:
        """Store a person's mark, in place of their own before it. The same key again is the same mark. Raises BenchError when
        it is none of the scheme, nobody signs, others were enough, or the batch is closed."""
        one, _ = self._open(grading, place, person)
        if mark not in SCHEMES[one.scheme].names:
            raise BenchError(f"{mark!r} is no mark of this batch: give {', '.join(SCHEMES[one.scheme].names)}.")
        if len(comment) > MAX_CHARACTERS["comment"] or "\0" in comment:
            raise BenchError("The comment is too long, or holds what no file can hold: shorten it.")
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise BenchError("The active time is no number of seconds: load the page again.")
        grade = Grade(key, place, person, mark, "", comment.strip(), seconds)
        if not grades.add_grade(self._db, grade, lambda given: role_for(person, given, one.graders)):
            raise BenchError("Others have graded this one meanwhile: go on with the next.")
        with self._lock:
            self._holds.pop((place, person), None)

    @act("grade answers", "grading", is_logged=False)
    def undo(self, grading: str, person: str, key: str) -> str:
        """Take back this person's last mark of the batch that stands; returns its place. Raises BenchError when there is none,
        or the batch is closed."""
        given = grades.load_grades(self._db, grading_of(self._db, grading).id)
        mine = [(place, last) for place, marks in given.items() if (last := last_of(marks, person)) is not None]
        if not mine:
            raise BenchError("You have graded nothing of this batch: there is nothing to take back.")
        place, last = max(mine, key=lambda pair: (pair[1].at, pair[1].id))
        self._open(grading, place, person)
        grades.add_grade(self._db, Grade(key, place, person, None, last.role), lambda given: last.role)
        return place

    def _is_free(self, key: str, person: str, found: EffectiveGrade, one: Grading) -> bool:
        """Whether there is room for this person beside those who look at it now."""
        others = sum(held == key and who != person and who not in found.blind for held, who in self._holds)
        return others < (one.graders - len(found.blind) if found.state == "open" else 1)

    def _people_grade(self, one: Grading) -> list[GradingPlace]:
        return [place for place in grades.load_places(self._db, one.id) if place.mark is None]

    def _at(self, grading: str, place: str) -> tuple[Grading, GradingPlace]:
        one = grading_of(self._db, grading)
        found = next((p for p in self._people_grade(one) if p.key == place), None)
        if found is None:
            raise BenchError("No such answer in this batch: go on with the next.")
        return one, found

    def _open(self, grading: str, place: str, person: str) -> tuple[Grading, GradingPlace]:
        """For a mark. Raises BenchError without a name, and when the batch is closed."""
        if not person.strip():
            raise BenchError("A mark needs a name: give yours first.")
        one, found = self._at(grading, place)
        if one.closed is not None:
            raise BenchError("This batch is closed: nobody grades it any more.")
        return one, found

    def _claim(self, one: Grading, place: GradingPlace, item: Item, trace: Trace) -> dict[str, Any] | None:
        """The sentence of a judge's verdict and what it was held against; None where whole answers are graded."""
        if place.verdict is None:
            return None
        metric, side = split_name(one.of).metric, str(place.verdict["side"])
        passages: list[dict[str, str]] = []
        text = ""
        if metric == "s_f1":
            golds = pick(tasks(), item.task, "task").reference(item)
            text = (golds[0] if golds else "") if side == "precision" else trace.answer or ""
        else:
            numbers = [int(n) for n in side.removeprefix("cites ").split(", ")] if side.startswith("cites ") else None
            passages = [
                {**self._cut(span), "number": str(n)}
                for n, span in enumerate(trace.retrieved or (), 1)
                if numbers is None or n in numbers
            ]
        asks, sentence = ASKS.get(metric, ASKS[""]), str(place.verdict["sentence"])
        return {"asks": asks, "sentence": sentence, "text": text, "passages": passages}

    def _cut(self, span: Any) -> dict[str, str]:
        try:
            return {"title": self._reading.document(span.document).title, "text": self._reading.text(span)}
        except BenchError:
            return {"title": "", "text": "(a passage of a document that this workspace does not hold)"}


class AnswerSheet(NamedTuple):
    """An answer with what was asked."""

    item: Item
    """In the words in which it was asked."""
    question: str
    """The item's, or the variant's."""
    trace: Trace


def asked_at(database: Database, place: GradingPlace) -> AnswerSheet | None:
    """The answer of a place; None when it, or its question, is not here any more."""
    trace = traces.get(database, place.run, (place.item, place.variant))
    revision = traces.find_revision(database, runs.get(database, place.run), place.item)
    worded = items.fetch_revisions(database.rows, [(place.item, revision, "accepted")]) if revision else []
    if trace is None or not worded:
        return None
    variant = next(iter(variants.load_variants(database, [place.variant] if place.variant else [])), None)
    return AnswerSheet(worded[0], variant.text if variant else worded[0].question, trace)


def role_for(person: str, given: Sequence[Grade], wanted: int) -> Literal["", "resolves"] | None:
    """What that person's next mark is among those: one in the place of their own before it, or a further one; None = no mark of
    theirs is wanted."""
    mine = last_of(given, person)
    return mine.role if mine is not None else grading_role(settle_grades(given, wanted), wanted, person)


def last_of(given: Sequence[Grade], person: str) -> Grade | None:
    """That person's mark that stands."""
    mine = [grade for grade in given if grade.person == person]
    return mine[-1] if mine and mine[-1].mark is not None else None


def _between(given: Sequence[Grade], state: EffectiveGrade) -> list[dict[str, str]]:
    """What those say who differ, and nothing of who they are: in the order of the marks."""
    said = [grade for person in state.blind if (grade := last_of(given, person)) is not None]
    return sorted(({"mark": grade.mark or "", "comment": grade.comment} for grade in said), key=lambda one: one["mark"])
