"""Import reviews from another workspace, with the revisions that they concern, in the order in which they were made. An
imported review counts as if it were made here now, so it becomes the latest review of its item. If the item needs several
reviewers here, an imported decision counts as one opinion."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS, LabelQuestion, check_answers
from core.nouns import Review, Status
from core.person_name import fold_name, is_same_person
from core.wording.frames import is_filled
from store.engine.columns import Fetch, fetch_from, fetch_in_batches
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items import frames, items
from store.queue.queue import IS_QUEUED, WAITING_STATUS
from store.reviews import label_questions, names, opinions, state
from store.reviews.review_rows import insert
from store.reviews.reviews import STATUS, filter_decided_in_phases
from store.reviews.rewrites import HUMAN


class ImportedReviews(NamedTuple):
    """Result of importing reviews: which reviews were stored now, which were already stored, and which were refused."""

    added: list[str]
    already: list[str]
    """Ids of the imported reviews that were stored before."""
    refused: list[tuple[str, str]]
    """Refused reviews as (id, reason); the reason completes a sentence that begins with the review."""
    reworded: list[str]
    """Ids of items that got new revisions from the other workspace."""


class _RevisionComparison(NamedTuple):
    """Result of comparing imported revisions with stored ones: which revisions can be stored, and which conflict."""

    lacking: list[Revision]
    """Imported revisions that are not stored here yet and can be stored, oldest first."""
    others: frozenset[tuple[str, int]]
    """Imported revisions, as (item, revision), that conflict: they, or an earlier revision of the item, have another text
    here."""


def import_reviews(database: Database, reviews: Sequence[Review], history: Sequence[Revision] = ()) -> ImportedReviews:
    """Store reviews of items and variants that exist here, store missing revisions from `history`, and update the state rows.
    Reviews that are already stored change nothing."""
    in_order = sorted(reviews, key=lambda r: (r.at, r.id))

    def write(cursor: Cursor) -> ImportedReviews:
        spelled = names.spell_names(cursor, (review.person for review in in_order))
        people = {fold_name(name): name for name in spelled.values()}  # agents, who also make revisions, have no entry
        return _import(
            cursor,
            [replace(review, person=spelled[review.person]) for review in in_order],
            [replace(revision, by=people.get(fold_name(revision.by), revision.by)) for revision in history],
        )

    return database.write(write)


def _import(cursor: Cursor, reviews: Sequence[Review], history: Sequence[Revision]) -> ImportedReviews:
    fetch = fetch_from(cursor)
    ids = dict.fromkeys([*(review.item for review in reviews), *(revision.item for revision in history)])
    latest = _fetch_numbers(fetch, "SELECT item, latest FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", ids)
    among = "s.item IN (SELECT unnest(?::VARCHAR[]))"
    variants = _fetch_numbers(fetch, "SELECT id, revision FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))", ids)
    phased = filter_decided_in_phases(fetch, latest)
    for_several = f"s.status = '{WAITING_STATUS}' AND s.wanted > 1"
    several = _fetch_numbers(fetch, f"SELECT s.item, s.wanted FROM state s WHERE {for_several} AND {among}", ids)
    own = _fetch_waiting_rewrites(fetch, variants)
    words = _compare(fetch, [r for r in history if r.item in latest and r.item not in phased], latest)
    begun_as = frames.fetch_frames(fetch, latest)
    items.restore(cursor, words.lacking)
    answers = {(r.item, r.revision): next(iter(r.answers), "") for r in items.fetch_history(fetch, begun_as)}
    latest |= {revision.item: revision.revision for revision in words.lacking}
    sql = "SELECT id, item, person, decision FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0]: row[1:] for row in fetch_in_batches(fetch, sql, (r.id for r in reviews))}
    waiting = f"s.status = '{WAITING_STATUS}' AND NOT {IS_QUEUED}"
    in_phases = _fetch_numbers(fetch, f"SELECT s.item, 1 FROM state s WHERE {waiting} AND {among}", ids)
    outcome = ImportedReviews([], [], [], list({revision.item: None for revision in words.lacking}))
    new: list[Review] = []
    questions = label_questions.fetch_questions(fetch)

    def find_refusal(review: Review) -> str:
        """Return the reason why the review cannot be imported, as the end of a sentence, or "" if it can be imported."""
        item, revision = review.item, review.revision
        newest = latest.get(item, variants.get(item))
        if newest is None:
            return f"is on {item}, which is not in this workspace: import the items first"
        if item in in_phases:
            return f"is on {item}, a web question that waits in Two phases here: decide there"
        if item in phased:
            return f"is on {item}, a web question that was decided in Two phases here: undo that decision first"
        if review.decision == "accept" and is_same_person(own.get(item, ""), review.person):
            return f"accepts {item}, {review.person}'s own rewrite, which another person must accept here"
        if (item, revision) in words.others:
            return f"is on revision {revision} of {item}, which has other words here"
        if revision > newest:
            return f"is on revision {revision} of {item}, which is at revision {newest} here"
        is_frame = review.decision == "accept" and item in begun_as
        if is_frame and not is_filled(answers.get((item, revision), ""), *begun_as[item]):
            return f"accepts {item}, a frame to fill whose answer still repeats the frame's words"
        return _explain_unfit_answers(questions, review)

    for review in reviews:
        if review.id in stored and stored[review.id] == (review.item, review.person, review.decision):
            outcome.already.append(review.id)
        elif review.id in stored:
            outcome.refused.append((review.id, f"has the id {review.id}, which another decision here already has"))
        elif why := find_refusal(review):
            outcome.refused.append((review.id, why))
        else:
            outcome.added.append(review.id)
            if review.role in ("settled", "adjudicated"):
                several.pop(review.item, None)  # later decisions on the item are no opinions
            new.append(replace(review, role="opinion") if review.role == "" and review.item in several else review)
    insert(cursor, new)
    changed = list(dict.fromkeys([*(review.item for review in new if review.item in latest), *outcome.reworded]))
    state.update_items(cursor, changed)
    _settle(cursor, changed)
    _update_variants(cursor, {r.item: STATUS[r.decision] for r in new if r.item in variants})
    return outcome


def _explain_unfit_answers(questions: Sequence[LabelQuestion], review: Review) -> str:
    """Return the reason why the review's answers do not fit this workspace's label questions, as the end of a sentence, or ""
    if they fit. Answers to unknown label questions are accepted."""
    answers = review.details.get(LABEL_ANSWERS)
    if answers is None:
        return ""
    if not isinstance(answers, Mapping):
        return f"has {LABEL_ANSWERS} that are not a JSON object"
    names = {question.name for question in questions}
    try:
        check_answers(questions, {name: answer for name, answer in answers.items() if name in names})
    except BenchError as error:
        return f"has an answer to a label question that is not valid here: {str(error).rstrip('.')}"
    return ""


def _compare(fetch: Fetch, history: Iterable[Revision], latest: Mapping[str, int]) -> _RevisionComparison:
    """Return the imported revisions that are missing here and that follow the stored revisions. If a stored revision has a
    different text, later revisions of that item cannot be stored. `latest` is a dict from item to its newest revision."""
    theirs = sorted(history, key=lambda r: (r.item, r.revision))
    ours = {(r.item, r.revision): r for r in items.fetch_history(fetch, {r.item: None for r in theirs})}
    sql = "SELECT id FROM document WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    cited = {span.document: None for revision in theirs for span in revision.evidence}
    documents = {row[0] for row in fetch_in_batches(fetch, sql, cited)}
    lacking: list[Revision] = []
    others: set[tuple[str, int]] = set()
    diverged: set[str] = set()
    present = set(ours)
    for new in theirs:
        key = (new.item, new.revision)
        is_same = key in ours and _select_words(ours[key]) == _select_words(new)
        fits = new.revision > latest[new.item] and (new.base is None or (new.item, new.base) in present)
        if new.item in diverged or not (is_same or (fits and all(span.document in documents for span in new.evidence))):
            diverged.add(new.item)
            others.add(key)
        elif not is_same:
            lacking.append(new)
            present.add(key)
    return _RevisionComparison(lacking, frozenset(others))


def _select_words(r: Revision) -> tuple[Any, ...]:
    return r.question, r.answers, frozenset(r.evidence), r.base


def _settle(cursor: Cursor, changed: Sequence[str]) -> None:
    """Decide the items that have enough equal opinions after the import; this workspace may need fewer opinions than the other
    one."""
    fetch = fetch_from(cursor)
    sql = "SELECT item FROM state WHERE status = 'drafted' AND given >= wanted AND item IN (SELECT unnest(?::VARCHAR[]))"
    for (item,) in fetch(sql, [list(changed)]):
        last = opinions.load_opinions_on(fetch, item)[-1].review
        opinions.settle_items(cursor, [item], last.at, "fewer wanted")


def _fetch_waiting_rewrites(fetch: Fetch, variants: Iterable[str]) -> dict[str, str]:
    """Return a dict from variant to its writer, for those given variants that are rewrites waiting for the decision of another
    person."""
    sql = f"""
        SELECT id, generator
        FROM variant
        WHERE kind = '{HUMAN}' AND json_extract(checks, '$.near') IS NOT NULL
            AND id IN (SELECT unnest(?::VARCHAR[]))
        """
    return dict(fetch_in_batches(fetch, sql, variants))


def _update_variants(cursor: Cursor, last: Mapping[str, Status]) -> None:
    """Give each variant the status that follows from the last decision on it."""
    cursor.execute(
        """
        UPDATE variant SET status = decided.status
        FROM (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::VARCHAR[]) AS status) decided
        WHERE variant.id = decided.id
        """,
        [list(last), list(last.values())],
    )


def _fetch_numbers(fetch: Fetch, sql: str, ids: Iterable[str]) -> dict[str, int]:
    """Run the query for the ids, and return its rows (id, number) as a dict."""
    return dict(fetch_in_batches(fetch, sql, ids))
