"""In a counterfactual world every text states the new answers and none the old ones; what cannot be replaced so stays."""

import pytest

from builders.counterfactual.world import CounterfactualWorld, make_world
from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.quality.counterfactual import read_origin

MILL = "The old mill of Orvel was bought by Ada Quill on 22 June 1902. Quill kept it for long."
BREWERY = "The brewery of Orvel was bought by Bert Vane in 1911, after the long strike."
BAKERY = "The bakery of Orvel was bought by Cleo Marsh in 1930."


def document(text: str, title: str = "", language: str = "en") -> Document:
    return Document(content_hash(text), text, title, language=language)


def item(name: str, answer: str, evidence: Document | None, question: str = "", **fields: object) -> Item:
    spans = (Span(evidence.id, 0, len(evidence.text)),) if evidence else ()
    asked = question or f"Who bought the {name}?"
    return Item(name, "question_answering", asked, (answer,), evidence=spans, status="accepted", **fields)  # type: ignore[arg-type]


def world(items: list[Item], documents: list[Document], chosen: list[str] | None = None, seed: int = 13) -> CounterfactualWorld:
    named = [one for one in items if chosen is None or one.id in chosen]
    return make_world(items, named, documents, seed, 2026)


def test_a_name_is_replaced_in_every_document_with_its_surname_and_the_evidence_moves() -> None:
    mill, copy = document(MILL, "The mill"), document("Reprinted: " + MILL)
    other, third = document(BREWERY), document(BAKERY)
    items = [item("mill", "Ada Quill", mill), item("brewery", "Bert Vane", other), item("bakery", "Cleo Marsh", third)]
    made = world(items, [mill, copy, other, third], ["mill"])
    assert made.obstacles == {} and made.changed == ["mill"] and set(made.documents) == {mill.id, copy.id}
    new = made.items["mill"]
    [answer] = new.answers
    assert answer in ("Bert Vane", "Cleo Marsh")  # another gold answer of the kind and length
    surname = answer.split()[1]
    assert made.documents[mill.id].text == MILL.replace("Ada Quill", answer).replace("Quill", surname)
    assert made.documents[copy.id].text == "Reprinted: " + made.documents[mill.id].text
    [span] = new.evidence
    assert (span.document, span.start, span.end) == (made.documents[mill.id].id, 0, len(made.documents[mill.id].text))
    assert read_origin(new) == ("mill", ("Ada Quill",), "name") and new.id != "mill"


def test_evidence_behind_and_around_an_edit_moves_with_it() -> None:
    text = "In 9,500 houses. The tower is 1,250 feet high, they say. It fell."
    tower = document(text)
    spans = (Span(tower.id, 17, 45), Span(tower.id, text.index("It fell"), len(text)))
    one = Item("q", "question_answering", "How high is it?", ("1,250 feet",), evidence=spans)
    made = world([one], [tower])
    new = made.documents[tower.id].text
    cut = [new[span.start : span.end] for span in made.items["q"].evidence]
    assert cut == [new[17 : new.index(", they")], "It fell."] and made.items["q"].answers[0] in cut[0]


def test_the_same_seed_makes_the_same_world_and_another_seed_another_one() -> None:
    tower = document("The tower is 1,250 feet high.")
    one = item("tower", "1,250 feet", tower, "How high is it?")
    worlds = [world([one], [tower], seed=seed).items["tower"].answers for seed in (1, 1, 2, 3)]
    assert worlds[0] == worlds[1] and len(set(worlds)) > 1


def test_a_near_copy_that_writes_the_answer_in_another_way_keeps_the_item_out() -> None:
    mill, other, third = document(MILL), document(BREWERY), document(BAKERY)
    shouted = document("REPRINT: THE OLD MILL WAS BOUGHT BY ADA QUILL.")
    items = [item("mill", "Ada Quill", mill), item("brewery", "Bert Vane", other), item("bakery", "Cleo Marsh", third)]
    made = world(items, [mill, shouted, other, third], ["mill"])
    assert made.obstacles == {"mill": "left in a document"} and not made.documents and not made.items
    number = document("The bridge is 1,250 feet long.")
    words = document("Of the bridge: 1250 feet; in words, one thousand two hundred and fifty feet.")
    made = world([item("bridge", "1,250 feet", number, "How long is it?")], [number, words])
    assert made.obstacles == {"bridge": "left in a document"}


