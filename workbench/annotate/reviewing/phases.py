"""Questions reviewed in two phases, as CRAG's were: first the question with its labels, then its answers. In each two people
say, blind to each other, what they would give it; equal values settle the phase, else a third person resolves. With both
settled the item is accepted with what was settled; a discard in either ends it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from core.errors import BenchError
from core.ids import canonical_json, derived_id
from core.nouns import Grade, Item, Review
from core.person_name import is_same_person
from core.quality import crag
from core.quality.grading import EffectiveGrade, grading_role, measure_agreement, settle_grades
from core.statistics.agreement import Agreement
from core.statistics.statistics import Interval, wilson
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.queue.effective_reviews import PHASES as OF_PHASES
from store.queue.queue import PHASED_TASKS
from store.reviews import phase_marks, reviews
from store.runs import runs
from workbench.roles import check_permission, requires

Phase = Literal["labels", "answers"]
PHASES: tuple[Phase, ...] = ("labels", "answers")
FIELDS: Mapping[Phase, tuple[str, ...]] = {"labels": ("question", "domain", *crag.LABELS), "answers": ("answers", "answer_url")}
"""What is said of in each phase."""
WANTED = 2
LONGEST = 20_000
"""Characters of one value."""
DISCARD = {"discard": True}
METRIC = "crag_truthfulness"
LATE = "Somebody else was faster, and this phase has its opinions: nothing was stored, go on with the next."


class PhaseOpinion(NamedTuple):
    """What one person says of a question in a phase."""

    key: str
    """Made on the screen, one a press."""
    person: str
    item: str
    phase: Phase
    values: Mapping[str, Any] | None
    """By FIELDS; None = it is to be discarded, and `comment` says why."""
    comment: str = ""


class PhaseSheet(NamedTuple):
    """A question, as somebody is asked about it."""

    item: Item
    phase: Phase
    values: Mapping[str, Any]
    """As they stand: the writer's, or as the phase before left them."""
    opinions: Sequence[Mapping[str, Any]]
    """{"person", "values", "comment"} of both, for whoever resolves; empty for whoever says theirs blind."""
    pages: Sequence[Mapping[str, Any]]
    """{"rank", "title", "url", "document"}."""
    left: int
    """Questions that wait for this person, this one included."""


class PhaseRates(NamedTuple):
    """What one phase came to."""

    phase: Phase
    open: int
    conflicts: int
    done: int
    agreement: Interval
    """Share of the questions with two opinions whose opinions were equal."""
    kappa: Agreement
    corrected: Interval
    """Share of the settled ones whose values are not what was there before."""
    discarded: int


class Doubt(NamedTuple):
    """A question that a system's answer, or its own gold, makes doubtful."""

    item: str
    question: str
    gold: str
    answer: str
    """The system's; "" where the gold alone is in doubt."""
    why: str


