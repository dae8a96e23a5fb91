"""A hint at the gold answer: a number, a word like the answer's, or another script, which the question does not have."""

import pytest

from core.wording.answer_hints import find_hint

QUESTION = "Who designed the bridge at Orvel, and when did it open?"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Was it on 3/10/89?", "3 October 1889"),
        ("Was it the third of October, eighteen eighty-nine?", "3 October 1889"),
        ("Was it in Oct. '89?", "3 October 1889"),
        ("Was it on III.X.MDCCCLXXXIX?", "3 October 1889"),
        ("Was it on 3 Octobre?", "3 October 1889"),
        ("Was it for four score and five thalers?", "85 thalers"),
        ("Was it for (LXXXV) thalers?", "85 thalers"),
        ("Was it for eigthy-five?", "85"),
        ("Was it for eightyfive?", "85"),
        ("Was it for lxxxv thalers?", "85 thalers"),
        ("Was it for sixtyfourth place?", "64"),
        ("Was Lambert in charge?", "Dr Lambert Hale"),
        ("Was it seven centimeters?", "7 cm"),
        ("Was it 0.07 m?", "7 cm"),
        ("Was it 6½ %?", "6.5 %"),
        ("Was it 65 per mille?", "6.5 %"),
        ("Was it 168,000,000?", "168 m"),
        ("有400本吗?", "四百册"),
        ("有肆佰本吗?", "四百册"),
        ("有廿二页吗?", "二十二页"),
        ("Was it Amaja Sohl?", "Amaia Sol"),
        ("Was it Амая Соль?", "Amaia Sol"),
        ("Was it А. Ѕоl?", "Amaia Sol"),
        ("Was it A. Sol?", "Amaia Sol"),
        ("Was it Amaia, surname Sol?", "Amaia Sol"),
        ("Was it Clemence Aubry?", "Clémence Aubrey"),
        ("Why did the toll of five cents keep the ferry alive?", "Because the toll of five cents was paid by carts alone"),
        (
            "Is it so that the toll was paid by carts and kept the ferry?",
            "The toll was paid by carts and kept the ferry.",
        ),
        ("是不是因为新桥的过桥费太高，农民改走渡口?", "因为新桥的过桥费太高，农民都改走渡口，镇议会一九五四年取消了收费。"),
        ("是刘华德设计的吗?", "刘德华先生"),
        ("是贝阿特丽克丝洛姆吗?", "贝阿特丽克丝·洛姆女士"),
        ("是洛姆女士吗?", "贝阿特丽克丝·洛姆女士"),
        ("是貝 阿 特 麗 克 絲吗?", "贝阿特丽克丝·洛姆女士"),
        ("是不是奥维尔桥梁公司承建的?", "奥维尔桥梁公司的工程师"),
        ("Was it L.o.m?", "Ms Beatrix Lom"),
        ("Was it B-e-a-t-r-i-x?", "Ms Beatrix Lom"),
        ("Was it t w e n t y - t w o?", "22 minutes"),
    ],
)
def test_another_spelling_of_the_answer_is_a_hint(text: str, answer: str) -> None:
    question = "奥维尔的桥是谁设计的?" if text[0] in "有是" else QUESTION
    assert find_hint(question, text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Name the architect of Orvel's bridge and its year.", "Marta Quill"),
        ("In which year was Orvel's bridge inaugurated?", "1889"),
        ("Which one of the two drew it first?", "85 thalers"),
        ("Of the 12 people there, who drew it?", "Marta Quill"),
        ("Which company built it?", "Orvel Bridge Company"),
        ("Which doctor drew it?", "Dr Marta Quill"),
        ("Did ill will or someone mild and civil add to it?", "85 thalers"),
        ("Ｗhich café opened it?", "Marta Quill"),
        ("What is known about its toll, and who paid it?", "The toll of 5 cents was paid by carts and kept the ferry alive"),
        ("Orvel's bridge: what is it for?", ""),
    ],
)
def test_words_of_the_question_common_words_and_other_words_are_no_hint(text: str, answer: str) -> None:
    assert find_hint(QUESTION, text, answer) is None


@pytest.mark.parametrize(
    "text", ["1938年奥克的那本书印了多少册?", "奥克(1938年)的书有多少本?", "1938 年奥克那本200多页的书印了多少?"]
)
def test_a_number_of_the_question_is_no_hint_whatever_stands_beside_it(text: str) -> None:
    assert find_hint("奥克在一九三八年出版的书有两百多页，印数是多少?", text, "四百册") is None


def test_letters_of_east_asia_are_one_script() -> None:
    assert find_hint("奥维尔的桥是谁设计的?", "オルヴェルの橋は誰が?", "Quill") is None
