"""Items in and out: append-only revisions and ONE state row an item, written in the same transaction."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Item, Level, Provenance, Status, Verdict
from store.corpus.documents import AddedIds
from store.engine.columns import (
    Fetch,
    build_in_condition,
    current_time,
    fetch_from,
    from_json,
    insert_row,
    insert_rows,
    level_from_text,
    level_to_text,
    spans_from_json,
    spans_to_json,
    split_in_batches,
    to_json,
)
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items.current_verdicts import CURRENT_VERDICTS, FLAGS, format_flags
from store.items.state_row import StateRow, fetch_state_row
from store.items.verdicts import append_verdicts
from store.queue import queue_rules
from store.queue.kind import ItemKind

_REVISION = {
    "key": "VARCHAR",
    "item": "VARCHAR",
    "revision": "INTEGER",
    "number": "INTEGER",
    "status": "VARCHAR",
    "task": "VARCHAR",
    "level": "VARCHAR",
    "domain": "VARCHAR",
    "language": "VARCHAR",
    "question": "VARCHAR",
    "answers": "VARCHAR",
    "evidence": "VARCHAR",
    "labels": "VARCHAR",
    "inputs": "VARCHAR",
    "given": "VARCHAR",
    "steps": "VARCHAR",
    "overlap": "DOUBLE",
    "provenance": "VARCHAR",
    "made_by": "VARCHAR",
    "made_at": "VARCHAR",
    "base": "INTEGER",
}
_STATE = {
    "item": "VARCHAR",
    "number": "INTEGER",
    "revision": "INTEGER",
    "status": "VARCHAR",
    "task": "VARCHAR",
    "level": "VARCHAR",
    "domain": "VARCHAR",
    "language": "VARCHAR",
    "latest": "INTEGER",
    "document": "VARCHAR",
    "agent": "VARCHAR",
    "flags": "VARCHAR",
    "wanted": "INTEGER",
    "place": "INTEGER",
}
_ALL_COLUMNS = """r.item, r.revision, s.status, r.task, r.level, r.domain, r.language, r.question, r.answers, r.evidence,
    r.labels, r.inputs, r.given, r.steps, r.overlap, r.provenance"""


class ItemCount(NamedTuple):
    """How many items of one kind."""

    task: str
    level: Level
    domain: str
    language: str
    status: str
    items: int


def add(
    database: Database, items: Sequence[Item], verdicts: Sequence[Verdict] = (), by: str | None = None, at: str | None = None
) -> AddedIds:
    """Store the items whose id is new, with their verdicts; those there are stay as they are. `by` is who made them, else the
    agent of their provenance."""
    return database.write(lambda cursor: insert(cursor, items, verdicts, by, at))


def insert(
    cursor: Cursor, items: Sequence[Item], verdicts: Sequence[Verdict] = (), by: str | None = None, at: str | None = None
) -> AddedIds:
    """As add, within a transaction of the caller's."""
    fetch = fetch_from(cursor)
    sql = "SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0] for piece in split_in_batches(item.id for item in items) for row in fetch(sql, [piece])}
    new: dict[str, Item] = {}
    already: list[str] = []
    for item in items:
        if item.id in stored or item.id in new:
            already.append(item.id)
        else:
            new[item.id] = item
    (last,) = fetch("SELECT coalesce(max(number), 0) FROM state", [])[0]
    numbered = list(enumerate(new.values(), last + 1))
    at = at or current_time()
    insert_rows(
        cursor,
        "revision",
        _REVISION,
        (_revision_row(item, number, by or item.provenance.agent or item.provenance.origin, at) for number, item in numbered),
    )
    found: dict[tuple[str, int], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        found[verdict.item, verdict.revision].append(verdict)
    flagged = [format_flags(found[i.id, i.revision]) for i in new.values()]
    kinds = [ItemKind(i.task, i.level, i.domain, i.language, i.provenance.agent) for i in new.values()]
    waits = queue_rules.plan_new_items(fetch, list(zip(kinds, flagged, strict=True)))
    insert_rows(
        cursor,
        "state",
        _STATE,
        (
            (
                i.id,
                number,
                i.revision,
                i.status,
                i.task,
                level_to_text(i.level),
                i.domain,
                i.language,
                i.revision,
                find_first_document(i),
                i.provenance.agent,
                flag,
                wait.wanted,
                wait.place,
            )
            for (number, i), flag, wait in zip(numbered, flagged, waits, strict=True)
        ),
    )
    append_verdicts(cursor, verdicts)
    return AddedIds(list(new), already)


def get(database: Database, item: str) -> Item:
    """The item as it is now; raises BenchError when there is none of that id."""
    found = load_items(database, [item])
    if not found:
        raise BenchError(f"No item {item} in this workspace: `cli.py items` lists them.")
    return found[0]


def load_items(database: Database, ids: Iterable[str]) -> list[Item]:
    """The items of those ids as they are now, in that order; unknown ones are left out."""
    return fetch_items(database.rows, ids)


def fetch_items(fetch: Fetch, ids: Iterable[str]) -> list[Item]:
    """As many, also within a transaction."""
    wanted = list(ids)
    rows: list[tuple[Any, ...]] = []
    for piece in split_in_batches(dict.fromkeys(wanted)):
        where, params = build_in_condition("item", piece)
        rows += fetch(f"SELECT item, revision, status FROM state WHERE {where}", params)
    found = {item.id: item for item in fetch_revisions(fetch, rows)}
    return [found[one] for one in wanted if one in found]


class ItemRevision(NamedTuple):
    """An item in the words of one revision."""

    item: Item
    """Its status is the one that it had when they landed."""
    made: Revision


def load_revision(database: Database, item: str, revision: int) -> ItemRevision | None:
    """The words of that revision, and who wrote them; None when there is none."""
    columns = f"{_ALL_COLUMNS.replace('s.status', 'r.status')}, r.made_by, r.made_at, r.base"
    for row in database.rows(f"SELECT {columns} FROM revision r WHERE r.key = ?", [_key(item, revision)]):
        found = _item(row)
        return ItemRevision(found, Revision(item, revision, found.question, found.answers, *row[-3:]))
    return None


def fetch_revisions(fetch: Fetch, wanted: Iterable[tuple[Any, ...]]) -> list[Item]:
    """Items of (id, revision, status), in that order; unknown ones are left out."""
    status = {_key(item, revision): status for item, revision, status in wanted}
    found: dict[str, Item] = {}
    for piece in split_in_batches(status):
        where, params = build_in_condition("r.key", piece)
        rows = fetch(f"SELECT {_ALL_COLUMNS.replace('s.status', repr(''))} FROM revision r WHERE {where}", params)
        found |= {_key(row[0], row[1]): _item(row) for row in rows}
    return [replace(found[key], status=status[key]) for key in status if key in found]


def list_items(
    database: Database,
    *,
    task: str | None = None,
    domain: str | None = None,
    status: Status | None = None,
    level: Level = None,
    language: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> list[Item]:
    """Items as they are now, in the order they came; those of a kind, and `limit` of them `after` that item."""
    given = [("task", task), ("domain", domain), ("status", status), ("level", level_to_text(level)), ("language", language)]
    where = [f"s.{name} = ?" for name, value in given if value is not None]
    params: list[Any] = [value for _, value in given if value is not None]
    if after is not None:
        where.append("s.number > (SELECT number FROM state WHERE item = ?)")
        params.append(after)
    if limit is None:
        sql = f"""
            SELECT {_ALL_COLUMNS}
            FROM state s JOIN revision r ON r.item = s.item AND r.revision = s.revision
            WHERE {" AND ".join(["true", *where])}
            ORDER BY s.number
            """
        return [_item(row) for row in database.rows(sql, params)]
    sql = f"SELECT item, revision, status FROM state s WHERE {' AND '.join(['true', *where])} ORDER BY number LIMIT ?"
    return fetch_revisions(database.rows, database.rows(sql, [*params, limit]))


def search_items(
    database: Database,
    revisions: Sequence[tuple[str, int]],
    *,
    task: str | None = None,
    domain: str | None = None,
    level: Level = None,
    language: str | None = None,
    text: str = "",
    limit: int,
    offset: int = 0,
) -> tuple[int, list[Item]]:
    """Those of the (item, revision) pairs that are of a kind and hold a text in question or answers, in their order: how many
    there are, and `limit` of them after `offset`, with the status accepted."""
    given = [("task", task), ("domain", domain), ("level", level_to_text(level)), ("language", language)]
    where = [f"r.{name} = ?" for name, value in given if value is not None]
    params: list[Any] = [value for _, value in given if value is not None]
    if text.strip():
        where.append("(contains(lower(r.question), ?) OR contains(lower(r.answers), ?))")
        params += [text.strip().lower()] * 2
    rows = database.rows(
        f"""
        WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS key, unnest(range(?)) AS place)
        SELECT r.item, r.revision, 'accepted', count(*) OVER ()
        FROM wanted w JOIN revision r ON r.key = w.key
        WHERE {" AND ".join(["true", *where])}
        ORDER BY w.place LIMIT ? OFFSET ?
        """,
        [[_key(*pair) for pair in revisions], len(revisions), *params, limit, offset],
    )
    return (rows[0][3] if rows else 0), fetch_revisions(database.rows, [row[:3] for row in rows])


def kinds(database: Database, revisions: Sequence[tuple[str, int]]) -> list[tuple[str, Level]]:
    """The (domain, level) pairs that those (item, revision) pairs are of."""
    rows = database.rows(
        "SELECT DISTINCT domain, level FROM revision WHERE key IN (SELECT unnest(?::VARCHAR[]))",
        [[_key(*pair) for pair in revisions]],
    )
    return [(domain, level_from_text(level)) for domain, level in rows]


def revisions(database: Database) -> set[tuple[str, int]]:
    """(item, current revision) of every item."""
    return set(database.rows("SELECT item, revision FROM state"))


def counts(database: Database) -> list[ItemCount]:
    """Items by task, level, domain, language and status."""
    rows = database.rows(
        """
        SELECT task, level, domain, language, status, count(*)
        FROM state
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [ItemCount(task, level_from_text(level), *rest) for task, level, *rest in rows]


def edit(database: Database, edited: Item, by: str, at: str | None = None) -> Item | None:
    """Store the item's words as a new revision after `edited.revision`, which must be the current one: None when it is not any
    more, and nothing is stored. Returns the item as it is now: drafted, until somebody decides on the new revision."""
    return database.write(lambda cursor: append(cursor, edited, by, at or current_time()))


def append(
    cursor: Cursor,
    edited: Item,
    by: str,
    at: str,
    base: int | None = None,
    status: Status = "drafted",
    row: StateRow | None = None,
) -> Item | None:
    """As edit, within a transaction of the caller's; `base` when the words come of a decision between opinions on it, `status`
    that of the item when somebody decided with the edit, `row` the item's where the transaction has read it."""
    row = row or fetch_state_row(fetch_from(cursor), edited.id)
    if row is None or row.revision != edited.revision:
        return None
    new = row._replace(
        revision=row.latest + 1,
        latest=row.latest + 1,
        status=status,
        task=edited.task,
        level=level_to_text(edited.level),
        domain=edited.domain,
        language=edited.language,
        document=find_first_document(edited),
        flags="",
    )
    changed = {name: value for name, value in new._asdict().items() if value != getattr(row, name)}  # each column costs as much
    names = ", ".join(f"{name} = ?" for name in changed)
    cursor.execute(f"UPDATE state SET {names} WHERE item = ?", [*changed.values(), edited.id])
    return replace(_store_edit(cursor, edited, [(new.number, new.latest)], by, at, base), status=status)


def restore_revisions(cursor: Cursor, wanted: Sequence[tuple[str, int, Status | None]]) -> dict[str, Status]:
    """Of each (item, revision, status) that revision is the current one again, with what the gates found on it; a status of
    None = as when it landed. Returns item -> its status."""
    ids = [item for item, _, _ in wanted]
    rows = cursor.execute(
        f"""
        WITH n AS (
            SELECT unnest(?::VARCHAR[]) AS item, unnest(?::INTEGER[]) AS revision, unnest(?::VARCHAR[]) AS status
        ), f AS (
            SELECT item, revision, {FLAGS} AS flags
            FROM (SELECT * FROM verdict WHERE item IN (SELECT item FROM n) {CURRENT_VERDICTS})
            GROUP BY item, revision
        )
        SELECT n.item, n.revision, coalesce(n.status, r.status), coalesce(f.flags, '')
        FROM n
        JOIN revision r ON r.key = n.item || '@' || n.revision
        LEFT JOIN f ON f.item = n.item AND f.revision = n.revision
        """,
        [ids, [revision for _, revision, _ in wanted], [status for _, _, status in wanted]],
    ).fetchall()
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], [], []]
    cursor.execute(
        """
        UPDATE state SET revision = n.revision, status = n.status, flags = n.flags
        FROM (
            SELECT unnest(?::VARCHAR[]) AS item, unnest(?::INTEGER[]) AS revision, unnest(?::VARCHAR[]) AS status,
                unnest(?::VARCHAR[]) AS flags
        ) n
        WHERE state.item = n.item
        """,
        columns,
    )
    return {item: status for item, _, status, _ in rows}


def append_opinion(cursor: Cursor, edited: Item, by: str, at: str) -> Item:
    """Store the words as a revision of their own over `edited.revision`, which stays what it is, current or not."""
    moved = cursor.execute(
        "UPDATE state SET latest = latest + 1 WHERE item = ? RETURNING number, latest", [edited.id]
    ).fetchall()
    return _store_edit(cursor, edited, moved, by, at, edited.revision)


def _store_edit(cursor: Cursor, edited: Item, moved: Sequence[tuple[Any, ...]], by: str, at: str, base: int | None) -> Item:
    [(number, latest)] = moved
    new = replace(edited, revision=latest, status="drafted")
    insert_row(cursor, "revision", _REVISION, _revision_row(new, number, by, at, base))
    return new


def load_history(database: Database, items: Iterable[str]) -> list[Revision]:
    """Every revision of those items, oldest first."""
    return fetch_history(database.rows, items)


def fetch_history(fetch: Fetch, items: Iterable[str]) -> list[Revision]:
    """As history, also within a transaction."""
    sql = """
        SELECT item, revision, question, answers, made_by, made_at, base, evidence, labels, overlap
        FROM revision
        WHERE item IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY number, revision
        """
    rows = [row for piece in split_in_batches(items) for row in fetch(sql, [piece])]
    return [
        Revision(item, number, question, tuple(from_json(answers)), by, at, base, spans_from_json(spans), from_json(labels), o)
        for item, number, question, answers, by, at, base, spans, labels, o in rows
    ]


def restore(cursor: Cursor, made: Sequence[Revision]) -> None:
    """Store revisions that were made elsewhere of items that are here; all that they do not tell is as in the first one. The
    state that follows is the caller's to write."""
    fetch = fetch_from(cursor)
    ids = list({one.item for one in made})
    firsts = {item.id: item for item in fetch_revisions(fetch, [(id_, 1, "drafted") for id_ in ids])}
    sql = "SELECT item, number FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    numbers = {row[0]: row[1] for piece in split_in_batches(ids) for row in fetch(sql, [piece])}
    insert_rows(
        cursor,
        "revision",
        _REVISION,
        (
            _revision_row(
                replace(
                    firsts[one.item],
                    revision=one.revision,
                    question=one.question,
                    answers=one.answers,
                    evidence=one.evidence,
                    labels=one.labels,
                    overlap=one.overlap,
                ),
                numbers[one.item],
                one.by,
                one.at,
                one.base,
            )
            for one in made
        ),
    )


def load_tried_windows(database: Database, task: str) -> set[str]:
    """Keys of the windows that this task was drafted from."""
    return {row[0] for row in database.rows("SELECT place FROM tried WHERE task = ?", [task])}


def insert_tried(cursor: Cursor, task: str, windows: Iterable[str], job: str) -> None:
    """Note that the task was drafted from those windows; once noted, always noted."""
    insert_rows(cursor, "tried", {"task": "VARCHAR", "place": "VARCHAR", "job": "VARCHAR"}, ((task, w, job) for w in windows))


def _key(item: str, revision: int) -> str:
    return f"{item}@{revision}"


def find_first_document(item: Item) -> str | None:
    """The document that a reader opens first."""
    return next(iter((*item.given, *(span.document for span in item.evidence))), None)


def _revision_row(item: Item, number: int, by: str, at: str, base: int | None = None) -> tuple[Any, ...]:
    p = item.provenance
    return (
        _key(item.id, item.revision),
        item.id,
        item.revision,
        number,
        item.status,
        item.task,
        level_to_text(item.level),
        item.domain,
        item.language,
        item.question,
        to_json(list(item.answers)),
        spans_to_json(item.evidence),
        to_json(dict(item.labels)),
        to_json(dict(item.inputs)),
        to_json(list(item.given)),
        to_json([dict(step) for step in item.steps]),
        item.overlap,
        to_json({"agent": p.agent, "prompt": p.prompt, "seed": p.seed, "calls": list(p.calls), "origin": p.origin}),
        by,
        at,
        base,
    )


def _item(row: tuple[Any, ...]) -> Item:
    provenance = from_json(row[15])
    return Item(
        id=row[0],
        revision=row[1],
        status=row[2],
        task=row[3],
        level=level_from_text(row[4]),
        domain=row[5],
        language=row[6],
        question=row[7],
        answers=tuple(from_json(row[8])),
        evidence=spans_from_json(row[9]),
        labels=from_json(row[10]),
        inputs=from_json(row[11]),
        given=tuple(from_json(row[12])),
        steps=tuple(from_json(row[13])),
        overlap=row[14],
        provenance=Provenance(**provenance | {"calls": tuple(provenance["calls"])}),
    )
