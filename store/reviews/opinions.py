"""Several people's opinions on one draft: each a review with, after an edit, a revision of its own beside the draft. When all
that are wanted are in and equal, they decide; else somebody decides between them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from core.label_questions import LABEL_ANSWERS, LabelQuestion, is_agreed, join_answers, read_label_answers
from core.nouns import Decision, Item, Review, Status
from core.quality import crag
from store.engine.columns import Fetch, current_time, fetch_from, insert_rows, pair_key
from store.engine.database import Cursor, Database
from store.items import items
from store.queue import leases, queue_rules
from store.queue.effective_reviews import select_effective
from store.queue.kind import ANY_KIND, ItemKind, build_kind_condition
from store.queue.queue import IS_QUEUED, WAITING_STATUS
from store.queue.queue_rules import QueueRules
from store.reviews import label_questions
from store.reviews.review_rows import COLUMNS, insert, insert_new, review_of

COLUMNS_OF_ONE = {"key": "VARCHAR", "item": "VARCHAR", "person": "VARCHAR", "review": "VARCHAR"}
"""Of a row that says whose opinion stands."""
STATUS: dict[str, Status] = {"accept": "accepted", "discard": "discarded"}
"""What a decision makes of its item."""
_DISPUTED = f"s.status = '{WAITING_STATUS}' AND s.given >= s.wanted AND {IS_QUEUED}"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person would make of a draft."""

    review: Review
    item: Item
    """The draft in that person's words: the draft itself without an edit."""


class DisputedCount(NamedTuple):
    """Items whose opinions are all in and differ, as one person finds them."""

    left: int
    """Free for this person to decide on."""
    held: int
    """Held by others who decide on them."""
    own: int
    """Not for this person to decide on: one of the opinions is theirs."""


def add_opinion(cursor: Cursor, review: Review, draft: Item, edited: Item | None) -> Review:
    """Store an opinion on the draft, in the place of the one that this person gave before; returns it as stored. It decides
    when it is the last that is wanted, and all are equal."""
    if edited is not None:
        review = replace(review, revision=items.append_opinion(cursor, edited, review.person, review.at).revision)
    stored = replace(review, role="opinion")
    insert_new(cursor, stored)
    recount(cursor, draft.id)
    settle_items(cursor, [draft.id], review.person, review.at, "unanimous")
    return stored


def load_opinions_on(fetch: Fetch, item: str) -> list[Opinion]:
    """The opinions that stand on a draft that waits, in the order they were given."""
    found = _load_effective(fetch, item)
    words = {one.revision: one for one in items.fetch_revisions(fetch, [(item, r.revision, WAITING_STATUS) for r in found])}
    return [Opinion(review, words[review.revision]) for review in found if review.revision in words]


def load_own_opinion(fetch: Fetch, item: str, person: str) -> Opinion | None:
    """That person's standing opinion on a draft that waits; None when there is none."""
    if not fetch("SELECT 1 FROM opinion WHERE key = ?", [pair_key(person, item)]):
        return None
    return next((one for one in load_opinions_on(fetch, item) if one.review.person == person), None)


def list_disputed(
    database: Database,
    person: str,
    limit: int,
    after: str | None = None,
    *,
    at: str = "",
    with_own: bool = False,
    kind: ItemKind = ANY_KIND,
) -> tuple[int, list[str]]:
    """(how many items' opinions are all in and differ, `limit` of those of the kind that this person gave no opinion on), in
    the queue's order; those behind `after`, then the others. `with_own`: of all of them, those that one of the opinions on is
    this person's last. Those that others hold to decide on are left out."""
    of_kind, params = build_kind_condition(kind)
    [(n,)] = database.rows(f"SELECT count(*) FROM state s WHERE {_DISPUTED}")
    rows = database.rows(
        f"""
        WITH own AS (
            SELECT item FROM opinion WHERE person = ?
        )
        SELECT s.item
        FROM state s
        WHERE {_DISPUTED} AND {of_kind} AND (? OR s.item NOT IN (SELECT item FROM own)) AND s.item IS DISTINCT FROM ?
            AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY s.item IN (SELECT item FROM own), s.place,
            coalesce(s.number < (SELECT number FROM state WHERE item = ?), false), s.number
        LIMIT ?
        """,
        [person, *params, with_own, after, leases.list_deciding_items(database.rows, person, at) if at else [], after, limit],
    )
    return n, [row[0] for row in rows]


