"""Store the opinions of several people on one draft, and decide the draft once all opinions are given. Each opinion is a review
and, if the person edited the text, also a separate revision of the draft. When all needed opinions are given and equal, the
item is decided automatically; if they differ, a person decides between them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from core.as_json import Json
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
from store.queue.state_row import fetch_state_row, fetch_state_rows
from store.reviews import label_questions
from store.reviews.review_rows import COLUMNS, fetch_reviews, insert, insert_new, review_from_row

OPINION_COLUMNS = "key, item, person, review"
"""Names of the columns of the table with the opinions that are in effect."""
STATUS: dict[str, Status] = {"accept": "accepted", "discard": "discarded"}
"""Dict from a decision to the status that the item gets through it."""
_DISPUTED = f"s.status = '{WAITING_STATUS}' AND s.given >= s.wanted AND {IS_QUEUED}"


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's opinion on a draft that is in effect."""

    review: Review
    item: Item
    """The draft with the person's edits, or the unchanged draft if the person edited nothing."""


class DisputedCount(NamedTuple):
    """Numbers of disputed items for one person. An item is disputed if all needed opinions are given and differ."""

    left: int
    """Number of disputed items that the person may decide now."""
    held: int
    """Number of disputed items that other people have reserved in order to decide them."""
    own: int
    """Number of disputed items that the person may not decide, because the person gave one of the opinions."""


def add_opinion(cursor: Cursor, review: Review, draft: Item, edited: Item | None) -> Review:
    """Store the person's opinion on the draft, replacing an earlier one; return the stored review. If all needed opinions are
    then given and equal, the item is decided."""
    if edited is not None:
        review = replace(review, revision=items.append_opinion(cursor, edited, review.person, review.at).revision)
    stored = replace(review, role="opinion")
    insert_new(cursor, stored)
    recount(cursor, draft.id)
    settle_items(cursor, [draft.id], review.at, "unanimous")
    return stored


def load_opinions_on(fetch: Fetch, item: str) -> list[Opinion]:
    """Return the opinions on a waiting draft that are in effect, in the order in which they were given."""
    return _add_words(fetch, _fetch_effective(fetch, item))


def load_own_opinion(database: Database, item: str, person: str) -> Opinion | None:
    """Return the person's opinion on a waiting draft, or None if the person has no opinion that is in effect."""
    if not leases.has_opinion(database, item, person):
        return None
    return next((opinion for opinion in load_opinions_on(database.rows, item) if opinion.review.person == person), None)


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
    """Return (number of disputed items, the ids of at most `limit` of them). An item is disputed if it has all needed opinions
    and they differ. The ids are in the order of the review queue and begin with the items after `after`. Items on which the
    person gave an opinion are left out; with `with_own`, they come last instead. If `at` is given, the items that other people
    have reserved at this time are left out."""
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
    """Return the numbers of disputed items of the kind, as they concern the given person. An item is disputed if it has all
    needed opinions and they differ."""
    of_kind, params = build_kind_condition(kind)
    [(left, held, own)] = database.rows(
        f"""
        WITH own AS (
            SELECT item FROM opinion WHERE person = ? AND NOT ?
        ), disputed AS (
            SELECT s.item IN (SELECT item FROM own) AS is_own, s.item IN (SELECT unnest(?::VARCHAR[])) AS is_held
            FROM state s
            WHERE {_DISPUTED} AND {of_kind}
        )
        SELECT
            count(*) FILTER (NOT is_own AND NOT is_held), count(*) FILTER (NOT is_own AND is_held), count(*) FILTER (is_own)
        FROM disputed
        """,
        [person, with_own, leases.list_deciding_items(database.rows, person, at), *params],
    )
    return DisputedCount(left, held, own)


def count_missing(database: Database, item: str) -> int:
    """Return how many opinions the item still needs; 0 if it is not waiting for opinions."""
    row = fetch_state_row(database, item)
    return row.missing_opinions if row else 0


def find_disputed(database: Database, items: Sequence[str]) -> set[str]:
    """Return the ids of those items that wait for a person's decision because the opinions on them differ."""
    return {row.item for row in fetch_state_rows(database, items) if row.is_queued and row.is_disputed}


def load_decided_opinions(fetch: Fetch, decision: Review) -> list[Opinion]:
    """Return the opinions on which the decision about an item is based, in the order in which they were given."""
    sql = f"SELECT {COLUMNS} FROM review WHERE id IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    return _add_words(fetch, [review_from_row(row) for row in fetch(sql, [list(decision.details.get("of", ()))])])


def _add_words(fetch: Fetch, reviews: Sequence[Review]) -> list[Opinion]:
    """Build opinions from reviews of one item, each with the text of its revision."""
    revisions = [(review.item, review.revision, WAITING_STATUS) for review in reviews]
    words = {item.revision: item for item in items.fetch_revisions(fetch, revisions)}
    return [Opinion(review, words[review.revision]) for review in reviews if review.revision in words]


def recount(cursor: Cursor, item: str) -> None:
    """Store the opinions on a waiting draft that are in effect again, as computed from its reviews, and update their number in
    the draft's state row."""
    reviews = _fetch_effective(fetch_from(cursor), item)
    cursor.execute("DELETE FROM opinion WHERE item = ?", [item])
    insert_rows(cursor, "opinion", OPINION_COLUMNS, ((pair_key(r.person, item), item, r.person, r.id) for r in reviews))
    cursor.execute("UPDATE state SET given = ? WHERE item = ?", [len(reviews), item])


def forget_opinions(cursor: Cursor, item: str) -> None:
    """Delete the opinions on a decided item from the table of opinions in effect. The opinions stay stored as reviews."""
    cursor.execute("UPDATE state SET given = 0 WHERE item = ?", [item])
    cursor.execute("DELETE FROM opinion WHERE item = ?", [item])


