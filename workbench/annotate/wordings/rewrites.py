"""Let people write accepted questions in their own words (rewrites), without seeing each other's. A rewrite is accepted as soon
as it is stored, because a person wrote it. If a rewrite is very similar to its question or contains the gold answer, it needs a
reason, and is not accepted until another person accepts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Status, Variant
from core.person_name import UNSTORABLE, fold_name, is_same_person
from core.retrieval.similarity import is_same, measure_rewrite, similarity, strip_to_alphanumerics
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
from workbench.annotate.wordings.doubts import find_doubt, quote
from workbench.roles import requires

__all__ = ["ItemChanged", "NearCopy", "Rewrite", "RewriteCount", "RewriteStage"]

MAX_CHARACTERS = 20_000
"""Maximum length of a rewrite in characters."""
MAX_EVIDENCE_CHARACTERS = 20_000
"""Maximum number of characters shown of one piece of evidence."""
MAX_REWRITERS = 20
SECOND_READER_SETTING = "rewrites_second_reader"
OF_DRAFT = "This item is still a draft: its rewrites count only if the item is accepted with this wording."
READ_BY_ANOTHER = "In this workspace another person reads every rewrite before it counts."


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite of a question that a person sends from the page or the command line."""

    person: str
    item: str
    revision: int
    """Revision of the item whose question the person saw."""
    text: str
    reason: str = ""
    """Reason for a rewrite that find_doubt objects to; if it is "", such a rewrite is refused."""
    seconds: float | None = None
    """Seconds of active work on the rewrite, or None if not measured."""
    tab: str = ""
    """Id of the browser tab that sent the rewrite; "" if unknown."""


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One piece of the item's evidence, as the page Rewrite shows it."""

    title: str
    """Title of the document that contains the evidence."""
    text: str
    left_out: int
    """Number of characters of the evidence that are not shown."""


@dataclass(frozen=True, slots=True)
class RewriteSheet:
    """An item with everything that the page Rewrite shows to the person who rewrites its question."""

    person: str
    item: DeskItem
    evidence: Sequence[EvidenceText]
    scratch: UnsentWords | None
    blocked: str
    """Reason why the question cannot be rewritten; "" if it can."""
    people: int
    """Number of people who have rewritten the question."""
    written: Sequence[Variant]
    """The rewrites by all people. The list is empty until this person has stored a rewrite, so that nobody copies."""
    wanted: int
    """Number of people who should rewrite the question."""
    has_back: bool = False
    around: str = ""
    """Key of what the page shows around the question; if the key changes, the whole page is drawn again."""
    bar: DeskBar | None = None
    """The line above the question with the person's progress, or None if the page itself writes this line."""
    visit: DeskVisit | None = None


@dataclass(frozen=True, slots=True)
class WordingNumbers:
    """How similar a rewrite is to its question, measured while the person types."""

    numbers: Mapping[str, float | None]
    """Dict from the name of a measure to its value, from core.retrieval.similarity.measure_rewrite."""
    near: str | None
    """Reason why the rewrite needs a reason and a second person's acceptance, or None if it needs neither."""


@dataclass(frozen=True, slots=True)
class WordingSimilarity:
    """How similar in meaning a rewrite is to its question."""

    similarity: float | None
    why: str
    """Reason why the similarity was not measured; "" if it was."""


class NearCopy(BenchError):
    """Raised if a rewrite needs a reason (see find_doubt) but has none."""


class ItemChanged(BenchError):
    """Raised if the item was edited after the person opened it, so that the rewrite was not stored."""


