"""The gate edit: which hallucinated texts are wrong in exactly one place that their evidence shows, and which are not."""

from dataclasses import replace

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.gate import GateContext
from builders.gates.edit import GATE
from builders.variation.edits import changes, fingerprint, sides
from core.nouns import Item, Span
from tests.builders.drafts import World

EN = (
    "Marta Quill drew the bridge at Orvel in 1931, and 1,200 workers built it in 14 months. "
    "The council rejected the toll because of the flood. Orrin Vale repaired it on 3 May 1954 after the war. "
    "The United Nations paid 30 percent of it."
)
ZH = (
    "奥维尔大桥由玛尔塔·奎尔于1931年设计，一千二百名工人用14个月建成。市议会因洪水否决了通行费。"
    "2016年5月3日，宋玉兰在战后重修大桥。北京大学出资百分之三十，工程已经完成。"
)
BEGINNING = {"en": "Orvel is a town on the river Senn.", "zh": "奥维尔是塞恩河边的小城。"}

# language, class, what stands there, what is put in its place
SHOWN_BY_FIGURES_OR_NAMES = [
    ("en", "number", "1,200 workers", "1,300 workers"),
    ("en", "number", "14 months", "40 months"),
    ("en", "number", "30 percent", "45 percent"),
    ("en", "number", "1,200 workers", "1,200,000 workers"),
    ("en", "time", "1931", "1913"),
    ("en", "time", "3 May 1954", "3 March 1954"),
    ("en", "time", "3 May 1954", "4 May 1955"),
    ("en", "entity", "Marta Quill", "Ada Treskow"),
    ("en", "entity", "Orrin Vale", "Hugo Lind"),
    ("en", "entity", "The United Nations", "The World Bank"),
    ("zh", "number", "一千二百名", "一千五百名"),
    ("zh", "number", "14个月", "41个月"),
    ("zh", "number", "百分之三十", "百分之五十"),
    ("zh", "number", "14个月", "4个月"),
    ("zh", "time", "1931年", "1913年"),
    ("zh", "time", "2016年5月3日", "2016年3月5日"),
    ("zh", "time", "5月3日", "8月13日"),
    ("zh", "entity", "玛尔塔·奎尔", "诺拉·维尔"),
    ("zh", "entity", "宋玉兰", "顾雅"),
    ("zh", "entity", "北京大学", "清华大学"),
]
FOR_A_JUDGE = [
    ("en", "negation", "rejected", "did not reject"),
    ("en", "relation", "because of the flood", "in spite of the flood"),
    ("en", "relation", "after the war", "before the war"),
    ("zh", "negation", "已经完成", "尚未完成"),
    ("zh", "relation", "因洪水", "不顾洪水"),
    ("zh", "relation", "战后", "战前"),
]
FLAGGED = [
    ("en", "number", "1,200 workers", "1200 workers", "same figure"),
    ("en", "number", "14 months", "fourteen months", "same figure"),
    ("en", "time", "3 May 1954", "May 3, 1954", "same figure"),
    ("en", "number", "rejected", "accepted", "does not replace a number"),
    ("en", "number", "1,200 workers built it in 14 months", "1,300 workers built it in 15 months", "2 places"),
    ("en", "time", "1931, and 1,200", "1932, and 1,300", "2 places"),
    ("en", "entity", "The United Nations", "The UN", "another name"),
    ("en", "entity", "Marta Quill", "Quill", "another name"),
    ("en", "entity", "Marta Quill drew the bridge at Orvel in 1931", "Ada Lind drew the bridge at Orvel in 1913", "A figure"),
    ("en", "colour", "1931", "1913", "is none of"),
    ("en", "negation", "rejected", "refused", "neither side"),
    ("en", "number", "14 months", "1931 months", "contains '1931 months' too"),
    ("zh", "number", "一千二百名", "1200名", "same figure"),
    ("zh", "number", "百分之三十", "30%", "same figure"),
    ("zh", "time", "2016年5月3日", "二〇一六年五月三日", "same figure"),
    ("zh", "number", "否决", "通过", "does not replace a number"),
    ("zh", "number", "一千二百名工人用14个月", "一千五百名工人用15个月", "2 places"),
    ("zh", "entity", "北京大学", "北京", "another name"),
    ("zh", "entity", "玛尔塔·奎尔", "奎尔", "another name"),
    ("zh", "colour", "1931年", "1913年", "is none of"),
    ("zh", "negation", "已经完成", "全部完成", "neither side"),
    ("zh", "entity", "玛尔塔·奎尔于1931年设计", "诺拉·维尔于1913年设计", "A figure"),
    ("zh", "number", "14个月", "1931个月", "contains '1931个月' too"),
]