def count_disputed(
    database: Database, person: str, at: str, with_own: bool = False, kind: ItemKind = ANY_KIND
) -> DisputedCount:
    """How much of the kind there is to decide between for this person."""
    of_kind, params = build_kind_condition(kind)
    [(left, held, own)] = database.rows(
        f"""
        WITH own AS (
            SELECT item FROM opinion WHERE person = ? AND NOT ?
        ), found AS (
            SELECT s.item IN (SELECT item FROM own) AS is_own, s.item IN (SELECT unnest(?::VARCHAR[])) AS is_held
            FROM state s
            WHERE {_DISPUTED} AND {of_kind}
        )
        SELECT
            count(*) FILTER (NOT is_own AND NOT is_held), count(*) FILTER (NOT is_own AND is_held), count(*) FILTER (is_own)
        FROM found
        """,
        [person, with_own, leases.list_deciding_items(database.rows, person, at), *params],
    )
    return DisputedCount(left, held, own)


def count_missing(database: Database, item: str) -> int:
    """How many more opinions are wanted on it; 0 when it waits for none."""
    rows = database.rows(f"SELECT wanted - given FROM state WHERE item = ? AND status = '{WAITING_STATUS}'", [item])
    return max(0, rows[0][0]) if rows else 0


def is_disputed(database: Database, item: str) -> bool:
    """Whether it waits to be decided between opinions."""
    return bool(database.rows(f"SELECT 1 FROM state s WHERE s.item = ? AND {_DISPUTED}", [item]))


def load_decided_opinions(fetch: Fetch, decision: Review) -> list[Opinion]:
    """The opinions that a decision is of, in the order they were given."""
    of = list(decision.details.get("of", ()))
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE id IN (SELECT unnest(?::VARCHAR[])) ORDER BY number", [of])
    found = [review_of(row) for row in rows]
    words = {one.revision: one for one in items.fetch_revisions(fetch, [(r.item, r.revision, WAITING_STATUS) for r in found])}
    return [Opinion(review, words[review.revision]) for review in found if review.revision in words]


def recount(cursor: Cursor, item: str) -> None:
    """The rows that follow from the reviews of a draft that waits: whose opinions stand, and how many."""
    found = _load_effective(fetch_from(cursor), item)
    cursor.execute("DELETE FROM opinion WHERE item = ?", [item])
    insert_rows(cursor, "opinion", COLUMNS_OF_ONE, ((pair_key(r.person, item), item, r.person, r.id) for r in found))
    cursor.execute("UPDATE state SET given = ? WHERE item = ?", [len(found), item])


def forget_opinions(cursor: Cursor, item: str) -> None:
    """The item is decided: who gave an opinion is told by the reviews alone."""
    cursor.execute("UPDATE state SET given = 0 WHERE item = ?", [item])
    cursor.execute("DELETE FROM opinion WHERE item = ?", [item])


def settle_items(cursor: Cursor, wanted: Iterable[str], person: str, at: str, source: str) -> list[str]:
    """Decide those of the drafts on which all opinions are in and equal, on record under that person; returns them."""
    fetch = fetch_from(cursor)
    settled = []
    for item in wanted:
        rows = fetch(f"SELECT 1 FROM state s WHERE s.item = ? AND {_DISPUTED}", [item])
        found = load_opinions_on(fetch, item) if rows else []
        questions = load_asked_questions(fetch, found)
        if found and all(are_equal(one, other, questions) for one, other in combinations(found, 2)):
            _settle(cursor, found, person, at, source, questions)
            settled.append(item)
    return settled


