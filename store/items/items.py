"""Store and load items. The revisions of an item never change; one state row per item has its current status and is updated in
the same transaction."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Item, Level, Provenance, Status, Verdict
from store.corpus.documents import AddedIds
from store.engine.columns import (
    Fetch,
    Timestamp,
    build_conditions,
    build_in_condition,
    current_time,
    fetch_from,
    fetch_in_batches,
    from_json,
    insert_row,
    insert_rows,
    level_from_text,
    level_to_text,
    spans_from_json,
    split_ids,
)
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items.current_verdicts import CURRENT_VERDICTS, FLAGS, format_flags
from store.items.verdicts import append_verdicts
from store.queue import queue_rules
from store.queue.kind import ItemKind
from store.queue.state_row import StateRow, fetch_state_row

_WORDS = "task, level, domain, language, question, answers, evidence, labels, inputs, given, steps, overlap, provenance"
_REVISION = f"key, item, revision, number, status, {_WORDS}, made_by, made_at, base"
_STATE = "item, number, revision, status, task, level, domain, language, latest, document, agent, flags, wanted, place"
_OF_ITEMS = "WHERE item IN (SELECT unnest(?::VARCHAR[]))"


APART = "apart"
"""Status of a revision that belongs to a release alone: no list, queue or count of the workspace's items has it."""


class ItemCount(NamedTuple):
    """Number of items of one task, level, domain, language and status."""

    task: str
    level: Level
    domain: str
    language: str
    status: str
    items: int


def add(
    database: Database, items: Sequence[Item], verdicts: Sequence[Verdict] = (), by: str | None = None, at: str | None = None
) -> AddedIds:
    """Store the items whose ids are new, with their verdicts; items that are already stored do not change. `by` is the author
    of the items; None means that the author is the agent in each item's provenance."""
    return database.write(lambda cursor: insert(cursor, items, verdicts, by, at))


def insert(
    cursor: Cursor, items: Sequence[Item], verdicts: Sequence[Verdict] = (), by: str | None = None, at: str | None = None
) -> AddedIds:
    """Store items like `add`, within the caller's transaction."""
    fetch = fetch_from(cursor)
    stored = {row[0] for row in fetch_in_batches(fetch, f"SELECT item FROM state {_OF_ITEMS}", (item.id for item in items))}
    new: dict[str, Item] = {}
    already: list[str] = []
    for item in items:
        if item.id in stored or item.id in new:
            already.append(item.id)
        else:
            new[item.id] = item
    [(last,)] = fetch("SELECT coalesce(max(number), 0) FROM state", [])
    numbered = list(enumerate(new.values(), last + 1))
    at = at or current_time()
    rows = (_build_revision_row(item, n, by or item.provenance.agent or item.provenance.origin, at) for n, item in numbered)
    insert_rows(cursor, "revision", _REVISION, rows)
    of_revision: dict[tuple[str, int], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        of_revision[verdict.item, verdict.revision].append(verdict)
    flags = [format_flags(of_revision[item.id, item.revision]) for item in new.values()]
    kinds = [ItemKind(i.task, i.level, i.domain, i.language, i.provenance.agent) for i in new.values()]
    entries = queue_rules.plan_new_items(fetch, list(zip(kinds, flags, strict=True)))
    states = (
        (*_build_state_start(item, number), item.revision, find_first_document(item), item.provenance.agent, flag, *entry)
        for (number, item), flag, entry in zip(numbered, flags, entries, strict=True)
    )
    insert_rows(cursor, "state", _STATE, states)
    append_verdicts(cursor, verdicts)
    return AddedIds(list(new), already)


def add_apart(database: Database, items: Sequence[Item], by: str) -> None:
    """Store items that belong to a release alone, such as those of a counterfactual one: the release finds them by id and
    revision, and no list or count of the workspace's items has them. Those that are stored already stay."""
    at, place = current_time(), _REVISION.split(", ").index("status")
    rows = (_build_revision_row(item, 0, by, at) for item in items)
    apart = [(*row[:place], APART, *row[place + 1 :]) for row in rows]
    database.write(lambda cursor: insert_rows(cursor, "revision", _REVISION, apart))


def get(database: Database, item: str) -> Item:
    """Return the item with its current text. Raises BenchError if no item has the given id."""
    for stored in load_items(database, [item]):
        return stored
    raise BenchError(f"No item {item.strip() or repr('')} in this workspace: `{COMMAND} items` lists them.")


def load_items(database: Database, ids: Iterable[str]) -> list[Item]:
    """Return the items with the given ids, in that order and with their current text. Unknown ids are left out."""
    return fetch_items(database.rows, ids)


def fetch_items(fetch: Fetch, ids: Iterable[str]) -> list[Item]:
    """Return the items with the given ids and their current text, using the query function of a transaction."""
    wanted = list(ids)
    rows: list[tuple[Any, ...]] = []
    for batch in split_ids(dict.fromkeys(wanted)):
        where, params = build_in_condition("item", batch)
        rows += fetch(f"SELECT item, revision, status FROM state WHERE {where}", params)
    items = {item.id: item for item in fetch_revisions(fetch, rows)}
    return [items[id] for id in wanted if id in items]


class ItemRevision(NamedTuple):
    """An item with the text of one of its revisions, and information on who wrote the revision."""

    item: Item
    """The item with the text of this revision, and the status with which the revision was stored."""
    made: Revision


def load_revision(database: Database, item: str, revision: int) -> ItemRevision | None:
    """Return the given revision of the item with its author, or None if the revision does not exist."""
    return load_revisions(database, [(item, revision)]).get((item, revision))


def load_revisions(database: Database, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], ItemRevision]:
    """Return a dict from (item, revision) to the revision with its author; revisions that do not exist are left out."""
    where, params = build_in_condition("key", [_key(*pair) for pair in wanted])
    found = {}
    for row in database.rows(
        f"SELECT item, revision, status, {_WORDS}, made_by, made_at, base FROM revision WHERE {where}", params
    ):
        words = _item_from_row(row)
        made = Revision(words.id, words.revision, words.question, words.answers, *row[-3:])
        found[words.id, words.revision] = ItemRevision(words, made)
    return found


