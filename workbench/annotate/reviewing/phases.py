"""Review questions in two phases, as the makers of the CRAG benchmark did: first the question with its labels, then its
answers. In each phase, two people fill in the values without seeing each other's. If both fill in the same values, these values
are final for the phase; otherwise a third person chooses. When both phases are finished, the item is accepted with these
values. If people discard the item in either phase, the review ends."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.as_json import Json
from core.errors import BenchError
from core.ids import canonical_json, derived_id
from core.nouns import Grade, Item, Review
from core.person_name import is_same_person
from core.quality import crag
from core.quality.grading import EffectiveGrade, grading_role, measure_agreement, settle_grades
from core.statistics.agreement import Agreement
from core.statistics.statistics import Interval, wilson
from store.corpus import documents
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor, Database
from store.items import items, phase_marks
from store.queue.effective_reviews import PHASES as PHASES_KEY
from store.queue.queue import PHASED_TASKS
from store.reviews import reviews
from store.runs import runs
from workbench.annotate.desk.desk_data import DeskItem
from workbench.annotate.reviewing.phase_values import PHASES, Phase, check_values, values_of, with_values
from workbench.roles import check_permission, requires

WANTED_OPINIONS = 2
DISCARD = {"discard": True}
METRIC = "crag_truthfulness"
LATE = "This phase has your opinion or all its opinions already: nothing was stored, go on with the next."
Standings = Mapping[tuple[str, str], EffectiveGrade]
"""Dict from (item id, phase) to the state of the phase: open, in conflict or settled (finished), with the final values."""


@dataclass(frozen=True, slots=True)
class PhaseOpinion:
    """The values that one person gives for a question in one phase of the two-phase review."""

    key: str
    """Key that the screen creates for each click, so that one click is stored only once."""
    person: str
    item: str
    phase: Phase
    values: Mapping[str, Json] | None
    """Dict from the names in FIELDS to the values; None means that the person discards the question for the reason in
    `comment`."""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ShownPhaseOpinion:
    """One of two opinions that differ, as shown to the person who decides between them."""

    person: str
    values: Mapping[str, Json]
    """Dict from the names in FIELDS to the values, or DISCARD."""
    comment: str


@dataclass(frozen=True, slots=True)
class PhasePage:
    """One of the web pages that belong to a question."""

    rank: int
    """Rank of the web page among the question's search results, from 1."""
    title: str
    url: str
    document: str | None


@dataclass(frozen=True, slots=True)
class PhaseSheet:
    """A question in the review in two phases, with everything that one person needs to give an opinion on it."""

    item: Item
    phase: Phase
    values: Mapping[str, Json]
    """The values that the person reviews: those of the question's writer, or the final values of the phase before."""
    opinions: Sequence[ShownPhaseOpinion]
    """Both opinions, for the person who decides between them; empty for other people."""
    pages: Sequence[PhasePage]
    left: int
    """Number of questions that wait for this person, including this one."""


@dataclass(frozen=True, slots=True)
class PhaseRates:
    """Numbers of questions that are open or finished in one phase of the review in two phases, and how far people agree in
    it."""

    phase: Phase
    open: int
    conflicts: int
    done: int
    agreement: Interval
    """Share of questions whose two opinions are equal, among the questions with two opinions."""
    kappa: Agreement
    corrected: Interval
    """Share of finished questions whose final values differ from the writer's values."""
    discarded: int


@dataclass(frozen=True, slots=True)
class GoldDoubt:
    """A question with a doubtful gold answer: the gold answer says nothing, or a RAG system's answer was judged wrong by it."""

    item: str
    question: str
    gold: str
    answer: str
    """Answer of the system; "" if only the gold answer is doubtful."""
    why: str


