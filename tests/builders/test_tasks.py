"""The four drafting tasks: what they ask, what they make of the reply, and what they keep of the way there."""

import json

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.drafting.decomposition import decompose, letter, wrong_statements
from builders.drafting.windows import windows
from builders.task import Kit, Task, Window
from core.catalog import catalog
from core.errors import BenchError, Unreadable
from core.nouns import Item
from core.text.numbered import number_sentences
from prompts.prompt import load, names
from tests.builders.drafts import World, draft

TASKS = catalog("builders.tasks", "TASK", Task)
WORLD = World(
    "The mill of Wend burned in 1904. Ada Quill rebuilt it in 1911. She had sold the tower to pay for it. "
    "The tower bell hangs in the school.",
    "Ada Quill also founded the school of Wend. The school teaches weaving.",
    domain="arts",
)
CHINESE = World("1904年，文德磨坊失火。1911年，顾雅将其重建。为此她卖掉了钟楼。", language="zh")


def window_of(world, task):
    """The window that begins with the first document."""
    found = windows(world.documents, task, TASKS[task].window, seed=1)
    return next(window for window in found if window.given_documents[0] == world.documents[0].id)


async def made(task, window, agent, world=WORLD, **kit):
    return [item async for item in TASKS[task].draft(window, world.kit(agent, seed=7, **kit))]


def reply(**fields):
    return json.dumps(fields, ensure_ascii=False)


def test_tasks_are_known_by_file_name_with_levels_gates_and_prompts():
    assert {name: task.level for name, task in TASKS.items()} == {
        "explicit_factoid": 1,
        "implicit_factoid": 2,
        "explicit_rationale": 3,
        "implicit_rationale": 4,
        "question_answering": None,
        "summary": None,
        "continuation": None,
        "hallucination_repair": None,
        "qa_one_document": None,
        "qa_two_documents": None,
        "qa_three_documents": None,
        "web_question": None,
        "template_question": None,
        "conversation": None,
    }
    gates = catalog("builders.gates", "GATE", object)
    for task in TASKS.values():
        assert set(task.gates) <= set(gates) and task.answer_prompt in names()
        assert set(task.label) == set(task.definition) == {"en", "zh"}
    assert "referent" in TASKS["implicit_factoid"].gates


async def test_level_one_cites_sentences_by_number():
    agent = ScriptedAgent([reply(question="When did the mill of Wend burn?", answer="1904", evidence=[1])])
    window = window_of(WORLD, "explicit_factoid")
    [item] = await made("explicit_factoid", window, agent)
    assert (item.task, item.level, item.domain, item.language) == ("explicit_factoid", 1, "arts", "en")
    assert item.evidence == (window.sentences.sentences[0].span,) and item.given == window.given_documents
    assert item.steps[0]["kind"] == "window" and item.steps[0]["key"] == window.key
    assert item.provenance.prompt == load("draft/explicit_factoid", "en").identity
    assert (item.provenance.agent, item.provenance.seed) == ("scripted", 7)
    assert "[1] The mill of Wend burned in 1904." in agent.history[0].messages[1].content


async def test_nothing_worth_asking_gives_no_item():
    agent = ScriptedAgent([reply(question="", answer="", evidence=[], none="a table of contents")])
    assert await made("explicit_factoid", window_of(WORLD, "explicit_factoid"), agent) == []


async def test_a_number_that_was_not_shown_is_asked_for_again():
    wrong = reply(question="When?", answer="1904", evidence=[99])
    agent = ScriptedAgent([wrong, reply(question="When?", answer="1904", evidence=[1])])
    [item] = await made("explicit_factoid", window_of(WORLD, "explicit_factoid"), agent)
    assert item.question == "When?" and "Sentence 99 was cited" in agent.history[1].messages[-1].content