def fetch_revisions(fetch: Fetch, wanted: Iterable[tuple[Any, ...]]) -> list[Item]:
    """Return items from a list of (id, revision, status), in that order, each with the revision's text and the given status.
    Unknown revisions are left out."""
    status = {_key(item, revision): status for item, revision, status in wanted}
    items: dict[str, Item] = {}
    for batch in split_ids(status):
        where, params = build_in_condition("key", batch)
        rows = fetch(f"SELECT item, revision, '', {_WORDS} FROM revision WHERE {where}", params)
        items |= {_key(row[0], row[1]): _item_from_row(row) for row in rows}
    return [replace(items[key], status=status[key]) for key in status if key in items]


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
    """Return items with their current text, in the order in which they were added. Each parameter that is not None restricts
    the result. `after` selects the items that follow the item with this id, and `limit` is their maximum number."""
    kind = {"task": task, "domain": domain, "status": status, "level": level_to_text(level), "language": language}
    conditions, params = build_conditions({f"s.{column}": value for column, value in kind.items()})
    if after is not None:
        conditions.append("s.number > (SELECT number FROM state WHERE item = ?)")
        params.append(after)
    where = " AND ".join(["true", *conditions])
    if limit is None:
        columns = ", ".join(f"r.{name}" for name in _WORDS.split(", "))
        joined = "state s JOIN revision r ON r.item = s.item AND r.revision = s.revision"
        sql = f"SELECT r.item, r.revision, s.status, {columns} FROM {joined} WHERE {where} ORDER BY s.number"
        return database.build_rows(_item_from_row, sql, params)
    sql = f"SELECT item, revision, status FROM state s WHERE {where} ORDER BY number LIMIT ?"
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
    """Return (number of items found, one page of these items). Only the items in the given (item, revision) pairs are searched;
    their order stays the same. The search finds an item if it has the given task, domain, level and language (None = any) and
    its question or answers contain the text. All returned items have the status accepted."""
    kind = {"r.task": task, "r.domain": domain, "r.level": level_to_text(level), "r.language": language}
    conditions, params = build_conditions(kind)
    if text.strip():
        conditions.append("(contains(lower(r.question), ?) OR contains(lower(r.answers), ?))")
        params += [text.strip().lower()] * 2
    rows = database.rows(
        f"""
        WITH wanted AS (SELECT unnest(?::VARCHAR[]) AS key, unnest(range(?)) AS place)
        SELECT r.item, r.revision, 'accepted', count(*) OVER ()
        FROM wanted w JOIN revision r ON r.key = w.key
        WHERE {" AND ".join(["true", *conditions])}
        ORDER BY w.place LIMIT ? OFFSET ?
        """,
        [[_key(*pair) for pair in revisions], len(revisions), *params, limit, offset],
    )
    return (rows[0][3] if rows else 0), fetch_revisions(database.rows, [row[:3] for row in rows])


