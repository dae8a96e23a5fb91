"""Keep one spelling of each person's name. Names that differ only in case or spaces belong to one person, and the spelling that
was stored first is used. An earlier version counted two spellings as two people; these people are merged when an older
workspace is opened."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.person_name import fold_name
from core.text.scripts import find_mixed_alphabets, fold_look_alikes
from store.engine.columns import Fetch, current_time, fetch_from, from_json, insert_rows, pair_key, replace_surrogates, to_json
from store.engine.database import Cursor, Database

UNITED_SETTING = "names_united"
"""Key of the setting that records that this workspace's spellings of names have been merged."""
ACT = "make two spellings one person"
"""Name in the log of the action that merges two spellings of a person's name."""
_NAME_COLUMNS = ("person", "made_by", "assigned_by", "ended_by")
"""Names of all columns, of any table, that store a person's name."""
_KEYED_TABLES = ("scratch", "lease", "opinion", "assignment", "plant_given", "practice_round", "own_answer")
"""Names of the tables whose key begins with a person's name."""
_BY_PEOPLE = "(revision > 1 OR provenance ->> '$.agent' IS NULL)"
"""SQL condition for revisions that a person and not an agent wrote."""


def spell_name(database: Database, name: str) -> str:
    """Return the person's name in the spelling that this workspace stores. A name that is not stored yet is returned without
    spaces at its ends, and without characters that cannot be stored."""
    storable = replace_surrogates(name)
    return _load_spellings(database).get(fold_name(storable), storable.strip())


def is_known(database: Database, name: str) -> bool:
    """Check whether the workspace knows a person with this name in any spelling, or has work by a person with this name."""
    key = fold_name(name)
    return key in _load_spellings(database) or key in map(fold_name, _count_names(database.rows))


def remember_name(database: Database, name: str) -> str:
    """Return the stored spelling of the name like `spell_name`. If no spelling of the name is stored yet, store the given one.
    Raises BenchError if a word of a new name mixes letters of several alphabets that look alike, or if the name looks like a
    stored name in another alphabet."""
    spellings = _load_spellings(database)
    if not name.strip() or fold_name(name) in spellings or database.is_read_only:
        return spell_name(database, name)
    if mixed := find_mixed_alphabets(name):
        raise BenchError(f"“{mixed}” mixes letters of several alphabets that look alike: write the name in one alphabet.")
    looks = fold_name(fold_look_alikes(name))
    if known := next((one for one in spellings.values() if fold_name(fold_look_alikes(one)) == looks), None):
        raise BenchError(f"“{name}” looks like the name of {known}, which is written in another alphabet: choose another name.")
    return database.write(lambda cursor: spell_names(cursor, [name])[name])


def spell_names(cursor: Cursor, names: Iterable[str]) -> dict[str, str]:
    """Return a dict from each name to its stored spelling. Names that are not stored yet are stored as given, within the
    caller's transaction."""
    keys = {name: replace_surrogates(fold_name(name)) for name in names if name.strip()}
    first_spelled = {keys[name]: name.strip() for name in reversed(keys)}
    insert_rows(cursor, "spelling", "key, name", first_spelled.items())
    sql = "SELECT key, name FROM spelling WHERE key IN (SELECT unnest(?::VARCHAR[]))"
    spelled = dict(cursor.execute(sql, [list(first_spelled)]).fetchall())
    return {name: spelled[key] for name, key in keys.items()}


def unite_spellings(database: Database) -> None:
    """Store one spelling for every name, and merge the people whose names are spellings of one name. The merging happens once
    per workspace. The merged person gets the most frequent spelling and the strongest role, and counts as removed only if all
    spellings were removed. If the merged person has two opinions on an item that waits for a decision, only the later opinion
    stays in effect. The log lists the merged names."""
    if database.is_read_only or database.rows("SELECT 1 FROM setting WHERE key = ?", [UNITED_SETTING]):
        return

    def write(cursor: Cursor) -> None:
        spellings: dict[str, list[str]] = {}
        for name, _ in sorted(_count_names(fetch_from(cursor)).items(), key=lambda pair: (-pair[1], pair[0])):
            spellings.setdefault(fold_name(name), []).append(name)
        chosen = {key: names[0].strip() for key, names in spellings.items() if key}
        insert_rows(cursor, "spelling", "key, name", chosen.items())
        others = {name: right for key, right in chosen.items() for name in spellings[key] if name != right}
        if others:
            _rewrite(cursor, others)
        cursor.execute("INSERT INTO setting (key, value) VALUES (?, 'true')", [UNITED_SETTING])

    database.write(write)


def _load_spellings(database: Database) -> Mapping[str, str]:
    return database.read_cached("spellings", ["spelling"], lambda: dict(database.rows("SELECT key, name FROM spelling")))


def _list_name_columns(fetch: Fetch) -> list[tuple[str, str, str]]:
    """Return (table, column, SQL condition for rows) for every column with people's names, except the columns of roles and of
    the writers of variants."""
    sql = """
        SELECT table_name, column_name
        FROM duckdb_columns()
        WHERE database_name = current_database() AND column_name IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY table_name, column_name
        """
    rows = fetch(sql, [list(_NAME_COLUMNS)])
    return [(table, column, _BY_PEOPLE if table == "revision" else "true") for table, column in rows]


