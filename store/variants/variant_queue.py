"""Manage the queue of variants that wait for a decision: variants of the questions' current text, grouped by question. A lease
reserves a variant for a person for a limited time. All leases are made on one thread, so that two people never get the same
variant."""

from typing import Any, NamedTuple

from store.engine.columns import Fetch, Timestamp, build_conditions, fetch_from, insert_row
from store.engine.database import Cursor, Database
from store.queue.leases import LIVE_CONDITION, add_minutes, live_parameters
from store.queue.queue import list_before

FLAGGED, CLEAN = "flagged", "clean"
"""Values of `VariantKind.flag`: variants that at least one guard (automatic check) flagged, and variants that none flagged."""
IS_FLAGGED = "coalesce(json_array_length(v.checks, '$.flags') > 0, false)"
"""SQL condition on rows `v` for variants that a guard flagged."""
_WAITING = """
    variant v JOIN state s ON s.item = v.item
    WHERE v.status = 'drafted' AND v.revision = s.revision AND s.status IN ('drafted', 'accepted')"""
_HELD = f"v.id IN (SELECT variant FROM variant_lease WHERE person <> ? AND {LIVE_CONDITION})"


class VariantKind(NamedTuple):
    """Conditions by which the queue selects variants. A field that is None matches every variant."""

    kind: str | None = None
    task: str | None = None
    domain: str | None = None
    flag: str | None = None
    """FLAGGED selects variants that a guard flagged, CLEAN those that none flagged, None all."""


class VariantProgress(NamedTuple):
    """Numbers of variants that show one person's progress with one kind of variants."""

    left: int
    """Number of waiting variants that the person can take because nobody else has reserved them."""
    held: int
    """Number of waiting variants that other people have reserved."""
    today: int
    """Number of variants that the person decided on since midnight."""


class VariantHold(NamedTuple):
    """One person's lease on one variant, which ends at a given time."""

    person: str
    until: Timestamp


def list_choices(database: Database) -> dict[str, list[Any]]:
    """Return the kinds, tasks, domains and flags of all variants as options of the selection boxes. A value stays an option
    even if no waiting variant has it."""
    if not database.has_any("variant"):
        return {"kind": [], "task": [], "domain": [], "flag": []}
    joined = "variant v JOIN state s ON s.item = v.item"
    rows = database.rows(f"SELECT DISTINCT v.kind, s.task, s.domain, {IS_FLAGGED} FROM {joined}")
    kinds, tasks, domains = (sorted({row[place] for row in rows}) for place in range(3))
    flags = [FLAGGED, CLEAN] if any(row[3] for row in rows) else []
    return {"kind": kinds, "task": tasks, "domain": domains, "flag": flags}


def claim(
    database: Database, kind: VariantKind, person: str, *, at: str, minutes: float, after: str | None = None
) -> str | None:
    """Lease the person's next waiting variant of the kind, and return its id. If `after` is None, the next variant is the one
    that the person has leased. If `after` is given, the next variant is the first free one after it; the search continues at
    the beginning when it reaches the end. If no other variant is free, return None and change no lease."""
    if not database.has_any("variant"):
        return None

    def write(cursor: Cursor) -> str | None:
        variant = _find_next(fetch_from(cursor), kind, person, at, after)
        if variant is not None:
            _take(cursor, variant, person, add_minutes(at, minutes))
        return variant

    return database.write(write)


def find_free_variant(database: Database, kind: VariantKind, at: str) -> str | None:
    """Return the id of the next free variant for a visitor without a name, in the same order as `claim`, without leasing it."""
    return _find_next(database.rows, kind, "", at, None) if database.has_any("variant") else None


def hold(database: Database, variant: str, person: str, *, at: str, minutes: float) -> VariantHold | None:
    """Reserve a free waiting variant for the person with a lease, or renew the person's lease. Return another person's lease if
    it prevents the reservation, otherwise None."""

    def write(cursor: Cursor) -> VariantHold | None:
        fetch = fetch_from(cursor)
        other = find_holder(fetch, variant, person, at)
        if other is None and fetch(f"SELECT 1 FROM {_WAITING} AND v.id = ?", [variant]):
            _take(cursor, variant, person, add_minutes(at, minutes))
        return other

    return database.write(write)