def list_kinds(database: Database, revisions: Sequence[tuple[str, int]]) -> list[tuple[str, Level]]:
    """Return the distinct (domain, level) pairs of the items in a list of (item, revision) pairs."""
    sql = "SELECT DISTINCT domain, level FROM revision WHERE key IN (SELECT unnest(?::VARCHAR[]))"
    rows = database.rows(sql, [[_key(*pair) for pair in revisions]])
    return [(domain, level_from_text(level)) for domain, level in rows]


def list_current_revisions(database: Database) -> set[tuple[str, int]]:
    """Return a set with (item id, number of its current revision) for every item."""
    return set(database.rows("SELECT item, revision FROM state"))


def find_of_task(database: Database, ids: Sequence[str], task: str) -> set[str]:
    """Return those of the ids that belong to items of the task."""
    sql = "SELECT item FROM state WHERE task = ? AND item IN (SELECT unnest(?::VARCHAR[]))"
    return {item for (item,) in database.rows(sql, [task, list(ids)])}


def count_items(database: Database) -> list[ItemCount]:
    """Return the number of items for each task, level, domain, language and status."""
    rows = database.rows("SELECT task, level, domain, language, status, count(*) FROM state GROUP BY ALL ORDER BY ALL")
    return [ItemCount(task, level_from_text(level), *rest) for task, level, *rest in rows]


def edit(database: Database, edited: Item, by: str, at: str | None = None) -> Item | None:
    """Store the edited text of an item as the revision after `edited.revision`. Return the item with its new revision and the
    status drafted, because nobody has decided on this text yet. If `edited.revision` is no longer the current revision, store
    nothing and return None."""
    return database.write(lambda cursor: append(cursor, edited, by, at or current_time()))


def append(
    cursor: Cursor,
    edited: Item,
    by: str,
    at: Timestamp,
    base: int | None = None,
    status: Status = "drafted",
    row: StateRow | None = None,
) -> Item | None:
    """Store a revision like `edit`, within the caller's transaction. `base` is the number of the revision that a decision
    between several opinions revises. `status` is the new status if a decision comes with the edit. `row` is the item's state
    row if the transaction has already read it."""
    row = row or fetch_state_row(cursor, edited.id)
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
        given=0,
    )
    changed = {name: value for name, value in new._asdict().items() if value != getattr(row, name)}  # each column takes time
    names = ", ".join(f"{name} = ?" for name in changed)
    cursor.execute(f"UPDATE state SET {names} WHERE item = ?", [*changed.values(), edited.id])
    if row.given:  # the opinions are about the earlier text
        cursor.execute("DELETE FROM opinion WHERE item = ?", [edited.id])
    return replace(_store_edit(cursor, edited, [(new.number, new.latest)], by, at, base), status=status)


def restore_revisions(cursor: Cursor, wanted: Sequence[tuple[str, int, Status | None]]) -> dict[str, Status]:
    """For each (item, revision, status), make the revision the item's current one again; return a dict from item to its new
    status. The names of the gates that flagged the revision are put back too. If the status is None, the item gets the status
    with which the revision was stored."""
    rows = cursor.execute(
        f"""
        WITH n AS (
            SELECT unnest(?::VARCHAR[]) AS item, unnest(?::INTEGER[]) AS revision, unnest(?::VARCHAR[]) AS status
        ), f AS (
            SELECT item, revision, {FLAGS} AS flags
            FROM (SELECT * FROM verdict WHERE item IN (SELECT item FROM n) {CURRENT_VERDICTS})
            GROUP BY item, revision
        )
        SELECT
            n.item, n.revision, coalesce(n.status, r.status), coalesce(f.flags, ''), r.task, r.level, r.domain, r.language,
            coalesce(json_extract_string(r.given, '$[0]'), json_extract_string(r.evidence, '$[0][0]'))
        FROM n
        JOIN revision r ON r.key = n.item || '@' || n.revision
        LEFT JOIN f ON f.item = n.item AND f.revision = n.revision
        """,
        [[row[place] for row in wanted] for place in range(3)],
    ).fetchall()
    cursor.execute(
        """
        UPDATE state SET revision = n.revision, status = n.status, flags = n.flags, task = n.task, level = n.level,
            domain = n.domain, language = n.language, document = n.document
        FROM (
            SELECT unnest(?::VARCHAR[]) AS item, unnest(?::INTEGER[]) AS revision, unnest(?::VARCHAR[]) AS status,
                unnest(?::VARCHAR[]) AS flags, unnest(?::VARCHAR[]) AS task, unnest(?::VARCHAR[]) AS level,
                unnest(?::VARCHAR[]) AS domain, unnest(?::VARCHAR[]) AS language, unnest(?::VARCHAR[]) AS document
        ) n
        WHERE state.item = n.item
        """,
        [[row[place] for row in rows] for place in range(9)],
    )
    return {row[0]: row[2] for row in rows}


