"""Rewrites: people put accepted questions in words of their own, each for themselves. A rewrite is accepted as it is stored,
for a person wrote it and stands by it; one that was kept although it is close to its question, or holds the gold answer, waits
as a draft until somebody else accepts it."""

import re
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Variant
from core.person_name import fold_name, is_same_person
from core.records import variant_record
from core.retrieval.similarity import explain_near_copy, is_same, measure_rewrite, similarity, strip_to_alphanumerics
from core.text.answer_leaks import find_leaked_answer
from store.corpus.headings import load_headings
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.reviews import rewrites, unsent_edits
from store.reviews.rewrites import EDIT_KIND, HUMAN, RewriteCount
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.desk import shown
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.desk.written import WANTED, wanted
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.consent import ConsentBook
from workbench.roles import requires

__all__ = ["ItemChanged", "NearCopy", "Rewrite", "RewriteCount", "RewriteStage"]

LONGEST = 20_000
"""Characters of a rewrite."""
MOST_TOLD = 80
"""Characters of an answer that a refusal quotes."""
MOST_EVIDENCE = 20_000
"""Characters of one piece of evidence that are shown."""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite as it comes from the screen or the command line."""

    person: str
    item: str
    revision: int
    """Of the question that was on the screen."""
    text: str
    reason: str = ""
    """Why it is kept although it is close to the question or holds the gold answer; "" = it is not to be kept then."""
    seconds: float | None = None
    """Active seconds; None when nobody measured them."""
    tab: str = ""
    """The browser tab; "" = not told."""


class NearCopy(BenchError):
    """The rewrite is too close to its question or holds its answer, and no reason was given to keep it."""


class ItemChanged(BenchError):
    """The item has another revision than the one that was on the screen; nothing was stored."""


class RewriteStage:
    """Verbs on rewrites."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._reading = DocumentCache(database)
        self._has_model = False
        self.consent = ConsentBook(database)

    @property
    def wanted(self) -> int:
        """How many people rewrite each question."""
        return wanted(self._db)

    @requires("set the rules of the work", lambda given: f"{given['people']} people a question")
    def want(self, people: int) -> None:
        """Change it; what is written stays."""
        if not 1 <= people <= 20:
            raise BenchError(f"{people} people a question cannot be: give a number from 1 to 20.")
        settings.put(self._db, WANTED, people)

    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """The next accepted item that wants a rewrite of this person's; None when no other does."""
        return rewrites.find_next_item(self._db, kind, person, self.wanted, after)

    def count(self, kind: ItemKind, person: str) -> RewriteCount:
        """How far this person is with the kind."""
        return rewrites.count(self._db, kind, person, self.wanted)

    def find_previous(self, person: str, item: str | None) -> str | None:
        """The item that this person rewrote before that one; None when there is none."""
        return rewrites.find_previous_item(self._db, person, item)

    def sheet(self, item: str, person: str) -> dict[str, Any]:
        """What is on the screen for one item: its question, answers and evidence, what this person typed, and the rewrites
        there are, which stay hidden until this person's own is stored. Raises BenchError when there is no such item."""
        found = items.get(self._db, item)
        left = unsent_edits.get(self._db, person, item, EDIT_KIND) if person else None
        every = rewrites.load_rewrites(self._db, item, found.revision)
        mine = [v for v in every if is_same_person(v.generator, person) and v.status != "discarded"] if person else []
        titles = {one.id: one.title for one in load_headings(self._db, [span.document for span in found.evidence])}
        texts = [(span, self._reading.text(span)) for span in found.evidence]
        return {
            "person": person,
            "item": shown(found),
            "evidence": [
                {
                    "title": titles.get(span.document, ""),
                    "text": text[:MOST_EVIDENCE],
                    "left_out": max(0, len(text) - MOST_EVIDENCE),
                }
                for span, text in texts
            ],
            "scratch": left
            and {
                "question": left.question,
                "revision": left.revision,
                "seconds": left.seconds,
                "saved_at": left.at,
                "answer": "",
                "evidence": [],
            },
            "blocked": _blocked(found),
            "people": len({fold_name(v.generator) for v in every if v.status != "discarded"}),
            "written": [variant_record(v) for v in (every if mine else [])],
            "wanted": self.wanted,
        }

    def numbers(self, item: str, text: str) -> dict[str, Any]:
        """The live numbers of a text that is being typed, and `near`: why it needs a reason and a second person, or None."""
        found = items.get(self._db, item)
        if len(text) > LONGEST:
            raise BenchError(_too_long(text))
        made = measure_rewrite(found.question, text, found.language)
        return made | {"near": _doubt(found, text, made) if strip_to_alphanumerics(text) else None}

    def similarity(self, item: str, text: str) -> dict[str, Any]:
        """{"similarity", "why"}: how alike in meaning; the first time that takes as long as loading the model."""
        found = items.get(self._db, item)
        value, why = similarity(found.question, text[:LONGEST], found.language)
        self._has_model = self._has_model or value is not None
        return {"similarity": value, "why": why}

    def keep(
        self,
        person: str,
        item: str,
        revision: int,
        text: str,
        seconds: float | None,
        *,
        tab: str = "",
        since: str | None = None,
    ) -> str:
        """Keep what a person has typed and not stored; returns when. Raises as box.keep."""
        return box.keep(self._db, UnsentEdit(person, item, revision, text, "", (), seconds, on=EDIT_KIND, tab=tab), since)

    @requires("rewrite questions", lambda given: given["made"].item)
    def write(self, made: Rewrite) -> dict[str, Any]:
        """Store a rewrite; returns the variant. The same person's same text on the same words is one variant however often it
        comes. Raises BenchError on what is no rewrite, NearCopy, or Changed."""
        found = items.get(self._db, made.item)
        text = _checked(made, found)
        if asked := self.consent.asked(made.person):
            raise BenchError(
                f"{made.person} has not agreed to the consent text (version {asked.version}) yet: read it first, "
                "on the page Annotate > Rewrite of the app."
            )
        if made.revision != found.revision:
            raise ItemChanged(f"The item has revision {found.revision} by now: read its question again; your words are kept.")
        if is_same(found.question, text):
            raise BenchError("That is the question itself: a rewrite asks for the same in other words.")
        counted = measure_rewrite(found.question, text, found.language)
        near = _doubt(found, text, counted)
        if near and not made.reason.strip():
            raise NearCopy(near)
        value, why = (
            similarity(found.question, text, found.language)
            if self._has_model or found.language != "en"
            else (None, "not measured: the model was not loaded")
        )
        checks: dict[str, Any] = counted | {"similarity": value} | ({"similarity_why": why} if why else {})
        checks |= {"near": near, "kept_because": made.reason.strip()} if near else {}
        if agreed := self.consent.standing().version:
            checks["consent"] = agreed
        variant = Variant(
            derived_id("rewrite", found.id, found.revision, made.person, text),
            found.id,
            found.revision,
            HUMAN,
            text,
            "drafted" if near else "accepted",
            made.person,
            None,
            checks | {"seconds": made.seconds, "at": current_time()},
        )
        stored = rewrites.add(self._db, variant, made.tab).variant
        if stored is None:
            raise ItemChanged(f"{found.id} was changed just now: read its question again; your words are kept.")
        if stored.status == "discarded":
            raise BenchError("This very rewrite was discarded before: write another.")
        return variant_record(stored)

    @requires("rewrite questions", "item")
    def rewrite(self, item: str, text: str, person: str, reason: str = "") -> list[dict[str, Any]]:
        """Store a rewrite of the item as it is now. Raises BenchError on a second one by the same person."""
        revision = items.get(self._db, item).revision
        mine = [
            one
            for one in rewrites.load_rewrites(self._db, item, revision)
            if is_same_person(one.generator, person) and one.status != "discarded"
        ]
        if mine and mine[0].text.split() != text.split():
            words = mine[0].text
            told = words if len(words) <= MOST_TOLD else f"{words[:MOST_TOLD]}…"
            raise BenchError(
                f"{person} has rewritten {item} already, as “{told}”: one person writes one "
                "rewrite of a question, so discard that one first, or let somebody else write."
            )
        return [self.write(Rewrite(person, item, revision, text, reason))]