class RewriteStage:
    """Methods that show questions to rewrite and store the rewrites."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._reading = DocumentCache(database)
        self._has_model = False
        self.consent = ConsentBook(database)

    @property
    def wanted(self) -> int:
        """Return how many people should rewrite each question."""
        return count_wanted_rewriters(self._db)

    @requires("set the rules of the work", lambda arguments: f"{arguments['people']} people a question")
    def set_wanted(self, people: int) -> None:
        """Set how many people should rewrite each question; rewrites that exist stay."""
        if not 1 <= people <= MAX_REWRITERS:
            raise BenchError(f"{people} people cannot rewrite each question: give a number from 1 to {MAX_REWRITERS}.")
        settings.put(self._db, REWRITES_SETTING, people)

    @property
    def needs_second_reader(self) -> bool:
        """Return whether every rewrite must be accepted by another person, and not only rewrites with an objection."""
        return bool(settings.get(self._db, SECOND_READER_SETTING, False))

    @requires("set the rules of the work", lambda arguments: f"second reader of every rewrite: {arguments['is_needed']}")
    def set_second_reader(self, is_needed: bool) -> None:
        """Set whether another person must accept every rewrite that is stored from now on; rewrites that exist stay as they
        are."""
        settings.put(self._db, SECOND_READER_SETTING, is_needed)

    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """Return the next accepted item whose question this person should rewrite, or None if there is none."""
        return rewrites.find_next_item(self._db, kind, person, self.wanted, after)

    def count(self, kind: ItemKind, person: str) -> RewriteCount:
        """Count how many questions that match `kind` the person has rewritten and how many are left."""
        return rewrites.count(self._db, kind, person, self.wanted)

    def find_previous(self, person: str, item: str | None) -> str | None:
        """Return the item whose question this person rewrote before `item`, or None if there is none."""
        return rewrites.find_previous_item(self._db, person, item)

    def sheet(self, id_: str, person: str) -> RewriteSheet:
        """Load what the page Rewrite shows for one item. Raises BenchError if the item does not exist."""
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
        return WordingNumbers(measured, find_doubt(item, text, measured) if strip_to_alphanumerics(text) else None)

    def similarity(self, id_: str, text: str) -> WordingSimilarity:
        """Measure how similar in meaning `text` is to the item's question; the first call also loads the embedding model."""
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
        """Store the rewrite that a person is typing; return the time of storing. Raises the same errors as box.keep_edits."""
        edits = UnsentEdit(person, item, revision, text, "", (), seconds, on=EDIT_KIND, tab=tab)
        return box.keep_edits(self._db, edits, since)

    @requires("rewrite questions", lambda arguments: arguments["rewrite"].item)
    def write(self, rewrite: Rewrite) -> Variant:
        """Store a rewrite and return it as a variant. If the same person has stored the same text before, return that variant.

        Raises BenchError if the rewrite is invalid or the person has already rewritten the question, NearCopy if a reason is
        needed but missing, and ItemChanged if the item was edited in the meantime."""
        item = items.get(self._db, rewrite.item)
        text = _check(rewrite, item)
        self.consent.check_agreed(rewrite.person)
        if rewrite.revision != item.revision:
            raise ItemChanged(f"The item has revision {item.revision} by now: read its question again; your words are kept.")
        if is_same(item.question, text):
            raise BenchError("That is the question itself: a rewrite asks for the same in other words.")
        checks: dict[str, Any] = measure_rewrite(item.question, text, item.language)
        near = find_doubt(item, text, checks)
        if near and not rewrite.reason.strip():
            raise NearCopy(near)
        value, why = None, "not measured: the model was not loaded"
        if self._has_model or item.language != "en":
            value, why = similarity(item.question, text, item.language)
        checks |= {"similarity": value} | ({"similarity_why": why} if why else {})
        if near:
            checks |= {"near": near, "kept_because": rewrite.reason.strip()}
        elif self.needs_second_reader:
            checks["near"] = READ_BY_ANOTHER
        if version := self.consent.load_current().version:
            checks["consent"] = version
        id_ = derived_id("rewrite", item.id, item.revision, rewrite.person, text)
        checks |= {"seconds": rewrite.seconds, "at": current_time()}
        status: Status = "drafted" if "near" in checks else "accepted"
        variant = Variant(id_, item.id, item.revision, HUMAN, text, status, rewrite.person, None, checks)
        added = rewrites.add(self._db, variant, rewrite.tab)
        if added.other is not None:
            told = f"{added.other.generator} has rewritten {item.id} already, as “{quote(added.other.text)}”"
            raise BenchError(
                f"{told}: a person can have only one rewrite of a question, so discard that one first, or ask somebody else."
            )
        stored = added.variant
        if stored is None:
            raise ItemChanged(f"{item.id} was changed just now: read its question again; your words are kept.")
        if stored.status == "discarded":
            raise BenchError("The same rewrite was discarded before: write another one.")
        return stored

    @requires("rewrite questions", "item")
    def rewrite(self, item: str, text: str, person: str, reason: str = "") -> Variant:
        """Store a rewrite of the item's current question. Raises the same errors as `write`."""
        return self.write(Rewrite(person, item, items.get(self._db, item).revision, text, reason))


def _check(rewrite: Rewrite, item: Item) -> str:
    """Return the text of the rewrite as it is stored, without white space at its ends. Raises BenchError if the rewrite cannot
    be stored."""
    text = clean_text(rewrite.text)
    if not rewrite.person.strip():
        raise BenchError("A rewrite is stored under its writer's name: give your name first.")
    if blocked := _explain_blocked(item):
        raise BenchError(blocked)
    for name, words in (("rewrite", text), ("reason", rewrite.reason), ("name", rewrite.person)):
        if UNSTORABLE.search(words):
            raise BenchError(f"The {name} contains a character that no file can store (NUL or a broken character): remove it.")
    check_length("rewrite", text, MAX_CHARACTERS)
    if len(rewrite.reason) > 5_000 or len(rewrite.person) > 200:
        raise BenchError("A reason has at most 5,000 characters, a name at most 200: shorten it.")
    if not strip_to_alphanumerics(text):
        raise BenchError("The rewrite has no words: write the question in your own words.")
    return text


def _explain_blocked(item: Item) -> str:
    """Return the reason why this item's question cannot be rewritten, or "" if it can."""
    if item.status in ("refused", "discarded"):
        return f"{item.id} is {item.status}: only questions of drafts and accepted items can be rewritten."
    return "" if strip_to_alphanumerics(item.question) else f"{item.id} has no question to rewrite."