async def test_a_reason_goes_into_the_prompt_and_is_kept():
    agent = ScriptedAgent([reply(question="When?", answer="1904", evidence=[1])])
    window = window_of(WORLD, "explicit_factoid")
    [item] = await made("explicit_factoid", window, agent, reason="too easy", previous="When did it burn for $5?")
    shown = agent.history[0].messages[1].content
    assert "it was too easy" in shown and "\n- When did it burn for $5?\n" in shown
    assert {"kind": "regeneration", "reason": "too easy", "previous": "When did it burn for $5?"} in item.steps


async def test_chinese_windows_are_asked_in_chinese():
    answer = reply(question="文德磨坊哪一年失火？", answer="1904年", evidence=[1])
    agent = ScriptedAgent([answer])
    [item] = await made("explicit_factoid", window_of(CHINESE, "explicit_factoid"), agent, CHINESE, reason="太难了")
    assert agent.history[0].prompt.language == item.language == "zh"
    assert "审阅者退回了先前的一稿，原因是：太难了" in agent.history[0].messages[1].content


def source():
    span, given = WORLD.span("Ada Quill rebuilt it in 1911."), tuple(d.id for d in WORLD.documents)
    question = "In which year did Ada Quill rebuild the mill of Wend?"
    return draft(question, "1911", [span], id="one", domain="arts", given=given)


def second_window():
    rule = TASKS["implicit_factoid"].window
    return next(windows(WORLD.documents, "implicit_factoid", rule, seed=1, sources=[source()]))


async def test_level_two_keeps_its_source_its_passages_and_the_chosen_ones():
    question = "In which year did the founder of the weaving school rebuild the mill of Wend?"

    def second(asked):
        shown = str(asked.inputs["sentences"]).splitlines()
        numbers = [int(line[1 : line.index("]")]) for line in shown if "founded" in line or "rebuilt" in line]
        return reply(question=question, answer="1911", evidence=numbers, referent="Ada Quill")

    agent = ScriptedAgent([reply(passages=[1, 2]), second])
    [item] = await made("implicit_factoid", second_window(), agent)
    steps = {step["kind"]: step for step in item.steps}
    assert steps["source_item"]["item"] == "one" and steps["source_item"]["answer"] == "1911"
    assert 2 <= len(steps["passages"]["spans"]) <= 10 and len(steps["chosen"]["spans"]) == 2
    assert item.level == 2 and item.labels["referent"] == "Ada Quill"
    assert {WORLD.text_of(span) for span in item.evidence} >= {"Ada Quill also founded the school of Wend."}
    assert list(item.evidence) == sorted(item.evidence)
    assert agent.history[0].prompt.skill == "extract" and agent.history[1].inputs["answer"] == "1911"


async def test_a_choice_of_too_many_or_unknown_passages_is_asked_for_again():
    agent = ScriptedAgent(
        [
            reply(passages=[77]),
            reply(passages=[1, 1]),
            reply(question="", answer="", evidence=[], referent="", none="not unique"),
        ]
    )
    assert await made("implicit_factoid", second_window(), agent) == []
    assert "passage 77" in agent.history[1].messages[-1].content and len(agent.history) == 3


async def test_no_passage_chosen_gives_no_item():
    assert await made("implicit_factoid", second_window(), ScriptedAgent([reply(passages=[])])) == []


async def test_level_two_without_a_source_is_one_sentence():
    with pytest.raises(BenchError, match="level 1 item"):
        await made("implicit_factoid", window_of(WORLD, "explicit_factoid"), ScriptedAgent([]))


CLAIMS = [
    {"claim": "The mill burned in 1904.", "evidence": [1]},
    {"claim": "Ada Quill sold the tower.", "evidence": [3, 2]},
]
STATEMENTS = {
    "true": ["The mill burned in 1904."],
    "false": ["It burned in 1905.", "The bell was sold.", "Vale rebuilt it."],
}


