"""The queue in memory gives and counts what queries of the tables give and count, whatever people do to the items."""

from dataclasses import replace
from pathlib import Path
from random import Random

from core.errors import BenchError
from core.nouns import Span
from store.engine.database import Database
from store.items import items
from store.queue import leases, next_item, skips
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.leases import CLAIMS, live_parameters
from store.queue.queue import IS_QUEUED
from store.queue.queue_rules import OverlapRule, QueueRules
from store.queue.state_row import StateMirror, StateRow, fetch_state_row, fetch_state_rows
from store.reviews import opinions, state
from store.reviews.own_decisions import list_last_decisions, load_own_decisions, load_progress
from store.reviews.reviews import decide
from store.reviews.undo import undo
from tests.store.sample_items import item, review

PEOPLE = ("ann", "bo", "cy")
KINDS = (ItemKind(), ItemKind(level=2), ItemKind(level=1, domain="law"), ItemKind(flag="none", language="zh"))
RULES = (
    QueueRules(),
    QueueRules([OverlapRule(ItemKind(level=2), 2)], [ItemKind(domain="law")]),
    QueueRules([OverlapRule(ItemKind(), 3, 0.5)], [ItemKind(language="zh"), ItemKind(level=1)], seed=3),
)
SINCE = "2026-01-01T00:00:00.000+00:00"


def at(minute: int) -> str:
    return f"2026-01-01T{8 + minute // 15:02}:{minute % 15 * 4:02}:00.000+00:00"


def act(database: Database, chance: Random, minute: int) -> None:
    """Let somebody do something."""
    person, name, key = chance.choice(PEOPLE), f"i{chance.randrange(24):02}", f"k{minute}"
    often, seldom = ["decide"] * 7 + ["claim"] * 3, ["hold", "assign", "undo", "skip", "release", "rules", "edit"]
    what = chance.choice(often + seldom)
    if what == "decide":
        current = items.get(database, name)
        made = review(key, name, chance.choice(("accept", "discard")), current.revision, at=at(minute))
        edited = None if chance.random() < 0.7 else replace(current, question=f"Another {minute}?")
        edited = edited if made.decision == "accept" else None
        decide(database, replace(made, person=person), edited, heeds_leases=True)
    elif what == "claim":
        next_item.claim(database, chance.choice(KINDS), person, at=at(minute), minutes=15, after=chance.choice((None, name)))
    elif what == "hold":
        leases.hold(database, name, person, at=at(minute), minutes=15)
    elif what == "assign":
        leases.assign(database, [name], person, by="lea", at=at(minute))
    elif what == "undo":
        undo(database, person, key)
    elif what == "skip":
        skips.add(database, skips.Skip(key, name, items.get(database, name).revision, person, "", at(minute)))
    elif what == "release":
        leases.release_items(database, person, by="lea", at=at(minute))
    elif what == "rules":
        opinions.set_rules(database, chance.choice(RULES) if minute > 120 else chance.choice(RULES[1:]), "lea")
    elif not database.rows("SELECT 1 FROM opinion WHERE item = ?", [name]):
        items.edit(database, replace(items.get(database, name), domain=chance.choice(("law", "general"))), "lea")


def query_progress(database: Database, kind: ItemKind, person: str, now: str, document: str, name: str) -> tuple[int, ...]:
    of_kind, params = build_kind_condition(kind)
    is_free = "s.given < s.wanted AND coalesce(c.people, 0) < s.wanted - s.given AND o.item IS NULL"
    [counts] = database.rows(
        f"""
        WITH {CLAIMS}, claimed AS (SELECT item, count(*) AS people FROM claim GROUP BY item)
        SELECT
            count(*) FILTER ({of_kind} AND {is_free}),
            count(*) FILTER ({of_kind} AND s.given < s.wanted AND c.people >= s.wanted - s.given),
            count(*) FILTER ({of_kind} AND s.given >= s.wanted),
            count(*) FILTER (s.document = ? AND s.item <> ? AND {is_free})
        FROM state s
        LEFT JOIN claimed c ON c.item = s.item
        LEFT JOIN (SELECT item FROM opinion WHERE person = ?) o ON o.item = s.item
        WHERE s.status = 'drafted' AND {IS_QUEUED}
        """,
        [person, *live_parameters(now), person, *params, *params, *params, document, name, person],
    )
    sql = f"""
        WITH {EFFECTIVE_REVIEWS}
        SELECT count(DISTINCT item) FROM effective WHERE person = ? AND made_at >= ? AND role <> 'settled' AND NOT {IS_BULK}
        """
    [(today,)] = database.rows(sql, [person, SINCE])
    return (*counts[:3], today, counts[3])


