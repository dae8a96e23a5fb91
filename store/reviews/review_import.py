"""Reviews that were made in another workspace come in, with the words that they are on: append-only like all, in the order in
which they were made. They count from now on, as if those people had decided here just now: what came in last is last, and where
several people are wanted a decision is one opinion."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS, LabelQuestion, check_answers
from core.nouns import Review, Status
from core.person_name import fold_name, is_same_person
from core.text.frames import is_filled
from store.engine.columns import Fetch, fetch_from, split_in_batches
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items import frames, items
from store.queue.queue import IS_QUEUED, WAITING_STATUS
from store.reviews import label_questions, names, opinions, state
from store.reviews.review_rows import insert
from store.reviews.reviews import STATUS, filter_decided_in_phases
from store.reviews.rewrites import HUMAN


class ImportedReviews(NamedTuple):
    """What became of reviews from elsewhere."""

    added: list[str]
    already: list[str]
    """Ids that were there."""
    refused: list[tuple[str, str]]
    """(id, the end of a sentence that says why)."""
    reworded: list[str]
    """Items that have revisions from there now."""


class _Compared(NamedTuple):
    """Revisions from elsewhere beside those here."""

    lacking: list[Revision]
    """Those that can be stored here, oldest first."""
    others: frozenset[tuple[str, int]]
    """(item, revision) of those that have other words here, or build on such."""


def import_reviews(database: Database, found: Sequence[Review], history: Sequence[Revision] = ()) -> ImportedReviews:
    """Store those of items and variants that are here, with the revisions of `history` that are not, and the state that
    follows; the same ids again change nothing."""
    in_order = sorted(found, key=lambda r: (r.at, r.id))

    def write(cursor: Cursor) -> ImportedReviews:
        known = names.spell_names(cursor, (one.person for one in in_order))
        spelled = {fold_name(name): name for name in known.values()}  # who made a revision may be an agent
        return _bring_in(
            cursor,
            [replace(one, person=known[one.person]) for one in in_order],
            [replace(one, by=spelled.get(fold_name(one.by), one.by)) for one in history],
        )

    return database.write(write)


def _bring_in(cursor: Cursor, found: Sequence[Review], history: Sequence[Revision]) -> ImportedReviews:
    fetch = fetch_from(cursor)
    ids = dict.fromkeys([*(one.item for one in found), *(one.item for one in history)])
    latest = _numbers(fetch, "SELECT item, latest FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", ids)
    among = "s.item IN (SELECT unnest(?::VARCHAR[]))"
    variants = _numbers(fetch, "SELECT id, revision FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))", ids)
    phased = filter_decided_in_phases(fetch, latest)
    for_several = f"s.status = '{WAITING_STATUS}' AND s.wanted > 1"
    several = _numbers(fetch, f"SELECT s.item, s.wanted FROM state s WHERE {for_several} AND {among}", ids)
    own = _waiting_rewrites(fetch, variants)
    words = _compare(fetch, [one for one in history if one.item in latest and one.item not in phased], latest)
    begun = frames.fetch_frames(fetch, latest)
    items.restore(cursor, words.lacking)
    answers = {(one.item, one.revision): next(iter(one.answers), "") for one in items.fetch_history(fetch, begun)}
    latest |= {one.item: one.revision for one in words.lacking}
    sql = "SELECT id, item, person, decision FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0]: row[1:] for piece in split_in_batches(r.id for r in found) for row in fetch(sql, [piece])}
    waiting = f"s.status = '{WAITING_STATUS}' AND NOT {IS_QUEUED}"
    in_phases = _numbers(fetch, f"SELECT s.item, 1 FROM state s WHERE {waiting} AND {among}", ids)
    came = ImportedReviews([], [], [], list({one.item: None for one in words.lacking}))
    taken: list[Review] = []
    questions = label_questions.fetch_questions(fetch)
    for review in found:
        known = latest.get(review.item, variants.get(review.item))
        if review.id in stored:
            if stored[review.id] == (review.item, review.person, review.decision):
                came.already.append(review.id)
            else:
                came.refused.append((review.id, f"has the id {review.id} of another decision here"))
        elif known is None:
            came.refused.append((review.id, f"is on {review.item}, which is not in this workspace: import the items first"))
        elif review.item in in_phases:
            came.refused.append((review.id, f"is on {review.item}, a web question that waits in Two phases here: decide there"))
        elif review.item in phased:
            why = f"is on {review.item}, a web question that was decided in Two phases here: take that decision back first"
            came.refused.append((review.id, why))
        elif review.decision == "accept" and is_same_person(own.get(review.item, ""), review.person):
            why = f"accepts {review.item}, {review.person}'s own rewrite, which waits here for somebody else"
            came.refused.append((review.id, why))
        elif (review.item, review.revision) in words.others:
            came.refused.append((review.id, f"is on revision {review.revision} of {review.item}, which has other words here"))
        elif review.revision > known:
            why = f"is on revision {review.revision} of {review.item}, which is at revision {known} here"
            came.refused.append((review.id, why))
        elif (
            review.decision == "accept"
            and review.item in begun
            and not is_filled(answers.get((review.item, review.revision), ""), *begun[review.item])
        ):
            came.refused.append((review.id, f"accepts {review.item}, a frame to fill whose answer is still the frame's words"))
        elif why := _unfit_answers(questions, review):
            came.refused.append((review.id, why))
        else:
            came.added.append(review.id)
            if review.role in ("settled", "adjudicated"):
                several.pop(review.item, None)  # what one person decides after that is no opinion there either
            taken.append(replace(review, role="opinion") if review.role == "" and review.item in several else review)
    insert(cursor, taken)
    changed = list(dict.fromkeys([*(one.item for one in taken if one.item in latest), *came.reworded]))
    state.update_items(cursor, changed)
    _settle(cursor, changed)
    _follow_variants(cursor, {r.item: STATUS[r.decision] for r in taken if r.item in variants})
    return came


def _unfit_answers(questions: Sequence[LabelQuestion], review: Review) -> str:
    """Why its answers to label questions are none of those here, as the end of a sentence; "" where they are. What is answered
    to a question that is not known here is kept."""
    given = review.details.get(LABEL_ANSWERS)
    if given is None:
        return ""
    if not isinstance(given, Mapping):
        return f"has {LABEL_ANSWERS} that are no JSON object"
    known = {question.name: question for question in questions}
    try:
        check_answers(questions, {name: answer for name, answer in given.items() if name in known})
    except BenchError as error:
        return f"has an answer that is none here: {str(error).rstrip('.')}"
    return ""


def _compare(fetch: Fetch, history: Iterable[Revision], latest: Mapping[str, int]) -> _Compared:
    """Which of those revisions are not here and fit behind those that are. Where one has other words here, none behind it
    fits."""
    theirs = sorted(history, key=lambda one: (one.item, one.revision))
    ours = {(one.item, one.revision): one for one in items.fetch_history(fetch, {one.item: None for one in theirs})}
    sql = "SELECT id FROM document WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    wanted = {span.document: None for one in theirs for span in one.evidence}
    documents = {row[0] for piece in split_in_batches(wanted) for row in fetch(sql, [piece])}
    lacking: list[Revision] = []
    others: set[tuple[str, int]] = set()
    parted: set[str] = set()
    known = set(ours)
    for one in theirs:
        key = (one.item, one.revision)
        is_same = key in ours and _words(ours[key]) == _words(one)
        fits = one.revision > latest[one.item] and (one.base is None or (one.item, one.base) in known)
        if one.item in parted or not (is_same or (fits and all(span.document in documents for span in one.evidence))):
            parted.add(one.item)
            others.add(key)
        elif not is_same:
            lacking.append(one)
            known.add(key)
    return _Compared(lacking, frozenset(others))


def _words(one: Revision) -> tuple[Any, ...]:
    return one.question, one.answers, frozenset(one.evidence), one.base


def _settle(cursor: Cursor, changed: Sequence[str]) -> None:
    """Where fewer people are wanted here than there, equal opinions can be enough."""
    fetch = fetch_from(cursor)
    sql = "SELECT item FROM state WHERE status = 'drafted' AND given >= wanted AND item IN (SELECT unnest(?::VARCHAR[]))"
    for (item,) in fetch(sql, [list(changed)]):
        last = opinions.load_opinions_on(fetch, item)[-1].review
        opinions.settle_items(cursor, [item], last.person, last.at, "fewer wanted")


def _waiting_rewrites(fetch: Fetch, variants: Iterable[str]) -> dict[str, str]:
    """Rewrite -> who wrote it, of those that wait for a second person."""
    sql = f"""
        SELECT id, generator
        FROM variant
        WHERE kind = '{HUMAN}' AND status <> 'accepted' AND json_extract(checks, '$.near') IS NOT NULL
            AND id IN (SELECT unnest(?::VARCHAR[]))
        """
    return {row[0]: row[1] for piece in split_in_batches(variants) for row in fetch(sql, [piece])}


def _follow_variants(cursor: Cursor, last: Mapping[str, Status]) -> None:
    """The variants take the status of the last decision on them."""
    cursor.execute(
        """
        UPDATE variant SET status = came.status
        FROM (SELECT unnest(?::VARCHAR[]) AS one, unnest(?::VARCHAR[]) AS status) came
        WHERE variant.id = came.one
        """,
        [list(last), list(last.values())],
    )


def _numbers(fetch: Fetch, sql: str, ids: Iterable[str]) -> dict[str, int]:
    """Id -> the number that the query gives, of those that there are."""
    return {row[0]: row[1] for piece in split_in_batches(ids) for row in fetch(sql, [piece])}
