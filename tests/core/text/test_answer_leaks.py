"""A wording that holds the whole gold answer, however it is spelled."""

import pytest

from core.text.answer_leaks import find_leaked_answer

QUESTION = "Who designed the bridge at Orvel?"


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("Did Marta Quill design Orvel's bridge?", "Marta Quill"),
        ("the bridge by MARTA  QUILL'S hand", "Marta Quill"),
        ("Ｍarta-Quill or who?", "marta quill."),
        ("Is it the Archbishop of Trondheim?", "Archbishop of Trondheim"),
        ("Is it Archbishop of Trondheim?", "The Archbishop of Trondheim"),
        ("was it 1984 people?", "1,984"),
        ("in the US?", "U.S."),
        ("Did Beyonce do it?", "Beyoncé"),
        ("奥维尔的桥是北京市的人设计的吗?", "北京"),
    ],
)
def test_the_answer_is_found_in_another_spelling(text: str, gold: str) -> None:
    assert find_leaked_answer(QUESTION, text, ["nobody", gold]) == gold


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("Who drew the party?", "art"),
        ("Who drew Marta's bridge?", "Marta Quill"),
        ("Is it not so?", "no"),
        ("Yes, who?", "yes"),
        ("Who made the Orvel bridge?", "Orvel"),
        ("Who made it?", ""),
        ("Who made it?", "?!"),
        ("Who made the a?", "the"),
    ],
)
def test_a_part_of_a_word_or_of_the_answer_and_the_questions_own_words_tell_nothing(text: str, gold: str) -> None:
    assert find_leaked_answer(QUESTION, text, [gold]) is None