def _count_names(fetch: Fetch) -> Counter[str]:
    """Return a dict from each person's name to the number of its occurrences in the workspace."""
    columns = [*_list_name_columns(fetch), ("person", "name", "true"), ("variant", "generator", "kind = 'human'")]
    names = " UNION ALL ".join(f"SELECT {column} AS name FROM {table} WHERE {where}" for table, column, where in columns)
    return Counter(dict(fetch(f"SELECT name, count(*) FROM ({names}) WHERE name <> '' GROUP BY name", [])))


def _rewrite(cursor: Cursor, others: Mapping[str, str]) -> None:
    """Replace spellings of names in all tables; `others` is a dict from each old spelling to the new one. The writer's name in
    a variant stays as it is, because the hashes of releases depend on it."""
    sql = "SELECT DISTINCT item FROM review WHERE role = 'opinion' AND person IN (SELECT unnest(?::VARCHAR[]))"
    with_opinions = [row[0] for row in cursor.execute(sql, [list(others)]).fetchall()]
    for table in _KEYED_TABLES:
        for old, new in others.items():
            _rekey(cursor, table, old, new)
    renamed = "(SELECT unnest(?::VARCHAR[]) AS old, unnest(?::VARCHAR[]) AS new) n"
    for table, column, where in _list_name_columns(fetch_from(cursor)):
        sql = f"UPDATE {table} SET {column} = n.new FROM {renamed} WHERE {table}.{column} = n.old AND {where}"
        cursor.execute(sql, [list(others), list(others.values())])
    _unite_roles(cursor, others)
    _rename_in_json(cursor, others)
    _recount(cursor, with_opinions)
    lines = [(current_time(), None, ACT, f"{old} is {new} from now on", "{}", False) for old, new in others.items()]
    insert_rows(cursor, "log", "made_at, person, act, what, details, is_refused", lines, is_numbered=True)


def _rekey(cursor: Cursor, table: str, old: str, new: str) -> None:
    """Change the keys of the rows with the old spelling, so that they contain the new spelling. If both spellings have a row
    with the same key, only the newer row stays; in the table `own_answer`, only the older row stays."""
    time = {"lease": "taken_at", "opinion": "key"}.get(table, "made_at")
    for key, at in cursor.execute(f"SELECT key, {time} FROM {table} WHERE person = ?", [old]).fetchall():
        new_key = key.replace(pair_key(old, ""), pair_key(new, ""), 1)
        other = cursor.execute(f"SELECT {time} FROM {table} WHERE key = ?", [new_key]).fetchall()
        if other and (at > other[0][0]) == (table == "own_answer"):
            cursor.execute(f"DELETE FROM {table} WHERE key = ?", [key])
            continue
        if other:
            cursor.execute(f"DELETE FROM {table} WHERE key = ?", [new_key])
        cursor.execute(f"UPDATE {table} SET key = ? WHERE key = ?", [new_key, key])


def _unite_roles(cursor: Cursor, others: Mapping[str, str]) -> None:
    """Give each merged person the strongest of the roles that were stored for the spellings of the name. The person counts as
    removed only if all spellings were removed."""
    order = ("guest", "annotator", "researcher", "lead", "admin")
    for name in dict.fromkeys(others.values()):
        spellings = [name, *(old for old, new in others.items() if new == name)]
        sql = "SELECT role, is_removed, release FROM person WHERE name IN (SELECT unnest(?::VARCHAR[]))"
        rows = cursor.execute(sql, [spellings]).fetchall()
        if rows:
            role = max((row[0] for row in rows if row[0] in order), key=order.index, default=None)
            cursor.execute("DELETE FROM person WHERE name IN (SELECT unnest(?::VARCHAR[]))", [spellings])
            is_removed = all(row[1] for row in rows)
            release = next((row[2] for row in rows if row[0] == role), None)
            values = [name, role, is_removed, release]
            cursor.execute("INSERT INTO person (name, role, is_removed, release) VALUES (?, ?, ?, ?)", values)


def _rename_in_json(cursor: Cursor, others: Mapping[str, str]) -> None:
    """Replace spellings of names within JSON values: the reviewers of a sample, and the people who need no qualification."""
    for id_, text in cursor.execute("SELECT id, reviewers FROM variant_sample").fetchall():
        reviewers: Sequence[str] = from_json(text)
        renamed = list(dict.fromkeys(others.get(name, name) for name in reviewers))
        if renamed != list(reviewers):
            cursor.execute("UPDATE variant_sample SET reviewers = ? WHERE id = ?", [to_json(renamed), id_])
    for (text,) in cursor.execute("SELECT value FROM setting WHERE key = 'practice_excused'").fetchall():
        excused: Mapping[str, Any] = from_json(text)
        value = to_json({others.get(name, name): about for name, about in excused.items()})
        cursor.execute("UPDATE setting SET value = ? WHERE key = 'practice_excused'", [value])


def _recount(cursor: Cursor, items: Sequence[str]) -> None:
    """Count the opinions on the given waiting items again, because several opinions may now belong to one person."""
    from store.reviews import opinions  # imported here to avoid an import cycle

    waiting = "SELECT item FROM state WHERE status = 'drafted' AND item IN (SELECT unnest(?::VARCHAR[]))"
    for (item,) in cursor.execute(waiting, [list(items)]).fetchall():
        opinions.recount(cursor, item)
