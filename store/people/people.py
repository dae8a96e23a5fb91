"""Store people with their roles and whether they were removed, and count their work."""

from collections.abc import Mapping
from typing import NamedTuple

from core.person_name import fold_name
from store.engine.columns import Timestamp
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK
from store.reviews import names


class PersonStatus(NamedTuple):
    """Role of one person, whether the person was removed, and whether the workspace uses roles."""

    is_on: bool
    """Whether the workspace uses roles, which is so if any person has one."""
    role: str | None
    """Role of the person, or None if the person has none."""
    is_removed: bool
    release: str | None = None
    """Name of the only release that a guest sees, or None for other roles."""


class PersonRow(NamedTuple):
    """One person of the workspace, with the person's role and numbers about the person's work."""

    name: str
    role: str | None
    is_removed: bool
    seen: Timestamp | None
    """Time of the person's last work or sign-in, or None if there was none."""
    decisions: int
    """Number of the person's decisions on items and variants that are in effect. Bulk decisions, and decisions that the program
    made from equal opinions, do not count."""
    rewrites: int
    """Number of variants that the person wrote, including discarded ones."""
    holds: int
    """Number of items that are reserved for the person with a valid lease."""


def load_status(database: Database, name: str) -> PersonStatus:
    """Return the role and status of the person with the given name. An unknown person has no role."""
    sql = """
        SELECT count(role) > 0, max(role) FILTER (WHERE name = $1),
            coalesce(bool_or(is_removed) FILTER (WHERE name = $1), false), max(release) FILTER (WHERE name = $1)
        FROM person
        """
    spelled = names.spell_name(database, name)
    rows = database.read_cached(("status", spelled), ["person"], lambda: database.rows(sql, [spelled]))
    return PersonStatus(*rows[0])


def load_guests(database: Database) -> Mapping[str, str]:
    """Return a dict from the name of each guest to the name of the only release that the guest sees."""
    sql = "SELECT name, coalesce(release, '') FROM person WHERE role = 'guest'"
    return database.read_cached("guests", ["person"], lambda: dict(database.rows(sql)))


def put(database: Database, name: str, role: str | None, is_removed: bool, release: str | None = None) -> None:
    """Store the person's role, whether the person is removed, and the release that a guest sees."""
    database.write(lambda cursor: write(cursor, name, role, is_removed, release))


def write(cursor: Cursor, name: str, role: str | None, is_removed: bool, release: str | None = None) -> None:
    """Store the person like `put`, within the caller's transaction."""
    sql = """
        INSERT INTO person (name, role, is_removed, release) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE
        SET role = excluded.role, is_removed = excluded.is_removed, release = excluded.release
        """
    cursor.execute(sql, [name, role, is_removed, release])


def take_roles(database: Database) -> None:
    """Remove the role of every person. People who were removed stay removed."""
    database.execute("UPDATE person SET role = NULL, release = NULL")


def list_names_of_role(database: Database, role: str) -> list[str]:
    """Return the names of the people who have the role and were not removed."""
    rows = database.rows("SELECT name FROM person WHERE role = ? AND NOT is_removed ORDER BY name", [role])
    return [row[0] for row in rows]


def list_people(database: Database, at: str) -> list[PersonRow]:
    """Return all people who ever did something or had a role, sorted by name. `at` is the current time: items whose lease has
    expired by then do not count as reserved for a person."""
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
            FROM effective WHERE role <> 'settled' AND NOT {IS_BULK} GROUP BY person
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
            UNION ALL
            SELECT tried, NULL, NULL, max(made_at), 0, 0, 0
            FROM sign_in WHERE NOT is_refused AND act <> 'use a token' GROUP BY tried
        )
        WHERE name <> ''
        GROUP BY name
        ORDER BY lower(name), name
        """
    people: dict[str, PersonRow] = {}
    for row in map(PersonRow._make, database.rows(sql, [at])):
        key, row = fold_name(row.name), row._replace(name=names.spell_name(database, row.name))
        if other := people.get(key):  # imported rewrites keep their spelling of a name
            last_seen = max(other.seen or "", row.seen or "") or None
            counts = (a + b for a, b in zip(other[4:], row[4:], strict=True))
            row = PersonRow(row.name, other.role or row.role, other.is_removed or row.is_removed, last_seen, *counts)
        people[key] = row
    return list(people.values())
