"""One spelling for each person: names that differ in case or spaces alone are one person's, and stand in the workspace as they
were first written. A workspace from before, in which two spellings were two people, has them made one when it is opened."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from core.person_name import fold_name
from store.engine.columns import current_time, from_json, insert_rows, replace_surrogates, to_json
from store.engine.database import Cursor, Database

UNITED_SETTING = "names_united"
"""The setting that says that the names of a workspace from before were looked through."""
ACT = "make two spellings one person"
"""What the log says of it."""
_COLUMNS = {"key": "VARCHAR", "name": "VARCHAR"}
_MAKERS = ("person", "made_by", "assigned_by", "ended_by")
"""Columns that name a person, in whatever table they stand."""
_KEYED_TABLES = ("scratch", "lease", "opinion", "assignment", "plant_given", "practice_round", "own_answer")
"""Tables whose key begins with the name."""
_LOG = {
    "number": "INTEGER",
    "made_at": "VARCHAR",
    "person": "VARCHAR",
    "act": "VARCHAR",
    "what": "VARCHAR",
    "details": "VARCHAR",
    "is_refused": "BOOLEAN",
}
_BY_PEOPLE = "(revision > 1 OR provenance ->> '$.agent' IS NULL)"
"""Of a revision: a person made it, and no agent."""


def spell_name(database: Database, name: str) -> str:
    """The name as it is written here; as it is given where nobody of that name is known."""
    return _load_spellings(database).get(fold_name(name), name.strip())


def remember_name(database: Database, name: str) -> str:
    """As as_known; from now on this is how it is written where nobody of that name was known."""
    if not name.strip() or fold_name(name) in _load_spellings(database) or database.is_read_only:
        return spell_name(database, name)
    return database.write(lambda cursor: spell_names(cursor, [name])[name])


def spell_names(cursor: Cursor, names: Iterable[str]) -> dict[str, str]:
    """Each of the names as it is written here from now on, within a transaction of the caller's."""
    asked = list(dict.fromkeys(name for name in names if name.strip()))
    insert_rows(
        cursor, "spelling", _COLUMNS, {fold_name(name): (fold_name(name), name.strip()) for name in reversed(asked)}.values()
    )
    rows = cursor.execute(
        "SELECT key, name FROM spelling WHERE key IN (SELECT unnest(?::VARCHAR[]))",
        [[replace_surrogates(fold_name(name)) for name in asked]],
    ).fetchall()
    known = dict(rows)
    return {name: known[replace_surrogates(fold_name(name))] for name in asked}


def unite_spellings(database: Database) -> None:
    """Once for each workspace: write down how every name in it is spelled, and make spellings of one name one person. That
    person has the spelling that stands most often, the strongest of the roles, and is at work if one of the spellings was;
    two opinions that both spellings gave on an item that waits become one, the later. The log tells whom it was done to."""
    if database.is_read_only or database.rows("SELECT 1 FROM setting WHERE key = ?", [UNITED_SETTING]):
        return

    def write(cursor: Cursor) -> None:
        counted = _count_names(cursor)
        spelled: dict[str, list[str]] = {}
        for name, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])):
            spelled.setdefault(fold_name(name), []).append(name)
        insert_rows(cursor, "spelling", _COLUMNS, ((key, names[0].strip()) for key, names in spelled.items() if key))
        others = {name: names[0].strip() for key, names in spelled.items() if key for name in names if name != names[0].strip()}
        if others:
            _rewrite(cursor, others)
        cursor.execute("INSERT INTO setting (key, value) VALUES (?, 'true')", [UNITED_SETTING])

    database.write(write)


def _load_spellings(database: Database) -> Mapping[str, str]:
    return database.read_cached("spellings", ["spelling"], lambda: dict(database.rows("SELECT key, name FROM spelling")))


def _columns(cursor: Cursor) -> list[tuple[str, str, str]]:
    """(table, column, which rows) of all that names people, but for roles and the writers of rewrites."""
    sql = """
        SELECT table_name, column_name
        FROM duckdb_columns()
        WHERE database_name = current_database() AND column_name IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY table_name, column_name
        """
    rows = cursor.execute(sql, [list(_MAKERS)]).fetchall()
    return [(table, column, _BY_PEOPLE if table == "revision" else "true") for table, column in rows]


def _count_names(cursor: Cursor) -> Counter[str]:
    """Every name -> how often it stands in the workspace; a role counts as once."""
    found: Counter[str] = Counter()
    for table, column, where in [*_columns(cursor), ("person", "name", "true"), ("variant", "generator", "kind = 'human'")]:
        sql = f"SELECT {column}, count(*) FROM {table} WHERE {where} AND coalesce({column}, '') <> '' GROUP BY {column}"
        found.update(dict(cursor.execute(sql).fetchall()))
    return found