@pytest.mark.parametrize(
    ("answer", "question", "text", "more", "why"),
    [
        ("Ada Quill", "Did Ada Quill buy the mill?", MILL, "", "in the question"),
        ("Orvel", "Where is the mill?", MILL, "Orvel Street is long.", "part of a longer name"),
        ("Dora Wren", "Who bought the mill?", MILL, "Dora Wren wrote it.", "not in its evidence"),
        ("because it rained", "Why?", MILL, "", "no type"),
        ("Ada Quill", "Who bought the mill?", MILL, "", "no replacement"),
    ],
)
def test_what_cannot_be_replaced_stays_with_its_reason(answer: str, question: str, text: str, more: str, why: str) -> None:
    evidence = document(text)
    made = world([item("q", answer, evidence, question)], [evidence, *([document(more)] if more else [])])
    assert made.obstacles == {"q": why} and not made.changed and not made.documents


def test_an_answer_that_another_question_states_stays() -> None:
    mill, other = document(MILL), document(BREWERY)
    items = [item("mill", "Ada Quill", mill), item("brewery", "Bert Vane", other, "Who outbid Ada Quill?")]
    assert world(items, [mill, other], ["mill"]).obstacles == {"mill": "in another question"}


def test_an_item_with_the_same_fact_changes_along() -> None:
    tower, second = document("The tower is 1,250 feet high."), document("A mast of 1,250 feet stands there.")
    items = [item("tower", "1,250 feet", tower, "How high is it?"), item("mast", "1250 feet", second, "How high is the mast?")]
    made = world(items, [tower, second], ["tower"])
    assert set(made.changed) == {"tower", "mast"}
    assert made.items["mast"].answers[0] == made.items["tower"].answers[0].replace(",", "")
    assert read_origin(made.items["mast"]) == ("mast", ("1250 feet",), None)


def test_an_item_that_shares_the_fact_with_one_of_its_two_answers_keeps_it_as_it_is() -> None:
    tower = document("The tower is 1,250 feet high.")
    both = Item("both", "question_answering", "How high?", ("1,250 feet", "very high"), evidence=(Span(tower.id, 0, 10),))
    made = world([item("tower", "1,250 feet", tower, "How high is it?"), both], [tower], ["tower"])
    assert made.obstacles == {"tower": "shared in part"}


def test_an_item_whose_answer_may_follow_from_a_replaced_figure_is_left_out() -> None:
    tower, mast = document("The tower is 1,250 feet high."), document("The mast is 1,300 feet high.")
    spans = tuple(Span(one.id, 0, len(one.text)) for one in (tower, mast))
    higher = Item("higher", "question_answering", "Which is higher?", ("the mast",), evidence=spans)
    made = world([item("tower", "1,250 feet", tower, "How high is it?"), higher], [tower, mast], ["tower"])
    assert made.changed == ["tower"] and made.left_out == ["higher"]


def test_an_item_on_a_changed_document_keeps_its_answer_and_points_into_the_new_document() -> None:
    mill, other = document(MILL), document(BREWERY)
    where = item("town", "Orvel", mill, "Where is the mill?")
    items = [where, item("mill", "Ada Quill", mill), item("brewery", "Bert Vane", other)]
    made = world(items, [mill, other], ["mill"])
    moved = made.items["town"]
    assert moved.answers == ("Orvel",) and moved.evidence[0].document == made.documents[mill.id].id
    assert read_origin(moved) == ("town", (), None)


def test_two_facts_that_overlap_are_not_both_replaced() -> None:
    mill = document(MILL)
    items = [item("day", "22 June 1902", mill, "On which day was it sold?"), item("year", "1902", mill, "In which year?")]
    made = world(items, [mill])
    assert made.changed == ["day"] and made.obstacles == {"year": "overlaps another replacement"}


def test_a_drawn_figure_is_none_that_the_document_states_already() -> None:
    years = [year for year in range(1893, 1912) if year not in (1902, 1905)]
    text = "Sold in 1902. Other sales: " + ", ".join(map(str, years)) + "."
    sold = document(text)
    made = world([item("q", "1902", sold, "In which year was it sold?")], [sold])
    assert made.items["q"].answers == ("1905",)


def test_a_chinese_person_and_date_are_replaced() -> None:
    one = document("2021年3月5日，张伟民在桥上发现了裂缝。", language="zh")
    two = document("李国强是县里的工程师。", language="zh")
    items = [
        item("who", "张伟民", one, "谁发现了裂缝？", language="zh"),
        item("other", "李国强", two, "谁是工程师？", language="zh"),
    ]
    made = world(items, [one, two], ["who"])
    assert made.items["who"].answers == ("李国强",) and "张伟民" not in made.documents[one.id].text
    when = [item("when", "2021年3月5日", one, "什么时候发现的？", language="zh")]
    [new] = world(when, [one]).items["when"].answers
    assert new.startswith("2021年") and new.endswith("日") and new != "2021年3月5日"
