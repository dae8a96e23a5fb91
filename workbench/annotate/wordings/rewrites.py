"""Rewrites: people independently put accepted questions in their own words. A rewrite is accepted as it is stored, because its
author is a person. A rewrite that is close to its question or contains the gold answer can be kept for a reason; it then waits
as a draft until another person accepts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Status, Variant
from core.person_name import UNSTORABLE, fold_name, is_same_person
from core.retrieval.similarity import explain_near_copy, is_same, measure_rewrite, similarity, strip_to_alphanumerics
from core.text.answer_leaks import find_leaked_answer
from store.corpus.headings import load_headings
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.queue.kind import ItemKind
from store.reviews import rewrites, unsent_edits
from store.reviews.rewrites import EDIT_KIND, HUMAN, RewriteCount
from store.reviews.unsent_edits import UnsentEdit
from workbench.annotate.desk import box
from workbench.annotate.desk.decisions import check_length, clean_text
from workbench.annotate.desk.desk import REWRITES_SETTING, count_wanted_rewriters
from workbench.annotate.desk.desk_data import DeskBar, DeskItem, DeskVisit, UnsentWords, describe_item
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.wordings.consent import ConsentBook
from workbench.roles import requires

__all__ = ["ItemChanged", "NearCopy", "Rewrite", "RewriteCount", "RewriteStage"]

MAX_CHARACTERS = 20_000
"""Maximum length of a rewrite in characters."""
MAX_QUOTED_CHARACTERS = 80
"""Maximum length in characters of a quoted answer in a refusal."""
MAX_EVIDENCE_CHARACTERS = 20_000
"""Maximum length in characters of one piece of evidence on the screen."""
MAX_REWRITERS = 20


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite from the screen or the command line."""

    person: str
    item: str
    revision: int
    """Revision of the question on the screen."""
    text: str
    reason: str = ""
    """Reason to keep a rewrite that is close to the question or contains the gold answer; "" = such rewrites are refused."""
    seconds: float | None = None
    """Active time in seconds; None = not measured."""
    tab: str = ""
    """Id of the browser tab; "" = unknown."""


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """A piece of evidence on the rewrite page."""

    title: str
    """Title of the evidence's document."""
    text: str
    left_out: int
    """Number of characters left out."""


@dataclass(frozen=True, slots=True)
class RewriteSheet:
    """An item with all data that a person needs to rewrite its question."""

    person: str
    item: DeskItem
    evidence: Sequence[EvidenceText]
    scratch: UnsentWords | None
    blocked: str
    """Reason why the question cannot be rewritten; "" = it can."""
    people: int
    """Number of people who have rewritten the question."""
    written: Sequence[Variant]
    """Rewrites of all people; empty until this person's own rewrite is stored."""
    wanted: int
    """Number of people who should rewrite the question."""
    has_back: bool = False
    around: str = ""
    """Key of what the page shows around the sheet; another key = the page has to be drawn again."""
    bar: DeskBar | None = None
    """Line above the sheet; None = the page draws the line."""
    visit: DeskVisit | None = None


@dataclass(frozen=True, slots=True)
class WordingNumbers:
    """The comparison of a text during typing with its question."""

    numbers: Mapping[str, float | None]
    """Measures of the text; see core.retrieval.similarity.measure_rewrite."""
    near: str | None
    """Reason why the text needs an explanation and a second person; None = not needed."""


@dataclass(frozen=True, slots=True)
class WordingSimilarity:
    """The similarity in meaning of two wordings."""

    similarity: float | None
    why: str
    """Reason for a missing value."""


class NearCopy(BenchError):
    """The rewrite is too close to its question or contains its answer, and no reason justifies the rewrite."""


class ItemChanged(BenchError):
    """The item has another revision than the one on the screen; nothing was stored."""


