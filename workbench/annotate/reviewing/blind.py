"""Blind first, then revealed: of a share of the waiting items a person sees the draft's answer only after having written one.
What is hidden does not leave the server; the first answer stands for ever."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from core.errors import BenchError
from core.nouns import Item
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews import opinions, own_answers, reviews, unsent_edits
from store.reviews.own_answers import EDIT_KIND, OwnAnswer
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.pressing import LONGEST
from workbench.roles import requires

SETTING = "blind_share"
FIRST = "Write your own answer first: the draft's is shown after that."
_STEPS = 2**64


@dataclass(frozen=True, slots=True)
class BlindRule:
    """What a lead has set."""

    share: float
    """Of all items, 0..1."""
    seed: int = 0


class Blind:
    """Verbs on what is hidden."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rule(self) -> BlindRule:
        found = settings.get(self._db, SETTING, {})
        return BlindRule(float(found.get("share", 0.0)), int(found.get("seed", 0)))

    @property
    def is_on(self) -> bool:
        """Whether any answer is hidden at all."""
        return self.rule().share > 0

    @requires("set the rules of the work", lambda given: f"a blind share of {given['share']}")
    def set_rule(self, share: float, seed: int, by: str) -> None:
        """From now on so large a share of the items hides its answer. Raises BenchError on a share that is none, or without a
        name."""
        if not by.strip():
            raise BenchError("Whoever sets the share is on record: give your name first.")
        if not 0 <= share <= 1:
            raise BenchError(f"A share is 0 to 100 per cent, not {share:.0%}.")
        settings.put(self._db, SETTING, {"share": share, "seed": seed, "by": by, "at": current_time()})

    def hides(self, item: Item, person: str) -> bool:
        """Whether this person may not see its answer yet: it waits for opinions, it is of the share, and they neither answered
        it nor saw it before (they typed or decided on it)."""
        rule = self.rule()
        if item.status != "drafted" or not rule.share or not chosen(item.id, rule):
            return False
        if opinions.is_disputed(self._db, item.id):  # nobody is asked for an answer any more
            return False
        if not person.strip():
            return True
        if own_answers.get(self._db, person, item.id) or unsent_edits.get(self._db, person, item.id):
            return False
        return not any(review.person == person for review in reviews.load_reviews(self._db, [item.id]))

    def own(self, item: str, person: str) -> dict[str, str] | None:
        """What this person answered before the draft's answer was shown; None when nothing."""
        found = own_answers.get(self._db, person, item) if person.strip() else None
        return None if found is None else {"text": found.text, "at": found.at}

    def covered(self, data: dict[str, Any], item: Item, person: str) -> dict[str, Any]:
        """The desk's data without the answer, and without all that would tell it."""
        typed = unsent_edits.get(self._db, person, item.id, EDIT_KIND) if person.strip() else None
        kept = (
            None
            if typed is None
            else {
                "revision": typed.revision,
                "question": item.question,
                "answer": typed.answer,
                "evidence": [],
                "seconds": typed.seconds,
                "saved_at": typed.at,
            }
        )
        bare: dict[str, Any] = {"answers": [], "evidence": []}
        return data | {
            "blind": True,
            "item": data["item"] | bare | {"labels": {}, "is_frame": False, "taxonomy": []},
            "machine": data["machine"] | bare,
            "verdicts": [],
            "rag": None,
            "steps": [],
            "claims": [],
            "scratch": kept,
            "label_questions": [],
            "comments": data["comments"] | {"thread": []},
        }

    def keep(self, item: Item, person: str, revision: int, text: str, seconds: float | None) -> str:
        """Keep what is being typed; returns when it was kept. Raises BenchError without a name."""
        return box.keep(self._db, UnsentEdit(person, item.id, revision, item.question, text, (), seconds, on=EDIT_KIND))

    def answer(self, item: Item, person: str, text: str, seconds: float | None) -> OwnAnswer:
        """Store this person's own answer, the first alone. Raises BenchError on none, on one too long, or without a name."""
        if not person.strip():
            raise BenchError("An answer is stored under your name: give it first.")
        if not text.strip():
            raise BenchError("There is no answer yet: write one, or discard the item.")
        if len(text) > (most := LONGEST["answer"]):
            raise BenchError(f"The answer has {len(text):,} characters; at most {most:,} can be stored: shorten it.")
        return own_answers.put(self._db, OwnAnswer(person, item.id, item.revision, text.strip(), seconds, current_time()))


def chosen(item: str, rule: BlindRule) -> bool:
    """Whether that item is of the share: the same seed and share choose the same items."""
    drawn = int.from_bytes(blake2b(f"{rule.seed}/{item}".encode(), digest_size=8).digest(), "big")
    return drawn < rule.share * _STEPS
