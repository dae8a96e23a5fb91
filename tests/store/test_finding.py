"""Items are found by what they are and by the letters that stand in them; a list is cut in SQL and its totals are true.
annotation.md 3d, rows 20, 21 and 44."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from core.ids import content_hash
from core.nouns import Comment, Document, Provenance, Span, Verdict
from store.corpus import documents
from store.engine.database import Database
from store.items import finding, items
from store.items.finding import ORDERS, ItemSearch
from store.items.verdicts import insert_verdicts
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import comments, opinions
from store.reviews.reviews import decide
from tests.store.sample_items import item, review

TEXT = "A mill stood here. The harbour froze in 1902, 100% of it."
MILL = Document(content_hash(TEXT), TEXT, "Mill")


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open(":memory:") as database:
        documents.add(database, [MILL])
        items.add(
            database,
            [
                item("a", question='Who said "50% off_er"?', answers=("Ada", "Lovelace \\ Ada"), overlap=0.9, domain="law"),
                item("b", question="谁建了桥？", answers=("甲",), language="zh", level=2, overlap=0.1, given=(MILL.id,)),
                item(
                    "c",
                    question="Who froze?",
                    answers=("the Harbour",),
                    evidence=(Span(MILL.id, 19, 45),),
                    provenance=Provenance("offline", "draft/x@1"),
                ),
                item("d", question="Who ran, and where did they go?", answers=("Bo",), evidence=(Span(MILL.id, 0, 18),)),
            ],
            [Verdict("d", 1, "figures", "1", "flag")],
        )
        yield database


def found(database: Database, kind: ItemKind = ItemKind(), **asked: Any) -> str:
    search = ItemSearch(kind, **{"order": "oldest"} | asked)
    total, page = finding.load_page(database, search, 10)
    assert total == len(page) and [one.id for one in page] == finding.list_ids(database, search)
    return "".join(one.id for one in page)


@pytest.mark.fault(20, 21)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("who", "acd"),
        ("50%", "a"),
        ("off_er", "a"),
        ('"', "a"),
        ("%", "a"),
        ("_", "a"),
        ("[", ""),
        ("ovelace \\ A", "a"),
        ("w.o", ""),
        ("harbour", "c"),
        ("桥", "b"),
        ("  ", "abcd"),
        ("'; DROP TABLE state; --", ""),
        ("who said", "a"),
        ("off_er said WHO", "a"),
        ('"who said"', "a"),
        ('"said who"', ""),
        ("“where did” ran", "d"),
        ("go ran", "d"),
        ('" "', "acd"),
        ('"ran', ""),
        ("read_text('/etc/passwd')", ""),
    ],
)
def test_a_text_is_looked_for_letter_by_letter_in_question_and_answers(database: Database, text: str, expected: str) -> None:
    assert found(database, text=text) == expected


def test_case_counts_and_evidence_is_read_where_it_is_asked_for(database: Database) -> None:
    assert found(database, text="harbour", is_exact=True) == "" and found(database, text="Harbour", is_exact=True) == "c"
    assert found(database, text="HARBOUR froze", in_evidence=True) == "c", "d has its evidence in the same document"
    assert found(database, text="mill", in_evidence=True) == "d" and found(database, text="100%", in_evidence=True) == ""


@pytest.mark.fault(20)
def test_filters_meet(database: Database) -> None:
    assert found(database, ItemKind(level=2)) == "b" and found(database, ItemKind(language="en"), text="who") == "acd"
    assert found(database, ItemKind(flag="figures")) == "d" and found(database, ItemKind(agent="offline")) == "c"
    assert found(database, prompt="draft/x@1") == "c" and found(database, document=MILL.id) == "bcd"
    assert found(database, ItemKind(domain="law' OR 'x' = 'x")) == "", "what is asked for is a value, never a condition"


def test_decisions_and_edits_are_found(database: Database) -> None:
    decide(database, review("1", "a", "discard"))
    decide(database, review("2", "c"), replace(items.get(database, "c"), question="Who, then?"))
    assert found(database, status="discarded") == "a" and found(database, person="ann") == "ac"
    assert found(database, is_edited=True) == "c" and found(database, is_edited=False, status="drafted") == "bd"
    assert finding.list_people(database) == ["ann"] and finding.list_prompts(database) == ["draft/x@1"]


def test_what_people_differ_on_is_found(database: Database) -> None:
    opinions.set_rules(database, QueueRules([OverlapRule(ItemKind(), 2)]), "lead")
    for person, decision in (("ann", "accept"), ("bo", "discard")):
        decide(database, replace(review(f"{person}-b", "b", decision), person=person))
    decide(database, review("one", "c"))
    assert found(database, is_disputed=True) == "b" and found(database, person="ann") == "bc"


def test_what_people_said_something_about_is_found_until_they_take_it_back(database: Database) -> None:
    for name in "ad":
        comments.add(database, Comment(f"said-{name}", name, "ann", "Is that so?"))
    comments.take_back(database, "said-a")
    assert found(database, is_commented=True) == "d"


def test_orders(database: Database) -> None:
    assert {order: found(database, order=order) for order in ORDERS} == {
        "newest": "dcba",
        "oldest": "abcd",
        "overlap": "abcd",
        "little overlap": "bacd",
        "longest": "adcb",
        "shortest": "bcda",
    }


@pytest.mark.fault(44)
def test_a_page_is_part_of_a_list_whose_length_is_known(database: Database) -> None:
    total, page = finding.load_page(database, ItemSearch(order="oldest"), 2, 1)
    assert (total, [one.id for one in page]) == (4, ["b", "c"])


def test_the_way_through_the_list_goes_on_when_an_item_has_left_it(database: Database) -> None:
    search = ItemSearch(status="drafted", order="oldest")
    assert finding.locate_item(database, search, "b") == ("a", "c", 2, 4)
    decide(database, review("1", "b"))
    assert finding.locate_item(database, search, "b") == ("a", "c", 2, 3)
    assert finding.locate_item(database, search, "d") == ("c", None, 3, 3)
    assert finding.locate_item(database, search, "nowhere") is None


def test_items_are_found_by_their_labels_and_the_empty_value_is_one(database: Database) -> None:
    labels = {"question_type": "multi-hop", "popularity": ""}
    items.add(database, [item("l", labels=labels), item("m", labels=labels | {"popularity": "tail"})])

    def found(*wanted: tuple[str, str]) -> list[str]:
        return finding.list_ids(database, ItemSearch(labels=wanted, order="oldest"))

    assert found(("question_type", "multi-hop")) == ["l", "m"] and found(("popularity", "")) == ["l"]
    assert found(("question_type", "multi-hop"), ("popularity", "tail")) == ["m"] and found(("question_type", "set")) == []
    assert finding.load_page(database, ItemSearch(labels=(("popularity", "tail"),)), 10)[0] == 1


def test_items_are_found_by_the_level_that_was_measured_last(database: Database) -> None:
    def measured(item: str, level: int | None, version: str) -> None:
        found = Verdict(item, 1, "level", version, "pass", details={"measured": level})
        database.write(lambda cursor: insert_verdicts(cursor, [found]))

    measured("a", 3, "1")
    measured("a", 2, "2")
    measured("b", None, "1")
    found = {level: sorted(finding.list_ids(database, ItemSearch(measured=level))) for level in (0, 1, 2, 3)}
    assert found == {0: ["b", "c", "d"], 1: [], 2: ["a"], 3: []}
