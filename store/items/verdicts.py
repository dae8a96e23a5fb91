"""Store the verdicts of gates (automatic checks) on items, and update the names of the flagging gates in the items' state rows.
Verdicts are never changed or deleted."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.nouns import Verdict
from store.engine.columns import (
    Fetch,
    build_in_condition,
    current_time,
    fetch_from,
    fetch_in_batches,
    from_json,
    insert_rows,
    to_json,
)
from store.engine.database import Cursor, Database
from store.items.current_verdicts import CURRENT_VERDICTS, FLAGS, format_flags, select_current_verdicts
from store.queue.state_row import fetch_state_row

_COLUMNS = "item, revision, gate, version, outcome, why, details, calls"


def insert_verdicts(cursor: Cursor, verdicts: Sequence[Verdict]) -> None:
    """Store verdicts on items that already exist. A verdict equal to the last verdict of the same gate on the same revision is
    not stored again."""
    latest = _drop_repeats(verdicts)
    ids = list({v.item for v in latest})
    if len(ids) == 1:
        return _insert_of_one(cursor, ids[0], latest)
    sql = f"""
        SELECT {_COLUMNS}
        FROM verdict
        WHERE item IN (SELECT unnest(?::VARCHAR[]))
        QUALIFY row_number() OVER (PARTITION BY item, revision, gate ORDER BY number DESC) = 1
        """
    stored = {row[:3]: row for row in cursor.execute(sql, [ids]).fetchall()}
    append_verdicts(cursor, [v for v in latest if stored.get((v.item, v.revision, v.gate)) != _build_verdict_row(v)])
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


def _insert_of_one(cursor: Cursor, item: str, verdicts: Sequence[Verdict]) -> None:
    """Store verdicts on one item like `insert_verdicts`. This function reads rows only by key, which is faster, because every
    edit calls it."""
    fetch = fetch_from(cursor)
    stored = fetch_numbered_verdicts(fetch, [item])
    last = {(v.revision, v.gate): _build_verdict_row(v) for _, v in sorted(stored, key=lambda numbered: numbered[0])}
    new = [v for v in verdicts if last.get((v.revision, v.gate)) != _build_verdict_row(v)]
    if not new:
        return
    append_verdicts(cursor, new)
    row = fetch_state_row(cursor, item)
    newest = max((number for number, _ in stored), default=0)
    current = select_current_verdicts([*stored, *enumerate(new, newest + 1)])
    flags = format_flags(v for v in current if row is not None and v.revision == row.revision)
    if row is not None and row.flags != flags:
        cursor.execute("UPDATE state SET flags = ? WHERE item = ?", [flags, item])


def append_verdicts(cursor: Cursor, verdicts: Sequence[Verdict]) -> None:
    """Store new verdicts without updating the state rows, which name the flagging gates; the caller must update them."""
    at = current_time()
    rows = ((*_build_verdict_row(v), at) for v in _drop_repeats(verdicts))
    insert_rows(cursor, "verdict", f"{_COLUMNS}, made_at", rows, is_numbered=True)


def fetch_numbered_verdicts(fetch: Fetch, items: Sequence[str]) -> list[tuple[int, Verdict]]:
    """Return (number, verdict) for every verdict that was ever stored on the items."""
    where, params = build_in_condition("item", items)
    rows = fetch(f"SELECT number, {_COLUMNS} FROM verdict WHERE {where}", params)
    return [(number, verdict_from_row(row)) for number, *row in rows]


def verdict_from_row(row: Sequence[Any]) -> Verdict:
    """Build a verdict from a database row with the columns _COLUMNS."""
    return Verdict(*(*row[:6], from_json(row[6]), tuple(from_json(row[7]))))


def load_verdicts(database: Database, items: Iterable[str], until: int | None = None) -> list[Verdict]:
    """Return the current verdicts on every revision of the given items. With `until`, return the verdicts that were current
    just after the verdict with that number was stored."""
    sql = f"""
        SELECT {_COLUMNS}
        FROM verdict
        WHERE (?::BIGINT IS NULL OR number <= ?) AND item IN (SELECT unnest(?::VARCHAR[]))
        {CURRENT_VERDICTS}
        ORDER BY item, revision, gate
        """
    return [verdict_from_row(row) for row in fetch_in_batches(database.rows, sql, items, until, until)]


def _drop_repeats(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return only the last verdict for each combination of item, revision, gate and version."""
    return list({(v.item, v.revision, v.gate, v.version): v for v in verdicts}.values())


def _build_verdict_row(v: Verdict) -> tuple[Any, ...]:
    return (v.item, v.revision, v.gate, v.version, v.outcome, v.why, to_json(v.details), to_json(v.calls))
