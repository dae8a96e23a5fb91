"""The queue of variants that wait for a decision: those of words that are still asked, an original's one after another. Who
takes one holds it for a while, taken on the writer thread, so that two people never get the same."""

from typing import Any, NamedTuple

from store.engine.columns import Fetch, fetch_from, insert_row, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue import leases

FLAGGED, CLEAN = "flagged", "clean"
"""In the place of a guard: any guard flagged it; none did."""
_LIVE_CONDITION = "until > ? AND until <= ?"


class VariantKind(NamedTuple):
    """Which variants; None = any."""

    kind: str | None = None
    task: str | None = None
    domain: str | None = None
    flag: str | None = None
    """FLAGGED or CLEAN."""


class VariantProgress(NamedTuple):
    """How far one person is with a kind of variants."""

    left: int
    """Waiting and free."""
    held: int
    """Waiting, and on somebody else's screen."""
    today: int
    """Decided on by this person since midnight."""


class VariantHold(NamedTuple):
    """Who has a variant on the screen."""

    person: str
    until: str


def list_choices(database: Database) -> dict[str, list[Any]]:
    """The kinds, tasks and domains that waiting variants are of, and whether guards flagged some."""
    if not database.has_any("variant"):
        return {"kind": [], "task": [], "domain": [], "flag": []}
    rows = database.rows(f"SELECT DISTINCT v.kind, s.task, s.domain, {_IS_FLAGGED} FROM {_WAITING}")
    kinds, tasks, domains = (sorted({row[place] for row in rows}) for place in range(3))
    return {"kind": kinds, "task": tasks, "domain": domains, "flag": [FLAGGED, CLEAN] if any(row[3] for row in rows) else []}


def claim(
    database: Database, kind: VariantKind, person: str, *, at: str, minutes: float, after: str | None = None
) -> str | None:
    """This person's next variant of the kind, held from now on: without `after` the one they hold, else the first free one
    behind it, round again at the end. None when none (other) is free; then nothing is let go."""
    if not database.has_any("variant"):
        return None

    def write(cursor: Cursor) -> str | None:
        found = _find_next(fetch_from(cursor), kind, person, at, after)
        if found is not None:
            _take(cursor, found, person, leases.add_minutes(at, minutes))
        return found

    return database.write(write)


def find_free_variant(database: Database, kind: VariantKind, at: str) -> str | None:
    """As claim, for somebody without a name: nothing is held."""
    return _find_next(database.rows, kind, "", at, None) if database.has_any("variant") else None


def hold(database: Database, variant: str, person: str, *, at: str, minutes: float) -> VariantHold | None:
    """Take a waiting variant that is free, or renew one's own hold of it. Who else holds it; None when nobody does."""

    def write(cursor: Cursor) -> VariantHold | None:
        fetch = fetch_from(cursor)
        other = find_holder(fetch, variant, person, at)
        if other is None and fetch(f"SELECT 1 FROM {_WAITING} AND v.id = ?", [variant]):
            _take(cursor, variant, person, leases.add_minutes(at, minutes))
        return other

    return database.write(write)


def find_holder(fetch: Fetch, variant: str, person: str, at: str) -> VariantHold | None:
    """Who else has it on the screen now."""
    rows = fetch(
        f"SELECT person, until FROM variant_lease WHERE variant = ? AND person <> ? AND {_LIVE_CONDITION}",
        [variant, replace_surrogates(person), *_live_parameters(at)],
    )
    return VariantHold(*rows[0]) if rows else None


def release_hold(cursor: Cursor, variant: str) -> None:
    """Nobody has it on the screen any more: it was decided on."""
    cursor.execute("DELETE FROM variant_lease WHERE variant = ?", [variant])


def load_progress(database: Database, kind: VariantKind, person: str, *, at: str, since: str) -> VariantProgress:
    """How far this person is; `since` = when their day began."""
    if not database.has_any("variant"):
        return VariantProgress(0, 0, 0)
    where, params = _of_kind(kind, person)
    held = f"v.id IN (SELECT variant FROM variant_lease WHERE person <> ? AND {_LIVE_CONDITION})"
    [(waiting, taken)] = database.rows(
        f"SELECT count(*), count(*) FILTER ({held}) FROM {_WAITING} AND {where}",
        [replace_surrogates(person), *_live_parameters(at), *params],
    )
    [(today,)] = database.rows(
        """
        SELECT count(DISTINCT r.item)
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.made_at >= ? AND r.decision <> 'undo'
        """,
        [replace_surrogates(person), since],
    )
    return VariantProgress(waiting - taken, taken, today)


