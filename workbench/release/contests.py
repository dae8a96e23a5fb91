"""Takes contests, by which people say what is wrong with an item of a release, and decides on them: an item is corrected or
withdrawn, or the contest is dismissed. A decision on a contest is also a decision on the item, so its history has it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from core.contests import KINDS, ContestKind
from core.errors import BenchError
from core.ids import derived_id
from core.installation import COMMAND
from core.nouns import Item, Span
from store.engine.database import Database
from store.items import items
from store.releases import contests, releases
from store.releases.contests import Contest, ContestDecision, ContestState
from store.reviews import label_questions
from workbench.annotate.desk.decisions import MAX_CHARACTERS, check_text
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.reviewing.reviews import DecisionRequest, ReviewStage
from workbench.release.release_browser import ReleaseBrowser, ReleasedItem
from workbench.roles import requires

__all__ = ["Contest", "ContestState"]

FILE_FORMAT = "benchwright-contests"
"""Value of the key "format" of a contest file; store/formats/shipped/page.js writes it too."""
MAX_FILE_BYTES = 5_000_000
MAX_CONTESTS = 1_000
"""Maximum number of contests of one file."""
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
    """Number of contests that were there already."""
    refused: Sequence[str]
    """A sentence on each contest that was refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ContestRuling:
    """A lead's decision on a contest."""

    contest: str
    decision: Literal["accept", "dismiss"]
    person: str
    reason: str = ""
    question: str | None = None
    """New question of the item; None = it stays."""
    answer: str | None = None
    """New answer of the item; None = it stays."""
    evidence: Sequence[str] | None = None
    """The passages of the item's documents that prove the answer, word for word; None = they stay."""
    withdraw: bool = False
    """Whether the item is withdrawn."""
    seen: int | None = None
    """Number of decisions on the contest that the person saw; None = all that are stored."""
    revision: int | None = None
    """Revision of the item that the person saw; None = the current one."""


@dataclass(frozen=True, slots=True)
class ContestCase:
    """A contest with what a lead needs to decide on it."""

    contest: Contest
    released: ReleasedItem
    """The item as the contested release has it."""
    item: Item
    """The item as it is now."""
    evidence: Sequence[str]
    """Texts of the item's evidence as it is now."""
    others: Sequence[Contest]
    """The other contests of the same item."""


