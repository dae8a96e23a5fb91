"""Takes contests, in which people say what is wrong with an item of a release, and the decisions of leads on them: a lead
corrects or withdraws the item, or dismisses the contest. A correction or withdrawal is also stored as a decision on the item,
so the history of the item has it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

from core.errors import BenchError
from core.ids import derived_id
from core.installation import COMMAND
from core.label_questions import LABEL_ANSWERS
from core.nouns import Item, Review
from core.quality.contests import KINDS, ContestKind
from core.quality.counterfactual import read_origin
from store.engine.database import Database
from store.items import items
from store.releases import contests, releases, seals
from store.releases.contests import Contest, ContestDecision, ContestState
from store.reviews import label_questions, reviews
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.decisions import (
    MAX_CHARACTERS,
    check_acceptable,
    check_evidence,
    check_text,
    find_passages,
    load_frame,
    with_overlap,
)
from workbench.annotate.desk.guidelines import choose_version
from workbench.annotate.desk.reading import DocumentCache
from workbench.release.release_browser import ReleaseBrowser, ReleasedItem
from workbench.roles import requires

__all__ = ["Contest", "ContestState"]

FILE_FORMAT = "benchwright-contests"
"""Value of the key "format" of a contest file; store/formats/shipped/page.js writes the same value."""
PAGE_SIZE = 50
"""Number of contests on one page."""
MAX_FILE_BYTES = 5_000_000
MAX_CONTESTS = 1_000
"""Maximum number of contests in one file."""
LIMITS = {"answer": MAX_CHARACTERS["question"], "reason": MAX_CHARACTERS["reason"], "name": MAX_CHARACTERS["name"]}


@dataclass(frozen=True, kw_only=True, slots=True)
class NewContest:
    """What a person says is wrong with an item."""

    item: str
    kind: ContestKind
    answer: str = ""
    reason: str = ""
    person: str = ""


class TakenContests(NamedTuple):
    """What became of the contests in a file."""

    new: Sequence[str]
    """Ids of the contests that were added to the queue."""
    already: int
    """Number of contests that the workspace had already."""
    refused: Sequence[str]
    """One error message for each contest that was refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ContestRuling:
    """A lead's decision on a contest."""

    contest: str
    decision: Literal["accept", "dismiss"]
    person: str
    reason: str = ""
    question: str | None = None
    """New question of the item; None = the question stays."""
    answers: Sequence[str] | None = None
    """All acceptable answers of the item, the displayed one first; None = the answers stay."""
    evidence: Sequence[str] | None = None
    """The passages of the item's documents that prove the answer, word for word; None = the evidence stays."""
    withdraw: bool = False
    """Whether the item is withdrawn."""
    seen: int | None = None
    """Number of decisions on the contest that the person saw; None = all that are stored."""
    revision: int | None = None
    """Revision of the item that the person saw; None = the current one."""


class ContestLine(NamedTuple):
    """A contest with the question of its item, as one line of a list."""

    contest: Contest
    question: str


class ContestPage(NamedTuple):
    """One page of a list of contests, with the number of contests in the whole list."""

    lines: Sequence[ContestLine]
    total: int
    """Number of contests in the state that was asked for."""
    counts: Mapping[ContestState, int]
    """Number of contests in each state."""


@dataclass(frozen=True, slots=True)
class ContestCase:
    """A contest with the item and the texts that a lead reads to decide on it."""

    contest: Contest
    released: ReleasedItem
    """The item as the contested release has it."""
    item: Item
    """The item as it is now."""
    evidence: Sequence[str]
    """Texts of the evidence that the item has now."""
    others: Sequence[Contest]
    """The other contests of the same item."""