def append_opinion(cursor: Cursor, edited: Item, by: str, at: Timestamp) -> Item:
    """Store the text of a person's opinion as a revision that is based on `edited.revision`; the item's current revision stays
    the same."""
    sql = "UPDATE state SET latest = latest + 1 WHERE item = ? RETURNING number, latest"
    return _store_edit(cursor, edited, cursor.execute(sql, [edited.id]).fetchall(), by, at, edited.revision)


def _store_edit(
    cursor: Cursor, edited: Item, moved: Sequence[tuple[Any, ...]], by: str, at: Timestamp, base: int | None
) -> Item:
    [(number, latest)] = moved
    new = replace(edited, revision=latest, status="drafted")
    insert_row(cursor, "revision", _REVISION, _build_revision_row(new, number, by, at, base))
    return new


def load_history(database: Database, items: Iterable[str]) -> list[Revision]:
    """Return every revision of the given items, oldest first."""
    return fetch_history(database.rows, items)


def fetch_history(fetch: Fetch, items: Iterable[str]) -> list[Revision]:
    """Return revisions like `load_history`, using the query function of a transaction."""
    columns = "item, revision, question, answers, made_by, made_at, base, evidence, labels, overlap"
    rows = fetch_in_batches(fetch, f"SELECT {columns} FROM revision {_OF_ITEMS} ORDER BY number, revision", items)
    return [
        Revision(item, number, question, tuple(from_json(answers)), by, at, base, spans_from_json(spans), from_json(labels), o)
        for item, number, question, answers, by, at, base, spans, labels, o in rows
    ]


def restore(cursor: Cursor, revisions: Sequence[Revision]) -> None:
    """Store revisions from another workspace for items that are stored in this one; fields that these revisions lack are copied
    from the item's first revision. The caller must then update the state rows of the items."""
    fetch = fetch_from(cursor)
    ids = list({revision.item for revision in revisions})
    firsts = {item.id: item for item in fetch_revisions(fetch, [(id, 1, "drafted") for id in ids])}
    numbers = dict(fetch_in_batches(fetch, f"SELECT item, number FROM state {_OF_ITEMS}", ids))
    names = ("revision", "question", "answers", "evidence", "labels", "overlap")
    items = (replace(firsts[r.item], **{name: getattr(r, name) for name in names}) for r in revisions)
    rows = (_build_revision_row(item, numbers[item.id], r.by, r.at, r.base) for item, r in zip(items, revisions, strict=True))
    insert_rows(cursor, "revision", _REVISION, rows)


def _key(item: str, revision: int) -> str:
    return f"{item}@{revision}"


def find_first_document(item: Item) -> str | None:
    """Return the id of the document that the app opens first for the item, or None if there is none: the first document that
    the item was drafted from, otherwise its first evidence document."""
    return next(iter((*item.given, *(span.document for span in item.evidence))), None)


def _build_state_start(item: Item, number: int) -> tuple[Any, ...]:
    """Return the values of the first columns of the state row of a new item."""
    level = level_to_text(item.level)
    return item.id, number, item.revision, item.status, item.task, level, item.domain, item.language


def _build_revision_row(item: Item, number: int, by: str, at: Timestamp, base: int | None = None) -> tuple[Any, ...]:
    p = item.provenance
    provenance = {"agent": p.agent, "prompt": p.prompt, "seed": p.seed, "calls": p.calls, "origin": p.origin}
    place = (_key(item.id, item.revision), item.id, item.revision, number, item.status)
    kind = (item.task, level_to_text(item.level), item.domain, item.language)
    words = (item.question, item.answers, item.evidence, item.labels, item.inputs, item.given, item.steps, item.overlap)
    return (*place, *kind, *words, provenance, by, at, base)


def _item_from_row(row: tuple[Any, ...]) -> Item:
    """Build an item from a database row that begins with the columns item, revision, status and _WORDS."""
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