def find_previous_variant(database: Database, person: str, variant: str | None) -> str | None:
    """The variant that this person decided on before that one, or last when that one is none of theirs."""
    rows = database.rows(
        """
        SELECT r.item
        FROM review r JOIN variant v ON v.id = r.item
        WHERE r.person = ? AND r.decision <> 'undo' AND json_extract_string(r.details, '$.edited') IS NULL
        ORDER BY r.number DESC
        LIMIT 200
        """,
        [replace_surrogates(person)],
    )
    way = list(dict.fromkeys(str(row[0]) for row in rows))
    rest = way[way.index(variant) + 1 :] if variant in way else way
    return rest[0] if rest else None


_WAITING = """
    variant v JOIN state s ON s.item = v.item
    WHERE v.status = 'drafted' AND v.revision = s.revision AND s.status IN ('drafted', 'accepted')"""
_IS_FLAGGED = "coalesce(json_array_length(v.checks, '$.flags') > 0, false)"


def _find_next(fetch: Fetch, kind: VariantKind, person: str, at: str, after: str | None) -> str | None:
    where, params = _of_kind(kind, person)
    if after is None:
        held = f"v.id IN (SELECT variant FROM variant_lease WHERE person = ? AND {_LIVE_CONDITION})"
        if found := _find_first(fetch, f"{where} AND {held}", [*params, replace_surrogates(person), *_live_parameters(at)]):
            return found
    where += f" AND v.id NOT IN (SELECT variant FROM variant_lease WHERE person <> ? AND {_LIVE_CONDITION})"
    params += [replace_surrogates(person), *_live_parameters(at)]
    place = fetch("SELECT s.number, v.number FROM variant v JOIN state s ON s.item = v.item WHERE v.id = ?", [after])
    if place:
        [(item, number)] = place
        if found := _find_first(fetch, f"{where} AND (s.number, v.number) > (?, ?)", [*params, item, number]):
            return found
        where, params = f"{where} AND v.id <> ?", [*params, after]
    return _find_first(fetch, where, params)


def _find_first(fetch: Fetch, where: str, params: list[Any]) -> str | None:
    rows = fetch(f"SELECT v.id FROM {_WAITING} AND {where} ORDER BY s.number, v.number LIMIT 1", params)
    return str(rows[0][0]) if rows else None


def _of_kind(kind: VariantKind, person: str) -> tuple[str, list[Any]]:
    """What a waiting variant must fulfil; a rewrite that a person wrote is for others to accept."""
    given = [("v.kind", kind.kind), ("s.task", kind.task), ("s.domain", kind.domain)]
    parts = [f"{name} = ?" for name, value in given if value is not None]
    params = [value for _, value in given if value is not None]
    if kind.flag is not None:
        parts.append(_IS_FLAGGED if kind.flag == FLAGGED else f"NOT {_IS_FLAGGED}")
    parts.append("NOT (v.kind = 'human' AND lower(trim(v.generator)) = lower(trim(?)))")
    return " AND ".join(parts), [*params, replace_surrogates(person)]


def _take(cursor: Cursor, variant: str, person: str, until: str) -> None:
    """Hold it, and let go of what this person held before."""
    name = replace_surrogates(person)
    cursor.execute("DELETE FROM variant_lease WHERE person = ? AND variant <> ?", [name, variant])
    if cursor.execute("SELECT 1 FROM variant_lease WHERE variant = ?", [variant]).fetchall():
        cursor.execute("UPDATE variant_lease SET person = ?, until = ? WHERE variant = ?", [name, until, variant])
    else:
        insert_row(cursor, "variant_lease", ("variant", "person", "until"), [variant, name, until])


def _live_parameters(at: str) -> list[str]:
    """The parameters of _LIVE: a hold longer than any is of a clock that was put back."""
    return [at, leases.add_minutes(at, leases.NONE_SO_LONG)]
