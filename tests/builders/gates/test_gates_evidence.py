"""The gate evidence: which evidence is refused, which passes, and when it is moved."""

import pytest

from builders.gate import GateContext
from builders.gates.evidence import GATE, contains_answer, repair_evidence
from core.nouns import Span
from core.text.numbered import Sentence, number_sentences
from tests.builders.drafts import World, draft

HOLDS = [
    ("en", "Maud Treskow had trained as a stage carpenter.", "stage carpenter"),
    ("en", "It was opened on 3 March\n1908.", "3 March 1908"),
    ("en", "The “Salt Room” seated ninety.", '"Salt Room"'),
    ("en", "STAGE carpenter", "Stage Carpenter"),
    ("en", "It cost $2.4 million.", "$2.4 million"),
    ("en", "It fell by 30%.", "30%"),
    ("en", "the ﬁnal ﬂood", "final flood"),
    ("en", "from 1908–1910", "1908-1910"),
    ("en", "He left in 1908.", "1908."),
    ("en", "the well-known Quill & Sons", "Quill & Sons"),
    ("zh", "湖水的透明度降到1.4米。", "1.4米"),
    ("zh", "湖水的透明度降到１．４米。", "1.4米"),
    ("zh", "由《望潮 日报》报道", "《望潮日报》"),
    ("zh", "全长 11 公里", "11公里"),
    ("zh", "他说“风停了”。", "风停了"),
    ("zh", "他说「风停了」。", "「风停了」"),
    ("zh", "石泉市第二\n中学", "石泉市第二中学"),
    ("zh", "聘请WANG公司", "wang公司"),
    ("zh", "占百分之三十五", "百分之三十五"),
    ("zh", "位于临川高原的东缘", "临川高原"),
]
LACKS = [
    ("en", "They went to a party.", "art"),
    ("en", "It was built in 1912.", "12"),
    ("en", "It cost $2.4 million.", "$2.5 million"),
    ("en", "He was a stage manager.", "stage carpenter"),
    ("en", "on 3 March 1908", "March 3, 1908"),
    ("en", "sold 1,200 tons", "1200 tons"),
    ("en", "Mr. Vale", "Mrs. Vale"),
    ("en", "the east tower", "the tower"),
    ("en", "fell by 30 per cent", "30%"),
    ("en", "anything", "  ."),
    ("zh", "湖水的透明度降到1.4米。", "1.5米"),
    ("zh", "降到11.4米", "1.4米"),
    ("zh", "临川的高原", "临川高原"),
    ("zh", "占百分之三十五", "35%"),
    ("zh", "于2016年夏天", "2016年6月"),
    ("zh", "石泉市第三中学", "石泉市第二中学"),
    ("zh", "十二家工厂", "二十家工厂"),
    ("zh", "董事长林远", "林远山"),
    ("zh", "聘请WANGLI公司", "WANG"),
    ("zh", "什么都有", "。"),
]


@pytest.mark.parametrize(("language", "text", "answer"), HOLDS)
def test_answer_stands_in_its_evidence(language, text, answer):
    world = World(text, language=language)
    item = draft("Which one?" if language == "en" else "哪一个？", answer, [world.span(text)], language=language)
    assert GATE.check(item, GateContext(world.text_of)).outcome == "pass"


@pytest.mark.parametrize(("language", "text", "answer"), LACKS)
def test_answer_outside_its_evidence_is_refused(language, text, answer):
    world = World(text, language=language)
    item = draft("Which one?" if language == "en" else "哪一个？", answer, [world.span(text)], language=language)
    assert GATE.check(item, GateContext(world.text_of)).outcome == "refuse"


WORLD = World("The mill burned. Ada Quill rebuilt it in 1911.", "Other text.")
LENGTH = len(WORLD.documents[0].text)
HERE, THERE = WORLD.documents[0].id, WORLD.documents[1].id


@pytest.mark.parametrize(
    ("evidence", "given"),
    [
        ([], (HERE,)),
        ([Span("b2:none", 0, 4)], ("b2:none",)),
        ([Span(HERE, 5, 5)], (HERE,)),
        ([Span(HERE, 9, 5)], (HERE,)),
        ([Span(HERE, -3, 5)], (HERE,)),
        ([Span(HERE, 17, LENGTH + 1)], (HERE,)),
        ([Span(HERE, LENGTH + 5, LENGTH + 9)], (HERE,)),
        ([Span(HERE, 16, 17)], (HERE,)),
        ([Span(THERE, 0, 5)], (HERE,)),
        ([Span(HERE, 17, LENGTH), Span(HERE, 0, LENGTH + 2)], (HERE,)),
    ],
)
def test_evidence_that_cuts_no_real_text_is_refused(evidence, given):
    item = draft("Who?", "Ada Quill", evidence, given=given)
    assert GATE.check(item, GateContext(WORLD.text_of)).outcome == "refuse"


def test_level_three_answers_need_not_stand_word_for_word():
    item = draft("Why?", "Fire.", [WORLD.span("The mill burned.")], task="explicit_rationale", level=3)
    assert GATE.check(item, GateContext(WORLD.text_of)).outcome == "pass"


def test_an_answer_given_away_by_its_question_is_flagged():
    item = draft("In which year did Ada Quill rebuild it, 1911?", "1911", [WORLD.span("Ada Quill rebuilt it in 1911.")])
    assert GATE.check(item, GateContext(WORLD.text_of)).outcome == "flag"


def sentences(world):
    found = ["The mill burned.", "Ada Quill rebuilt it in 1911."]
    return number_sentences([Sentence(world.span(words), words) for words in found])


def test_evidence_moves_to_the_only_sentence_that_holds_the_answer():
    item = draft("Who rebuilt the mill?", "Ada Quill", [WORLD.span("The mill burned.")])
    moved = repair_evidence(item, GateContext(WORLD.text_of), sentences(WORLD))
    assert moved.evidence == (WORLD.span("Ada Quill rebuilt it in 1911."),)
    assert moved.steps[-1]["kind"] == "repaired"
    found = GATE.check(moved, GateContext(WORLD.text_of))
    assert found.outcome == "pass" and found.details["repaired"] is True


def test_evidence_stays_where_nothing_or_too_much_holds_the_answer():
    nowhere = draft("Who?", "Orrin Vale", [WORLD.span("The mill burned.")])
    assert repair_evidence(nowhere, GateContext(WORLD.text_of), sentences(WORLD)) is nowhere
    world = World("It rained. Ada came. Ada left.")
    twice = draft("Who?", "Ada", [world.span("It rained.")])
    shown = number_sentences([Sentence(world.span(words), words) for words in ("It rained.", "Ada came.", "Ada left.")])
    assert repair_evidence(twice, GateContext(world.text_of), shown) is twice


def test_white_space_in_chinese_does_not_matter():
    assert contains_answer("石 泉 市", "石泉市", "zh") and not contains_answer("stage carpenter", "stagecarpenter", "en")
