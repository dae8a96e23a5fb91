"""Two items are a pair only if they ask the same in two languages; figures are compared by value."""

from dataclasses import replace

import pytest

from builders.parallel.alignment import find_misfit, states_figures
from core.nouns import Item

EN = Item("a", "question_answering", "When was the mill sold?", ("1902",), language="en")
ZH = replace(EN, id="b", question="磨坊是哪一年卖出的？", answers=("1902年",), language="zh")


def test_equal_figures_in_other_writing_are_the_same_value() -> None:
    assert find_misfit(EN, ZH) is None
    assert find_misfit(replace(EN, answers=("1,200 km",)), replace(ZH, answers=("一千二百公里",))) is None
    assert find_misfit(replace(EN, answers=("6 October 1787",)), replace(ZH, answers=("1787年10月6日",))) is None


@pytest.mark.parametrize(
    ("answers", "others"),
    [(("1902",), ("1912年",)), (("22 minutes",), ("22小时",)), (("Ada Quill",), ("1902年",)), (("1902",), ("艾达",))],
)
def test_other_figures_are_no_pair(answers: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert find_misfit(replace(EN, answers=answers), replace(ZH, answers=others)) == "other figures"


@pytest.mark.parametrize(
    ("answer", "other", "misfit"),
    [
        ("6 October 1787", "6. Oktober 1787", None),
        ("1,200", "1.200", None),
        ("2.4 m", "2,4 m", None),
        ("1,200", "1 200", None),
        ("25 percent", "25 Prozent", None),
        ("twelve", "12", None),
        ("1902", "1912", "other figures"),
    ],
)
def test_in_a_language_without_known_months_and_units_digits_alone_are_compared(
    answer: str, other: str, misfit: str | None
) -> None:
    assert find_misfit(replace(EN, answers=(answer,)), replace(ZH, language="de", answers=(other,))) == misfit


def test_one_alias_with_the_same_value_is_enough() -> None:
    assert find_misfit(replace(EN, answers=("the year of the flood", "1902")), ZH) is None


def test_names_in_another_script_are_not_compared() -> None:
    names = replace(EN, answers=("Ada Quill",)), replace(ZH, answers=("任何人",))
    assert find_misfit(*names) is None
    assert not states_figures(names[0]) and states_figures(EN)


def test_language_task_and_level_must_fit() -> None:
    assert find_misfit(EN, replace(ZH, language="en")) == "same language"
    assert find_misfit(EN, replace(ZH, language="und")) == "same language"
    assert find_misfit(EN, replace(ZH, task="summary")) == "other task"
    assert find_misfit(EN, replace(ZH, level=2)) == "other level"
