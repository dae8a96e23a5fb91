"""The L2 referent check: what gives a hidden name away, and what only resembles it."""

import pytest

from builders.gate import GateContext
from builders.gates.referent import GATE
from tests.builders.drafts import World, draft

NAMED = [
    ("en", "Maud Treskow", "Which trade had Maud Treskow learned?"),
    ("en", "Maud Treskow", "Which trade had Treskow learned before she opened a theatre?"),
    ("en", "Maud Treskow", "Which trade had Maud, who opened a theatre in a shed, learned?"),
    ("en", "Maud Treskow", "What was MAUD TRESKOW trained as?"),
    ("en", "Aldermoor Glassworks", "In which year did the Aldermoor-based glassworks close?"),
    ("en", "Aldermoor Glassworks Company", "Who ran the Aldermoor glass works in 1904?"),
    ("en", "University of Halden", "Which university in Halden burned down in 1904?"),
    ("en", "the Wend Valley Savings Bank", "Which Wend bank lent to the quarries?"),
    ("en", "Orrin Vale", "Who was Orin Vale's partner, the man with quarry shares?"),
    ("en", "Port Ellery Tramway Company", "When did the PETC, which ran from the harbour, stop?"),
    ("en", "The Drowned Bell", "Who wrote the Drowned Bell, the novel about a flood?"),
    ("en", "Saint Brannoc's Abbey", "Who repaired the abbey of Brannoc after the fire?"),
    ("zh", "云栖湖", "云栖湖的透明度是多少？"),
    ("zh", "云栖湖", "那个叫云栖的高原湖泊的透明度是多少？"),
    ("zh", "青石县人民法院", "青石法院哪一年搬迁？"),
    ("zh", "华远科技有限公司", "由林远创办的华远公司总部在哪里？"),
    ("zh", "王小明", "写过《雨》的小明出生在哪里？"),
    ("zh", "王小明", "那位叫王 小明的诗人出生在哪里？"),
    ("zh", "《望潮日报》", "哪家报纸就是望潮日报，由谁创办？"),
    ("zh", "石泉市有轨电车公司", "石泉的电车公司在哪一年停业？"),
    ("zh", "阿兰·托马森", "写过灯塔的诗人托马森死于哪一年？"),
    ("zh", "白鹿原书店", "老街上的白鹿书店哪一年关门？"),
    ("zh", "第二临川高级中学", "高原上的临川中学由谁设计？"),
]
HIDDEN = [
    ("en", "Maud Treskow", "Which trade had the woman learned who opened a theatre in a drying shed?"),
    ("en", "Ada", "Which radar station did the founder of the mill pay for?"),
    ("en", "Aldermoor Glassworks Company", "Which company rebuilt the east tower after the fire of 1904?"),
    ("en", "University of Halden", "Who was rector of the university that burned down in 1904?"),
    ("en", "the Wend Valley Savings Bank", "In which valley did the bank stand that lent its savings to quarries?"),
    ("en", "Orrin Vale", "Who ran the bank that prevailed over its rivals in 1903?"),
    ("en", "Port Ellery Tramway Company", "When did the firm stop whose cars ran from the harbour to the mill?"),
    ("en", "Rome", "From which town did the painter of the harbour come?"),
    ("en", "The Drowned Bell", "Who wrote the novel in which a village disappears under a reservoir?"),
    ("en", "Mark Ash", "Who marked the trees after the ashes had cooled in the northern forest?"),
    ("en", "May Dunn", "What may the keeper of the lighthouse have burned in 1911?"),
    ("zh", "云栖湖", "省里第一部湖泊保护条例是为某个湖制定的，这个湖的透明度是多少？"),
    ("zh", "青石县人民法院", "1998年迁入旧粮仓的那家法院院长是谁？"),
    ("zh", "华远科技有限公司", "在石泉建起第一座机房的那家科技公司由谁创办？"),
    ("zh", "王小明", "写过《雨》的那位诗人出生在哪里？"),
    ("zh", "《望潮日报》", "1921年由两名渔民创办的日报后来由谁买下？"),
    ("zh", "石泉市有轨电车公司", "钢轨在战时被拆去三分之一的那家电车公司何时停业？"),
    ("zh", "阿兰·托马森", "写过灯塔的那位诗人死于哪一年？"),
    ("zh", "白鹿原书店", "老街上最后一家书店哪一年关门？"),
    ("zh", "第二临川高级中学", "校舍由旧粮仓改建的那所高级中学由谁设计？"),
    ("zh", "中国科学技术大学", "在旧粮仓里上第一堂课的那所大学由谁主持？"),
    ("zh", "林海", "在山林里建起第一座瞭望塔的人是谁？"),
]


@pytest.mark.parametrize(("language", "referent", "question"), NAMED)
def test_question_that_names_its_referent_is_refused(language, referent, question):
    item = draft(question, language=language, task="implicit_factoid", level=2, labels={"referent": referent})
    assert GATE.check(item, GateContext(str)).outcome == "refuse"


@pytest.mark.parametrize(("language", "referent", "question"), HIDDEN)
def test_question_that_hides_its_referent_passes(language, referent, question):
    item = draft(question, language=language, task="implicit_factoid", level=2, labels={"referent": referent})
    found = GATE.check(item, GateContext(str))
    assert (found.outcome, found.why) == ("pass", "")


@pytest.mark.parametrize(
    ("language", "text", "referent", "question"),
    [
        ("en", "The Union of Boatmen (Riverhands) met here.", "Union of Boatmen", "Where did the Riverhands meet?"),
        ("zh", "华远科技有限公司（简称星火）成立。", "华远科技有限公司", "星火成立于哪一年？"),
    ],
)
def test_another_name_that_the_evidence_gives_counts(language, text, referent, question):
    world = World(text, language=language)
    item = draft(question, "x", [world.span(text)], language=language, labels={"referent": referent})
    assert GATE.check(item, GateContext(world.text_of)).outcome == "refuse"


def test_years_behind_a_name_are_no_name():
    world = World("Orrin Vale (born in Wend, 1861-1910) ran the bank.")
    evidence = [world.span("Orrin Vale (born in Wend, 1861-1910) ran the bank.")]
    item = draft("Who ran the bank that fell in 1910?", "x", evidence, labels={"referent": "Orrin Vale"})
    assert GATE.check(item, GateContext(world.text_of)).outcome == "pass"
    fair = draft("Which fair, held in the 5th year of 1904's queen, burned?", labels={"referent": "5th Wend Fair of 1904"})
    assert GATE.check(fair, GateContext(str)).outcome == "pass"


def test_a_referent_that_the_level_one_question_never_named_is_flagged():
    step = {"kind": "source_item", "item": "a", "question": "When did the mill burn?", "answer": "1904"}
    item = draft("When did the works of the widow burn?", "1904", labels={"referent": "Ada Quill"}, steps=(step,))
    assert GATE.check(item, GateContext(str)).outcome == "flag"


def test_a_missing_referent_is_flagged():
    assert GATE.check(draft("Who?"), GateContext(str)).outcome == "flag"
