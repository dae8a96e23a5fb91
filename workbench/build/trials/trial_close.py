"""What becomes of a trial's drafts once it is closed: they go to the items with what was decided on them, none that says what
another item says already, and of a pair never both where they say the same."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from builders.gate import GateContext
from builders.gates import duplicate
from builders.known_items import KnownItems
from core.nouns import Item, Verdict
from core.records import item_from_record
from store.drafting import trials
from store.drafting.trials import SIDES, PairOpinion, Side, Trial, TrialPair
from store.engine.database import Database
from store.items import items
from workbench.annotate.reviewing.reviews import ReviewStage
from workbench.build.corpus.corpus import CorpusStage

BLIND = "discarded in a blind pair"
"""The reason of a discard for which none was given."""


class Closing:
    """Takes drafts in."""

    def __init__(self, database: Database, corpus: CorpusStage, reviews: ReviewStage) -> None:
        self._db, self._corpus, self._reviews = database, corpus, reviews

    def take_in(self, trial: Trial) -> dict[str, int]:
        """Every draft of the trial; {"accepted", "discarded", "queue": those nobody decided on, "refused": by a gate, "alike":
        those left out because an item says the same}. Done again it is the same."""
        answers = trials.answers(self._db, trial.id)
        known = KnownItems(item for item in items.list_items(self._db) if item.labels.get("trial") != trial.id)
        came: Counter[str] = Counter(dict.fromkeys(("accepted", "discarded", "queue", "refused", "alike"), 0))
        for pair in trials.pairs(self._db, trial.id):
            answer = answers.get(pair.key)
            for side in order(pair, answer):
                record = pair.drafts[side]["item"]
                if record is not None:
                    came[self._one(item_from_record(record), pair, side, answer, known)] += 1
        return dict(came)

    def _one(self, item: Item, pair: TrialPair, side: Side, answer: PairOpinion | None, known: KnownItems) -> str:
        said: Mapping[str, Any] = (answer.decisions or {}).get(side, {}) if answer else {}
        decision = said.get("decision", "")
        found = duplicate.check(item, GateContext(self._corpus.text, known))
        partner = pair.drafts["b" if side == "a" else "a"]["item"]
        is_partner = partner is not None and found.details.get("other") == partner["id"]
        if item.status != "refused" and decision != "discard" and (found.outcome == "refuse" or is_partner):
            return "alike"
        items.add(self._db, [item], [_verdict(item, kept) for kept in pair.drafts[side]["verdicts"]])
        if item.status == "refused":
            return "refused"
        if decision != "discard":
            known.add(item)
        if not answer or not decision:
            return "queue"
        if decision == "accept":
            self._reviews.decide(
                item.id, "accept", person=answer.person, question=said["question"], answer=said["answer"], seconds=share(answer)
            )
            return "accepted"
        self._reviews.decide(item.id, "discard", person=answer.person, reason=said["reason"] or BLIND, seconds=share(answer))
        return "discarded"


def order(pair: TrialPair, answer: PairOpinion | None) -> tuple[Side, Side]:
    """The one that is preferred first; without a preference as they stood on the screen."""
    ahead = answer.preference if answer and answer.preference in SIDES else pair.first
    return ("a", "b") if ahead == "a" else ("b", "a")


def share(answer: PairOpinion) -> float | None:
    """Active seconds of one of the decisions that were made together."""
    made = len(answer.decisions or ())
    return None if answer.seconds is None or not made else answer.seconds / made


def _verdict(item: Item, kept: Mapping[str, Any]) -> Verdict:
    return Verdict(
        item.id,
        item.revision,
        kept["gate"],
        kept["version"],
        kept["outcome"],
        kept["why"],
        kept["details"],
        tuple(kept["calls"]),
    )