class PhaseStage:
    """Verbs on the review in two phases."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def find_next(self, person: str, *, resolves: bool = False, after: str | None = None) -> PhaseSheet | None:
        """The next question that waits for this person, behind `after` and round again; None when none does. Without a name
        what waits for anybody. With `resolves` one on which two opinions differ; that takes somebody who may decide between
        people."""
        if resolves:
            check_permission(self._db, "decide between people", "a phase")
        every, wanted = self._waiting(), "resolves" if resolves else ""
        writers = self._writers([item.id for item, _, _ in every])
        waiting = [(item, phase) for item, phase, found in every if self._role(found, person, writers[item.id]) == wanted]
        if not waiting:
            return None
        place = next((n for n, (item, _) in enumerate(waiting) if item.id == after), -1)
        return self._sheet(*waiting[(place + 1) % len(waiting)], person, resolves, len(waiting))

    @requires("review in phases", lambda given: given["said"].item)
    def say(self, said: PhaseOpinion) -> str:
        """Store what somebody says; returns what became of it, in words. The same press again changes nothing. Raises
        BenchError on values that no item could have, and where this person has no word in that phase (any more)."""
        if not said.person.strip():
            raise BenchError("Give your name first: an opinion is stored under it.")
        item, now = items.get(self._db, said.item), self._standings([said.item])
        phase = self._phase(said.item, now)
        stored = [grade.id for grades in phase_marks.load_marks(self._db, [said.item]).values() for grade in grades]
        if said.key in stored:
            return "stored already"
        if item.status != "drafted" or phase != said.phase:
            raise BenchError(LATE)
        role = self._role(now[said.item, phase], said.person, self._writers([said.item])[said.item])
        if role is None:
            raise BenchError("You wrote this question, or have said yours on it already: go on with the next.")
        if role == "resolves":
            check_permission(self._db, "decide between people", said.item)
        mark = canonical_json(DISCARD if said.values is None else checked(said.phase, said.values))
        if said.values is None and not said.comment.strip():
            raise BenchError("A discard needs a reason: write one.")
        grade = Grade(said.key, said.item, said.person, mark, role, said.comment.strip())

        begun = self._begun([said.item]).get(said.item, "")

        def is_wanted(there: Sequence[Grade]) -> bool:
            return grading_role(settle_grades(_since(there, begun), WANTED), WANTED, said.person) == role

        if not phase_marks.add(self._db, (said.item, phase), grade, is_wanted):
            raise BenchError(LATE)
        return self._went_on(item, said)

    def rates(self) -> list[PhaseRates]:
        """Both phases: how far, how much people agreed before anything was resolved, and how much was put right."""
        marks = phase_marks.load_marks(self._db)
        before = {item.id: item for item in self._first(sorted({item for item, _ in marks}))}
        found, every = [], self._waiting()
        for phase in PHASES:
            of = {place[0]: settle_grades(grades, WANTED) for place, grades in marks.items() if place[1] == phase}
            waiting = sum(one == phase and now.state == "open" for _, one, now in every)
            both = [one for one in of.values() if len(one.blind) >= WANTED]
            settled = {name: one.mark for name, one in of.items() if one.state in ("agreed", "resolved")}
            changed = [
                name
                for name, mark in settled.items()
                if name in before and json.loads(mark or "{}") not in (DISCARD, values_of(before[name], phase))
            ]
            kept = [name for name, mark in settled.items() if json.loads(mark or "{}") != DISCARD]
            found.append(
                PhaseRates(
                    phase,
                    waiting,
                    sum(one.state == "conflict" for one in of.values()),
                    len(settled),
                    wilson(sum(len(set(one.blind.values())) == 1 for one in both), len(both)),
                    measure_agreement(of),
                    wilson(len(changed), len(kept)),
                    len(settled) - len(kept),
                )
            )
        return found

    @requires("see runs", "run")
    def doubts(self, run: str | None = None) -> list[Doubt]:
        """Questions whose gold answers nothing, and those on which that run's answer was judged wrong: one of both may be."""
        every = {
            item.id: item
            for task in PHASED_TASKS
            for item in items.list_items(self._db, task=task)
            if item.status != "discarded"
        }
        found = [
            Doubt(item.id, item.question, gold, "", f"its gold {why}")
            for item in every.values()
            if (gold := next(iter(item.answers), "")) and (why := crag.explain_unanswering(gold))
        ]
        if run is None:
            return found
        one = runs.get(self._db, run)
        wrong = {
            s.item
            for s in runs.load_scores(self._db, one.id)
            if s.value is not None and s.value < 0 and s.variant is None and s.metric in (METRIC, f"{METRIC}.offline")
        }
        said = {trace.item: trace.answer or "" for trace in runs.load_traces(self._db, one.id) if trace.variant is None}
        return found + [
            Doubt(one.id, one.question, next(iter(one.answers), ""), said.get(one.id, ""), "answered otherwise")
            for id_, one in every.items()
            if id_ in wrong
        ]

    def _went_on(self, item: Item, said: PhaseOpinion) -> str:
        """What the word came to; the item is decided once nothing is left to say."""
        now = self._standings([item.id])
        found = now[item.id, said.phase]
        if found.state == "open":
            return "waits for another opinion"
        if found.state == "conflict":
            return "opinions differ: somebody decides between them"
        outcome = json.loads(found.mark or "{}")
        if outcome == DISCARD:
            self._decide(item, item, "discard", said, "discarded in two phases")
            return "both phases are over: discarded"
        if said.phase == "labels":
            return "the labels are settled: its answers come next"
        label = json.loads(now[item.id, "labels"].mark or "{}")
        self._decide(item, with_values(with_values(item, "labels", label), "answers", outcome), "accept", said, "")
        return "both phases are settled: accepted"

    def _decide(
        self, before: Item, after: Item, decision: Literal["accept", "discard"], said: PhaseOpinion, reason: str
    ) -> None:
        key = derived_id("phases", before.id, before.revision, said.key)
        review = Review(
            key,
            before.id,
            before.revision,
            said.person,
            decision,
            said.comment.strip() or reason,
            details={OF_PHASES: list(PHASES)},
        )
        reviews.decide(self._db, review, None if after == before else after)

    def _waiting(self) -> list[tuple[Item, Phase, EffectiveGrade]]:
        """Every question that is not decided, with its phase and how that stands."""
        drafted = [item for task in PHASED_TASKS for item in items.list_items(self._db, task=task, status="drafted")]
        now = self._standings([item.id for item in drafted])
        return [(item, phase, now[item.id, phase]) for item in drafted if (phase := self._phase(item.id, now)) is not None]

    def _standings(self, ids: Sequence[str]) -> dict[tuple[str, str], EffectiveGrade]:
        """A decision that was taken back, or one on words that were changed since, begins both phases anew: what was said
        before it counts no more."""
        marks, begun = phase_marks.load_marks(self._db, ids), self._begun(ids)
        return {
            (id_, phase): settle_grades(_since(marks.get((id_, phase), ()), begun.get(id_, "")), WANTED)
            for id_ in ids
            for phase in PHASES
        }

    def _begun(self, ids: Sequence[str]) -> dict[str, str]:
        """Item -> when it was last decided in two phases, or a decision on it was taken back."""
        made = reviews.load_reviews(self._db, ids)
        return {one.item: one.at for one in made if one.decision == "undo" or OF_PHASES in one.details}

    @staticmethod
    def _phase(item: str, now: Mapping[tuple[str, str], EffectiveGrade]) -> Phase | None:
        """The first phase that is not settled."""
        return next((phase for phase in PHASES if now[item, phase].state not in ("agreed", "resolved")), None)

    @staticmethod
    def _role(found: EffectiveGrade, person: str, writer: str) -> Literal["", "resolves"] | None:
        """What that person would be to it; nobody reviews their own question."""
        return None if is_same_person(writer, person) else grading_role(found, WANTED, person)

    def _writers(self, ids: Sequence[str]) -> dict[str, str]:
        """Item -> who made its first words."""
        return {one.item: one.by for one in reversed(items.load_history(self._db, ids))}

    def _first(self, ids: Sequence[str]) -> list[Item]:
        """The first words of those items."""
        found = [items.load_revision(self._db, id_, 1) for id_ in ids]
        return [one.item for one in found if one is not None]

    def _sheet(self, item: Item, phase: Phase, person: str, resolves: bool, left: int) -> PhaseSheet:
        now = self._standings([item.id])
        label = json.loads(now[item.id, "labels"].mark or "{}") if phase == "answers" else {}
        shown = with_values(item, "labels", label) if label else item
        blind = now[item.id, phase].blind if resolves else {}
        said = {grade.person: grade for grade in phase_marks.load_marks(self._db, [item.id]).get((item.id, phase), ())}
        opinions = [{"person": name, "values": json.loads(mark), "comment": said[name].comment} for name, mark in blind.items()]
        titles = {d.id: d.title for d in documents.load_headings(self._db, item.given)}
        kept = item.labels.get("crag")
        entries = kept.get("pages", ()) if isinstance(kept, Mapping) else ()
        pages = [
            {
                "rank": rank,
                "title": entry.get("page_name") or titles.get(entry["document"], ""),
                "url": entry.get("page_url", ""),
                "document": entry["document"],
            }
            for rank, entry in enumerate(entries, 1)
        ]
        return PhaseSheet(shown, phase, values_of(shown, phase), opinions, pages, left)