class ContestStage:
    """Methods with which people contest items, and leads decide."""

    def __init__(self, database: Database, browser: ReleaseBrowser, reviews: ReviewStage) -> None:
        self._db, self._browser, self._reviews = database, browser, reviews

    @requires("contest items", "name")
    def submit(self, name: str, new: NewContest) -> Contest:
        """Contest an item of a release, and return the contest. The same words of the same person are one contest. Raises
        BenchError if the release has no such item, or if nothing is said about it."""
        self._browser.item(name, new.item)
        contest = _build(name, self._browser.find_header(name).hash, new, "app")
        contests.add(self._db, [contest])
        return contests.get(self._db, contest.id)

    @requires("contest items")
    def take(self, raw: bytes, file: str) -> TakenContests:
        """Add the contests of a file, as the page index.html of a release saves it, to the queue; those that are there already
        stay as they are. Raises BenchError if the file is not readable or is about another release."""
        content = _read_file(raw, file)
        name, hash_ = str(content["release"]), str(content["hash"])
        here = {header.name: header.hash for header in releases.list_headers(self._db)}
        if name not in here:
            raise BenchError(
                f"{file} contests the release {name[:80]}, which is not in this workspace: import the release first."
            )
        if here[name] != hash_:
            raise BenchError(f"{file} contests the release {name} {hash_[:40]}, but {name} is {here[name]} here.")
        members = {row["id"] for row in releases.get(self._db, name, hash_).manifest["items"]}
        built, refused = [], []
        for number, record in enumerate(content["contests"], 1):
            try:
                new = _read_contest(record)
                if new.item not in members:
                    raise BenchError(f"The release {name} has no item {new.item[:80]}: contest one of its items.")
                built.append(_build(name, hash_, new, "file"))
            except BenchError as error:
                refused.append(f"{file}, contest {number}: {error}")
        added = contests.add(self._db, built)
        return TakenContests(added, len(built) - len(added), refused)

    @requires("see contests", "name")
    def list_contests(self, name: str | None = None, state: ContestState | None = None) -> list[Contest]:
        """Return the contests of a release, or of all releases, in the order in which they came in."""
        hashes = None if name is None else [releases.load_hash(self._db, name)]
        return [one for one in contests.list_contests(self._db, hashes) if state in (None, one.state)]

    @requires("see contests", "contest")
    def load_case(self, contest: str) -> ContestCase:
        """Return a contest with its item as it was released and as it is now. Raises BenchError if there is none."""
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
        withdrawing the item. Without a correction, one that the item already got counts. Raises BenchError if the decision
        lacks something, or if somebody decided in the meantime."""
        one = contests.get(self._db, ruling.contest)
        if not ruling.person.strip():
            raise BenchError("A decision needs a name: give yours first.")
        check_text("reason", ruling.reason, MAX_CHARACTERS["reason"])
        seen = len(one.decisions) if ruling.seen is None else ruling.seen
        if seen != len(one.decisions):
            raise BenchError(
                f"{one.decisions[-1].person} decided on this contest in the meantime: look at it and decide again."
            )
        is_correction = any(part is not None for part in (ruling.question, ruling.answer, ruling.evidence))
        if is_correction and (ruling.withdraw or ruling.decision == "dismiss"):
            raise BenchError(
                "Only an accepted contest corrects the item: leave the correction out, or accept without withdrawing."
            )
        revision = None
        if ruling.decision == "dismiss":
            if ruling.withdraw or not ruling.reason.strip():
                raise BenchError("A dismissal needs a reason, and does not withdraw the item: say why the item stays as it is.")
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
                self._settle(item, ruling, "discard", ruling.reason.strip() or f"contested: {contest.kind.replace('_', ' ')}")
            return None
        changed = self._settle(item, ruling, "accept", "") if _asks_for_change(item, ruling) else item
        same = (changed.question, changed.answers, changed.evidence) == (released.question, released.answers, released.evidence)
        if same or changed.status != "accepted":
            raise BenchError(
                "Accepting a contest needs a correction: change the question, the answer or the evidence, or withdraw the item."
            )
        return changed.revision

    def _settle(self, item: Item, ruling: ContestRuling, decision: Literal["accept", "discard"], reason: str) -> Item:
        """Store the decision on the item as the review page does. Raises BenchError if it does not take effect at once."""
        reading = DocumentCache(self._db)
        is_accept, quotes = decision == "accept", ruling.evidence
        request = DecisionRequest(
            key=derived_id("contest", ruling.contest, item.revision, item.status, repr(ruling)),
            person=ruling.person,
            item=item.id,
            revision=item.revision,
            decision=decision,
            question=item.question if ruling.question is None else ruling.question,
            answer=(item.answers[0] if item.answers else "") if ruling.answer is None else ruling.answer,
            evidence=find_passages(item, quotes, reading) if is_accept and quotes is not None else item.evidence,
            reason=reason,
            comment=f"contest {ruling.contest}",
            label_answers=label_questions.load_effective_answers(self._db).get(item.id) if is_accept else None,
            seen=item.status,
        )
        settled = self._reviews.settle(request).item
        if settled.status != ("accepted" if is_accept else "discarded"):
            raise BenchError(
                f"Several people decide on item {item.id}, so your decision on it is one opinion: the contest stays open until "
                "the item is decided."
            )
        return settled


def _build(release: str, hash_: str, new: NewContest, source: Literal["file", "app"]) -> Contest:
    """Return the contest, checked. Raises BenchError if it cannot be stored."""
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


def find_passages(item: Item, quotes: Sequence[str], reading: DocumentCache) -> tuple[Span, ...]:
    """Return the places of the quotes in the item's documents; white space may differ, and an empty quote is left out. Raises
    BenchError if a quote is not there, or stands in several places."""
    own = {_join_words(reading.text(span)): span for span in item.evidence}
    spans = []
    for quote in map(_join_words, quotes):
        if not quote:
            continue
        if quote not in own:
            pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
            places = [
                Span(name, match.start(), match.end())
                for name in reading.documents_of(item)
                for match in pattern.finditer(reading.document(name).text)
            ]
            if len(places) != 1:
                where = f"stand in {len(places)} places" if places else "do not stand"
                raise BenchError(
                    f"The words “{quote[:60]}” {where} in the item's documents: copy a passage that is there once."
                )
            own[quote] = places[0]
        spans.append(own[quote])
    return tuple(sorted(set(spans)))


def _join_words(text: str) -> str:
    return " ".join(text.split())


def _asks_for_change(item: Item, ruling: ContestRuling) -> bool:
    """Return whether the ruling may change the item, or bring it back."""
    return item.status != "accepted" or any(part is not None for part in (ruling.question, ruling.answer, ruling.evidence))


def _read_file(raw: bytes, file: str) -> dict[str, Any]:
    """Return the content of a contest file. Raises BenchError if it is none."""
    if len(raw) > MAX_FILE_BYTES:
        raise BenchError(f"{file} is larger than {MAX_FILE_BYTES:,} bytes: save fewer contests in a file.")
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError):
        raise BenchError(f"{file} is not JSON: save it again on the page index.html of the release.") from None
    is_ours = isinstance(content, dict) and content.get("format") == FILE_FORMAT and content.get("version") == 1
    if not is_ours or not isinstance(content.get("contests"), list) or not {"release", "hash"} <= content.keys():
        raise BenchError(f"{file} is no file of contests: save one on the page index.html of a release (`{COMMAND} export`).")
    if len(content["contests"]) > MAX_CONTESTS:
        raise BenchError(f"{file} has more than {MAX_CONTESTS:,} contests: save fewer in a file.")
    return content


def _read_contest(record: object) -> NewContest:
    """Return one contest of a file. Raises BenchError if it is of another form."""
    names = ("item", "kind", "answer", "reason", "name")
    if not isinstance(record, dict) or not all(isinstance(record.get(name, ""), str) for name in names):
        raise BenchError(f"It needs the texts {', '.join(names)}: save the file again.")
    item, kind, answer, reason, person = (str(record.get(name, "")) for name in names)
    return NewContest(item=item, kind=cast(ContestKind, kind), answer=answer, reason=reason, person=person)