def set_rules(database: Database, rules: QueueRules, by: str, at: str | None = None) -> int:
    """Put rules of the queue on record and on all that waits, and decide what is enough now; returns how many items wait for
    another number of people, or in another place."""
    at = at or current_time()

    def write(cursor: Cursor) -> int:
        changed = queue_rules.insert(cursor, rules, by, at)
        full = fetch_from(cursor)(f"SELECT s.item FROM state s WHERE {_DISPUTED} ORDER BY s.number", [])
        settle_items(cursor, [row[0] for row in full], by, at, "fewer wanted")
        return changed

    return database.write(write)


def are_equal(a: Opinion, b: Opinion, questions: Sequence[LabelQuestion] = ()) -> bool:
    """Whether two opinions come to the same: both discard, or both accept the same words and evidence, and answered these label
    questions alike."""
    if a.review.decision != b.review.decision:
        return False
    is_alike = is_agreed(questions, read_label_answers(a.review.details), read_label_answers(b.review.details))
    return a.review.decision == "discard" or (edited_fields(a.item) == edited_fields(b.item) and is_alike)


def load_asked_questions(fetch: Fetch, found: Sequence[Opinion]) -> list[LabelQuestion]:
    """The label questions, where one of these opinions answers any."""
    return label_questions.fetch_questions(fetch) if any(LABEL_ANSWERS in one.review.details for one in found) else []


def edited_fields(item: Item) -> tuple[Any, ...]:
    """What people edit of an item."""
    return item.question, item.answers, item.evidence, item.domain, *(item.labels.get(name) for name in crag.LABELS)


def fetch_base(fetch: Fetch, item: str) -> int:
    """The revision that an item has when nothing decided between opinions on it, or that decision's while it stands."""
    made = fetch("SELECT revision, base FROM revision WHERE item = ?", [item])
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])
    return find_base(dict(made), select_effective([review_of(row) for row in rows]))


def find_base(revisions: Mapping[int, int | None], stand: Sequence[Review]) -> int:
    """As base_revision, of an item with those revisions (revision -> its base) and reviews that stand."""
    plain = max(revision for revision, base in revisions.items() if base is None)
    return max([plain, *(review.revision for review in stand if review.role in ("settled", "adjudicated"))])


def _settle(
    cursor: Cursor, found: Sequence[Opinion], person: str, at: str, source: str, questions: Sequence[LabelQuestion]
) -> None:
    last, chosen = found[-1].review, found[-1].item
    decision: Decision = last.decision
    [(current,)] = fetch_from(cursor)("SELECT revision FROM state WHERE item = ?", [last.item])
    revision = current
    if decision == "accept" and chosen.revision != current:
        new = items.append(cursor, replace(chosen, revision=current), last.person, at, base=current)
        if new is None:
            raise RuntimeError(f"the state of {last.item} changed within one transaction")
        revision = new.revision
    reasons = {one.review.reason for one in found}
    of = [one.review.id for one in found]
    answers = join_answers(questions, [read_label_answers(one.review.details) for one in found])
    insert(
        cursor,
        [
            Review(
                f"{last.id}:settled",
                last.item,
                revision,
                person,
                decision,
                reasons.pop() if len(reasons) == 1 else "",
                at=at,
                details={"source": source, "of": of, **({LABEL_ANSWERS: answers} if answers else {})},
                role="settled",
            )
        ],
    )
    cursor.execute("UPDATE state SET status = ? WHERE item = ?", [STATUS[decision], last.item])
    forget_opinions(cursor, last.item)
    cursor.execute("DELETE FROM assignment WHERE item = ?", [last.item])


def _load_effective(fetch: Fetch, item: str) -> list[Review]:
    """The last opinion of each person that stands, on the words that wait; in the order they were given."""
    rows = fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])
    bases: dict[int, int] = dict(fetch("SELECT revision, coalesce(base, revision) FROM revision WHERE item = ?", [item]))
    [(current,)] = fetch("SELECT revision FROM state WHERE item = ?", [item])
    last = {
        r.person: r
        for r in select_effective([review_of(row) for row in rows])
        if r.role == "opinion" and bases.get(r.revision) == current
    }
    order = {row[0]: place for place, row in enumerate(rows)}
    return sorted(last.values(), key=lambda r: order[r.id])