def _rewrite(cursor: Cursor, others: Mapping[str, str]) -> None:
    """Put the one spelling in the place of the others, wherever they stand. A rewrite keeps its writer's spelling: releases are
    hashed with it."""
    sql = "SELECT DISTINCT item FROM review WHERE role = 'opinion' AND person IN (SELECT unnest(?::VARCHAR[]))"
    doubled = [row[0] for row in cursor.execute(sql, [list(others)]).fetchall()]
    for table in _KEYED_TABLES:
        for was, name in others.items():
            _rekey(cursor, table, was, name)
    given = "(SELECT unnest(?::VARCHAR[]) AS was, unnest(?::VARCHAR[]) AS name) n"
    for table, column, where in _columns(cursor):
        sql = f"UPDATE {table} SET {column} = n.name FROM {given} WHERE {table}.{column} = n.was AND {where}"
        cursor.execute(sql, [list(others), list(others.values())])
    _unite_roles(cursor, others)
    _rename_in_json(cursor, others)
    _recount(cursor, doubled)
    [(last,)] = cursor.execute("SELECT coalesce(max(number), 0) FROM log").fetchall()
    insert_rows(
        cursor,
        "log",
        _LOG,
        (
            (number, current_time(), None, ACT, f"{was} is {name} from now on", "{}", False)
            for number, (was, name) in enumerate(others.items(), last + 1)
        ),
    )


def _rekey(cursor: Cursor, table: str, was: str, name: str) -> None:
    """Rows of the other spelling get the one spelling's key; where there is one of that key already, the newer of both stays,
    and of answers given blind the older."""
    old, new = (f"{quote(replace_surrogates(one), safe='')}/" for one in (was, name))
    made = {"lease": "taken_at", "opinion": "key"}.get(table, "made_at")
    for key, at in cursor.execute(f"SELECT key, {made} FROM {table} WHERE person = ?", [was]).fetchall():
        renamed = key.replace(old, new, 1)
        there = cursor.execute(f"SELECT {made} FROM {table} WHERE key = ?", [renamed]).fetchall()
        if there and (at > there[0][0]) == (table == "own_answer"):
            cursor.execute(f"DELETE FROM {table} WHERE key = ?", [key])
            continue
        if there:
            cursor.execute(f"DELETE FROM {table} WHERE key = ?", [renamed])
        cursor.execute(f"UPDATE {table} SET key = ? WHERE key = ?", [renamed, key])


def _unite_roles(cursor: Cursor, others: Mapping[str, str]) -> None:
    """The strongest role of the spellings; the work has ended where all of them had."""
    order = ("annotator", "researcher", "lead", "admin")
    for name in dict.fromkeys(others.values()):
        spellings = [name, *(was for was, one in others.items() if one == name)]
        sql = "SELECT role, is_removed FROM person WHERE name IN (SELECT unnest(?::VARCHAR[]))"
        rows = cursor.execute(sql, [spellings]).fetchall()
        if rows:
            role = max((row[0] for row in rows if row[0] in order), key=order.index, default=None)
            cursor.execute("DELETE FROM person WHERE name IN (SELECT unnest(?::VARCHAR[]))", [spellings])
            has_ended = all(row[1] for row in rows)
            cursor.execute("INSERT INTO person (name, role, is_removed) VALUES (?, ?, ?)", [name, role, has_ended])


def _rename_in_json(cursor: Cursor, others: Mapping[str, str]) -> None:
    """Names within JSON: who is to judge a sample, and who goes without practice."""
    for id_, text in cursor.execute("SELECT id, reviewers FROM variant_sample").fetchall():
        told: Sequence[str] = from_json(text)
        renamed = list(dict.fromkeys(others.get(one, one) for one in told))
        if renamed != list(told):
            cursor.execute("UPDATE variant_sample SET reviewers = ? WHERE id = ?", [to_json(renamed), id_])
    for (text,) in cursor.execute("SELECT value FROM setting WHERE key = 'practice_excused'").fetchall():
        excused: Mapping[str, Any] = from_json(text)
        value = to_json({others.get(name, name): about for name, about in excused.items()})
        cursor.execute("UPDATE setting SET value = ? WHERE key = 'practice_excused'", [value])


def _recount(cursor: Cursor, items: Sequence[str]) -> None:
    """Whose opinions stand on those that wait, now that fewer people gave them."""
    from store.reviews import opinions  # it imports the queue, which imports this module's neighbours

    waiting = "SELECT item FROM state WHERE status = 'drafted' AND item IN (SELECT unnest(?::VARCHAR[]))"
    for (item,) in cursor.execute(waiting, [list(items)]).fetchall():
        opinions.recount(cursor, item)
