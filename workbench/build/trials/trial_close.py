"""Close a prompt trial: its drafts become items with the decisions that people made. Drafts that repeat an existing item are
left out. If both drafts of a pair say the same, only one of them becomes an item."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from builders.gate import GateContext
from builders.gates import duplicate
from builders.near_duplicate_index import NearDuplicateIndex
from core.nouns import Item, Verdict
from core.records import item_from_record
from store.drafting import trials
from store.drafting.trials import SIDES, PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from store.items import items
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.build.corpus.corpus import CorpusStage

ENDS = ("accepted", "discarded", "queue", "refused", "alike")
"""The possible outcomes for a draft of a trial when the trial is closed. "queue" = it becomes an item without a decision,
"refused" = a gate refused it, "alike" = it is left out because another item says the same."""
BLIND_DISCARD = "discarded in a blind pair"
"""Reason that is stored with a discard if the person gave no reason."""


class TrialClosing:
    """Turns the drafts of a prompt trial into items when it is closed."""

    def __init__(self, database: Database, corpus: CorpusStage, reviews: ReviewStage) -> None:
        self._db, self._corpus, self._reviews = database, corpus, reviews

    def take_in(self, trial: Trial) -> dict[str, int]:
        """Store every draft of the trial as an item; return a dict from outcome (one of ENDS) to the number of drafts. Calling
        `take_in` again changes nothing."""
        answers = trials.load_answers(self._db, trial.id)
        known = NearDuplicateIndex(item for item in items.list_items(self._db) if item.labels.get("trial") != trial.id)
        ends: Counter[str] = Counter(dict.fromkeys(ENDS, 0))
        for pair in trials.load_pairs(self._db, trial.id):
            answer = answers.get(pair.key)
            for side in sort_sides(pair, answer):
                record = pair.drafts[side]["item"]
                if record is not None:
                    ends[self._take_in_draft(item_from_record(record), pair, side, answer, known)] += 1
        return dict(ends)

    def _take_in_draft(
        self, item: Item, pair: TrialPair, side: Side, answer: PairOpinion | None, known: NearDuplicateIndex
    ) -> str:
        by_person: Mapping[str, Any] = (answer.decisions or {}).get(side, {}) if answer else {}
        decision = by_person.get("decision", "")
        match = duplicate.check(item, GateContext(self._corpus.text, known))
        partner = pair.drafts["b" if side == "a" else "a"]["item"]
        is_partner = partner is not None and match.details.get("other") == partner["id"]
        if item.status != "refused" and decision != "discard" and (match.outcome == "refuse" or is_partner):
            return "alike"
        records = pair.drafts[side]["verdicts"]
        verdicts = [Verdict(item.id, item.revision, **{**record, "calls": tuple(record["calls"])}) for record in records]
        items.add(self._db, [item], verdicts)
        if item.status == "refused":
            return "refused"
        if decision != "discard":
            known.add(item)
        if not answer or not decision:
            return "queue"
        person, seconds = answer.person, share_seconds(answer)
        if decision == "accept":
            question, text = by_person["question"], by_person["answer"]
            words = {"question": question, "answer": text}
            self._reviews.decide(item.id, "accept", person=person, **words, seconds=seconds, allows_long=True)
            return "accepted"
        self._reviews.decide(item.id, "discard", person=person, reason=by_person["reason"] or BLIND_DISCARD, seconds=seconds)
        return "discarded"


def sort_sides(pair: TrialPair, answer: PairOpinion | None) -> tuple[Side, Side]:
    """Return the trial's two sides, beginning with the one that the person prefers or, without a preference, with the one on
    the left of the screen."""
    ahead = answer.preference if answer and answer.preference in SIDES else pair.first
    return ("a", "b") if ahead == "a" else ("b", "a")


def share_seconds(answer: PairOpinion) -> float | None:
    """Return the working time of a person for one draft in seconds: the time for a pair of drafts, divided by the number of
    drafts that the person decided on."""
    decisions = len(answer.decisions or ())
    return None if answer.seconds is None or not decisions else answer.seconds / decisions
