"""Drafting hallucination_repair: one recorded edit of an article's true continuation, or a repair after annotations; what is
not of the asked form is asked for again."""

import json
from dataclasses import replace

import pytest

from agents.offline.agent import OfflineAgent
from agents.offline.corpus import OfflineCorpus
from agents.scripted.scripted import ScriptedAgent
from builders.drafting.windows import windows
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Window
from builders.tasks.hallucination_repair import TASK
from core.errors import Unreadable
from core.nouns import Item, Provenance
from tests.builders.drafts import World
from tests.builders.gates.test_gates_edit import GATE, GateContext

EN = World(
    "The ferry of Orvel has crossed the Senn since 1702. It was poled by hand until the great flood, and every town on the "
    "river had one like it. For two centuries nobody thought of a bridge, since the banks are soft and the spring floods are "
    "high. The ferry carried 400 carts a week in 1820. Marta Quill drew the first bridge in 1931. The council did not like "
    "the drawing. It was built after the war.",
    "Orvel is a town.",
)
ZH = World(
    "奥维尔的渡口自1702年起横渡塞恩河。渡船一直靠人力撑篙，沿河的每座小城都有一条这样的渡船，两百年来没有人想过要修一座桥，因为两岸的土太软，"
    "春天的洪水又太高，工匠们都说立不住桥墩。1820年，渡船每周运送400辆马车。市议会已经同意在上游修一座新桥。",
    language="zh",
)
EDIT = {"class": "number", "sentence": 1, "was": "400 carts", "is": "900 carts"}


def window_of(world: World) -> Window:
    found = windows(world.documents, "hallucination_repair", TASK.window, seed=1)
    return next(window for window in found if window.given_documents[0] == world.documents[0].id)


async def made(world: World, agent, window: Window | None = None, **kit) -> list[Item]:
    return [item async for item in TASK.draft(window or window_of(world), world.kit(agent, seed=3, **kit))]


def said(**fields) -> str:
    return json.dumps(fields, ensure_ascii=False)


async def test_an_edit_of_the_true_continuation_becomes_an_item_with_its_label():
    [item] = await made(EN, ScriptedAgent([said(**EDIT)]))
    assert item.question.endswith("high.") and item.question.startswith("The ferry of Orvel")
    assert item.answers == (
        "The ferry carried 400 carts a week in 1820. Marta Quill drew the first bridge in 1931. The council did not like the "
        "drawing.",
    )
    wrong, edit = item.inputs["hallucinated"], item.labels["edit"]
    assert wrong == item.answers[0].replace("400 carts", "900 carts")
    assert (wrong[edit["start"] : edit["end"]], edit["was"], edit["class"]) == ("900 carts", "400 carts", "number")
    [span] = item.evidence
    assert EN.text_of(span) == "The ferry carried 400 carts a week in 1820." and item.given == (EN.documents[0].id,)
    assert [step["kind"] for step in item.steps] == ["window", "halves", "edit"]
    assert GATE.check(item, GateContext(text_of=EN.text_of)).outcome == "pass"


async def test_an_edit_in_a_later_sentence_knows_its_place():
    [item] = await made(EN, ScriptedAgent([said(**{"class": "time", "sentence": 2, "was": "in 1931", "is": "in 1913"})]))
    edit = item.labels["edit"]
    assert item.inputs["hallucinated"][edit["start"] : edit["end"]] == "in 1913"
    assert GATE.check(item, GateContext(text_of=EN.text_of)).outcome == "pass"


async def test_a_negation_is_looked_at_by_a_judge_both_ways():
    replies = [
        said(**{"class": "negation", "sentence": 3, "was": "did not like", "is": "liked"}),
        said(contained=1),
        said(contained=0),
    ]
    agent = ScriptedAgent(replies)
    [item] = await made(EN, agent)
    assert item.steps[-1] | {"of": "", "calls": []} == {
        "kind": "support",
        "agent": "scripted",
        "of": "",
        "true": 1,
        "edited": 0,
        "calls": [],
    }
    assert GATE.check(item, GateContext(text_of=EN.text_of)).outcome == "pass"


@pytest.mark.parametrize("fields", [{"sentence": 9}, {"was": "carts and horses"}, {"was": "r"}, {"is": "400  carts"}])
async def test_an_edit_that_cannot_be_made_is_asked_for_again_and_then_unreadable(fields):
    agent = ScriptedAgent([said(**EDIT | fields)] * 3)
    with pytest.raises(Unreadable):
        await made(EN, agent)


async def test_an_article_of_three_sentences_and_an_agent_that_declines_give_nothing():
    short = World("The ferry ran. It was old. It sank.")
    assert await made(short, ScriptedAgent([])) == []
    declined = said(**{"class": "number", "sentence": 0, "was": "", "is": "", "none": "Only links."})
    assert await made(EN, ScriptedAgent([declined])) == []