class PhaseStage:
    """Methods that review questions in two phases (labels, then answers)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def find_next(self, person: str, *, resolves: bool = False, after: str | None = None) -> PhaseSheet | None:
        """Return the next question after `after` that waits for this person, or None if none waits. The search continues at the
        beginning when it reaches the end.

        If the person has no name, return a question that waits for anybody's opinion. If `resolves` is true, return a question
        with two opinions that differ, for a person who may decide between people."""
        if resolves:
            check_permission(self._db, "decide between people", "a phase")
        every, role = self._list_waiting(), "resolves" if resolves else ""
        writers = self._load_writers([item.id for item, _, _ in every])
        waiting = [(item, phase) for item, phase, found in every if _role_of(found, person, writers[item.id]) == role]
        if not waiting:
            return None
        place = next((n for n, (item, _) in enumerate(waiting) if item.id == after), -1)
        return self._load_sheet(*waiting[(place + 1) % len(waiting)], resolves, len(waiting))

    def sheet(self, item: str, person: str) -> PhaseSheet:
        """Load the question with everything that this person needs to give an opinion on it. Raises BenchError if the question
        does not wait for this person."""
        every = [(one, phase, standing) for one, phase, standing in self._list_waiting() if one.id == item]
        writers = self._load_writers([item])
        roles = [_role_of(standing, person, writers[item]) for _, _, standing in every]
        if not every or roles[0] is None:
            raise BenchError(
                f"{item} does not wait for an opinion of {person or 'a person without a name'} in the two-phase review."
            )
        if roles[0] == "resolves":
            check_permission(self._db, "decide between people", item)
        [(found, phase, _)] = every
        return self._load_sheet(found, phase, roles[0] == "resolves", 1)

    @requires("review in phases", lambda arguments: arguments["opinion"].item)
    def say(self, opinion: PhaseOpinion) -> str:
        """Store an opinion; if no further opinion is needed, also store the decision on the question. Return the effect in
        words.

        Calling `say` again with the same key changes nothing. Raises BenchError if a value is invalid, or if the phase needs no
        opinion from this person."""
        if not opinion.person.strip():
            raise BenchError("Give your name first: an opinion is stored under it.")
        item, phase = items.get(self._db, opinion.item), opinion.phase
        now = self._load_standings([item.id])
        marks = phase_marks.load_marks(self._db.rows, [item.id])
        if any(grade.id == opinion.key for grades in marks.values() for grade in grades):
            return "stored already"
        if item.status != "drafted" or _find_phase(item.id, now) != phase:
            raise BenchError(LATE)
        role = _role_of(now[item.id, phase], opinion.person, self._load_writers([item.id])[item.id])
        if role is None:
            raise BenchError("You wrote this question, or have already given an opinion on it: go on with the next question.")
        if role == "resolves":
            check_permission(self._db, "decide between people", item.id)
        mark = canonical_json(DISCARD if opinion.values is None else check_values(phase, opinion.values))
        if opinion.values is None and not opinion.comment.strip():
            raise BenchError("A discard needs a reason: write one.")
        grade = Grade(opinion.key, item.id, opinion.person, mark, role, opinion.comment.strip())
        begun = self._load_starts([item.id])

        def is_wanted(stored: Sequence[Grade]) -> bool:
            counted = [one for one in stored if one.at > begun.get(item.id, "")]
            return grading_role(settle_grades(counted, WANTED_OPINIONS), WANTED_OPINIONS, opinion.person) == role

        outcome: list[str] = []

        def decide(cursor: Cursor) -> None:
            outcome[:] = [_decide(cursor, item, opinion, _settle(fetch_from(cursor), [item.id], begun))]

        if not phase_marks.add(self._db, (item.id, phase), grade, is_wanted, decide):
            raise BenchError(LATE)
        return outcome[0]

    def rates(self) -> list[PhaseRates]:
        """Measure both phases: how many questions are open or finished, how far the first two opinions agree, and how many
        values were corrected."""
        marks = phase_marks.load_marks(self._db.rows)
        firsts = [items.load_revision(self._db, id_, 1) for id_ in sorted({item for item, _ in marks})]
        before = {first.item.id: first.item for first in firsts if first is not None}
        waiting = [phase for _, phase, standing in self._list_waiting() if standing.state == "open"]
        rates = []
        for phase in PHASES:
            standings = {id_: settle_grades(grades, WANTED_OPINIONS) for (id_, name), grades in marks.items() if name == phase}
            both = [one for one in standings.values() if len(one.blind) >= WANTED_OPINIONS]
            settled = {
                id_: json.loads(one.mark or "{}") for id_, one in standings.items() if one.state in ("agreed", "resolved")
            }
            kept = {id_: values for id_, values in settled.items() if values != DISCARD}
            changed = [id_ for id_, values in kept.items() if id_ in before and values != values_of(before[id_], phase)]
            rates.append(
                PhaseRates(
                    phase,
                    waiting.count(phase),
                    sum(one.state == "conflict" for one in standings.values()),
                    len(settled),
                    wilson(sum(len(set(one.blind.values())) == 1 for one in both), len(both)),
                    measure_agreement(standings),
                    wilson(len(changed), len(kept)),
                    len(settled) - len(kept),
                )
            )
        return rates

    @requires("see runs", "run")
    def list_doubts(self, run: str | None = None) -> list[GoldDoubt]:
        """List the questions whose gold answer says nothing (such as "I don't know"), and those on which the answer of `run`
        was judged wrong."""
        phased = [item for task in PHASED_TASKS for item in items.list_items(self._db, task=task) if item.status != "discarded"]
        doubts = [
            GoldDoubt(item.id, item.question, gold, "", f"its gold {why}")
            for item in phased
            if (gold := next(iter(item.answers), "")) and (why := crag.explain_unanswering(gold))
        ]
        if run is None:
            return doubts
        id_ = runs.get(self._db, run).id
        wrong = {
            score.item
            for score in runs.load_scores(self._db, id_)
            if score.value is not None
            and score.value < 0
            and score.variant is None
            and score.metric in (METRIC, f"{METRIC}.offline")
        }
        answers = {trace.item: trace.answer or "" for trace in runs.load_traces(self._db, id_) if trace.variant is None}
        return doubts + [
            GoldDoubt(item.id, item.question, next(iter(item.answers), ""), answers.get(item.id, ""), "answered otherwise")
            for item in phased
            if item.id in wrong
        ]

    def _list_waiting(self) -> list[tuple[Item, Phase, EffectiveGrade]]:
        """List the questions without a decision, each with its current phase and the state of that phase."""
        drafted = [item for task in PHASED_TASKS for item in items.list_items(self._db, task=task, status="drafted")]
        now = self._load_standings([item.id for item in drafted])
        return [(item, phase, now[item.id, phase]) for item in drafted if (phase := _find_phase(item.id, now)) is not None]

    def _load_standings(self, ids: Sequence[str]) -> Standings:
        return _settle(self._db.rows, ids, self._load_starts(ids))

    def _load_starts(self, ids: Sequence[str]) -> dict[str, str]:
        """Return a dict from item id to the time from which opinions count: that of the last decision in two phases, or of the
        last undo.

        After a decision is undone, or after an edit of the decided text, both phases begin again."""
        every = reviews.load_reviews(self._db, ids)
        return {review.item: review.at for review in every if review.decision == "undo" or PHASES_KEY in review.details}

    def _load_writers(self, ids: Sequence[str]) -> dict[str, str]:
        """Return a dict from item id to the author of its first revision."""
        return {revision.item: revision.by for revision in reversed(items.load_history(self._db, ids))}

    def _load_sheet(self, item: Item, phase: Phase, resolves: bool, left: int) -> PhaseSheet:
        now = self._load_standings([item.id])
        settled = json.loads(now[item.id, "labels"].mark or "{}") if phase == "answers" else {}
        shown = with_values(item, "labels", settled) if settled else item
        blind = now[item.id, phase].blind if resolves else {}
        grades = phase_marks.load_marks(self._db.rows, [item.id]).get((item.id, phase), ())
        comments = {grade.person: grade.comment for grade in grades}
        opinions = [ShownPhaseOpinion(name, json.loads(mark), comments[name]) for name, mark in blind.items()]
        titles = {heading.id: heading.title for heading in documents.load_headings(self._db, item.given)}
        record = item.labels.get("crag")
        entries = record.get("pages", ()) if isinstance(record, Mapping) else ()
        pages = [
            PhasePage(
                rank,
                entry.get("page_name") or titles.get(entry["document"], ""),
                entry.get("page_url", ""),
                entry["document"],
            )
            for rank, entry in enumerate(entries, 1)
        ]
        return PhaseSheet(shown, phase, values_of(shown, phase), opinions, pages, left)


def _settle(fetch: Fetch, ids: Iterable[str], begun: Mapping[str, str]) -> Standings:
    """Return the state of each phase of the items. `begun` is a dict from item id to the time from which opinions count."""
    ids = list(ids)
    marks = phase_marks.load_marks(fetch, ids)
    return {
        (id_, phase): settle_grades(
            [grade for grade in marks.get((id_, phase), ()) if grade.at > begun.get(id_, "")], WANTED_OPINIONS
        )
        for id_ in ids
        for phase in PHASES
    }


def _find_phase(item: str, now: Standings) -> Phase | None:
    """Return the item's first phase (labels, then answers) that is not finished, or None if both are."""
    return next((phase for phase in PHASES if now[item, phase].state not in ("agreed", "resolved")), None)


