"""People: the role that each was given, whether their work here has ended, and the traces that they left."""

from typing import NamedTuple

from store.columns import storable
from store.database import Cursor, Database
from store.standing import IS_BULK, STANDS


class Standing(NamedTuple):
    """What a name may rely on."""

    is_on: bool
    """Whether anybody was ever given a role."""
    role: str | None
    """None = none was given."""
    is_removed: bool


class PersonRow(NamedTuple):
    """One person, as the workspace knows them."""

    name: str
    role: str | None
    is_removed: bool
    seen: str | None
    """UTC, ISO format; None = never at work here."""
    decisions: int
    """On items and variants, as they stand. What equal opinions came to by themselves and what was decided in bulk is none."""
    rewrites: int
    """Written, discarded ones included."""
    holds: int


def standing(database: Database, name: str) -> Standing:
    """Of one name; somebody unknown has no role."""
    sql = """
        SELECT count(role) > 0, max(role) FILTER (WHERE name = $1),
            coalesce(bool_or(is_removed) FILTER (WHERE name = $1), false)
        FROM person
        """
    rows = database.kept(("standing", name), ["person"], lambda: database.rows(sql, [storable(name)]))
    return Standing(*rows[0])


def put(database: Database, name: str, role: str | None, is_removed: bool) -> None:
    """How that person stands from now on."""
    database.write(lambda cursor: write(cursor, name, role, is_removed))


def write(cursor: Cursor, name: str, role: str | None, is_removed: bool) -> None:
    """As put, within a transaction of the caller's."""
    sql = """
        INSERT INTO person (name, role, is_removed) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET role = excluded.role, is_removed = excluded.is_removed
        """
    cursor.execute(sql, [storable(name), role, is_removed])


def take_roles(database: Database) -> None:
    """Nobody has a role any more; whose work here has ended, for them it stays so."""
    database.write(lambda cursor: cursor.execute("UPDATE person SET role = NULL"))


def of_role(database: Database, role: str) -> list[str]:
    """The names that have that role and may use it."""
    rows = database.rows("SELECT name FROM person WHERE role = ? AND NOT is_removed ORDER BY name", [role])
    return [row[0] for row in rows]


def every(database: Database, at: str) -> list[PersonRow]:
    """Everybody who ever left a trace or was given a role, by name; `at` = now, for what is held."""
    sql = f"""
        WITH {STANDS}
        SELECT name, max(role), coalesce(bool_or(is_removed), false), max(seen), sum(decided)::INTEGER, sum(rewritten)::INTEGER,
            sum(held)::INTEGER
        FROM (
            SELECT name, role, is_removed, NULL AS seen, 0 AS decided, 0 AS rewritten, 0 AS held FROM person
            UNION ALL
            SELECT person, NULL, NULL, max(made_at), 0, 0, 0 FROM review GROUP BY person
            UNION ALL
            SELECT person, NULL, NULL, NULL, count(*), 0, 0
            FROM stands WHERE role <> 'settled' AND NOT {IS_BULK} GROUP BY person
            UNION ALL
            SELECT generator, NULL, NULL, NULL, 0, count(*), 0 FROM variant WHERE kind = 'human' GROUP BY generator
            UNION ALL
            SELECT person, NULL, NULL, max(taken_at), 0, 0, count(*) FILTER (WHERE until > ?) FROM lease GROUP BY person
            UNION ALL
            SELECT person, NULL, NULL, max(made_at), 0, 0, 0 FROM scratch GROUP BY person
            UNION ALL
            SELECT person, NULL, NULL, max(made_at), 0, 0, 0 FROM variant_judgement GROUP BY person
            UNION ALL
            SELECT person, NULL, NULL, max(made_at), 0, 0, 0 FROM log WHERE person IS NOT NULL GROUP BY person
        )
        WHERE name <> ''
        GROUP BY name
        ORDER BY lower(name), name
        """
    return [PersonRow(*row) for row in database.rows(sql, [at])]