class RewriteStage:
    """Verbs on rewrites."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._reading = DocumentCache(database)
        self._has_model = False
        self.consent = ConsentBook(database)

    @property
    def wanted(self) -> int:
        """Return the number of people who rewrite each question."""
        return count_wanted_rewriters(self._db)

    @requires("set the rules of the work", lambda arguments: f"{arguments['people']} people a question")
    def set_wanted(self, people: int) -> None:
        """Set the number of people who rewrite each question; existing rewrites stay."""
        if not 1 <= people <= MAX_REWRITERS:
            raise BenchError(f"{people} people per question are not possible: give a number from 1 to {MAX_REWRITERS}.")
        settings.put(self._db, REWRITES_SETTING, people)

    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """Return the next accepted item that needs a rewrite by this person; None when there is none."""
        return rewrites.find_next_item(self._db, kind, person, self.wanted, after)

    def count(self, kind: ItemKind, person: str) -> RewriteCount:
        """Count the person's progress with the kind."""
        return rewrites.count(self._db, kind, person, self.wanted)

    def find_previous(self, person: str, item: str | None) -> str | None:
        """Return the item that this person rewrote before the given one; None when there is none."""
        return rewrites.find_previous_item(self._db, person, item)

    def sheet(self, id_: str, person: str) -> RewriteSheet:
        """Load the screen's data for one item. Raises BenchError when the item does not exist."""
        item = items.get(self._db, id_)
        unsent = unsent_edits.get(self._db, person, id_, EDIT_KIND) if person else None
        every = rewrites.load_rewrites(self._db, id_, item.revision)
        is_mine = bool(person) and any(is_same_person(v.generator, person) and v.status != "discarded" for v in every)
        titles = {heading.id: heading.title for heading in load_headings(self._db, [span.document for span in item.evidence])}
        texts = [(titles.get(span.document, ""), self._reading.text(span)) for span in item.evidence]
        most = MAX_EVIDENCE_CHARACTERS
        return RewriteSheet(
            person,
            describe_item(item),
            [EvidenceText(title, text[:most], max(0, len(text) - most)) for title, text in texts],
            UnsentWords.from_edits(unsent),
            _explain_blocked(item),
            len({fold_name(variant.generator) for variant in every if variant.status != "discarded"}),
            every if is_mine else [],
            self.wanted,
        )

    def measure_rewrite(self, id_: str, text: str) -> WordingNumbers:
        """Compare the text that the person is typing with the item's question."""
        item = items.get(self._db, id_)
        check_length("rewrite", text, MAX_CHARACTERS)
        measured = measure_rewrite(item.question, text, item.language)
        return WordingNumbers(measured, _find_doubt(item, text, measured) if strip_to_alphanumerics(text) else None)

    def similarity(self, id_: str, text: str) -> WordingSimilarity:
        """Measure the similarity in meaning of both wordings; the first call also loads the model."""
        item = items.get(self._db, id_)
        value, why = similarity(item.question, text[:MAX_CHARACTERS], item.language)
        self._has_model = self._has_model or value is not None
        return WordingSimilarity(value, why)

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
        """Store a person's unsent text; return the time. Raises the errors of box.keep_edits."""
        edits = UnsentEdit(person, item, revision, text, "", (), seconds, on=EDIT_KIND, tab=tab)
        return box.keep_edits(self._db, edits, since)

    @requires("rewrite questions", lambda arguments: arguments["rewrite"].item)
    def write(self, rewrite: Rewrite) -> Variant:
        """Store a rewrite; a repeat of the same text by the same person on the same question is one variant.

        Raises BenchError on an invalid rewrite, NearCopy, or ItemChanged."""
        item = items.get(self._db, rewrite.item)
        text = _check(rewrite, item)
        if asked := self.consent.find_unagreed(rewrite.person):
            raise BenchError(
                f"{rewrite.person} has not agreed to the consent text (version {asked.version}) yet: read it first, "
                "on the page Annotate > Rewrite of the app."
            )
        if rewrite.revision != item.revision:
            raise ItemChanged(f"The item has revision {item.revision} by now: read its question again; your words are kept.")
        if is_same(item.question, text):
            raise BenchError("That is the question itself: a rewrite asks for the same in other words.")
        checks: dict[str, Any] = measure_rewrite(item.question, text, item.language)
        near = _find_doubt(item, text, checks)
        if near and not rewrite.reason.strip():
            raise NearCopy(near)
        value, why = None, "not measured: the model was not loaded"
        if self._has_model or item.language != "en":
            value, why = similarity(item.question, text, item.language)
        checks |= {"similarity": value} | ({"similarity_why": why} if why else {})
        checks |= {"near": near, "kept_because": rewrite.reason.strip()} if near else {}
        if version := self.consent.load_current().version:
            checks["consent"] = version
        id_ = derived_id("rewrite", item.id, item.revision, rewrite.person, text)
        checks |= {"seconds": rewrite.seconds, "at": current_time()}
        status: Status = "drafted" if near else "accepted"
        variant = Variant(id_, item.id, item.revision, HUMAN, text, status, rewrite.person, None, checks)
        stored = rewrites.add(self._db, variant, rewrite.tab).variant
        if stored is None:
            raise ItemChanged(f"{item.id} was changed just now: read its question again; your words are kept.")
        if stored.status == "discarded":
            raise BenchError("The same rewrite was discarded before: write another one.")
        return stored

    @requires("rewrite questions", "item")
    def rewrite(self, item: str, text: str, person: str, reason: str = "") -> Variant:
        """Store a rewrite of the current item. Raises BenchError on a second rewrite by the same person."""
        revision = items.get(self._db, item).revision
        for variant in rewrites.load_rewrites(self._db, item, revision):
            is_mine = is_same_person(variant.generator, person) and variant.status != "discarded"
            if is_mine and variant.text.split() != text.split():
                is_short = len(variant.text) <= MAX_QUOTED_CHARACTERS
                quoted = variant.text if is_short else f"{variant.text[:MAX_QUOTED_CHARACTERS]}…"
                raise BenchError(
                    f"{person} has rewritten {item} already, as “{quoted}”: one person writes one "
                    "rewrite of a question, so discard that one first, or let somebody else write."
                )
            if is_mine:
                break
        return self.write(Rewrite(person, item, revision, text, reason))


