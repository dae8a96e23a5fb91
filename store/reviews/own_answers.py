"""Store the answers that people write to a question before they see the drafted answer. A person's first answer to an item is
never replaced."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from store.engine.columns import Timestamp, build_in_condition, current_time, from_json, insert_rows, pair_key
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS
from store.reviews.unsent_edits import drop_edit

EDIT_KIND = "own"
"""Kind under which an answer that the person has not submitted yet is stored among the unsent edits."""


class OwnAnswer(NamedTuple):
    """The answer that one person wrote to one question before seeing the draft's answers."""

    person: str
    item: str
    revision: int
    """Number of the revision that the person saw, without its answer."""
    text: str
    seconds: float | None
    """Active seconds until the person submitted the answer, or None if not measured."""
    at: Timestamp


class ComparedAnswer(NamedTuple):
    """A person's own answer beside the drafted answers, which the person could not see, and the answers that were accepted
    later."""

    person: str
    item: str
    language: str
    text: str
    drafted: tuple[str, ...]
    accepted: tuple[str, ...] | None
    """Answers of the item if it is accepted, otherwise None."""


class FirstDecision(NamedTuple):
    """One person's first decision on one item."""

    person: str
    item: str
    is_blind: bool
    is_unchanged: bool
    """Whether the person accepted the item without changing the drafted question and answers."""


def put(database: Database, new: OwnAnswer) -> OwnAnswer:
    """Store the person's own answer to an item, unless the person has given one before; return the stored answer. Also delete
    the unsent text of this answer."""
    key = pair_key(new.person, new.item)
    row = (key, new.item, new.person, new.revision, new.text, new.seconds, new.at or current_time())

    def write(cursor: Cursor) -> None:
        insert_rows(cursor, "own_answer", "key, item, person, revision, text, seconds, made_at", [row])
        drop_edit(cursor, new.person, new.item, EDIT_KIND)

    database.write(write)
    return get(database, new.person, new.item) or new


def get(database: Database, person: str, item: str) -> OwnAnswer | None:
    """Return the person's own answer to the item, or None if there is none."""
    if not database.has_any("own_answer"):
        return None
    sql = "SELECT person, item, revision, text, seconds, made_at FROM own_answer WHERE key = ?"
    rows = database.rows(sql, [pair_key(person, item)])
    return OwnAnswer(*rows[0]) if rows else None


def find_answered(database: Database, person: str, items: Sequence[str]) -> set[str]:
    """Return the ids of those given items whose question the person answered before seeing the drafted answer."""
    if not items or not database.has_any("own_answer"):
        return set()
    condition, params = build_in_condition("key", [pair_key(person, item) for item in items])
    return {item for (item,) in database.rows(f"SELECT item FROM own_answer WHERE {condition}", params)}


def load_compared_answers(database: Database) -> list[ComparedAnswer]:
    """Return every answer that a person wrote before seeing the draft, with the drafted and the accepted answers."""
    rows = database.rows(
        """
        SELECT o.person, o.item, s.language, o.text, h.answers, CASE s.status WHEN 'accepted' THEN c.answers END
        FROM own_answer o
        JOIN state s ON s.item = o.item
        JOIN revision h ON h.key = o.item || '@' || o.revision
        JOIN revision c ON c.key = o.item || '@' || s.revision
        ORDER BY o.made_at, o.key
        """
    )

    def parse(answers: str | None) -> Any:
        return None if answers is None else tuple(from_json(answers))

    return [ComparedAnswer(*(*row[:4], parse(row[4]), parse(row[5]))) for row in rows]


def load_first_decisions(database: Database) -> list[FirstDecision]:
    """Return each person's first decision on each item, without undone decisions. Only decisions since the first own answer in
    the workspace count; those on items that were answered without their draft do not."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, first AS (
            SELECT person, item, min(number) AS number
            FROM effective
            WHERE role IN ('', 'opinion') AND item IN (SELECT item FROM state)
                AND coalesce(details ->> '$.assistance', '') <> 'none'
                AND made_at >= (SELECT min(made_at) FROM own_answer)
            GROUP BY person, item
        )
        SELECT
            r.person, r.item,
            coalesce(r.details ->> '$.blind' = 'true', false) OR coalesce(r.details ->> '$.assistance' = 'blind reveal', false),
            r.decision = 'accept' AND NOT (a.made_by = r.person
                AND (a.question, a.answers) IS DISTINCT FROM (b.question, b.answers))
        FROM first f
        JOIN review r ON r.number = f.number
        JOIN revision a ON a.key = r.item || '@' || r.revision
        LEFT JOIN revision b ON b.key = r.item || '@' || coalesce(a.base, a.revision - 1)
        ORDER BY r.number
        """
    )
    return [FirstDecision(*row) for row in rows]


def fingerprint(database: Database) -> int:
    """Return a value that changes whenever a person stores an own answer."""
    return int(database.rows("SELECT count(*) FROM own_answer")[0][0])