ARTICLE = World("The ferry of Orvel is old. It was built in 1908 by Orrin Vale. It closed in 1954.")
SOURCE = Item(
    "u1",
    "hallucination_repair",
    "The ferry of Orvel is old.",
    (),
    language="en",
    given=(ARTICLE.documents[0].id,),
    inputs={"hallucinated": "It was built in 1980 by Orrin Vale, who was rich."},
    labels={
        "annotations": [
            {"keyword": "1980", "is_right": False, "reason": "should be 1908"},
            {"keyword": "who was rich", "is_right": False, "reason": ""},
            {"keyword": "Orrin Vale", "is_right": True, "reason": ""},
        ],
        "uhgeval": {"id": "doc_1"},
    },
    provenance=Provenance(origin="imported"),
)


def source_window(source: Item = SOURCE) -> Window:
    [first, *_] = windows(
        ARTICLE.documents, "hallucination_repair", replace(TASK.window, adds_texts=False), seed=1, sources=[source]
    )
    return first


async def test_a_row_without_a_repaired_text_is_repaired_where_it_is_annotated():
    agent = ScriptedAgent([said(repaired="It was built in 1908 by Orrin Vale.", evidence=[2])])
    [item] = await made(ARTICLE, agent, source_window())
    assert item.answers == ("It was built in 1908 by Orrin Vale.",) and item.inputs == SOURCE.inputs
    assert item.labels == SOURCE.labels and item.given == SOURCE.given
    assert ARTICLE.text_of(item.evidence[0]) == "It was built in 1908 by Orrin Vale."
    assert item.steps[1]["kind"] == "source_item" and item.steps[1]["item"] == "u1"
    assert GATE.check(item, GateContext(text_of=ARTICLE.text_of)).outcome == "pass"


async def test_nothing_annotated_as_wrong_is_nothing_to_repair():
    right = replace(SOURCE, labels={"annotations": [{"keyword": "1980", "is_right": True, "reason": ""}]})
    assert await made(ARTICLE, ScriptedAgent([]), source_window(right)) == []


def test_items_that_wait_come_first_then_texts_and_answered_ones_never():
    answered = replace(SOURCE, id="u2", answers=("Repaired.",))
    found = windows(ARTICLE.documents, "hallucination_repair", TASK.window, seed=1, sources=[answered, SOURCE])
    first, second = next(found), next(found)
    assert first.source is SOURCE and second.source is None


def test_one_beginning_with_two_hallucinations_is_no_duplicate_and_what_waits_is_known_to_nobody():
    one = replace(SOURCE, id="a", answers=("Same.",))
    other = replace(one, id="b", inputs={"hallucinated": "Quite another text that somebody made up about the ferry."})
    known = NearDuplicateIndex([SOURCE, one])
    assert len(known) == 1 and known.find_same(other) is None and known.find_same(replace(one, id="c")) == "a"
    assert known.find_near(other) == []


@pytest.mark.parametrize("world", [EN, ZH], ids=["en", "zh"])
async def test_the_offline_agent_drafts_an_edit_that_its_gate_can_read(world):
    corpus = OfflineCorpus(world.documents)
    classes = set()
    for seed in range(12):
        window = window_of(world)
        shuffled = replace(window, key=f"{seed}")
        kit = world.kit(OfflineAgent(corpus), name="offline", seed=seed, reason=f"another {seed}")
        for item in [item async for item in TASK.draft(shuffled, kit)]:
            found = GATE.check(item, GateContext(text_of=world.text_of))
            assert found.outcome == "pass" or "no judge" in found.why, found
            classes.add(item.labels["edit"]["class"])
    assert len(classes) >= 3


async def test_the_offline_agent_repairs_after_notes_and_by_a_text():
    agent = OfflineAgent()
    [item] = await made(ARTICLE, agent, source_window(), name="offline")
    assert item.answers == ("It was built in 1908 by Orrin Vale.",)
    from agents.offline.repairs import by_text

    assert by_text("It was built in 1980 by Orrin Vale. Nobody saw it.", ARTICLE.documents[0].text, "en") == (
        "It was built in 1908 by Orrin Vale. Nobody saw it."
    )
    assert by_text("渡口由木匠于1980年修建。", "渡口由木匠于1908年修建。它很旧。", "zh") == "渡口由木匠于1908年修建。"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_task_fills_its_answer_prompt_and_names_its_queries(language):
    from prompts.prompt import load

    filled = load(TASK.answer_prompt, language).fill({**TASK.fill(SOURCE), "context": "C"})[1].content
    assert SOURCE.question in filled and SOURCE.inputs["hallucinated"] in filled
    assert TASK.query(SOURCE) == SOURCE.question == TASK.queries["beginning"](SOURCE)
    assert TASK.queries["beginning_and_continuation"](SOURCE) == f"{SOURCE.question}\n{SOURCE.inputs['hallucinated']}"
