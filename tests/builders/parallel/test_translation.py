"""A translated item is kept only if its answers stand in the translated evidence with the same figures."""

import json

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.parallel.translation import Fault, TranslatedItem, find_fault, translate_document, translate_item
from core.ids import content_hash
from core.nouns import Document, Item, Span

TEXT = "The mill stands by the river. Ada Quill bought it in 1902 for 4,200 crowns.\n\nIt is a school now."
ZH = "磨坊在河边。艾达·奎尔于1902年以4200克朗买下它。\n\n现在它是一所学校。"
MILL = Document(content_hash(TEXT), TEXT, "The Mill", licence="CC0-1.0")
EVIDENCE = TEXT[30:76]
ITEM = Item(
    "year",
    "explicit_factoid",
    "When did Ada Quill buy the mill?",
    ("1902", "in 1902"),
    (Span(MILL.id, 30, 76),),
    level=1,
    status="accepted",
    given=(MILL.id,),
)
GOOD = {
    "question": "艾达·奎尔是哪一年买下磨坊的？",
    "answers": ["1902年", "于1902年"],
    "quotes": ["艾达·奎尔于1902年以4200克朗买下它。"],
}


async def translate(*replies: object) -> tuple[TranslatedItem, ScriptedAgent]:
    agent = ScriptedAgent([json.dumps(reply, ensure_ascii=False) for reply in replies])
    whole = await translate_document(agent.ask, MILL, "zh", "scripted")
    return await translate_item(agent.ask, ITEM, {MILL.id: MILL}, {MILL.id: whole}, "zh", "scripted"), agent


WHOLE = {"title": "磨坊", "translation": ZH}


async def test_the_twin_is_a_draft_whose_evidence_is_found_in_the_translated_document() -> None:
    made, agent = await translate(WHOLE, GOOD)
    twin = made.item
    assert twin is not None and made.fault is None
    assert (twin.status, twin.language, twin.level, twin.task) == ("drafted", "zh", 1, "explicit_factoid")
    assert [ZH[span.start : span.end] for span in twin.evidence] == GOOD["quotes"]
    assert twin.given == (content_hash(ZH),) == tuple(span.document for span in twin.evidence)
    assert twin.steps[0]["item"] == "year" and twin.provenance.agent == "scripted"
    assert "Chinese" in agent.history[0].messages[0].content


async def test_a_reply_that_fails_a_check_is_asked_for_again_with_the_reason() -> None:
    made, agent = await translate(WHOLE, {**GOOD, "answers": ["1912年", "于1912年"]}, GOOD)
    assert made.item is not None and made.item.answers == ("1902年", "于1902年")
    assert "an answer does not stand word for word in the quotes" in agent.history[-1].messages[-1].content


async def test_after_three_faulty_replies_the_item_is_refused_with_the_reason() -> None:
    made, _ = await translate(WHOLE, *[{**GOOD, "quotes": ["艾达买下它。"]}] * 3)
    assert made.item is None and made.fault == "evidence not in the document"


async def test_an_agent_that_does_not_find_the_answer_says_so() -> None:
    made, _ = await translate(WHOLE, {"question": "", "answers": [], "quotes": [], "none": "The text lacks it."})
    assert (made.item, made.fault) == (None, "not in the translated document")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, None),
        ({"answers": ["1902年"]}, "other number of answers"),
        ({"question": "When did Ada Quill buy the mill by the river?"}, "not translated"),
        ({"quotes": ["艾达·奎尔于1902年买下它。"]}, "evidence not in the document"),
        ({"answers": ["1902年", "一九〇二"]}, "answer not in the evidence"),
        ({"answers": ["4200克朗", "于1902年"]}, "other figures"),
        ({"quotes": ["艾达·奎尔于1902年"]}, "other figures in the evidence"),
    ],
)
def test_each_fault_has_its_reason(change: dict[str, object], fault: Fault | None) -> None:
    assert find_fault(ITEM, [EVIDENCE], {**GOOD, **change}, [ZH], "zh") == fault
