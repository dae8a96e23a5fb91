"""The language gate: drafts in another language than the declared one, and drafts that only hold names or titles of another."""

import pytest

from builders.gate import GateContext, run_gates
from builders.gates.language import GATE
from builders.task import Task
from core.catalog import catalog
from tests.builders.drafts import draft

WRONG = [
    ("en", "哈默罗灯塔是哪一年建成的？", "1902"),
    ("en", "谁设计了奥维尔大桥？", "Marta Quill"),
    ("en", "Marta Quill 设计的 Orvel 大桥有多长？", "212"),
    ("en", "橋の長さは何メートルですか？", "212"),
    ("en", "Qui a construit le pont de la ville ?", "Quill"),
    ("en", "Quand est-ce que la tour a été construite ?", "1902"),
    ("en", "Wer hat die Brücke von Orvel gebaut und wann wurde sie eröffnet?", "Quill"),
    ("en", "¿Quién diseñó el puente de Orvel y en qué año se abrió?", "Quill"),
    ("en", "Chi ha progettato il ponte di Orvel?", "Quill"),
    ("en", "Quem projetou a ponte de Orvel e quando foi aberta?", "Quill"),
    ("en", "Кто построил мост в Орвеле?", "Quill"),
    ("en", "오르벨 다리는 누가 설계했습니까?", "Quill"),
    ("en", "Who designed the bridge at Orvel?", "奥维尔大桥由玛尔塔设计，她后来成为市长。"),
    ("en", "Why did the mill close?", "Le moulin a fermé parce que les eaux du fleuve étaient trop basses."),
    ("zh", "Who designed the bridge at Orvel?", "玛尔塔"),
    ("zh", "When did the mill of Orvel burn?", "1902"),
    ("zh", "In which year was 石泉大学 founded?", "1902年"),
    ("zh", "What does 望潮湾 lie next to?", "港口"),
    ("zh", "Why was the line to 石泉市 closed in 1931?", "洪水"),
    ("zh", "How many people live in 云栖?", "三万"),
    ("zh", "石泉市の人口はどのくらいですか？", "三万"),
    ("zh", "Qui a construit le pont de 石泉 ?", "林远"),
    ("zh", "Wer hat die Brücke von 石泉 gebaut und wann?", "林远"),
    ("zh", "Сколько людей живёт в 石泉?", "三万"),
    ("zh", "石泉大桥由谁设计？", "The bridge was designed by an engineer who had come from the north."),
    ("zh", "石泉大桥为什么关闭？", "Because the river had risen and the pillars of it were no longer safe."),
]
RIGHT = [
    ("en", "Who wrote 红楼梦 and 西游记 and 三国演义?", "Nobody alone"),
    ("en", "What does the name 望潮湾 mean?", "望潮湾"),
    ("en", "Who painted “Les Demoiselles d'Avignon et le pont du Nord”?", "Picasso"),
    ("en", "When was the Universidad de la República founded?", "1849"),
    ("en", "Which company owns the El Dorado del Sur mine?", "Minas de Oro del Norte"),
    ("en", "Who founded the Musée des Beaux-Arts du Nord?", "Jean de la Tour"),
    ("en", "Which word did Ada read as привет?", "привет"),
    ("en", "How long is α in the Orvel formula?", "2.5 cm"),
    ("en", "Who designed the bridge at Orvel?", "奥维尔"),
    ("en", "Name Marta Quill's bridge.", "Orvel"),
    ("en", "What is the German title of The Drowned Bell?", "Die versunkene Glocke"),
    ("en", "Who directed the anime きみのなは in 2016?", "Shinkai"),
    ("zh", "OpenAI GPT Turbo API 的 max tokens 是多少？", "4096"),
    ("zh", "《What Is Art and What Was It》的作者是谁？", "托尔斯泰"),
    ("zh", "Marta Quill 在哪一年设计了 Orvel 大桥？", "1902"),
    ("zh", "“To be or not to be” 出自哪部作品？", "哈姆雷特"),
    ("zh", "石泉市改名", "The Spring City"),
    ("zh", "优の良品由谁创办？", "林远"),
    ("zh", "「の」是什么意思？", "的"),
    ("zh", "公司 The Bank of the North 的总部在哪里？", "石泉"),
    ("zh", "公式中的 α 代表什么？", "角度"),
    ("zh", "DNA、RNA 和 ATP 中哪一种储存遗传信息？", "DNA"),
    ("zh", "石泉大桥由谁设计？", "Marta Quill"),
    ("zh", "石泉大桥为什么关闭？", "因为河水上涨，工程师 Marta Quill 认为 Orvel Bridge 的桥墩不再安全。"),
]


@pytest.mark.parametrize(("language", "question", "answer"), WRONG)
def test_a_draft_in_another_language_is_flagged(language, question, answer):
    found = GATE.check(draft(question, answer, language=language), GateContext(text_of=lambda span: ""))
    assert found.outcome == "flag" and found.details["found"] != language and found.why.endswith(".")


@pytest.mark.parametrize(("language", "question", "answer"), RIGHT)
def test_names_and_titles_of_another_language_may_stand_in_it(language, question, answer):
    found = GATE.check(draft(question, answer, language=language), GateContext(text_of=lambda span: ""))
    assert found.outcome == "pass", found.why


def test_there_are_ten_of_each_for_each_language():
    for rows in (WRONG, RIGHT):
        assert min(sum(row[0] == language for row in rows) for language in ("en", "zh")) >= 10


def test_every_task_that_drafts_asks_for_it():
    undrafted = ("question_answering", "web_question", "template_question")
    drafting = {name: task for name, task in catalog("builders.tasks", "TASK", Task).items() if name not in undrafted}
    assert drafting and all("language" in task.gates for task in drafting.values())
    [verdict] = run_gates(draft("谁？是谁设计的？"), ["language"], GateContext(text_of=lambda span: ""))
    assert (verdict.gate, verdict.outcome, verdict.details["found"]) == ("language", "flag", "zh")