def edited(language: str, kind: str, was: str, put: str) -> tuple[Item, GateContext]:
    text = EN if language == "en" else ZH
    world = World(text, language=language)
    start = text.index(was)
    place = sides(text, text, start, language).true
    [document] = world.documents
    at = text.index(place)
    edit = {"class": kind, "start": start, "end": start + len(put), "was": was, "is": put}
    item = Item(
        "i1",
        "hallucination_repair",
        BEGINNING[language],
        (text,),
        (Span(document.id, at, at + len(place)),),
        language=language,
        labels={"edit": edit},
        given=(document.id,),
        inputs={"hallucinated": f"{text[:start]}{put}{text[start + len(was) :]}"},
    )
    return item, GateContext(text_of=world.text_of)


def judged(item: Item, context: GateContext, true: int | None, wrong: int | None) -> Item:
    both = sides(item.answers[0], item.inputs["hallucinated"], item.labels["edit"]["start"], item.language)
    evidence = "\n".join(context.text_of(span) for span in item.evidence)
    step = {"kind": "support", "agent": "m", "of": fingerprint(evidence, both), "true": true, "edited": wrong, "why": "cut"}
    return replace(item, steps=(step,))


@pytest.mark.parametrize(("language", "kind", "was", "put"), SHOWN_BY_FIGURES_OR_NAMES)
def test_one_wrong_figure_or_name_passes_without_a_judge(language, kind, was, put):
    item, context = edited(language, kind, was, put)
    found = GATE.check(item, context)
    assert (found.outcome, found.why) == ("pass", "")


@pytest.mark.parametrize(("language", "kind", "was", "put"), FOR_A_JUDGE)
def test_a_negation_or_relation_is_the_judge_s_to_show(language, kind, was, put):
    item, context = edited(language, kind, was, put)
    alone = GATE.check(item, context)
    assert alone.outcome == "not run" and alone.why.startswith("Not run: no judge")
    assert GATE.check(judged(item, context, 1, 0), context).outcome == "pass"
    told = {(1, 1): "both the true and", (0, 0): "neither", (0, 1): "not the true one", (None, 0): "Not run"}
    for verdicts, said in told.items():
        found = GATE.check(judged(item, context, *verdicts), context)
        assert found.outcome == ("not run" if None in verdicts else "flag") and said in found.why


@pytest.mark.parametrize(("language", "kind", "was", "put", "said"), FLAGGED)
def test_what_is_no_edit_or_more_than_one_is_flagged_with_its_reason(language, kind, was, put, said):
    item, context = edited(language, kind, was, put)
    found = GATE.check(item, context)
    assert found.outcome == "flag" and said in found.why


@pytest.mark.parametrize("language", ["en", "zh"])
def test_verdicts_on_other_words_do_not_count(language):
    _, kind, was, put = next(one for one in FOR_A_JUDGE if one[0] == language)
    item, context = edited(language, kind, was, put)
    old = judged(item, context, 1, 0)
    reworded = replace(old, steps=({**old.steps[0], "of": "b2:other"},))
    assert GATE.check(reworded, context).why.startswith("Not run: no judge")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_label_that_is_not_what_differs_and_texts_that_do_not_differ_are_flagged(language):
    _, kind, was, put = next(one for one in SHOWN_BY_FIGURES_OR_NAMES if one[0] == language)
    item, context = edited(language, kind, was, put)
    shifted = replace(item, labels={"edit": {**item.labels["edit"], "start": 0}})
    assert "is not the difference" in GATE.check(shifted, context).why
    same = replace(item, inputs={"hallucinated": item.answers[0]})
    assert "nothing was edited" in GATE.check(same, context).why
    assert "Neither an edit nor annotations" in GATE.check(replace(item, labels={}), context).why
    assert "no hallucinated text" in GATE.check(replace(item, inputs={}), context).why


