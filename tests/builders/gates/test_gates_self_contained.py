"""The gate self_contained: questions that lean on a text their reader does not have, and questions that only look like it."""

import pytest

from builders.gate import GateContext
from builders.gates.self_contained import GATE
from tests.builders.drafts import draft

LEANS = [
    ("en", "According to the passage, who founded the mill?"),
    ("en", "What does the author say about trams?"),
    ("en", "In the given text, how many ships are named?"),
    ("en", "What is mentioned above about the quarry?"),
    ("en", "Which year is named in this document?"),
    ("en", "Based on the article, why did the bank fail?"),
    ("en", "What does the text say about the bank?"),
    ("en", "Why is the narrator sad?"),
    ("en", "As described in the excerpt, what burned down?"),
    ("en", "What can be said from the provided information?"),
    ("en", "Which sum is given in sentence [4]?"),
    ("en", "When did he leave the company?"),
    ("en", "Who closed the bank last year?"),
    ("en", "How is the flood described in these passages?"),
    ("zh", "根据本文，谁创办了工厂？"),
    ("zh", "文中提到的湖叫什么名字？"),
    ("zh", "根据材料，电车为什么停运？"),
    ("zh", "本文的主题是什么？"),
    ("zh", "上文提到的银行何时关门？"),
    ("zh", "该文讲了哪几件事？"),
    ("zh", "作者认为电车停运的原因是什么？"),
    ("zh", "从这段文字中可以看出湖水变化的什么原因？"),
    ("zh", "下表中数额最大的是哪一项？"),
    ("zh", "他在哪一年离开石泉市？"),
    ("zh", "去年石泉市开通了几条线路？"),
    ("zh", "文章中提到了几座采石场？"),
    ("zh", "该公司成立于哪一年？"),
]
STANDS = [
    ("en", "Who was the author of The Drowned Bell?"),
    ("en", "Which channel is known as the passage between Holm and Sand?"),
    ("en", "In which document signed in 1987 did Wend give up its claim?"),
    ("en", "Who ordered the periodic table for the Port Ellery school?"),
    ("en", "Who won the table tennis cup of Port Ellery in 1931?"),
    ("en", "How many text messages did the Wend mast carry in 2004?"),
    ("en", "When did Maud Treskow open the Salt Room?"),
    ("en", "Which law governs the passage of ships through Holm Sound?"),
    ("en", "According to the 1908 audit of the Wend bank, what was missing?"),
    ("en", "What did he who opened the Salt Room pay for Wend Hall?"),
    ("en", "Which sentence did the court of Brackwater pass on Orrin Vale?"),
    ("en", "Which context menu did Quill Systems remove in 2011?"),
    ("zh", "《边城》的作者是谁？"),
    ("zh", "根据材料科学的定义，石泉合金属于哪一类？"),
    ("zh", "石泉市哪一年修订了版本文件管理办法？"),
    ("zh", "石泉大学的作文中心设在哪里？"),
    ("zh", "望潮站的该文化项目由谁资助？"),
    ("zh", "石泉剧院的剧本文学部由谁主持？"),
    ("zh", "望潮湾其他渔港中哪一个最大？"),
    ("zh", "林远在论文中提出的公式叫什么？"),
    ("zh", "云栖湖的水文资料由哪个站保存？"),
    ("zh", "哪部条例规定上游采石场停产？"),
    ("zh", "石泉市第一部词典的作者是哪国人？"),
    ("zh", "石泉天文中心建于哪一年？"),
]


@pytest.mark.parametrize(("language", "question"), LEANS)
def test_question_that_leans_on_its_text_is_flagged(language, question):
    assert GATE.check(draft(question, language=language), GateContext(str)).outcome == "flag"


@pytest.mark.parametrize(("language", "question"), STANDS)
def test_question_that_stands_alone_passes(language, question):
    found = GATE.check(draft(question, language=language), GateContext(str))
    assert (found.outcome, found.why) == ("pass", "")
