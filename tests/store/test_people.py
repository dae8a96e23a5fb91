"""People and the log in the store: standings, traces, refusals that are not repeated, pages read in SQL."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from store.engine.database import Database
from store.items import items
from store.people import log, people
from store.people.log import LogFilter
from store.people.people import PersonStatus
from store.reviews import reviews
from tests.store.sample_items import item, review

NOW = "2026-01-01T10:00:00.000+00:00"


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open(":memory:") as database:
        yield database


def test_nobody_has_a_standing_until_somebody_has_a_role(database: Database) -> None:
    people.put(database, "Bob", None, True)
    assert people.load_status(database, "Ada") == PersonStatus(False, None, False)
    assert people.load_status(database, "Bob") == PersonStatus(False, None, True)
    people.put(database, "Ada", "admin", False)
    assert people.load_status(database, "Ada") == PersonStatus(True, "admin", False)
    assert people.load_status(database, "Bob") == PersonStatus(True, None, True)


def test_whoever_left_a_trace_is_among_the_people_and_nobody_twice(database: Database) -> None:
    items.add(database, [item("a")])
    reviews.decide(database, review("k", "a"), None)
    reviews.decide(database, review("s", "a", role="settled"), None)  # what equal opinions come to is nobody's press
    people.put(database, "ann", "lead", False)
    people.put(database, "Ada", "admin", False)
    found = people.list_people(database, NOW)
    assert [(one.name, one.role, one.decisions, one.seen is None) for one in found] == [
        ("Ada", "admin", 0, True),
        ("ann", "lead", 1, False),
    ]


def test_the_same_refusal_within_a_minute_is_one_line_and_what_was_done_is_one_each_time(database: Database) -> None:
    for _ in range(3):
        log.add(database, "Bob", "freeze releases", "v1", is_refused=True)
        log.add(database, "Bob", "set targets", "tech", {"target": 5})
    log.add(database, "Bob", "freeze releases", "v2", is_refused=True)
    log.add(database, None, "freeze releases", "v1")
    lines = log.load_page(database, LogFilter(), 50)
    assert [line.number for line in lines] == [6, 5, 4, 3, 2, 1]
    assert [line.what for line in lines if line.is_refused] == ["v2", "v1"] and lines[-2].details == {"target": 5}


def test_lines_are_chosen_by_person_act_and_day_and_paged(database: Database) -> None:
    for n in range(7):
        log.add(database, None if n % 2 else "Bob", "set targets", str(n))
    log.add(database, "", "freeze releases", "v1")
    today = datetime.now(UTC).date()
    assert [line.what for line in log.load_page(database, LogFilter(people=("Bob",)), 2, 1)] == ["4", "2"]
    assert log.count(database, LogFilter(people=(None,))) == 3 and log.count(database, LogFilter(people=(None, ""))) == 4
    assert log.count(database, LogFilter(acts=("freeze releases",), day=today)) == 1
    assert log.count(database, LogFilter(day=date(2001, 1, 1))) == 0
    assert [line.what for line in log.stream_lines(database, LogFilter(people=("Bob",)), batch_size=2)] == ["6", "4", "2", "0"]
    assert log.list_choices(database) == ([None, "", "Bob"], ["freeze releases", "set targets"])