@pytest.mark.parametrize("language", ["en", "zh"])
def test_evidence_that_does_not_hold_the_true_text_is_flagged(language):
    _, kind, was, put = next(one for one in SHOWN_BY_FIGURES_OR_NAMES if one[0] == language)
    item, context = edited(language, kind, was, put)
    [span] = item.evidence
    elsewhere = replace(item, evidence=(Span(span.document, span.end, span.end + 40),))
    assert "The true text (the answer without the error) says" in GATE.check(elsewhere, context).why


def test_the_spans_that_differ_are_told_and_words_that_change_places_are_one():
    [one] = changes("Ada beat Orrin in May.", "Orrin beat Ada in May.")
    assert (one.was, one.put) == ("Ada beat Orrin", "Orrin beat Ada")
    [date] = changes("会议于2016年5月3日召开。", "会议于2017年6月3日召开。")
    assert (date.start, date.was, date.put) == (3, "2016年5", "2017年6")
    assert [c.put for c in changes("A b c d e.", "A x c d y.")] == ["x", "y"]


NOTES = {
    "en": [
        {"keyword": "in 1920", "is_right": False, "reason": "should be 1931"},
        {"keyword": "and painted it red", "is_right": False, "reason": "not in the article"},
        {"keyword": "the bridge", "is_right": True, "reason": ""},
    ],
    "zh": [
        {"keyword": "1920年", "is_right": False, "reason": "应为1931年"},
        {"keyword": "并漆成红色", "is_right": False, "reason": "文章没有提到"},
        {"keyword": "大桥", "is_right": True, "reason": ""},
    ],
}
WRONG = {
    "en": "She drew the bridge in 1920, and painted it red. People liked the bridge.",
    "zh": "她于1920年设计大桥，并漆成红色。人们喜欢大桥。",
}
REPAIRED = [
    ("en", "She drew the bridge in 1931. People liked the bridge.", ""),
    ("en", "She drew the bridge, which is of steel, in 1931. People liked the bridge.", ""),
    ("en", "She drew the bridge in 1920. People liked the bridge.", "'in 1920' is annotated as wrong and was not changed"),
    ("en", "She drew the bridge in 1931. Nobody minded the bridge.", "nothing there is annotated"),
    (
        "en",
        "She drew the bridge in 1931, of steel and stone, for the town, in a year of floods, at great cost to the council "
        "and with 1,200 workers. People liked the bridge.",
        "something was added",
    ),
    ("zh", "她于1931年设计大桥。人们喜欢大桥。", ""),
    ("zh", "她于1931年设计大桥，造价不高。人们喜欢大桥。", ""),
    ("zh", "她于1920年设计大桥。人们喜欢大桥。", "'1920年' is annotated as wrong and was not changed"),
    ("zh", "她于1931年设计大桥。游客厌恶大桥。", "nothing there is annotated"),
    (
        "zh",
        "她于1931年设计大桥，一千二百名工人用了十四个月，在洪水之年为小城建成，市议会为此付出了很大的代价。人们喜欢大桥。",
        "something was added",
    ),
]


@pytest.mark.parametrize(("language", "repaired", "said"), REPAIRED)
def test_a_repair_touches_what_is_annotated_and_nothing_else(language, repaired, said):
    item = Item(
        "i1",
        "hallucination_repair",
        BEGINNING[language],
        (repaired,),
        language=language,
        labels={"annotations": NOTES[language]},
        inputs={"hallucinated": WRONG[language]},
    )
    found = GATE.check(item, GateContext(text_of=lambda span: ""))
    assert (found.outcome == "pass") == (said == "") and said in found.why


async def test_a_judge_is_asked_about_both_sides():
    from builders.variation.edits import support

    item, context = edited("en", "relation", "after the war", "before the war")
    agent = ScriptedAgent(['{"contained": 1}', '{"contained": 0}'])
    both = sides(item.answers[0], item.inputs["hallucinated"], item.labels["edit"]["start"], "en")
    evidence = context.text_of(item.evidence[0])
    step = await support(World(EN).kit(agent), "en", evidence, both)
    assert (step["true"], step["edited"]) == (1, 0)
    assert "after the war" in both.true and "before the war" in both.edited
    assert GATE.check(replace(item, steps=(step,)), context).outcome == "pass"