def _role_of(standing: EffectiveGrade, person: str, writer: str) -> Literal["", "resolves"] | None:
    """Return "" if this person may give one of the first two opinions, "resolves" if this person may decide between them, or
    None if no opinion from this person is needed. Nobody reviews their own question."""
    return None if is_same_person(writer, person) else grading_role(standing, WANTED_OPINIONS, person)


def _decide(cursor: Cursor, item: Item, opinion: PhaseOpinion, now: Standings) -> str:
    """Store a decision on the item if this opinion finishes the last phase or discards the item. Return the effect of the
    opinion in words."""
    standing = now[item.id, opinion.phase]
    if standing.state == "open":
        return "waits for another opinion"
    if standing.state == "conflict":
        return "opinions differ: somebody decides between them"
    values = json.loads(standing.mark or "{}")
    is_discard = values == DISCARD
    if opinion.phase == "labels" and not is_discard:
        return "the labels are settled: its answers come next"
    settled = item
    if not is_discard:
        settled = with_values(item, "labels", json.loads(now[item.id, "labels"].mark or "{}"))
        settled = with_values(settled, "answers", values)
    review = Review(
        derived_id("phases", item.id, item.revision, opinion.key),
        item.id,
        item.revision,
        opinion.person,
        "discard" if is_discard else "accept",
        opinion.comment.strip() or ("discarded in two phases" if is_discard else ""),
        details={PHASES_KEY: list(PHASES)},
    )
    reviews.decide_within(cursor, review, None if settled == item else settled)
    return "both phases are over: discarded" if is_discard else "both phases are settled: accepted"


def is_waiting(item: DeskItem) -> bool:
    """Return whether the item waits for opinions in the review in two phases."""
    return item.status == "drafted" and item.task in PHASED_TASKS