class ContestStage:
    """Methods that contest items and decide on contests."""

    def __init__(self, database: Database, browser: ReleaseBrowser) -> None:
        self._db, self._browser = database, browser

    @requires("contest items", "name")
    def submit(self, name: str, new: NewContest) -> Contest:
        """Contest an item of a release, and return the contest. If a person sends the same contest again, no second one is
        stored. Raises BenchError if the release has no such item, or if the contest has neither a reason nor an answer."""
        self._check_item(name, new.item)
        contest = _build(name, self._browser.find_header(name).hash, new, "app")
        contests.add(self._db, [contest])
        return contests.get(self._db, contest.id)

    @requires("contest items")
    def take(self, raw: bytes, file: str) -> TakenContests:
        """Add the contests in a file that was saved on a release's page index.html. Contests that the workspace has already
        stay as they are. Raises BenchError if the file is not readable or is about another release."""
        content = _read_file(raw, file)
        name, hash_ = str(content["release"]), str(content["hash"])
        here = {header.name: header.hash for header in releases.list_headers(self._db)}
        if name not in here:
            raise BenchError(
                f"{file} contests the release {name[:80]}, which is not in this workspace: import the release first."
            )
        if here[name] != hash_:
            raise BenchError(f"{file} is about another release {name}: its hash is {hash_[:40]}, but here it is {here[name]}.")
        members = {row["id"] for row in releases.get(self._db, name, hash_).manifest["items"]}
        seal = seals.find(self._db, hash_)
        own = {public: item for item, public in seal.public_ids.items()} if seal else {}  # a sealed export has other ids
        built, refused = [], []
        for number, record in enumerate(content["contests"], 1):
            try:
                new = _read_contest(record)
                new = replace(new, item=own.get(new.item, new.item))
                if new.item not in members:
                    raise BenchError(f"The release {name} has no item {new.item[:80]}: contest one of its items.")
                self._check_item(name, new.item)
                built.append(_build(name, hash_, new, "file"))
            except BenchError as error:
                refused.append(f"{file}, contest {number}: {error}")
        added = contests.add(self._db, built)
        return TakenContests(added, len(built) - len(added), refused)

    def _check_item(self, name: str, item: str) -> None:
        """Raise BenchError if the release has no such item, or if the item was made for a counterfactual release."""
        origin = read_origin(self._browser.item(name, item).item)
        if origin is not None:
            raise BenchError(
                f"Item {item} was made for the counterfactual release {name} from item {origin.item}: contest item "
                f"{origin.item} of the release that it was made from."
            )

    @requires("see contests", "name")
    def list_contests(self, name: str | None = None, state: ContestState | None = None) -> list[Contest]:
        """Return the contests of a release, or of all releases, in the order in which they came in."""
        hashes = None if name is None else [releases.load_hash(self._db, name)]
        return [one for one in contests.list_contests(self._db, hashes) if state in (None, one.state)]

    @requires("see contests", "name")
    def page(self, name: str | None = None, state: ContestState | None = None, number: int = 1) -> ContestPage:
        """Return page `number` (the first is 1) of the contests that `list_contests` returns, each with the question of its
        item."""
        every = self.list_contests(name)
        shown = [one for one in every if state in (None, one.state)]
        start = (number - 1) * PAGE_SIZE
        lines = shown[start : start + PAGE_SIZE]
        questions = {item.id: item.question for item in items.load_items(self._db, {one.item for one in lines})}
        counts = Counter(one.state for one in every)
        return ContestPage([ContestLine(one, questions.get(one.item, "")) for one in lines], len(shown), counts)

    @requires("see contests", "contest")
    def load_case(self, contest: str) -> ContestCase:
        """Return a contest with its item as it was released and as it is now. Raises BenchError if there is no such contest."""
        one = contests.get(self._db, contest)
        reading = DocumentCache(self._db)
        item = items.get(self._db, one.item)
        every = contests.list_contests(self._db, [one.release_hash])
        return ContestCase(
            one,
            self._browser.item(one.release, one.item),
            item,
            [reading.text(span) for span in item.evidence],
            [other for other in every if other.item == one.item and other.id != one.id],
        )

    @requires("decide on contests", lambda arguments: arguments["ruling"].contest)
    def decide(self, ruling: ContestRuling) -> Contest:
        """Decide on a contest and return it: dismiss it with a reason, or accept it with a correction of the item or by
        withdrawing the item. Accepting a wrong answer without a correction takes the proposed answer; if the item was corrected
        since the release, the item stays as it is, but must have the proposed answer, if there is one. If an accepted contest
        is dismissed, the item gets its released question, answers and evidence back. Raises BenchError if the decision lacks
        something, or if somebody else decided in the meantime."""
        one = contests.get(self._db, ruling.contest)
        if not ruling.person.strip():
            raise BenchError("A decision needs a name: give yours first.")
        check_text("reason", ruling.reason, MAX_CHARACTERS["reason"])
        seen = len(one.decisions) if ruling.seen is None else ruling.seen
        if seen != len(one.decisions):
            raise contests.build_conflict([past.person for past in one.decisions])
        is_correction = any(part is not None for part in (ruling.question, ruling.answers, ruling.evidence))
        if is_correction and ruling.decision == "dismiss":
            raise BenchError("A dismissed contest does not correct the item: leave the correction out, or accept the contest.")
        if is_correction and ruling.withdraw:
            raise BenchError("A withdrawn item is not corrected: leave the correction out, or do not withdraw the item.")
        revision = None
        if ruling.decision == "dismiss":
            if ruling.withdraw or not ruling.reason.strip():
                raise BenchError("A dismissal needs a reason, and does not withdraw the item: say why the item stays as it is.")
            revision = self._restore_item(one, ruling) if one.state == "accepted" else None
        else:
            revision = self._change_item(one, ruling)
        decision = ContestDecision(one.id, ruling.decision, revision, ruling.reason.strip(), ruling.person)
        contests.add_decision(self._db, decision, seen)
        return contests.get(self._db, one.id)

    def _change_item(self, contest: Contest, ruling: ContestRuling) -> int | None:
        """Correct or withdraw the item, and return its new revision; None = the item is withdrawn."""
        item = items.get(self._db, contest.item)
        if ruling.revision not in (None, item.revision):
            raise BenchError(f"Item {item.id} was edited in the meantime: look at it and decide again.")
        released = self._browser.item(contest.release, contest.item).item
        if ruling.withdraw:
            if item.status != "discarded":
                reason = ruling.reason.strip() or f"contested: {contest.kind.replace('_', ' ')}"
                self._decide_item(item, ruling, "discard", reason)
            return None
        is_as_released = (item.question, item.answers, item.evidence) == (
            released.question,
            released.answers,
            released.evidence,
        )
        given = (ruling.question, ruling.answers, ruling.evidence)
        proposed = contest.answer if contest.kind == "wrong_answer" and given == (None, None, None) else ""
        if proposed and is_as_released:
            ruling = replace(ruling, answers=[proposed])
        elif proposed and proposed not in item.answers:
            raise BenchError(
                f"Item {item.id} was corrected since the release: its answer is now {' / '.join(item.answers)}, and this "
                f"contest proposes {proposed}. Accept the contest with the answer that is right, or dismiss it."
            )
        reading = DocumentCache(self._db)
        edit = build_correction(item, ruling, reading)
        is_settled = edit is None and item.status == "accepted"
        changed = item if is_settled else self._decide_item(item, ruling, "accept", "", edit and with_overlap(edit, reading))
        same = (changed.question, changed.answers, changed.evidence) == (released.question, released.answers, released.evidence)
        if same or changed.status != "accepted":
            raise BenchError(
                "Accepting a contest needs a correction: change the question, the answer or the evidence, or withdraw the item."
            )
        return changed.revision

    def _restore_item(self, contest: Contest, ruling: ContestRuling) -> int | None:
        """Give the item of a contest that was accepted before its released question, answers and evidence back, and return its
        new revision. Return None if the item stays as it is, because another accepted contest or a later edit changed it."""
        item, last = items.get(self._db, contest.item), contest.decisions[-1]
        if ruling.revision not in (None, item.revision):
            raise BenchError(f"Item {item.id} was edited in the meantime: look at it and decide again.")
        every = contests.list_contests(self._db, [contest.release_hash])
        is_changed_again = item.revision != last.revision if last.revision else item.status != "discarded"
        if is_changed_again or any(o.state == "accepted" and o.item == item.id and o.id != contest.id for o in every):
            return None
        released = self._browser.item(contest.release, contest.item).item
        frame = {name: released.labels[name] for name in ("frame",) if name in released.labels}
        edit = replace(
            item,
            question=released.question,
            answers=released.answers,
            evidence=released.evidence,
            labels={**item.labels, **frame},
        )
        is_same = (edit.question, edit.answers, edit.evidence) == (item.question, item.answers, item.evidence)
        restored = None if is_same else with_overlap(edit, DocumentCache(self._db))
        return self._decide_item(item, ruling, "accept", "", restored).revision

    def _decide_item(
        self, item: Item, ruling: ContestRuling, decision: Literal["accept", "discard"], reason: str, edit: Item | None = None
    ) -> Item:
        """Store a decision on the item with the edit of the item, and return the item. Raises BenchError if the decision does
        not take effect at once because several people decide on the item."""
        if decision == "accept":
            check_acceptable(edit or item, load_frame(self._db, item))
        answers = label_questions.load_effective_answers(self._db).get(item.id)
        details = {"guideline": choose_version(self._db, item.task, None), LABEL_ANSWERS: answers}
        review = Review(
            derived_id("contest", ruling.contest, item.revision, item.status, decision, repr(ruling)),
            item.id,
            item.revision,
            ruling.person,
            decision,
            reason,
            f"contest {ruling.contest}",
            None,
            details={name: value for name, value in details.items() if value},
        )
        stored = reviews.decide(self._db, review, edit, item.status, heeds_leases=True)
        if stored.review.role == "opinion" or not isinstance(stored.subject, Item):
            raise BenchError(
                f"Several people decide on item {item.id}, so your decision on it is one opinion: the contest stays open until "
                "the item is decided."
            )
        if edit is not None and not stored.is_repeat:
            BackgroundGates(self._db, DocumentCache(self._db)).run_now(stored.subject)
        return stored.subject