def settle_items(cursor: Cursor, ids: Iterable[str], at: str, source: str, ruled_by: str = "") -> list[str]:
    """Decide those given drafts on which all needed opinions are given and equal, in the name of the person who gave the last
    opinion; return their ids. `ruled_by` is the person who changed the rules so that the opinions are enough, if somebody
    did."""
    fetch = fetch_from(cursor)
    settled = []
    for item in ids:
        row = fetch_state_row(cursor, item)
        opinions = load_opinions_on(fetch, item) if row and row.is_queued and row.is_disputed else []
        questions = load_asked_questions(fetch, opinions)
        if opinions and all(are_equal(a, b, questions) for a, b in combinations(opinions, 2)):
            _settle(cursor, opinions, at, {"source": source, **({"ruled_by": ruled_by} if ruled_by else {})}, questions)
            settled.append(item)
    return settled


def set_rules(database: Database, rules: QueueRules, by: str, at: str | None = None) -> int:
    """Store and apply the rules of the review queue, and decide the items that have enough equal opinions under these rules.
    Return the number of waiting items that now need another number of reviewers or come earlier or later in the queue."""
    at = at or current_time()

    def write(cursor: Cursor) -> int:
        changed = queue_rules.insert(cursor, rules, by, at)
        complete = fetch_from(cursor)(f"SELECT s.item FROM state s WHERE {_DISPUTED} ORDER BY s.number", [])
        settle_items(cursor, [row[0] for row in complete], at, "fewer wanted", ruled_by=by)
        return changed

    return database.write(write)


def are_equal(a: Opinion, b: Opinion, questions: Sequence[LabelQuestion] = ()) -> bool:
    """Check whether two opinions are equal: both discard the item, or both accept it with the same text, evidence and answers
    to the label questions `questions`."""
    if a.review.decision != b.review.decision:
        return False
    has_same_answers = is_agreed(questions, read_label_answers(a.review.details), read_label_answers(b.review.details))
    return a.review.decision == "discard" or (edited_fields(a.item) == edited_fields(b.item) and has_same_answers)


def load_asked_questions(fetch: Fetch, opinions: Sequence[Opinion]) -> list[LabelQuestion]:
    """Return all label questions if at least one opinion has an answer to a label question, otherwise an empty list."""
    has_answers = any(LABEL_ANSWERS in opinion.review.details for opinion in opinions)
    return label_questions.fetch_questions(fetch) if has_answers else []


def edited_fields(item: Item) -> tuple[Any, ...]:
    """Return the values of those fields of an item that people can edit, for comparison."""
    return item.question, item.answers, item.evidence, item.domain, *(item.labels.get(name) for name in crag.LABELS)


def fetch_base(fetch: Fetch, item: str) -> int:
    """Return the number of the revision that should be current according to the item's reviews. The current revision is that of
    a decision between opinions, or else the last revision that was not written as part of an opinion."""
    bases: dict[int, int | None] = dict(fetch("SELECT revision, base FROM revision WHERE item = ?", [item]))
    return find_base(bases, select_effective(fetch_reviews(fetch, item)))


def find_base(bases: Mapping[int, int | None], effective: Sequence[Review]) -> int:
    """Return the number of the current revision like `fetch_base`, but without a query. `bases` is a dict from revision to the
    revision that it was based on, or None; `effective` are the item's reviews that are in effect."""
    plain = max(revision for revision, base in bases.items() if base is None)
    return max([plain, *(review.revision for review in effective if review.role in ("settled", "adjudicated"))])


def _settle(
    cursor: Cursor, opinions: Sequence[Opinion], at: str, facts: Mapping[str, Json], questions: Sequence[LabelQuestion]
) -> None:
    last, chosen = opinions[-1].review, opinions[-1].item
    decision: Decision = last.decision
    [(current,)] = fetch_from(cursor)("SELECT revision FROM state WHERE item = ?", [last.item])
    revision = current
    if decision == "accept" and chosen.revision != current:
        new = items.append(cursor, replace(chosen, revision=current), last.person, at, base=current)
        if new is None:
            raise RuntimeError(f"the state of {last.item} changed within one transaction")
        revision = new.revision
    reviews = [opinion.review for opinion in opinions]
    reasons = {review.reason for review in reviews}
    reason = reasons.pop() if len(reasons) == 1 else ""
    answers = join_answers(questions, [read_label_answers(review.details) for review in reviews])
    details = {**facts, "of": [review.id for review in reviews], **({LABEL_ANSWERS: answers} if answers else {})}
    id_ = f"{last.id}:settled"
    insert(cursor, [Review(id_, last.item, revision, last.person, decision, reason, at=at, details=details, role="settled")])
    cursor.execute("UPDATE state SET status = ? WHERE item = ?", [STATUS[decision], last.item])
    forget_opinions(cursor, last.item)
    cursor.execute("DELETE FROM assignment WHERE item = ?", [last.item])


def _fetch_effective(fetch: Fetch, item: str) -> list[Review]:
    """Return each person's last opinion on the item's waiting text, without undone opinions, in the order in which they were
    given."""
    reviews = fetch_reviews(fetch, item)
    bases: dict[int, int] = dict(fetch("SELECT revision, coalesce(base, revision) FROM revision WHERE item = ?", [item]))
    [(current,)] = fetch("SELECT revision FROM state WHERE item = ?", [item])
    last = {r.person: r for r in select_effective(reviews) if r.role == "opinion" and bases.get(r.revision) == current}
    return [r for r in reviews if last.get(r.person) is r]
