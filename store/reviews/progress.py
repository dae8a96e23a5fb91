"""Compute statistics of the review work, each with one query: decisions by person and time, and edits. Only decisions on items
count, not those on variants, and only if nobody has undone them. Each opinion on an item counts as work of the person who gave
it. What became of drafts, and what they cost, is in store/items/draft_costs.py."""

from collections.abc import Hashable
from typing import Any, NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, WORK

_DECIDED = f"""{WORK}, first AS (
        SELECT item, question, answers
        FROM revision
        WHERE revision = 1 AND item IN (SELECT item FROM work WHERE revision > 1)
    ), edits AS (
        SELECT DISTINCT s.number, a.question, a.answers, f.question AS first_question, f.answers AS first_answers
        FROM work s
        JOIN revision a ON a.key = s.item || '@' || s.revision
        JOIN first f ON f.item = s.item
        WHERE s.decision = 'accept' AND s.revision > 1 AND a.made_by = s.person
            AND json_extract_string(s.details, '$.taken') IS NULL
            AND (a.question, a.answers) IS DISTINCT FROM (f.question, f.answers)
    )"""
"""SQL table `edits`: decisions by which a person accepted a text of their own with a question or answer other than in the first
revision. Accepting another person's text does not count as an edit."""

_COUNTS = """count(*) FILTER (WHERE s.decision = 'accept'), count(*) FILTER (WHERE s.decision = 'discard'), count(e.number),
    count(s.seconds), sum(s.seconds)"""
"""SQL columns for a group of decisions: numbers of accepted, discarded, edited and timed decisions, and active seconds. The
group comes from `work s LEFT JOIN edits e`."""


class DecisionWork(NamedTuple):
    """Numbers of one person's decisions, and the time that they took."""

    person: str
    accepted: int
    discarded: int
    edited: int
    """Number of accepted items in which the person edited the question or an answer."""
    measured: int
    active: float | None
    """Sum of the active seconds, or None if no time was measured."""
    median: float | None
    """Median of the person's active seconds per decision, or None if no time was measured."""


class WordEdit(NamedTuple):
    """An item's text before and after an edit."""

    by: Hashable
    """Name of the person who edited the text, or the (agent, prompt) that drafted it."""
    question: str
    answers: str
    """Answers after the edit, as JSON text."""
    first_question: str
    first_answers: str
    """Answers before the edit, as JSON text."""


class TimeSlot(NamedTuple):
    """The decisions of one person within ten minutes. Slots of ten minutes can be added up to days in any time zone."""

    at: str
    """Start of the ten minutes in UTC, in ISO format without the last digit of the minute."""
    person: str
    accepted: int
    discarded: int
    edited: int
    measured: int
    active: float | None
    """Sum of the active seconds, or None if no time was measured."""


class AcceptedSlot(NamedTuple):
    """The number of items of one kind that were accepted within ten minutes."""

    at: str
    """Start of the ten minutes, written as in `TimeSlot.at`."""
    task: str
    level: Level
    domain: str
    items: int


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever an item, a revision, a decision or an LLM call is stored."""
    [calls] = database.rows("SELECT count(*) FROM call")
    return (*fingerprint_of_work(database), *calls)


def fingerprint_of_work(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever an item, a revision or a decision is stored, but not when an LLM call is stored."""
    [reviews] = database.rows("SELECT count(*), max(number) FROM review")
    [states] = database.rows("SELECT count(*), sum(revision)::BIGINT FROM state")
    return (*reviews, *states)


def load_work(database: Database) -> list[DecisionWork]:
    """Return the numbers of decisions of every person who decided on an item, beginning with the person who made the most."""
    rows = database.rows(
        f"""
        WITH {_DECIDED}
        SELECT s.person, {_COUNTS}, median(s.seconds)
        FROM work s LEFT JOIN edits e ON e.number = s.number
        GROUP BY s.person
        ORDER BY count(*) DESC, s.person
        """
    )
    return [DecisionWork(*row) for row in rows]


def load_reasons(database: Database) -> list[tuple[str, str, int]]:
    """Return (person, reason, number of discards) for every person and reason, each person's most frequent reason first."""
    rows = database.rows(
        f"""
        WITH {WORK}
        SELECT person, reason, count(*)
        FROM work
        WHERE decision = 'discard'
        GROUP BY person, reason
        ORDER BY person, count(*) DESC, reason
        """
    )
    return [(person, reason, n) for person, reason, n in rows]


def load_edits(database: Database) -> list[WordEdit]:
    """Return the text before and after every edit by a person that is in effect."""
    columns = "s.person, e.question, e.answers, e.first_question, e.first_answers"
    rows = database.rows(f"WITH {_DECIDED} SELECT {columns} FROM edits e JOIN work s ON s.number = e.number")
    return [WordEdit(*row) for row in rows]


def load_saved_edits(database: Database) -> list[WordEdit]:
    """Return the drafted text and the accepted text of every item that was accepted with changes, with the (agent, prompt) that
    drafted it."""
    rows = database.rows(
        """
        SELECT
            json_extract_string(f.provenance, '$.agent'), json_extract_string(f.provenance, '$.prompt'),
            c.question, c.answers, f.question, f.answers
        FROM state s
        JOIN revision c ON c.key = s.item || '@' || s.revision
        JOIN revision f ON f.key = s.item || '@1'
        WHERE s.revision > 1 AND s.status = 'accepted' AND (c.question, c.answers) IS DISTINCT FROM (f.question, f.answers)
            AND json_extract_string(f.provenance, '$.origin') = 'drafted'
        """
    )
    return [WordEdit((row[0], row[1]), *row[2:]) for row in rows]


def load_slots(database: Database) -> list[TimeSlot]:
    """Return the numbers of decisions per person and ten-minute slot, oldest slot first."""
    rows = database.rows(
        f"""
        WITH {_DECIDED}
        SELECT left(s.made_at, 15), s.person, {_COUNTS}
        FROM work s LEFT JOIN edits e ON e.number = s.number
        GROUP BY left(s.made_at, 15), s.person
        ORDER BY left(s.made_at, 15), s.person
        """
    )
    return [TimeSlot(*row) for row in rows]


def load_accepted(database: Database, since: str) -> list[AcceptedSlot]:
    """Return the numbers of items accepted since the time `since` (UTC, ISO format), per task, level, domain and ten-minute
    slot of the decision."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, last AS (
            SELECT item, max(made_at) AS at
            FROM effective
            WHERE decision = 'accept' AND role <> 'opinion'
            GROUP BY item
        )
        SELECT left(l.at, 15), s.task, s.level, s.domain, count(*)
        FROM last l
        JOIN state s ON s.item = l.item
        WHERE s.status = 'accepted' AND l.at >= ?
        GROUP BY ALL
        ORDER BY ALL
        """,
        [since],
    )
    return [AcceptedSlot(at, task, level_from_text(level), *rest) for at, task, level, *rest in rows]


def count_waiting(database: Database) -> tuple[int, int]:
    """Return (number of waiting items, number of decisions that these items still need). Each missing opinion counts as one
    decision; so does a decision that somebody must make between differing opinions."""
    sql = "SELECT count(*), coalesce(sum(greatest(wanted - given, 1)), 0)::BIGINT FROM state WHERE status = 'drafted'"
    [(items, decisions)] = database.rows(sql)
    return int(items), int(decisions)
