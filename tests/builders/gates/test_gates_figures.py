"""The gate figures: which figures and names of an answer are missed in its evidence, and which are only written another way."""

import pytest

from builders.gate import GateContext
from builders.gates.figures import GATE
from core.text.figures import missing_words
from tests.builders.drafts import World, draft

SAME = [
    ("en", "1,200 workers", "The mill had 1200 workers."),
    ("en", "1.5 million dollars", "It cost $1,500,000."),
    ("en", "on March 3, 1908", "It opened on 3 March 1908."),
    ("en", "3 March 1908", "Opened: 1908-03-03."),
    ("en", "in March 1908", "It opened on 3 March 1908."),
    ("en", "30 percent", "It fell by 30%."),
    ("en", "twenty-five ships", "It had 25 ships."),
    ("en", "the third bishop", "He was the 3rd bishop of Lund."),
    ("en", "twelve kilometres", "a road of 12 km"),
    ("en", "Ada Quill's mill", "the mill of Ada Quill"),
    ("en", "in the 1990s", "during the 1990s"),
    ("en", "May 1908", "In 1908, on 3 May, it opened."),
    ("en", "One of the reasons was that no one paid.", "Nobody paid."),
    ("en", "The mill closed. Workers left.", "The mill was shut and the workers went."),
    ("en", "20 km", "between 20 and 30 km"),
    ("en", "two hundred and five", "205 of them"),
    ("zh", "1200人", "厂里有一千二百人。"),
    ("zh", "12万元", "投资120,000元。"),
    ("zh", "三千吨", "年产3000吨。"),
    ("zh", "百分之三十五", "下降了35%。"),
    ("zh", "35％", "下降了百分之三十五。"),
    ("zh", "2016年5月3日", "二〇一六年五月三日开工。"),
    ("zh", "2016年", "2016年5月3日开工。"),
    ("zh", "1.5亿元", "总投资15000万元。"),
    ("zh", "第三届", "这是第3届。"),
    ("zh", "一直由一些人管理", "有人管着。"),
    ("zh", "三分之一", "拆去了1/3，即三分之一。"),
    ("zh", "WTO的规则", "WTO规则"),
    ("zh", "两座桥", "共有2座桥。"),
    ("zh", "１１公里", "全长11公里。"),
    ("zh", "4月至6月检查", "2024年4月至2024年6月底检查。"),
    ("zh", "50万人", "吸引50余万人。"),
    ("zh", "第八届", "2023第八届公开赛"),
    ("zh", "数万元", "5万元"),
]
OTHER = [
    ("en", "1,300 workers", "The mill had 1200 workers."),
    ("en", "1.5 billion dollars", "It cost $1,500,000."),
    ("en", "on March 4, 1908", "It opened on 3 March 1908."),
    ("en", "3 April 1908", "It opened on 3 March 1908."),
    ("en", "3 March 1909", "It opened on 3 March 1908; in 1909 it closed."),
    ("en", "30 percent", "It fell by 40%."),
    ("en", "12 miles", "a road of 12 km"),
    ("en", "12%", "12 km"),
    ("en", "the fourth bishop", "He was the third bishop of Lund."),
    ("en", "Ada Quill", "the mill of Orrin Vale"),
    ("en", "The mill was sold to Vale Brothers.", "The mill was sold to Quill."),
    ("en", "Paris", "It happened in London."),
    ("en", "twenty-six ships", "It had 25 ships."),
    ("en", "5 May 1987", "5 March 1987 and May 1990"),
    ("en", "€5 million", "It cost £5 million."),
    ("zh", "1300人", "厂里有一千二百人。"),
    ("zh", "12亿元", "投资12万元。"),
    ("zh", "三千吨", "年产3000亩。"),
    ("zh", "百分之三十五", "下降了25%。"),
    ("zh", "2016年5月4日", "2016年5月3日开工。"),
    ("zh", "2017年", "2016年5月3日开工。"),
    ("zh", "第四届", "这是第三届。"),
    ("zh", "三分之二", "拆去了三分之一。"),
    ("zh", "WHO的规则", "WTO规则"),
    ("zh", "三座桥", "共有两座桥。"),
    ("zh", "11公里", "全长11米。"),
    ("zh", "两千人", "二十人"),
    ("zh", "6月", "2024年5月"),
    ("zh", "95亿美元", "131亿美元中，有95亿元用于补充库存。"),
]


def check(language, answer, evidence):
    world = World(evidence, language=language)
    item = draft("Which?", answer, [world.span(evidence)], language=language)
    return GATE.check(item, GateContext(world.text_of))


@pytest.mark.parametrize(("language", "answer", "evidence"), SAME)
def test_figures_that_stand_in_the_evidence_pass(language, answer, evidence):
    assert check(language, answer, evidence).outcome == "pass"


@pytest.mark.parametrize(("language", "answer", "evidence"), OTHER)
def test_figures_that_do_not_are_flagged(language, answer, evidence):
    found = check(language, answer, evidence)
    assert found.outcome == "flag" and found.details["missing"]


def test_a_name_of_the_question_may_stand_in_the_answer():
    world = World("She rebuilt it.")
    item = draft("What did Ada Quill do?", "Ada Quill rebuilt it.", [world.span("She rebuilt it.")])
    assert GATE.check(item, GateContext(world.text_of)).outcome == "pass"


@pytest.mark.parametrize(
    ("claimed", "evidence", "words"),
    [
        ("It stood in 1912, after two winters.", "It stood in 1911 after a winter.", ["1912", "two"]),
        ("The network of 1,200 km has two parts.", "Two parts, 1200 miles.", ["1,200 km"]),
        ("On 3 March 1987 it closed for 4 days.", "It closed on 4 March 1987 for 4 days.", ["3 March 1987"]),
        ("它建于1912年，共三百二十米。", "它建于1911年，共三百二十米。", ["1912年"]),
        ("It is 12 m long.", "It is 12 m long.", []),
    ],
)
def test_what_is_missing_is_told_in_the_words_of_the_claim(claimed: str, evidence: str, words: list[str]) -> None:
    assert missing_words(claimed, evidence) == words
