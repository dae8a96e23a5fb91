"""Which variant comes next, for whom, and who holds it."""

from collections.abc import Iterator

import pytest

from core.nouns import Variant
from store.engine.database import Database
from store.engine.opening import IN_MEMORY
from store.items import items
from store.variants import variant_queue, variants
from store.variants.variant_queue import CLEAN, FLAGGED, VariantKind
from tests.store.sample_items import item

ANY = VariantKind()
AT, LATER = "2026-01-02T10:00:00.000+00:00", "2026-01-02T10:20:00.000+00:00"


@pytest.fixture
def database() -> Iterator[Database]:
    """Two accepted items and a draft; a spelling and a formality variant of each item, stored kind by kind."""
    with Database.open(IN_MEMORY) as database:
        items.add(database, [item("a", status="accepted"), item("b", status="accepted", domain="law"), item("c")])
        variants.add(database, [made(f"{of}-{kind}", of, kind) for kind in ("spelling", "formality") for of in "abc"])
        yield database


def made(id: str, of: str, kind: str = "spelling", **fields: object) -> Variant:
    whole = {"id": id, "item": of, "revision": 1, "kind": kind, "text": f"{id}?", "generator": "offline"} | fields
    return Variant(**whole)  # type: ignore[arg-type]


def claim(database: Database, person: str, kind: VariantKind = ANY, after: str | None = None, at: str = AT) -> str | None:
    return variant_queue.claim(database, kind, person, at=at, minutes=15, after=after)


def test_an_items_variants_come_one_after_another_and_round_again(database: Database) -> None:
    way = [claim(database, "Ada")]
    while len(way) < 7:
        way.append(claim(database, "Ada", after=way[-1]))
    assert way == ["a-spelling", "a-formality", "b-spelling", "b-formality", "c-spelling", "c-formality", "a-spelling"]


def test_two_people_never_get_the_same_and_a_hold_that_ran_out_is_none(database: Database) -> None:
    assert [claim(database, who) for who in ("Ada", "Bo", "Ada")] == ["a-spelling", "a-formality", "a-spelling"]
    held = variant_queue.hold(database, "a-spelling", "Bo", at=AT, minutes=15)
    assert held is not None and held.person == "Ada"
    assert variant_queue.load_progress(database, ANY, "Bo", at=AT, since=AT) == (5, 1, 0)
    assert variant_queue.hold(database, "a-spelling", "Bo", at=LATER, minutes=15) is None
    assert claim(database, "Ada", at=LATER) == "a-formality", "hers ran out and is Bo's now; Bo let his go for it"


def test_going_on_lets_go_of_what_was_held(database: Database) -> None:
    claim(database, "Ada")
    assert claim(database, "Ada", after="a-spelling") == "a-formality"
    assert claim(database, "Bo") == "a-spelling"


def test_filters_are_kind_task_domain_and_what_a_guard_flagged(database: Database) -> None:
    odd, even = ({"flags": ["length"], "length": 3.5}, {"flags": []})
    variants.add(database, [made("odd", "b", checks=odd), made("even", "b", checks=even)])
    asked = (
        VariantKind(kind="formality"),
        VariantKind(domain="law"),
        VariantKind(flag=FLAGGED),
        VariantKind(flag=FLAGGED, kind="formality"),
        VariantKind(task="summary"),
    )
    found = [claim(database, "Ada", kind) for kind in asked]
    assert found == ["a-formality", "b-spelling", "odd", None, None]
    assert claim(database, "Bo", VariantKind(domain="law", flag=CLEAN), after="b-formality") == "even"
    assert variant_queue.list_choices(database) == {
        "kind": ["formality", "spelling"],
        "task": ["explicit_factoid"],
        "domain": ["general", "law"],
        "flag": [FLAGGED, CLEAN],
    }


def test_variants_of_words_that_changed_or_of_items_that_fell_do_not_wait(database: Database) -> None:
    variants.add(database, [made("old", "a", revision=7)])
    database.write(lambda cursor: cursor.execute("UPDATE state SET status = 'discarded' WHERE item = 'b'"))
    assert variant_queue.load_progress(database, ANY, "Ada", at=AT, since=AT).left == 4


def test_ones_own_rewrite_is_for_others(database: Database) -> None:
    variants.add(database, [made("own", "a", "human", generator="Ada")])
    human = VariantKind(kind="human")
    assert claim(database, "Ada", human) is None and claim(database, "Bo", human) == "own"