def query_order(database: Database, kind: ItemKind, person: str, now: str, after: str) -> list[str]:
    """All free items behind `after`."""
    of_kind, params = build_kind_condition(kind)
    rows = database.rows(
        f"""
        WITH {CLAIMS}, claimed AS (
            SELECT item, count(*) AS people FROM claim GROUP BY item
        ), own AS (
            SELECT item FROM opinion WHERE person = ?
        ), here AS (
            SELECT number, CASE WHEN status <> 'drafted' OR item IN (SELECT item FROM own) THEN document END AS document
            FROM state WHERE item = ?
        ), skipped AS (
            SELECT k.item FROM skip k JOIN state s ON s.item = k.item AND s.revision = k.revision WHERE k.person = ?
        )
        SELECT s.item
        FROM state s LEFT JOIN claimed c ON c.item = s.item CROSS JOIN here h
        WHERE s.status = 'drafted' AND {IS_QUEUED} AND {of_kind} AND s.given < s.wanted
            AND coalesce(c.people, 0) < s.wanted - s.given AND s.item NOT IN (SELECT item FROM own) AND s.number <> h.number
        ORDER BY s.item IN (SELECT item FROM skipped),
            s.item IN (SELECT item FROM skipped) OR s.item NOT IN (SELECT item FROM assignment WHERE person = ?), s.place,
            s.number < h.number, coalesce(s.document <> h.document, false) AND s.number > h.number, s.number
        """,
        [person, *live_parameters(now), person, person, after, person, *params, person],
    )
    return [row[0] for row in rows]


def test_the_queue_in_memory_equals_the_tables(tmp_path: Path) -> None:
    """It goes by a seed; every few acts, all that people see is compared, also after the state was rebuilt and after the
    workspace was opened again, when only waiting items are read."""
    chance, path = Random(5), tmp_path / "w.duckdb"
    with Database.open(path) as database:
        kinds = [
            {"level": n % 2 + 1, "domain": ("law", "general")[n % 3 == 0], "language": ("en", "zh")[n % 4 == 0]}
            for n in range(24)
        ]
        opinions.set_rules(database, RULES[1], "lea")
        items.add(database, [item(f"i{n:02}", evidence=(Span(f"b2:{n % 3}", 3, 9),), **kinds[n]) for n in range(24)])
    for minutes in (range(60), range(60, 160)):
        with Database.open(path) as database:
            for minute in minutes:
                act_and_compare(database, chance, minute)
            assert state.list_differences(database) == []


def act_and_compare(database: Database, chance: Random, minute: int) -> None:
    """Let somebody do something, and every few minutes compare what people see."""
    try:
        act(database, chance, minute)
    except BenchError:
        return
    if minute == 100:
        state.rebuild(database)
    for person in PEOPLE if minute % 4 == 0 else ():
        kind, name = chance.choice(KINDS), f"i{chance.randrange(24):02}"
        found = load_progress(database, kind, person, at=at(minute), since=SINCE, document="b2:2", item=name)
        assert tuple(found) == query_progress(database, kind, person, at(minute), "b2:2", name), minute
        way = next_item.list_free_items(database, kind, person, at(minute), name, 99)
        assert way == query_order(database, kind, person, at(minute), name), minute
        assert load_own_decisions(database, person).last == list_last_decisions(database.rows, person)
    [stored] = database.rows(f"SELECT {', '.join(StateRow._fields)} FROM state WHERE item = 'i07'")
    assert fetch_state_row(database, "i07") == stored and fetch_state_rows(database, ["i07", "no such item"]) == [stored]


def test_items_decided_before_are_not_in_memory_until_they_wait_again(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    with Database.open(path) as database:
        items.add(database, [item(f"i{n}") for n in range(3)])
        decide(database, replace(review("k0", "i0"), person="ann"), None)
    with Database.open(path) as database:
        mirror = database.follow(StateMirror)
        assert sorted(row.item for row in mirror.list_rows()) == ["i1", "i2"]
        database.execute("UPDATE state SET place = 1 WHERE status = 'accepted'")
        assert sorted(row.item for row in mirror.list_rows()) == ["i1", "i2"]
        assert fetch_state_row(database, "i0") and next_item.list_free_items(database, ItemKind(), "bo", at(0), "i0") == ["i1"]
        undo(database, "ann", "undo")
        assert sorted(row.item for row in mirror.list_rows()) == ["i0", "i1", "i2"]
        assert database.follow(StateMirror) is mirror and mirror.count_open(ItemKind()) == 3


def test_after_a_change_of_many_rows_the_queue_is_read_as_before() -> None:
    many = 1_200
    with Database.open(":memory:") as database:
        items.add(database, [item(f"i{n:04}", domain=f"d{n % 3}", evidence=(Span(f"t{n // 9}", 0, 1),)) for n in range(many)])
        assert database.follow(StateMirror).count_open(ItemKind(domain="d1")) == many // 3
        opinions.set_rules(database, QueueRules([], [ItemKind(domain="d2")]), "lea", at(0))
        database.execute("UPDATE state SET status = 'discarded' WHERE number > 1000")
        mirror = database.follow(StateMirror)
        fresh = StateMirror(mirror.lock)
        fresh.load(database.rows)
        for kind in (ItemKind(), ItemKind(domain="d1"), ItemKind(domain="d2")):
            assert mirror.count_open(kind) == fresh.count_open(kind)
        assert next_item.list_free_items(database, ItemKind(), "ann", at(0)) == next_item.list_free_items(
            database, ItemKind(), "bo", at(0)
        )
        assert items.get(database, next_item.list_free_items(database, ItemKind(), "ann", at(0))[0]).domain == "d2"
