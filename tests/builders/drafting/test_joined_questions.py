"""Questions on several documents: four calls, each kept as a step; every document has to be cited; what cannot be used is asked
for again, and ends the item, not the job."""

import json

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.drafting.drafting import draft_window
from builders.gate import GateContext
from builders.gates.every_document import check
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Task
from core.agent import Completion
from core.catalog import catalog
from core.errors import Unreadable
from prompts.prompt import load
from tests.builders.drafting.test_groups import WORLD, gathered
from tests.builders.drafts import draft

TASKS = catalog("builders.tasks", "TASK", Task)
COMMON = {"common": [{"element": "Ada Quill", "evidence": [2, 4]}], "contact": 1}
DIFFERENCES = {"differences": [{"point": "The mill burned.", "evidence": [1]}, {"point": "She sold it.", "evidence": [4]}]}
QUESTION = {
    "focus": ["fire", "sale"],
    "question": "What burned, and what did Ada Quill sell?",
    "answer": "The mill; the tower.",
    "evidence": [1, 4],
}
REWRITTEN = {"rewritten": "What did Ada Quill sell after her mill had burned?", "depends": "The sale follows the fire."}
STEPS = [COMMON, DIFFERENCES, QUESTION, REWRITTEN]


async def made(agent, task="qa_two_documents", world=WORLD, **kit):
    size = TASKS[task].window.documents
    window = await gathered(world, size)
    found = world.kit(agent, settings={"rag_check": False}, provider="corpus", **kit)
    return window, [one async for one in draft_window(task, TASKS[task], window, found, NearDuplicateIndex(), world.text_of)]


def scripted(*replies):
    return ScriptedAgent([json.dumps(reply) if isinstance(reply, dict) else reply for reply in replies])


async def test_each_step_is_a_call_of_its_own_and_kept():
    agent = scripted(*STEPS)
    window, [(item, verdicts)] = await made(agent)
    assert [h.prompt.name for h in agent.history] == [
        "draft/common_elements.en",
        "draft/differences.en",
        "draft/joined_question.en",
        "draft/reconstruction.en",
    ]
    kinds = [step["kind"] for step in item.steps]
    assert kinds == ["window", "search", "search", "common", "differences", "draft", "reconstruction"]
    assert item.question == REWRITTEN["rewritten"] and item.answers == (QUESTION["answer"],) and item.level is None
    assert item.given == window.given_documents and {span.document for span in item.evidence} == set(window.given_documents)
    assert item.labels == {"event": "Ada Quill"}
    assert item.provenance.prompt == load("draft/reconstruction", "en").identity
    steps = {step["kind"]: step for step in item.steps}
    assert steps["draft"]["question"] == QUESTION["question"] and steps["reconstruction"]["depends"]
    assert steps["common"]["elements"][0]["evidence"][1][0] == window.given_documents[1]
    assert {v.gate: v.outcome for v in verdicts}["every_document"] == "pass"


async def test_a_later_step_is_shown_what_the_earlier_ones_found():
    agent = scripted(*STEPS)
    await made(agent)
    shown = [h.messages[1].content for h in agent.history]
    assert "Contact point: Ada Quill" in shown[1]
    assert "- Ada Quill [2, 4]" in shown[2] and "- She sold it. [4]" in shown[2]
    assert f"Question: {QUESTION['question']}" in shown[3]


@pytest.mark.parametrize(
    ("step", "wrong", "why"),
    [
        (0, COMMON | {"common": [{"element": "Wend", "evidence": [1]}]}, "document 2 is not cited for it"),
        (0, COMMON | {"contact": 7}, "common has 1 elements"),
        (1, {"differences": DIFFERENCES["differences"][:1]}, "no point is told of document 2"),
        (2, QUESTION | {"evidence": [1, 2]}, "no sentence of document 2 is cited"),
        (2, QUESTION | {"evidence": [1, 99]}, "Sentence 99 was cited"),
    ],
)
async def test_what_leaves_a_document_out_is_asked_for_again(step, wrong, why):
    agent = scripted(*STEPS[:step], wrong, *STEPS[step:])
    _, [(item, _)] = await made(agent)
    assert why in agent.history[step + 1].messages[-1].content
    assert item.question == REWRITTEN["rewritten"]


@pytest.mark.parametrize("step", range(4))
async def test_a_reply_that_is_cut_at_any_step_ends_the_item_in_one_sentence(step):
    cut = [Completion('{"common": [{"ele', finish="length")] * 3
    agent = ScriptedAgent([*map(json.dumps, STEPS[:step]), *cut])
    with pytest.raises(Unreadable, match="was cut off by its length limit"):
        await made(agent)


@pytest.mark.parametrize("step", range(4))
async def test_an_agent_may_say_at_any_step_that_nothing_is_worth_asking(step):
    agent = scripted(*STEPS[:step], {"none": "They have nothing to do with each other."})
    assert (await made(agent))[1] == []


def test_evidence_that_an_edit_takes_from_a_document_is_flagged():
    one, other = WORLD.span("The mill of Ada Quill", 0), WORLD.span("Ada Quill sold", 2)
    both = (one.document, other.document)
    context = GateContext(text_of=WORLD.text_of)
    assert check(draft(evidence=(one, other), given=both), context).outcome == "pass"
    found = check(draft(evidence=(one,), given=both), context)
    assert found.outcome == "flag" and found.why == "No evidence is cited from document 2 of the question's 2."
