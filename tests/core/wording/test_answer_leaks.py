"""A wording that holds the whole gold answer, however it is spelled."""

import pytest

from core.wording.answer_leaks import find_leaked_answer

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
        ("這座橋是劉德華設計的嗎", "刘德华"),
        ("Whose design was it, Quill, Marta?", "Marta Quill"),
        ("was it opened on 22nd June 2029", "22 June 2029"),
        ("was it opened on June 22, 2029", "22 June 2029"),
        ("was it opened on the 22nd of june 2029", "22 June 2029"),
        ("was it opened on 22/06/2029", "22 June 2029"),
        ("was it opened on 06/22/2029", "22 June 2029"),
        ("was it opened on 2029-06-22", "22 June 2029"),
        ("was it opened on 22.6.2029", "June 22, 2029"),
        ("does it take twenty-two minutes to cross", "22 minutes"),
        ("does it take 22 minutes to cross", "twenty-two minutes"),
        ("did it cost 85 thousand to build", "85,000"),
        ("did it cost ８５000 to build", "85 thousand"),
        ("هل بني سنة ١٩٨٤", "1984"),
        ("这座桥有三千二百米长吗", "3200米"),
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
        ("Who, Quill or another, knew Marta?", "Marta Quill"),
        ("Who needs 22 days to cross?", "22 minutes"),
        ("Who opened it on 22 July 2029?", "22 June 2029"),
        ("Who opened 22 bridges?", "22 June 2029"),
        ("Who has no one to ask?", "1"),
        ("Who built 85 bridges?", "85 arches"),
        ("Who built the second bridge?", "2"),
    ],
)
def test_a_part_of_a_word_or_of_the_answer_and_the_questions_own_words_tell_nothing(text: str, gold: str) -> None:
    assert find_leaked_answer(QUESTION, text, [gold]) is None
