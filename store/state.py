"""The state rows, made anew from the append-only revisions and reviews: what the kept rows must always equal."""

from store.database import Cursor, Database

_REBUILT = """
    WITH latest AS (
        SELECT item, max(revision) AS revision
        FROM revision
        GROUP BY item
    ), decided AS (
        SELECT item, revision, arg_max(decision, number) AS decision
        FROM review
        GROUP BY item, revision
    )
    SELECT
        r.item, r.number, r.revision,
        CASE d.decision WHEN 'accept' THEN 'accepted' WHEN 'discard' THEN 'discarded' ELSE r.status END AS status,
        r.task, r.level, r.domain, r.language
    FROM revision r
    JOIN latest l ON l.item = r.item AND l.revision = r.revision
    LEFT JOIN decided d ON d.item = r.item AND d.revision = r.revision
    """
_REBUILT_VARIANTS = """
    SELECT
        v.id,
        CASE arg_max(w.decision, w.number)
            WHEN 'accept' THEN 'accepted' WHEN 'discard' THEN 'discarded' ELSE v.born_status END AS status
    FROM variant v LEFT JOIN review w ON w.item = v.id
    GROUP BY v.id, v.born_status
    """


def differences(database: Database) -> list[tuple[str, str]]:
    """(item or variant id, what) for every kept row that the history does not give: empty when all is well."""
    rows = database.rows(
        f"""
        SELECT
            coalesce(k.item, b.item),
            CASE WHEN k.item IS NULL THEN 'missing' WHEN b.item IS NULL THEN 'unknown' ELSE 'other' END
        FROM state k FULL JOIN ({_REBUILT}) b ON k.item = b.item
        WHERE (k.number, k.revision, k.status, k.task, k.level, k.domain, k.language)
            IS DISTINCT FROM (b.number, b.revision, b.status, b.task, b.level, b.domain, b.language)
        ORDER BY 1
        """
    )
    variants = database.rows(
        f"SELECT v.id, 'other' FROM variant v JOIN ({_REBUILT_VARIANTS}) b ON b.id = v.id WHERE v.status <> b.status ORDER BY 1"
    )
    return [(row[0], row[1]) for row in rows + variants]


def rebuild(database: Database) -> None:
    """Make the state rows anew."""

    def write(cursor: Cursor) -> None:
        cursor.execute("DELETE FROM state")
        cursor.execute(f"INSERT INTO state (item, number, revision, status, task, level, domain, language) {_REBUILT}")
        cursor.execute(
            f"""
            UPDATE variant SET status = b.status
            FROM ({_REBUILT_VARIANTS}) b
            WHERE b.id = variant.id AND variant.status <> b.status
            """
        )

    database.write(write)
