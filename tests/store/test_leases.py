"""Leases: no item is two people's, one's own comes first, and one past its time blocks nothing. annotation.md 3d, rows 28, 34,
39 and 41."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from store.engine.database import Database
from store.items import items
from store.queue import leases, next_item
from store.queue.kind import ItemKind
from store.queue.leases import EndedLease, Lease
from store.reviews.reviews import HeldByOther, decide
from tests.store.sample_items import item, review

ANY = ItemKind()


def at(minute: int) -> str:
    """That many minutes into the day."""
    return f"2026-01-01T{10 + minute // 60}:{minute % 60:02}:00.000+00:00"


@pytest.fixture
def database() -> Iterator[Database]:
    """Four items that wait: a, b, c, d."""
    with Database.open(":memory:") as database:
        items.add(database, [item(name, level=2 if name == "c" else 1) for name in "abcd"])
        yield database


def claim(database: Database, person: str, minute: int = 0, after: str | None = None, kind: ItemKind = ANY) -> str | None:
    return next_item.claim(database, kind, person, at=at(minute), minutes=15, after=after)


def hold(database: Database, name: str, person: str, minute: int = 0) -> Lease | None:
    return leases.hold(database, name, person, at=at(minute), minutes=15)


def holders(database: Database, minute: int = 0) -> list[tuple[str, str]]:
    return [(lease.person, lease.item) for lease in leases.list_held(database, at=at(minute))]


def test_each_gets_another_item_and_keeps_it_when_they_come_again(database: Database) -> None:
    assert [claim(database, person) for person in ("ann", "bo", "ann", "bo", "cy")] == ["a", "b", "a", "b", "c"]
    assert holders(database) == [("ann", "a"), ("bo", "b"), ("cy", "c")]


def test_going_on_lets_go_and_passes_over_what_others_hold(database: Database) -> None:
    assert claim(database, "ann") == "a" and claim(database, "bo") == "b"
    assert claim(database, "ann", after="a") == "c", "b is bo's"
    assert claim(database, "cy") == "a", "ann has let go of it"
    assert claim(database, "ann", after="c") == "d" and claim(database, "ann", after="d") == "c", "round again"


def test_who_finds_nothing_else_keeps_what_they_have(database: Database) -> None:
    assert [claim(database, person) for person in ("ann", "bo", "cy", "di", "eve")] == ["a", "b", "c", "d", None]
    assert claim(database, "ann", after="a") is None and ("ann", "a") in holders(database)


def test_a_kind_narrows_the_claim_and_ones_own_first(database: Database) -> None:
    assert claim(database, "ann") == "a" and claim(database, "ann", kind=ItemKind(level=2)) == "c"
    assert claim(database, "bo", kind=ItemKind(level=2)) is None
    assert claim(database, "ann", kind=ItemKind(level=1)) == "a"


@pytest.mark.fault(41)
def test_a_lease_past_its_time_is_simply_taken(database: Database) -> None:
    claim(database, "ann")
    assert claim(database, "bo", 14) == "b" and claim(database, "cy", 15) == "a"
    assert holders(database, 15) == [("bo", "b"), ("cy", "a")]
    assert hold(database, "a", "ann", 16) == Lease("a", "cy", at(30), at(15)), "it is not ann's any more"
    assert claim(database, "ann", 16) == "c"


@pytest.mark.fault(33)
def test_after_a_long_break_ones_own_is_still_first_unless_it_was_taken(database: Database) -> None:
    claim(database, "ann")
    claim(database, "ann", after="a")
    assert claim(database, "ann", 200) == "b"


@pytest.mark.fault(41)
def test_a_lease_from_a_clock_that_was_put_back_blocks_nothing(database: Database) -> None:
    days_ahead = at(0).replace("01-01", "01-03")
    next_item.claim(database, ANY, "ann", at=days_ahead, minutes=15)
    assert holders(database) == [], "no lease lasts for two days"
    assert claim(database, "bo") == "a" and hold(database, "b", "ann") is None
    assert holders(database) == [("ann", "b"), ("bo", "a")]
    leases.hold(database, "a", "bo", at=days_ahead, minutes=15)
    assert hold(database, "a", "bo", 5) is None
    assert Lease("a", "bo", at(20), at(5)) in leases.list_held(database, at=at(5)), "one's own is put right"


def test_a_claim_that_waited_its_turn_ends_no_lease_of_a_moment_later(database: Database) -> None:
    day = leases.MAX_LEASE_MINUTES
    leases.hold(database, "b", "ann", at=at(1), minutes=day)
    leases.hold(database, "a", "bo", at=at(0), minutes=day)
    assert leases.find_blocking_lease(database, "b", "bo", at(0)), "also in the eyes of a request that began before it"
    assert holders(database, 2) == [("ann", "b"), ("bo", "a")]


def test_signs_of_life_renew_and_never_take_from_another(database: Database) -> None:
    claim(database, "ann")
    assert hold(database, "a", "ann", 10) is None and claim(database, "bo", 20) == "b"
    [mine, theirs] = leases.list_held(database, at=at(20))
    assert mine == Lease("a", "ann", at(25), at(0)) and theirs.until == at(35)
    other = hold(database, "b", "ann", 21)
    assert other is not None and other.person == "bo" and holders(database, 21) == [("ann", "a"), ("bo", "b")]


def test_an_open_item_is_held_only_while_it_waits(database: Database) -> None:
    decide(database, review("k", "d"))
    assert hold(database, "d", "bo") is None and hold(database, "nowhere", "bo") is None and holders(database) == []
    assert hold(database, "c", "bo") is None and holders(database) == [("bo", "c")]


@pytest.mark.fault(39)
def test_taking_over_is_on_record_and_releasing_too(database: Database) -> None:
    claim(database, "ann")
    assert leases.take_over(database, "a", "bo", at=at(1), minutes=15) == ["ann"]
    assert leases.take_over(database, "a", "bo", at=at(2), minutes=15) == []
    assert holders(database, 2) == [("bo", "a")]
    hold(database, "b", "bo", 3)
    assert leases.release_items(database, "bo", by="lea", at=at(4)) == ["a", "b"] and holders(database, 4) == []
    hold(database, "c", "bo", 5)
    hold(database, "d", "bo", 5)
    assert leases.release_items(database, "bo", by="bo", at=at(6), item="c") == ["c"] and holders(database, 6) == [("bo", "d")]
    assert leases.list_ended(database) == [
        EndedLease("b", "bo", "lea", "released", at(4)),
        EndedLease("a", "bo", "lea", "released", at(4)),
        EndedLease("a", "ann", "bo", "taken over", at(1)),
    ]


@pytest.mark.fault(39)
def test_a_decision_on_anothers_item_is_refused_and_ones_own_lets_go(database: Database) -> None:
    claim(database, "bo")
    with pytest.raises(HeldByOther, match="bo holds this item now") as raised:
        decide(database, review("k", "a", at=at(1)), heeds_leases=True)
    assert raised.value.lease.until == at(15) and items.get(database, "a").status == "drafted"
    decide(database, review("k", "a", at=at(16)), heeds_leases=True)
    claim(database, "ann", 20)
    decide(database, review("k2", "b", at=at(21)), heeds_leases=True)
    assert holders(database, 21) == []


def test_names_with_slashes_are_two_people(database: Database) -> None:
    items.add(database, [item("x/y"), item("y")])
    assert hold(database, "x/y", "ann") is None and hold(database, "y", "ann/x") is None
    assert holders(database) == [("ann", "x/y"), ("ann/x", "y")]


@pytest.mark.fault(34)
def test_a_lease_outlives_a_restart(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item("a"), item("b")])
        claim(database, "ann")
    with Database.open(tmp_path / "w.duckdb") as database:
        assert claim(database, "bo", 1) == "b" and claim(database, "ann", 1) == "a"


@pytest.mark.fault(28)
def test_twenty_threads_at_once_never_get_one_item_twice(tmp_path: Path) -> None:
    """Each goes on until nothing is left for it: half decides, half skips its first one and comes back to it."""
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item(f"i{n:03}") for n in range(120)])

        def work(n: int) -> list[str]:
            person, done, skipped = f"p{n}", [], n % 2 == 0
            mine = claim(database, person)
            while mine is not None:
                if not skipped:
                    mine, skipped = claim(database, person, after=mine) or mine, True
                    continue
                decide(database, replace(review(f"{person}-{mine}", mine, at=at(0)), person=person), heeds_leases=True)
                done.append(mine)
                mine = claim(database, person, after=mine)
            return done

        with ThreadPoolExecutor(20) as pool:
            done = [name for own in pool.map(work, range(20)) for name in own]
        left = [name for name in (f"i{n:03}" for n in range(120)) if name not in done]
        assert len(done) == len(set(done)), "one decision an item"
        assert left == [] and holders(database) == []
        assert database.rows("SELECT count(*), count(DISTINCT item) FROM review") == [(120, 120)]


@pytest.mark.fault(28)
def test_the_last_item_is_one_persons(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item("a")])
        with ThreadPoolExecutor(20) as pool:
            got = list(pool.map(lambda n: claim(database, f"p{n}"), range(20)))
        assert sorted(got, key=str) == [*[None] * 19, "a"]