def find_holder(fetch: Fetch, variant: str, person: str, at: str) -> VariantHold | None:
    """Return another person's valid lease on the variant, or None if there is none."""
    sql = f"SELECT person, until FROM variant_lease WHERE variant = ? AND person <> ? AND {LIVE_CONDITION}"
    rows = fetch(sql, [variant, person, *live_parameters(at)])
    return VariantHold(*rows[0]) if rows else None


def release_hold(cursor: Cursor, variant: str) -> None:
    """End the lease on a variant after a decision on it."""
    cursor.execute("DELETE FROM variant_lease WHERE variant = ?", [variant])


def load_progress(database: Database, kind: VariantKind, person: str, *, at: str, since: str) -> VariantProgress:
    """Return the person's progress with the kind of variants; `since` is the start of the person's day."""
    if not database.has_any("variant"):
        return VariantProgress(0, 0, 0)
    where, params = _build_condition(kind, person)
    sql = f"SELECT count(*), count(*) FILTER ({_HELD}) FROM {_WAITING} AND {where}"
    [(waiting, held)] = database.rows(sql, [person, *live_parameters(at), *params])
    sql = """
        SELECT count(DISTINCT r.item)
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.made_at >= ? AND r.decision <> 'undo'
        """
    [(today,)] = database.rows(sql, [person, since])
    return VariantProgress(waiting - held, held, today)


def find_previous_variant(database: Database, person: str, variant: str | None) -> str | None:
    """Return the id of the variant on which the person decided before `variant`. If the person did not decide on `variant`,
    return the variant that the person decided on last."""
    rows = database.rows(
        """
        SELECT r.item
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.decision <> 'undo' AND json_extract_string(r.details, '$.edited') IS NULL
        ORDER BY r.number DESC
        LIMIT 200
        """,
        [person],
    )
    return next(iter(list_before([row[0] for row in rows], variant)), None)


def _find_next(fetch: Fetch, kind: VariantKind, person: str, at: str, after: str | None) -> str | None:
    where, params = _build_condition(kind, person)
    if after is None:
        own = _HELD.replace("<>", "=", 1)
        if variant := _find_first(fetch, f"{where} AND {own}", [*params, person, *live_parameters(at)]):
            return variant
    where += f" AND NOT {_HELD}"
    params += [person, *live_parameters(at)]
    place = fetch("SELECT s.number, v.number FROM variant v JOIN state s ON s.item = v.item WHERE v.id = ?", [after])
    if place:
        [(item, number)] = place
        if variant := _find_first(fetch, f"{where} AND (s.number, v.number) > (?, ?)", [*params, item, number]):
            return variant
        where, params = f"{where} AND v.id <> ?", [*params, after]
    return _find_first(fetch, where, params)


def _find_first(fetch: Fetch, where: str, params: list[Any]) -> str | None:
    rows = fetch(f"SELECT v.id FROM {_WAITING} AND {where} ORDER BY s.number, v.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def _build_condition(kind: VariantKind, person: str) -> tuple[str, list[Any]]:
    """Return (SQL condition for variants of the kind, its parameters). Variants that the person wrote are left out, because
    another person must accept them."""
    conditions, params = build_conditions({"v.kind": kind.kind, "s.task": kind.task, "s.domain": kind.domain})
    if kind.flag is not None:
        conditions.append(IS_FLAGGED if kind.flag == FLAGGED else f"NOT {IS_FLAGGED}")
    conditions.append("NOT (v.kind = 'human' AND lower(trim(v.generator)) = lower(trim(?)))")
    return " AND ".join(conditions), [*params, person]


def _take(cursor: Cursor, variant: str, person: str, until: str) -> None:
    """Lease the variant to the person, and end the person's lease on any other variant."""
    cursor.execute("DELETE FROM variant_lease WHERE person = ? AND variant <> ?", [person, variant])
    if cursor.execute("SELECT 1 FROM variant_lease WHERE variant = ?", [variant]).fetchall():
        cursor.execute("UPDATE variant_lease SET person = ?, until = ? WHERE variant = ?", [person, until, variant])
    else:
        insert_row(cursor, "variant_lease", "variant, person, until", [variant, person, until])
