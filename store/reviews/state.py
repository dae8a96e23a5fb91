"""Compute the current state of items and variants from revisions and reviews, which are never changed or deleted. The stored
state of each item must always equal the computed state."""

from collections.abc import Sequence

from store.engine.columns import fetch_from
from store.engine.database import Cursor, Database
from store.items.current_verdicts import CURRENT_VERDICTS, FLAGS
from store.items.items import APART
from store.queue import queue_rules
from store.queue.effective_reviews import EFFECTIVE_REVIEWS
from store.queue.queue import WAITING_STATUS
from store.reviews import opinions

_COLUMNS = "item, number, revision, status, task, level, domain, language, latest, given, document, agent, flags"
_REBUILD = f"""
    {EFFECTIVE_REVIEWS}, decided AS (
        SELECT item, revision, arg_max(decision, number) AS decision, max(number) AS number
        FROM effective
        WHERE role <> 'opinion'
        GROUP BY item, revision
    ), words AS (
        SELECT r.item, max(r.revision) AS latest, max(r.revision) FILTER (
            r.base IS NULL OR (r.item, r.revision) IN (SELECT (item, revision) FROM decided)
        ) AS revision
        FROM revision r
        GROUP BY r.item
    ), given AS (
        SELECT s.item, o.base, count(DISTINCT s.person) AS given
        FROM effective s
        JOIN (SELECT item, revision, coalesce(base, revision) AS base FROM revision) o
            ON o.item = s.item AND o.revision = s.revision
        WHERE s.role = 'opinion'
        GROUP BY s.item, o.base
    ), flagged AS (
        SELECT item, revision, {FLAGS} AS flags
        FROM (SELECT * FROM verdict {CURRENT_VERDICTS})
        GROUP BY item, revision
    ), rebuilt AS (
        SELECT
            r.item, r.number, r.revision,
            CASE d.decision WHEN 'accept' THEN 'accepted' WHEN 'discard' THEN 'discarded' ELSE r.status END AS status,
            r.task, r.level, r.domain, r.language, w.latest, g.given,
            coalesce(json_extract_string(r.given, '$[0]'), json_extract_string(r.evidence, '$[0][0]')) AS document,
            json_extract_string(r.provenance, '$.agent') AS agent, coalesce(f.flags, '') AS flags
        FROM revision r
        JOIN words w ON w.item = r.item AND w.revision = r.revision
        LEFT JOIN decided d ON d.item = r.item AND d.revision = r.revision
        LEFT JOIN given g ON g.item = r.item AND g.base = r.revision
        LEFT JOIN flagged f ON f.item = r.item AND f.revision = r.revision
        WHERE r.status <> '{APART}'
    )
    SELECT item, number, revision, status, task, level, domain, language, latest,
        CASE WHEN status = 'drafted' THEN coalesce(given, 0) ELSE 0 END AS given, document, agent, flags
    FROM rebuilt
    """
_REBUILT = f"WITH {_REBUILD}"
_REBUILT_SOME = f"""
    WITH chosen AS (
        SELECT unnest(?::VARCHAR[]) AS item
    ), review AS (
        SELECT * FROM main.review WHERE item IN (SELECT item FROM chosen)
    ), revision AS (
        SELECT * FROM main.revision WHERE item IN (SELECT item FROM chosen)
    ), verdict AS (
        SELECT * FROM main.verdict WHERE item IN (SELECT item FROM chosen)
    ), {_REBUILD}
    """
_REBUILT_VARIANTS = """
    SELECT
        v.id,
        CASE arg_max(w.decision, w.number)
            WHEN 'accept' THEN 'accepted' WHEN 'discard' THEN 'discarded' ELSE v.born_status END AS status
    FROM variant v LEFT JOIN review w ON w.item = v.id
    GROUP BY v.id, v.born_status
    """


def list_differences(database: Database) -> list[tuple[str, str]]:
    """Return (id of the item or variant, description of the difference) for every stored state row that differs from the
    computed one."""
    stored, rebuilt = (", ".join(f"{table}.{name}" for name in _COLUMNS.split(", ")) for table in ("k", "b"))
    rows = database.rows(
        f"""
        SELECT
            coalesce(k.item, b.item),
            CASE WHEN k.item IS NULL THEN 'missing' WHEN b.item IS NULL THEN 'unknown' ELSE 'other' END
        FROM state k FULL JOIN ({_REBUILT}) b ON k.item = b.item
        WHERE ({stored}) IS DISTINCT FROM ({rebuilt})
        ORDER BY 1
        """
    )
    joined = f"variant v JOIN ({_REBUILT_VARIANTS}) b ON b.id = v.id"
    rows += database.rows(f"SELECT v.id, 'other' FROM {joined} WHERE v.status <> b.status ORDER BY 1")
    counted = "SELECT item, count(*) AS n FROM opinion GROUP BY item"
    joined = f"state s LEFT JOIN ({counted}) o ON o.item = s.item"
    rows += database.rows(f"SELECT s.item, 'opinions' FROM {joined} WHERE s.given <> coalesce(o.n, 0) ORDER BY 1")
    return [(id_, difference) for id_, difference in rows]


def update_items(cursor: Cursor, items: Sequence[str]) -> None:
    """Compute the state rows of the given items again, and the rows of opinions on them, within the caller's transaction."""
    cursor.execute(
        f"""
        UPDATE state SET revision = b.revision, status = b.status, latest = b.latest, given = b.given, document = b.document,
            flags = b.flags
        FROM ({_REBUILT_SOME}) b
        WHERE state.item = b.item
        """,
        [list(items)],
    )
    waiting = f"SELECT item FROM state WHERE status = '{WAITING_STATUS}' AND item IN (SELECT unnest(?::VARCHAR[]))"
    decided = f"SELECT unnest(?::VARCHAR[]) EXCEPT {waiting}"
    for table in ("opinion", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE item IN ({decided})", [list(items), list(items)])
    for (item,) in cursor.execute(waiting, [list(items)]).fetchall():
        opinions.recount(cursor, item)


def rebuild(database: Database) -> None:
    """Compute the state rows of all items and variants again."""

    def write(cursor: Cursor) -> None:
        cursor.execute("DELETE FROM state")
        cursor.execute(f"INSERT INTO state ({_COLUMNS}) {_REBUILT}")
        queue_rules.apply(cursor, queue_rules.load_current_rules(fetch_from(cursor)))
        cursor.execute("DELETE FROM opinion")
        for (item,) in cursor.execute("SELECT item FROM state WHERE given > 0").fetchall():
            opinions.recount(cursor, item)
        cursor.execute(
            f"""
            UPDATE variant SET status = b.status
            FROM ({_REBUILT_VARIANTS}) b
            WHERE b.id = variant.id AND variant.status <> b.status
            """
        )

    database.write(write)
