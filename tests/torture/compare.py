"""The workspace against the journal: what was acknowledged and is not there, what is there twice, what two people were given
at once, what belongs to nothing, what somebody did who may not, and secrets in what the app writes down."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from core.nouns import Review, Span
from store.engine.database import Database
from store.items import items
from store.queue import leases, next_item
from store.queue.kind import ItemKind
from store.reviews import reviews, unsent_edits
from store.reviews.state import list_differences
from tests.torture.journal import Act, End, Jump

AT_THE_DOOR = (401, 403, 429)
"""Status of what the gate refuses."""


@dataclass
class Found:
    """Sentences on what is wrong, by kind; all empty when nothing is."""

    lost: list[str] = field(default_factory=list)
    lost_words: list[str] = field(default_factory=list)
    """Of what was typed and not submitted."""
    duplicated: list[str] = field(default_factory=list)
    double_assigned: list[str] = field(default_factory=list)
    orphaned: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    """Of what somebody did who may not."""
    leaked: list[str] = field(default_factory=list)
    """Of secrets that stand where they can be read."""
    stuck: list[str] = field(default_factory=list)
    """People who were never answered, or stopped over something that nobody expected."""

    @property
    def is_clean(self) -> bool:
        return not any(vars(self).values())

    def add(self, other: "Found") -> None:
        for name, sentences in vars(other).items():
            getattr(self, name).extend(sentences)


def compared(database: Database, acts: Sequence[Act], jumps: Sequence[Jump] = (), ends: Sequence[End] = ()) -> Found:
    """All of it, after the last act."""
    found = Found()
    stored = kept(database, acts, found)
    decided(database, acts, stored, found)
    let_in(database, acts, stored, ends, found)
    acts = [act for act in acts if not has_ended(act, ends)]
    words(database, acts, found)
    held_twice(acts, jumps, dict(database.rows("SELECT item, wanted FROM state")), found)
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    found.double_assigned += held_by_many(database, at)
    found.orphaned += held_for_ever(database, at)
    for item, what in list_differences(database):
        found.orphaned.append(f"the state of {item} is not what its history gives: {what}")
    for item, person in database.rows("SELECT item, person FROM scratch WHERE item NOT IN (SELECT item FROM state)"):
        found.orphaned.append(f"words of {person}'s are on {item}, which is not an item")
    return found


def kept(database: Database, acts: Sequence[Act], found: Found) -> list[Review]:
    """What was acknowledged is there, as it was sent; true at every moment. Returns all decisions."""
    stored = reviews.load_reviews(database, [row[0] for row in database.rows("SELECT item FROM state")])
    by_key = {review.id: review for review in stored}
    texts = {(one.item, one.revision): one for one in items.load_history(database, {one.item for one in stored})}
    comments = {row[0]: row[1:] for row in database.rows("SELECT id, item, person, text FROM comment")}
    rewrites = set(database.rows("SELECT item, generator, text, CAST(checks ->> 'seconds' AS DOUBLE) FROM variant"))
    for act in acts:
        if act.outcome != "stored":
            continue
        if act.what == "comment" and comments.get(act.key) != (act.item, act.person, act.question):
            found.lost.append(f"{act.person}'s comment on {act.item} was acknowledged and is not there")
        elif act.what == "rewrite" and (act.item, act.person, act.question, act.seconds) not in rewrites:
            found.lost.append(f"{act.person}'s rewrite of {act.item} was acknowledged and is not there")
        elif act.what in ("decide", "undo", "adjudicate"):
            review = by_key.get(act.key)
            wanted = (act.item, act.person, act.decision or "undo", act.press, act.reason, act.seconds, act.claims)
            if review is None or wanted != told_of(review):
                found.lost.append(f"{act.person}'s {wanted[2]} of {act.item} was acknowledged and is not there ({act.key})")
            elif act.decision == "accept" and (act.question, act.answer, act.evidence) != worded(
                texts.get((review.item, review.revision))
            ):
                found.lost.append(f"{act.person}'s words on {act.item} were acknowledged and are not there ({act.key})")
    return stored


def told_of(review: Review) -> tuple[object, ...]:
    claims = tuple(one["claim"] for one in review.details.get("claims", ()))
    return review.item, review.person, review.decision, review.comment, review.reason, review.seconds, claims


def worded(revision: items.Revision | None) -> tuple[object, ...] | None:
    return None if revision is None else (revision.question, revision.answers[0], placed(revision.evidence))


def placed(spans: Iterable[Span]) -> tuple[tuple[str, int, int], ...]:
    return tuple(sorted({(span.document, span.start, span.end) for span in spans}))


def decided(database: Database, acts: Sequence[Act], stored: Sequence[Review], found: Found) -> None:
    """Decisions and undos that nobody made, and what is there twice."""
    texts = {(one.item, one.revision): one.question for one in items.load_history(database, {one.item for one in stored})}
    told = {act.key: act for act in acts if act.what in ("decide", "undo", "adjudicate")}
    for review in stored:
        made = review.id.removesuffix(":settled")  # what the store adds to the last of equal opinions
        if made not in told:
            found.orphaned.append(f"nobody made the {review.decision} of {review.item} ({review.id})")
        elif review.person != told[made].person:
            who = told[made].person
            found.forbidden.append(f"{who}'s {review.decision} of {review.item} is stored as {review.person}'s ({review.id})")
        elif told[made].outcome == "refused":
            found.orphaned.append(f"the {review.decision} of {review.item} was refused and is there ({review.id})")
    for press, times in Counter(review.comment for review in stored if review.comment).items():
        if times > 1:
            found.duplicated.append(f"the press {press!r} is stored {times} times")
    made_by_a_decision = {(review.item, review.revision) for review in stored}
    for item, revision in texts:
        if revision > 1 and (item, revision) not in made_by_a_decision:
            found.duplicated.append(f"no decision made revision {revision} of {item}: {texts[item, revision]!r}")
    decided_twice(database, stored, found)


def decided_twice(database: Database, stored: Sequence[Review], found: Found) -> None:
    """Decisions on what was decided already, and more opinions than are wanted."""
    wanted: dict[str, int] = dict(database.rows("SELECT item, wanted FROM state"))
    standing: dict[str, str] = {}
    opinions: dict[str, set[str]] = defaultdict(set)
    for review in stored:
        if review.decision == "undo" and review.role == "opinion":
            opinions[review.item].discard(review.person)
        elif review.decision == "undo":
            standing.pop(review.item, None)
        elif review.item in standing:
            found.double_assigned.append(f"{review.item} was decided by {standing[review.item]} and then by {review.person}")
        elif review.role == "opinion":
            opinions[review.item].add(review.person)
            if len(opinions[review.item]) > wanted[review.item]:
                found.double_assigned.append(f"{review.item} has {len(opinions[review.item])} opinions")
        else:
            standing[review.item] = review.person


def has_ended(act: Act, ends: Sequence[End]) -> bool:
    """Whether what was shown gave no right any more when the act began."""
    return any(act.by == end.by and act.began > end.ended for end in ends)


def let_in(database: Database, acts: Sequence[Act], stored: Sequence[Review], ends: Sequence[End], found: Found) -> None:
    """What was done by something that gave no right any more, whether or not it was acknowledged. The door alone may answer it:
    another refusal says that it was let in."""
    keys = {review.id for review in stored} | {row[0] for row in database.rows("SELECT id FROM comment")}
    rewrites = set(database.rows("SELECT item, text FROM variant"))
    for act in (act for act in acts if has_ended(act, ends)):
        if act.outcome == "stored" or (0 < act.status < 500 and act.status not in AT_THE_DOOR):
            found.forbidden.append(f"{act.by} was let in to {act.what} {act.item} and answered {act.status}")
        left = unsent_edits.get(database, act.person, act.item) if act.what == "scratch" else None
        is_typed = left is not None and (left.question, left.answer) == (act.question, act.answer)
        if act.key in keys or (act.what == "rewrite" and (act.item, act.question) in rewrites) or is_typed:
            found.forbidden.append(f"the {act.what} of {act.item} by {act.by} is stored ({act.key})")


def untried(acts: Sequence[Act], ends: Sequence[End], found: Found) -> None:
    """What gives no right and was never tried: then nothing is known of it."""
    found.stuck += [f"nothing tried {by}" for by in list_untried(acts, ends)]


def list_untried(acts: Sequence[Act], ends: Sequence[End]) -> list[str]:
    """What gives no right, and no try of it was answered."""
    answered = {act.by for act in acts if 0 < act.status < 500 and has_ended(act, ends)}
    return [end.by for end in ends if end.by not in answered]


def leaked(database: Database, logs: Iterable[Path], secrets: Mapping[str, str], found: Found) -> None:
    """Secrets in what the app printed, and anywhere in the workspace."""
    texts = [(path.name, path.read_text(encoding="utf-8", errors="replace")) for path in logs]
    for (table,) in database.rows("SELECT table_name FROM duckdb_tables()"):
        rows = database.rows(f'SELECT * FROM "{table}"')
        texts.append((f"the table {table}", "\n".join(str(value) for row in rows for value in row)))
    for name, text in texts:
        found.leaked += [f"the {whose} stands in {name}" for secret, whose in secrets.items() if secret in text]


def words(database: Database, acts: Sequence[Act], found: Found) -> None:
    """What people typed and did not submit: the last that was acknowledged, or what they sent after it; nothing that they had
    submitted comes back."""
    of_pair: dict[tuple[str, str], list[Act]] = defaultdict(list)
    for act in acts:
        if act.what in ("scratch", "decide"):
            of_pair[act.person, act.item].append(act)
    for (person, item), mine in of_pair.items():
        mine.sort(key=lambda act: act.began)
        left = unsent_edits.get(database, person, item)
        there = (left.question, left.answer, left.seconds, placed(left.evidence)) if left else None
        decisions = [act for act in mine if act.what == "decide" and act.outcome == "stored"]
        typed = [act for act in mine if act.what == "scratch" and act.outcome != "refused"]
        later = [act for act in typed if not any(is_part(act, decision) for decision in decisions)]
        last = max((act for act in later if act.outcome == "stored"), key=lambda act: act.began, default=None)
        may_be = {screen(act) for act in later if last is None or act.ended >= last.began}
        in_doubt = any(act.what == "decide" and act.outcome == "unknown" for act in mine)
        if there is None:
            if last is not None and not in_doubt:
                found.lost_words.append(f"{person} typed {last.question!r} on {item}, which was acknowledged and is not there")
        elif there not in may_be:
            before = there in {screen(act) for act in typed}
            if last is not None:
                found.lost_words.append(f"{person} typed {last.question!r} on {item}, and {there[0]!r} stands in its place")
            else:
                was = "submitted before" if before else "typed by nobody"
                found.orphaned.append(f"{there[0]!r}, {was}, stands as {person}'s unsubmitted words on {item}")


def screen(typed: Act) -> tuple[object, ...]:
    return typed.question, typed.answer, typed.seconds, typed.evidence


def is_part(typed: Act, decision: Act) -> bool:
    """Whether the words went into that decision: those of its tab from before it, or the same ones of another."""
    same = (typed.question, typed.answer) == (decision.question, decision.answer)
    return typed.began < decision.began and (typed.tab == decision.tab or same)


def held_twice(acts: Sequence[Act], jumps: Sequence[Jump], wanted: Mapping[str, int], found: Found) -> None:
    """More people than are wanted who were told at once that an item is theirs. What happened to the item while a hold was
    asked for makes that hold uncertain: it is left out."""
    of_item: dict[str, list[Act]] = defaultdict(list)
    for act in acts:
        if act.item in wanted:
            of_item[act.item].append(act)
    for item, on_it in of_item.items():
        on_it.sort(key=lambda act: act.began)
        turns = [act for act in on_it if act.what in ("decide", "undo", "take", "adjudicate")]
        holds = []
        for hold in on_it:
            if hold.what == "take" and hold.outcome == "stored":
                others = [act for act in turns if act is not hold]
            elif hold.what == "hold" and hold.outcome == "stored":
                others = turns
            else:
                continue
            if not any(overlap(hold, other) for other in (*others, *jumps)) and waits(turns, hold.began):
                ends = [act.began for act in (*turns, *jumps) if act.began > hold.ended]
                holds.append((hold, min(ends, default=hold.ended + 10**12)))
        for last, _ in holds:
            who = {hold.person for hold, until in holds if hold.ended < last.began < until} | {last.person}
            if len(who) > wanted[item]:
                others = ", ".join(sorted(who - {last.person}))
                found.double_assigned.append(f"{item} was {others}'s, and {last.person} was told that it is theirs")


def waits(turns: Iterable[Act], place: int) -> bool:
    """Whether the item was undecided then, as far as anybody was told."""
    before = [act for act in turns if act.ended < place and act.what != "take" and act.outcome != "refused"]
    return not before or max(before, key=lambda act: act.ended).what == "undo"


def overlap(a: Act | Jump, b: Act | Jump) -> bool:
    return a.began < b.ended and b.began < a.ended


def held_by_many(database: Database, at: str) -> list[str]:
    """Items that more people hold than they want, at one time of the server's clock."""
    by_item: dict[str, list[str]] = defaultdict(list)
    done = set(database.rows("SELECT item, person FROM opinion"))
    for lease in leases.list_held(database, at=at):
        if (lease.item, lease.person) not in done:
            by_item[lease.item].append(lease.person)
    places: dict[str, int] = dict(database.rows("SELECT item, greatest(wanted - given, 1) FROM state"))
    return [f"{item} is held by {', '.join(who)} at once" for item, who in by_item.items() if len(who) > places[item]]


def held_for_ever(database: Database, at: str) -> list[str]:
    """Leases that are there when everyone has gone home for longer than any may last, and one more person came meanwhile."""
    next_item.claim(database, ItemKind(), "the last to come", at=at, minutes=1)
    left = leases.list_held(database, at=leases.add_minutes(at, leases.MAX_CREDIBLE_MINUTES + 1))
    return [f"{lease.person} goes on holding {lease.item} until {lease.until}" for lease in left]