def build_correction(item: Item, ruling: ContestRuling, reading: DocumentCache) -> Item | None:
    """Return the item as the ruling corrects it, or None if the ruling changes nothing. Raises BenchError if a text cannot be
    stored, or if the evidence is not in the item's documents."""
    question = item.question if ruling.question is None else ruling.question.strip()
    answers = item.answers
    if ruling.answers is not None:
        answers = tuple(dict.fromkeys(text.strip() for text in ruling.answers if text.strip()))
    for name, text in (("question", question), *(("answer", answer) for answer in answers)):
        check_text(name, text, MAX_CHARACTERS[name])
    evidence = item.evidence
    if ruling.evidence is not None:
        evidence = find_passages(item, ruling.evidence, reading)
        if item.evidence:
            check_evidence(evidence, item, reading)
    if (question, answers, evidence) == (item.question, item.answers, item.evidence):
        return None
    labels = {name: value for name, value in item.labels.items() if name != "frame" or answers == item.answers}
    return replace(item, question=question, answers=answers, evidence=evidence, labels=labels)


def _build(release: str, hash_: str, new: NewContest, source: Literal["file", "app"]) -> Contest:
    """Check a new contest and return it. Raises BenchError if it cannot be stored."""
    if new.kind not in KINDS:
        raise BenchError(f"{new.kind[:40]!r} is not a kind of contest: choose from {', '.join(KINDS)}.")
    words = {"answer": new.answer.strip(), "reason": new.reason.strip(), "name": " ".join(new.person.split())}
    for name, text in words.items():
        check_text(name, text, LIMITS[name])
    if not words["answer"] and not words["reason"]:
        raise BenchError("A contest needs a reason or a proposed answer: say what is wrong.")
    answer, reason, person = words.values()
    id_ = contests.derive_contest_id(hash_, new.item, new.kind, answer, reason, person)
    return Contest(id_, release, hash_, new.item, new.kind, answer, reason, person, source)


