"""A gold answer is read as a fact with a type, found in every way of writing it, and another of its type is written there."""

from fractions import Fraction
from random import Random

import pytest

from builders.counterfactual.facts import Fact, draw_figure, find_mentions, read_fact, rewrite
from core.nouns import Item
from core.text.figures import Date


def item(*answers: str, question: str = "Q?", language: str = "en", **fields: object) -> Item:
    return Item("q", "question_answering", question, answers, language=language, **fields)  # type: ignore[arg-type]


def written(fact: Fact, new: Fact, text: str, language: str = "en") -> str:
    for one in reversed(find_mentions(fact, text, language)):
        text = text[: one.start] + rewrite(fact, new, text[one.start : one.end]) + text[one.end :]
    return text


@pytest.mark.parametrize(
    ("answer", "type_"),
    [
        ("1902", "year"),
        ("22 June 1902", "date"),
        ("June 1902", "date"),
        ("1902年6月22日", "date"),
        ("45%", "percentage"),
        ("$1.2 million", "money"),
        ("12 km", "number"),
        ("3,500", "number"),
        ("350 bridges", "number"),
        ("Ada Quill", "name"),
    ],
)
def test_types_are_told_by_rules(answer: str, type_: str) -> None:
    fact = read_fact(item(answer))
    assert isinstance(fact, Fact) and fact.type == type_


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("yes", "yes or no"),
        ("No.", "yes or no"),
        ("42", "too short"),
        ("because of the flood", "no type"),
        ("the old mill was sold by the heirs of the miller", "long answer"),
        ("I do not know", "unanswerable"),
    ],
)
def test_an_answer_without_a_type_is_left_out_with_the_reason(answer: str, why: str) -> None:
    assert read_fact(item(answer)) == why


def test_items_that_bring_their_text_or_come_from_tables_or_state_two_facts_are_left_out() -> None:
    assert read_fact(item("1902", inputs={"text": "..."})) == "own text"
    assert read_fact(Item("q", "template_question", "Q?", ("1902",))) == "from a table"
    assert read_fact(item("22 June 1902", "23 June 1902")) == "several facts"


def test_aliases_of_one_date_are_one_fact_and_aliases_of_a_name_are_its_forms() -> None:
    assert read_fact(item("22 June 1902", "June 22, 1902")) == Fact("date", date=Date(1902, 6, 22))
    fact = read_fact(item("Ada Quill", "A. Quill", question="Who bought it?"))
    assert isinstance(fact, Fact) and (fact.forms, fact.kind) == (("Ada Quill", "A. Quill"), "person")


def test_a_date_is_written_in_the_form_of_each_mention() -> None:
    fact, new = Fact("date", date=Date(1902, 6, 22)), Fact("date", date=Date(1902, 3, 4))
    text = "Sold on 22 June 1902 (June 22nd, 1902; 1902-06-22; 1902年6月22日), in 1902; they met that June 22."
    assert written(fact, new, text) == (
        "Sold on 4 March 1902 (March 4th, 1902; 1902-03-04; 1902年3月4日), in 1902; they met that March 4."
    )


def test_a_part_of_a_date_is_the_date_only_beside_the_whole_one() -> None:
    fact = Fact("date", date=Date(1902, 6, 22))
    assert find_mentions(fact, "They met in June 1902.", "en") == []
    assert len(find_mentions(fact, "They met in June 1902, on 22 June 1902.", "en")) == 2
    assert find_mentions(fact, "They met on 22 June.", "en") == []
    assert len(find_mentions(fact, "3 May 1902: they will meet on 22 June.", "en")) == 1


def test_a_year_is_replaced_in_dates_and_alone_and_not_inside_longer_numbers() -> None:
    fact, new = Fact("year", date=Date(1902, None, None)), Fact("year", date=Date(1907, None, None))
    text = "In 1902, on 3 May 1902, 1902年: 19021 bricks, 1,902 of them good."
    assert written(fact, new, text) == "In 1907, on 3 May 1907, 1907年: 19021 bricks, 1,902 of them good."


def test_a_number_is_found_by_value_and_unit_and_written_with_its_scale() -> None:
    fact, new = Fact("money", value=Fraction(1_200_000), unit="$"), Fact("money", value=Fraction(1_500_000), unit="$")
    assert written(fact, new, "$1.2 million, that is $1,200,000 or 1200000 dollars") == (
        "$1.5 million, that is $1,500,000 or 1500000 dollars"
    )
    share, other = Fact("percentage", value=Fraction(45), unit="%"), Fact("percentage", value=Fraction(52), unit="%")
    assert written(share, other, "45% of 45 people, 45 percent; 145%") == "52% of 45 people, 52 percent; 145%"


def test_drawn_figures_are_near_of_the_same_form_and_the_same_for_the_same_seed() -> None:
    for seed in range(50):
        random = Random(seed)
        year = draw_figure(Fact("year", date=Date(1902, None, None)), random, 2026).date
        assert year is not None and year.year is not None and 0 < abs(year.year - 1902) <= 9
        past = draw_figure(Fact("year", date=Date(2026, None, None)), random, 2026).date
        assert past is not None and past.year is not None and past.year < 2026
        day = draw_figure(Fact("date", date=Date(1902, 6, 22)), random, 2026).date
        assert day is not None and day.year == 1902 and day.month != 6 and day.day != 22
        value = draw_figure(Fact("number", value=Fraction(3500)), random, 2026).value
        assert value is not None and value != 3500 and 2450 <= value <= 4900 and value % 100 == 0
        share = draw_figure(Fact("percentage", value=Fraction(98), unit="%"), random, 2026).value
        assert share is not None and share <= 100
    first, again = (draw_figure(Fact("number", value=Fraction(3500)), Random(3), 2026) for _ in range(2))
    assert first == again


def test_a_part_of_a_longer_name_is_told() -> None:
    fact = Fact("name", forms=("Paris",), kind="place")
    for text in ("Paris Hilton came.", "The University of Paris is old.", "Port Paris is small.", "Paris-Match wrote it."):
        assert [one.is_longer for one in find_mentions(fact, text, "en")] == [True], text
    for text in ("In Paris it rained.", "King Paris fell.", "Paris's roofs", "(Paris)"):
        assert [one.is_longer for one in find_mentions(fact, text, "en")] == [False], text
    assert find_mentions(fact, "Parisian roofs, comparison", "en") == []


def test_a_chinese_name_is_found_where_words_are_cut() -> None:
    fact = read_fact(item("北京", language="zh"))
    assert isinstance(fact, Fact) and fact.kind == "place"
    assert [one.is_longer for one in find_mentions(fact, "他在北京工作。", "zh")] == [False]
    assert [one.is_longer for one in find_mentions(fact, "他在北京大学工作。", "zh")] == [True]


def test_a_surname_alone_is_replaced_beside_the_whole_name() -> None:
    fact = Fact("name", forms=("Ada Quill",), kind="person")
    new = Fact("name", forms=("Mary Stone",), kind="person")
    assert written(fact, new, "Ada Quill bought it. Later Quill sold it.") == "Mary Stone bought it. Later Stone sold it."
    assert find_mentions(fact, "Later Quill sold it.", "en") == []