def _find_doubt(item: Item, text: str, measured: dict[str, Any]) -> str | None:
    """Return the reason why this rewrite needs a justification and a second person; None = no need. `measured` are the
    rewrite's numbers."""
    told = find_leaked_answer(item.question, text, item.answers)
    if told is None:
        return explain_near_copy(measured)
    return (
        f"It holds the gold answer “{told[:MAX_QUOTED_CHARACTERS]}”: leave the answer out, or say why it stays; somebody else "
        "then decides on the rewrite."
    )


def _check(rewrite: Rewrite, item: Item) -> str:
    """Return the text in stored form. Raises BenchError on text that cannot be stored."""
    text = clean_text(rewrite.text)
    if not rewrite.person.strip():
        raise BenchError("A rewrite needs a name: give yours first.")
    if blocked := _explain_blocked(item):
        raise BenchError(blocked)
    for name, words in (("rewrite", text), ("reason", rewrite.reason), ("name", rewrite.person)):
        if UNSTORABLE.search(words):
            raise BenchError(f"The {name} contains a character that no file can store (NUL or half of a character): remove it.")
    check_length("rewrite", text, MAX_CHARACTERS)
    if len(rewrite.reason) > 5_000 or len(rewrite.person) > 200:
        raise BenchError("A reason has at most 5,000 characters, a name at most 200: shorten it.")
    if not strip_to_alphanumerics(text):
        raise BenchError("The rewrite holds no words: write the question in your own.")
    return text


def _explain_blocked(item: Item) -> str:
    """Return the reason why this item cannot be rewritten; "" when it can."""
    if item.status in ("refused", "discarded"):
        return f"{item.id} is {item.status}: only questions of drafts and accepted items can be rewritten."
    return "" if strip_to_alphanumerics(item.question) else f"{item.id} has no question to rewrite."