@pytest.mark.parametrize("task", ["explicit_rationale", "implicit_rationale"])
async def test_rationale_items_join_claims_and_letter_statements(task):
    more = {"theme": "loss and repair"} if task == "implicit_rationale" else {}
    agent = ScriptedAgent([reply(question="How did Wend keep its mill?", claims=CLAIMS, **more), json.dumps(STATEMENTS)])
    window = window_of(WORLD, task)
    [item] = await made(task, window, agent)
    assert item.answers == ("The mill burned in 1904. Ada Quill sold the tower.",)
    sentences = window.sentences.sentences
    assert item.evidence == (sentences[0].span, sentences[1].span, sentences[2].span)
    assert sorted(item.labels["selections"]) == ["a", "b", "c", "d"] and len(item.labels["selection_answers"]) == 1
    assert item.labels["selections"][item.labels["selection_answers"][0]] == "The mill burned in 1904."
    assert item.labels.get("theme") == more.get("theme") and "frame" not in item.labels
    claims = item.steps[-1]["claims"]
    assert claims[1]["evidence"] == [[s.document, s.start, s.end] for s in (sentences[1].span, sentences[2].span)]
    assert len(agent.history[1].inputs["sentences"]) == 3


async def test_chinese_claims_are_joined_without_spaces():
    claims = [{"claim": "磨坊1904年失火。", "evidence": [1]}, {"claim": "顾雅卖掉钟楼。", "evidence": [3]}]
    false = ["磨坊1905年失火。", "顾雅卖掉学校。", "磨坊没有重建。"]
    agent = ScriptedAgent([reply(question="为什么？", claims=claims), reply(true=["磨坊失火。"], false=false)])
    [item] = await made("explicit_rationale", window_of(CHINESE, "explicit_rationale"), agent, CHINESE)
    assert item.answers == ("磨坊1904年失火。顾雅卖掉钟楼。",)


async def test_a_decomposition_that_cannot_be_mended_makes_the_draft_unreadable():
    agent = ScriptedAgent([reply(question="How?", claims=CLAIMS), *[json.dumps(STATEMENTS | {"false": ["one"]})] * 3])
    with pytest.raises(Unreadable):
        await made("explicit_rationale", window_of(WORLD, "explicit_rationale"), agent)


@pytest.mark.parametrize(
    ("true", "false", "word"),
    [
        ([], ["a", "b", "c"], "0 true"),
        (["a"] * 6, ["b", "c", "d"], "6 true"),
        (["a"], ["b", "c"], "2 false"),
        (["a"], ["b", "c", "B."], "twice"),
        (["a"], ["b", "c", "A"], "twice"),
        (["a"], ["b", "c", " . "], "empty"),
    ],
)
def test_statements_that_break_the_rules(true, false, word):
    assert word in wrong_statements({"true": true, "false": false})


def test_letters_are_settled_by_the_seed():
    true, false = ["t1", "t2"], ["f1", "f2", "f3"]
    assert letter(true, false, "7:k") == letter(true, false, "7:k")
    assert len({tuple(letter(true, false, f"{n}:k").answers) for n in range(20)}) > 3
    parts = letter(true, false, "7:k")
    assert {parts.selections[sign] for sign in parts.answers} == {"t1", "t2"}


async def test_decompose_asks_on_the_given_sentences():
    agent = ScriptedAgent([json.dumps(STATEMENTS)])
    parts = await decompose(WORLD.kit(agent, seed=1), "How?", "By fire.", number_sentences([]), "en", "k")
    assert list(parts.selections) == ["a", "b", "c", "d"]


async def test_imported_questions_are_never_drafted():
    with pytest.raises(BenchError, match="cannot be drafted"):
        await made("question_answering", window_of(WORLD, "explicit_factoid"), ScriptedAgent([]))


def test_kit_and_window_are_what_the_tasks_were_written_for():
    assert {"ask", "agent", "search", "cut_sentences"} <= set(
        Kit.__dataclass_fields__
    ) and "source" in Window.__dataclass_fields__
    assert Item("", "t", "q", ()).id == ""
