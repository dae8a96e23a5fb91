"""People: the role that each was given, whether their work here has ended, and the traces that they left."""

from typing import NamedTuple

from core.person_name import fold_name
from store.engine.columns import replace_surrogates
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK
from store.reviews import names


class NameStanding(NamedTuple):
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


def load_standing(database: Database, name: str) -> NameStanding:
    """Of one name; somebody unknown has no role."""
    sql = """
        SELECT count(role) > 0, max(role) FILTER (WHERE name = $1),
            coalesce(bool_or(is_removed) FILTER (WHERE name = $1), false)
        FROM person
        """
    known = names.spell_name(database, name)
    rows = database.read_cached(("standing", known), ["person"], lambda: database.rows(sql, [replace_surrogates(known)]))
    return NameStanding(*rows[0])


def put(database: Database, name: str, role: str | None, is_removed: bool) -> None:
    """How that person stands from now on."""
    database.write(lambda cursor: write(cursor, name, role, is_removed))


def write(cursor: Cursor, name: str, role: str | None, is_removed: bool) -> None:
    """As put, within a transaction of the caller's."""
    sql = """
        INSERT INTO person (name, role, is_removed) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET role = excluded.role, is_removed = excluded.is_removed
        """
    cursor.execute(sql, [replace_surrogates(name), role, is_removed])


def take_roles(database: Database) -> None:
    """Nobody has a role any more; whose work here has ended, for them it stays so."""
    database.write(lambda cursor: cursor.execute("UPDATE person SET role = NULL"))


def list_names_of_role(database: Database, role: str) -> list[str]:
    """The names that have that role and may use it."""
    rows = database.rows("SELECT name FROM person WHERE role = ? AND NOT is_removed ORDER BY name", [role])
    return [row[0] for row in rows]


def list_people(database: Database, at: str) -> list[PersonRow]:
    """Everybody who ever left a trace or was given a role, by name; `at` = now, for what is held."""
    sql = f"""
        WITH {EFFECTIVE_REVIEWS}
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
    found: dict[str, PersonRow] = {}
    for row in map(PersonRow._make, database.rows(sql, [at])):  # rewrites that came with a release keep a spelling of their own
        key, row = fold_name(row.name), row._replace(name=names.spell_name(database, row.name))
        there = found.get(key)
        found[key] = (
            row
            if there is None
            else PersonRow(
                row.name,
                there.role or row.role,
                there.is_removed or row.is_removed,
                max(there.seen or "", row.seen or "") or None,
                *(a + b for a, b in zip(there[4:], row[4:], strict=True)),
            )
        )
    return list(found.values())
