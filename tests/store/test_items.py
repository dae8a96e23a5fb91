"""Items, their revisions and verdicts in the store."""

from dataclasses import replace

import pytest

from core.errors import BenchError
from core.nouns import Verdict
from store.drafting import tried_windows
from store.engine.database import Database
from store.items import items
from store.items.verdicts import insert_verdicts, load_verdicts
from store.reviews import one_item, state
from tests.store.sample_items import item, whole_item


def test_an_item_comes_back_as_it_went_in() -> None:
    with Database.open(":memory:") as database:
        every = [item("a"), whole_item("b"), item("c", level="KS"), item("d", level=None)]
        assert items.add(database, every).added == ["a", "b", "c", "d"]
        assert items.load_items(database, ["d", "b", "unknown", "a", "c"]) == [every[3], every[1], every[0], every[2]]
        assert items.list_items(database) == every
        with pytest.raises(BenchError, match="No item unknown"):
            items.get(database, "unknown")


@pytest.mark.fault(13)
def test_adding_again_changes_nothing() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert items.add(database, [item("a", question="Other?"), item("b"), item("b")]) == (["b"], ["a", "b"])
        assert items.get(database, "a") == item("a")
        assert state.list_differences(database) == []


@pytest.mark.fault(44)
def test_items_are_listed_by_kind_in_their_order_page_by_page() -> None:
    with Database.open(":memory:") as database:
        every = [item(f"{n:02d}", level=1 + n % 2, domain=("law", "tech")[n // 10]) for n in reversed(range(20))]
        items.add(database, every[:7])
        items.add(database, every[7:])
        assert items.list_items(database, level=2) == [i for i in every if i.level == 2]
        assert items.list_items(database, level="2", domain="law") == [i for i in every if i.level == 2 and i.domain == "law"]
        assert items.list_items(database, status="accepted") == []
        page = items.list_items(database, level=1, limit=4)
        page += items.list_items(database, level=1, limit=4, after=page[-1].id)
        assert page == [i for i in every if i.level == 1][:8]
        assert sum(count.items for count in items.count_items(database)) == 20
        assert items.count_items(database)[0] == ("explicit_factoid", 1, "law", "en", "drafted", 5)


def test_an_edit_is_a_new_revision_and_the_old_one_stays() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [whole_item("a")], at="t0")
        edited = replace(items.get(database, "a"), question="改?", answers=("丙",), level=3)
        new = items.edit(database, edited, by="ann", at="t1")
        assert new == replace(edited, revision=2, status="drafted")
        assert items.get(database, "a") == new
        first, second = items.load_history(database, ["a"])
        assert (first.revision, first.question, first.by, first.at) == (1, "谁?", "openai:m", "t0")
        assert (second.revision, second.question, second.answers, second.by, second.at) == (2, "改?", ("丙",), "ann", "t1")
        assert items.list_items(database, level=2) == []


def test_an_edit_of_a_revision_that_is_not_current_stores_nothing() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        seen = items.get(database, "a")
        assert items.edit(database, replace(seen, question="First?"), by="ann") is not None
        assert items.edit(database, replace(seen, question="Second?"), by="bo") is None
        assert items.get(database, "a").question == "First?" and len(items.load_history(database, ["a"])) == 2


def test_verdicts_on_one_item_stand_as_those_on_many_do() -> None:
    """One that could not run stands only where none ever ran; the last that ran is the one, and its flag stands in the row."""
    came = (("flag", "g"), ("not run", "g"), ("not run", "h"), ("pass", "i"), ("refuse", "i"), ("refuse", "i"), ("pass", "g"))
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b"), item("c")])
        for n, (outcome, gate) in enumerate(came):
            one, other, third = (Verdict(name, 1, gate, "1", outcome, f"why {n // 2}") for name in "abc")  # type: ignore[arg-type]
            database.write(lambda cursor, one=one: insert_verdicts(cursor, [one]))  # type: ignore[misc]
            database.write(lambda cursor, both=(other, third): insert_verdicts(cursor, both))  # type: ignore[misc]
            assert state.list_differences(database) == []
        told = {name: [(v.gate, v.outcome, v.why) for v in one_item.load_verdicts(database, name)] for name in "abc"}
        assert told["a"] == told["b"] == [("g", "pass", "why 3"), ("h", "not run", "why 1"), ("i", "refuse", "why 2")]
        assert [replace(v, item="b") for v in load_verdicts(database, ["a"])] == one_item.load_verdicts(database, "b")
        [(rows,)] = database.rows("SELECT count(*) FROM verdict WHERE item = 'a'")
        assert rows == 6, "the same finding again adds nothing"


def test_verdicts_come_with_their_item_and_a_gate_that_runs_again_replaces_its_finding() -> None:
    with Database.open(":memory:") as database:
        first = Verdict("a", 1, "figures", "1", "flag", "12 is nowhere", {"figures": ["12"]}, ("b2:c",))
        other = Verdict("a", 1, "evidence", "1", "pass")
        items.add(database, [item("a")], [first, other])
        assert load_verdicts(database, ["a", "b"]) == [other, first]
        again = replace(first, outcome="pass", why="", details={})
        database.write(lambda cursor: insert_verdicts(cursor, [first, again]))
        assert load_verdicts(database, ["a"]) == [other, again]


def test_a_window_is_tried_once_for_a_task() -> None:
    with Database.open(":memory:") as database:
        database.write(lambda cursor: tried_windows.insert_windows(cursor, "explicit_factoid", ["w1", "w2", "w1"], "job1"))
        database.write(lambda cursor: tried_windows.insert_windows(cursor, "explicit_factoid", ["w2", "w3"], "job2"))
        assert tried_windows.load_windows(database, "explicit_factoid") == {"w1", "w2", "w3"}
        assert tried_windows.load_windows(database, "implicit_factoid") == set()


@pytest.mark.fault(6)
def test_a_lone_surrogate_is_stored_as_a_replacement_of_one_character() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a", question="x\ud800y?", labels={"k": "\udfff"})])
        assert items.get(database, "a").question == "x\ufffdy?" and items.get(database, "a").labels == {"k": "\ufffd"}