def _since(marks: Sequence[Grade], begun: str) -> list[Grade]:
    return [one for one in marks if one.at > begun]


def waits(item: Mapping[str, Any]) -> bool:
    """Whether the item of that record waits for what people say of it in two phases."""
    return item["status"] == "drafted" and item["task"] in PHASED_TASKS


def values_of(item: Item, phase: Phase) -> dict[str, Any]:
    """The item's own values of that phase."""
    if phase == "answers":
        return {"answers": list(item.answers), "answer_url": str(item.labels.get("answer_url") or "")}
    return {"question": item.question, "domain": item.domain} | {
        name: item.labels.get(name, "" if name == "popularity" else None) for name in crag.LABELS
    }


def with_values(item: Item, phase: Phase, values: Mapping[str, Any]) -> Item:
    """The item with those values."""
    if phase == "answers":
        labels = {key: value for key, value in item.labels.items() if key != "answer_url"}
        url = {"answer_url": values["answer_url"]} if values["answer_url"] else {}
        return replace(item, answers=tuple(values["answers"]), labels=labels | url)
    given = {name: values[name] for name in crag.LABELS if name in item.labels or values[name]}
    return replace(item, question=values["question"], domain=values["domain"], labels={**item.labels, **given})


def checked(phase: Phase, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they are stored. Raises BenchError on what no item could have."""
    if set(values) != set(FIELDS[phase]):
        raise BenchError(f"The form of this phase has {', '.join(FIELDS[phase])}: load the page again.")
    if any(len(str(value)) > LONGEST for value in values.values()):
        raise BenchError(f"At most {LONGEST:,} characters can be stored in one field: shorten it.")
    if phase == "labels":
        for name in ("domain", *crag.LABELS):
            if why := crag.explain_label_fault(name, values[name]):
                raise BenchError(f"The question {why}.")
        if not str(values["question"]).strip():
            raise BenchError("The question is empty: give words, or discard it.")
        return {**values, "question": str(values["question"]).strip()}
    answers = [str(one).strip() for one in values["answers"] if str(one).strip()]
    if not answers:
        raise BenchError("The answer is empty: give words, or discard the question.")
    return {"answers": answers, "answer_url": str(values["answer_url"]).strip()}
