"""The RAG check's figures, worked by hand, and what it says when one of them is missing."""

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.drafting.rag_check import multi_choice, rag_check, recall_and_precision
from builders.task import Task
from core.agent import Completion
from core.catalog import catalog
from core.errors import AgentError
from core.nouns import Span
from tests.builders.drafts import World, draft

TASKS = catalog("builders.tasks", "TASK", Task)
WORLD = World("The mill of Wend burned in 1904. Ada Quill rebuilt it in 1911. The tower bell hangs in the school.")
FACT = draft("In which year did the mill of Wend burn?", "1904", [WORLD.span("The mill of Wend burned in 1904.")])
RATIONALE = draft(
    "How did Wend keep its mill?",
    "Ada Quill rebuilt the mill.",
    [WORLD.span("Ada Quill rebuilt it in 1911.")],
    level=3,
    task="explicit_rationale",
    labels={
        "selections": {"a": "It was rebuilt.", "b": "It was sold.", "c": "By Quill.", "d": "No."},
        "selection_answers": ["a", "c"],
    },
)


async def details(item, *replies):
    agent = ScriptedAgent(list(replies))
    verdict = await rag_check(item, TASKS[item.task], WORLD.kit(agent), WORLD.text_of)
    assert (verdict.gate, verdict.outcome, verdict.item) == ("rag_check", "pass", item.id)
    return verdict.details, agent


async def test_all_figures_of_a_factoid():
    found, agent = await details(FACT, "in 1904", '{"score": 8}')
    assert (found["recall"], found["answer"], found["judge"]) == (1.0, "in 1904", 8)
    assert found["f1"] == pytest.approx(2 / 3) and found["precision"] == pytest.approx(1 / len(found["retrieved"]))
    assert found["multi_choice"] is None and found["why"] == {"multi_choice": "the item has no statements"}
    assert agent.history[0].prompt.name == "answer/short.en" and "1904" in str(agent.history[0].inputs["context"])
    assert agent.history[1].inputs["prediction"] == "in 1904"


async def test_a_rationale_item_has_a_multiple_choice_score():
    found, agent = await details(RATIONALE, "Quill rebuilt it.", '{"score": 7}', '{"supported": ["a"]}')
    assert found["multi_choice"] == 0.5 and agent.history[2].inputs["statements"].startswith("a. It was rebuilt.\nb. ")
    assert agent.history[0].prompt.name == "answer/long.en"


async def test_an_unreadable_judge_costs_only_its_own_figure():
    found, _ = await details(FACT, "1904", "nine", "9", "great")
    assert found["judge"] is None and found["f1"] == 1.0 and "judge" in found["why"]


async def test_no_answer_leaves_the_retrieval_figures():
    found, _ = await details(FACT, AgentError("timed out", kind="timeout", attempts=3))
    assert found["recall"] == 1.0 and found["answer"] is None and found["why"]["f1"] == "no answer"
    assert found["why"]["answer"] == "timed out"


async def test_an_empty_answer_is_an_answer():
    found, _ = await details(FACT, Completion(""), '{"score": 0}')
    assert (found["answer"], found["f1"], found["judge"]) == ("", 0.0, 0)


async def test_a_cut_answer_is_none():
    cut = Completion("in the", finish="length")
    found, _ = await details(FACT, cut, cut, cut)
    assert found["answer"] is None and "length limit" in found["why"]["answer"]


def test_recall_and_precision_by_halves():
    evidence = [Span("d", 0, 100), Span("d", 200, 300)]
    half, less, elsewhere = Span("d", 50, 150), Span("d", 251, 400), Span("e", 0, 400)
    assert recall_and_precision(evidence, [half, less, elsewhere]) == (0.5, pytest.approx(1 / 3))
    assert recall_and_precision(evidence, [Span("d", 0, 400)]) == (1.0, 1.0)
    assert recall_and_precision([], [Span("d", 0, 1)]) == (None, 0.0)
    assert recall_and_precision(evidence, []) == (0.0, None)


@pytest.mark.parametrize(
    ("chosen", "score"),
    [(["a", "c"], 1.0), (["a"], 0.5), (["a", "b"], 0.0), ([], 0.0), (["A.", "(c)"], 1.0), (["z"], 0.0), (["a", "a"], 0.5)],
)
def test_any_wrong_letter_is_zero(chosen, score):
    assert multi_choice(chosen, ["a", "c"]) == score
    assert multi_choice(chosen, []) is None