def _doubt(item: Item, text: str, counted: dict[str, Any]) -> str | None:
    """Why this rewrite is stored with a reason alone, and decided on by somebody else; None = it is not."""
    told = find_leaked_answer(item.question, text, item.answers)
    if told is None:
        return explain_near_copy(counted)
    return (
        f"It holds the gold answer “{told[:MOST_TOLD]}”: leave the answer out, or say why it stays; somebody else then "
        "decides on the rewrite."
    )


def _checked(made: Rewrite, item: Item) -> str:
    """The text as it is stored; raises BenchError on what cannot be."""
    text = made.text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not made.person.strip():
        raise BenchError("A rewrite needs a name: give yours first.")
    if blocked := _blocked(item):
        raise BenchError(blocked)
    for name, words in (("rewrite", text), ("reason", made.reason), ("name", made.person)):
        if _UNSTORABLE.search(words):
            raise BenchError(f"The {name} holds a character that no file can hold (NUL or half a character): take it out.")
    if len(text) > LONGEST:
        raise BenchError(_too_long(text))
    if len(made.reason) > 5_000 or len(made.person) > 200:
        raise BenchError("A reason has at most 5,000 characters, a name at most 200: shorten it.")
    if not strip_to_alphanumerics(text):
        raise BenchError("The rewrite holds no words: write the question in your own.")
    return text


def _blocked(item: Item) -> str:
    """Why this item is not to be rewritten; "" when it is."""
    if item.status in ("refused", "discarded"):
        return f"{item.id} is {item.status}: only questions that stand are rewritten."
    return "" if strip_to_alphanumerics(item.question) else f"{item.id} has no question to rewrite."


def _too_long(text: str) -> str:
    return f"The rewrite has {len(text):,} characters; at most {LONGEST:,} can be stored: shorten it."
