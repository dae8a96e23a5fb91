"""What gates found on items: append-only, and the gates that stand beside the item's state."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.nouns import Verdict
from store.engine.columns import Fetch, current_time, fetch_from, from_json, insert_rows, split_in_batches, to_json
from store.engine.database import Cursor, Database
from store.items.current_verdicts import CURRENT_VERDICTS, FLAGS, format_flags, select_current_verdicts
from store.items.state_row import fetch_state_row

_VERDICT = "item, revision, gate, version, outcome, why, details, calls"


def insert_verdicts(cursor: Cursor, verdicts: Sequence[Verdict]) -> None:
    """Store verdicts on items that are there; a gate that found just what it found last on that revision adds nothing."""
    found = _last_of_each(verdicts)
    if len({v.item for v in found}) == 1:
        return _insert_of_one(cursor, found[0].item, found)
    sql = f"""
        SELECT {_VERDICT}
        FROM verdict
        WHERE item IN (SELECT unnest(?::VARCHAR[]))
        QUALIFY row_number() OVER (PARTITION BY item, revision, gate ORDER BY number DESC) = 1
        """
    ids = list({v.item for v in found})
    last = {row[:3]: row for row in cursor.execute(sql, [ids]).fetchall()}
    append_verdicts(cursor, [v for v in found if last.get((v.item, v.revision, v.gate)) != _verdict_row(v)])
    cursor.execute(
        f"""
        UPDATE state SET flags = f.flags
        FROM (
            SELECT item, revision, coalesce({FLAGS}, '') AS flags
            FROM (SELECT * FROM verdict WHERE item IN (SELECT unnest(?::VARCHAR[])) {CURRENT_VERDICTS})
            GROUP BY item, revision
        ) f
        WHERE f.item = state.item AND f.revision = state.revision AND state.flags <> f.flags
        """,
        [ids],
    )


def _insert_of_one(cursor: Cursor, item: str, found: Sequence[Verdict]) -> None:
    """As insert_verdicts, of one item: by keys alone, as it is done after every edit."""
    fetch = fetch_from(cursor)
    made = fetch_numbered_verdicts(fetch, item)
    last = {(v.revision, v.gate): _verdict_row(v) for _, v in sorted(made, key=lambda one: one[0])}
    new = [v for v in found if last.get((v.revision, v.gate)) != _verdict_row(v)]
    if not new:
        return
    append_verdicts(cursor, new)
    row = fetch_state_row(fetch, item)
    newest = max((number for number, _ in made), default=0)
    stand = select_current_verdicts([*made, *enumerate(new, newest + 1)])
    flags_now = format_flags(v for v in stand if row is not None and v.revision == row.revision)
    if row is not None and row.flags != flags_now:
        cursor.execute("UPDATE state SET flags = ? WHERE item = ?", [flags_now, item])


def append_verdicts(cursor: Cursor, verdicts: Sequence[Verdict]) -> None:
    """Store verdicts that say something new; the caller writes the flags of their items' state."""
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM verdict").fetchall()[0]
    names = ["number", *_VERDICT.split(", "), "made_at"]
    kinds = ("BIGINT", "VARCHAR", "INTEGER", *["VARCHAR"] * 7)
    at = current_time()
    insert_rows(
        cursor,
        "verdict",
        dict(zip(names, kinds, strict=True)),
        ((number, *_verdict_row(v), at) for number, v in enumerate(_last_of_each(verdicts), last + 1)),
    )


def fetch_numbered_verdicts(fetch: Fetch, item: str) -> list[tuple[int, Verdict]]:
    """(number, verdict) of all that the gates ever found on that item."""
    return [
        (row[0], verdict_from_row(row[1:])) for row in fetch(f"SELECT number, {_VERDICT} FROM verdict WHERE item = ?", [item])
    ]


def verdict_from_row(row: tuple[Any, ...]) -> Verdict:
    """The verdict of a row of _VERDICT's columns."""
    return Verdict(*(*row[:6], from_json(row[6]), tuple(from_json(row[7]))))


def load_verdicts(database: Database, items: Iterable[str], until: int | None = None) -> list[Verdict]:
    """What stands of what the gates found on every revision of those items; with `until`, of the verdicts up to that number."""
    sql = f"""
        SELECT {_VERDICT}
        FROM verdict
        WHERE item IN (SELECT unnest(?::VARCHAR[])) AND (?::BIGINT IS NULL OR number <= ?)
        {CURRENT_VERDICTS}
        ORDER BY item, revision, gate
        """
    return [verdict_from_row(row) for piece in split_in_batches(items) for row in database.rows(sql, [piece, until, until])]


def _last_of_each(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return list({(v.item, v.revision, v.gate, v.version): v for v in verdicts}.values())


def _verdict_row(v: Verdict) -> tuple[Any, ...]:
    return (v.item, v.revision, v.gate, v.version, v.outcome, v.why, to_json(dict(v.details)), to_json(list(v.calls)))