def _read_file(raw: bytes, file: str) -> dict[str, Any]:
    """Return the content of a contest file. Raises BenchError if the bytes are no contest file."""
    if len(raw) > MAX_FILE_BYTES:
        raise BenchError(f"{file} is larger than {MAX_FILE_BYTES:,} bytes: save fewer contests in a file.")
    try:
        content: dict[str, Any] = json.loads(raw)
    except (ValueError, RecursionError):
        raise BenchError(f"{file} is not JSON: save it again on the page index.html of the release.") from None
    is_ours = isinstance(content, dict) and content.get("format") == FILE_FORMAT and content.get("version") == 1
    if not is_ours or not isinstance(content.get("contests"), list) or not {"release", "hash"} <= content.keys():
        raise BenchError(f"{file} is no file of contests: save one on the page index.html of a release (`{COMMAND} export`).")
    if len(content["contests"]) > MAX_CONTESTS:
        raise BenchError(f"{file} has more than {MAX_CONTESTS:,} contests: save fewer in a file.")
    return content


def _read_contest(record: object) -> NewContest:
    """Return one contest of a file. Raises BenchError if the record has another form."""
    names = ("item", "kind", "answer", "reason", "name")
    if not isinstance(record, dict) or not all(isinstance(record.get(name, ""), str) for name in names):
        raise BenchError(f"A contest needs the texts {', '.join(names)}: save the file again.")
    item, kind, answer, reason, person = (str(record.get(name, "")) for name in names)
    return NewContest(item=item, kind=cast(ContestKind, kind), answer=answer, reason=reason, person=person)
