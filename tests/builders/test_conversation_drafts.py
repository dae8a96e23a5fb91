"""Drafting a conversation that begins with an accepted item: the item is the first turn as it is, an agent writes the rest."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jobs
from agents.scripted.scripted import ScriptedAgent
from builders.drafting.windows import windows_around
from builders.task import Window
from builders.tasks.conversation import TASK
from core.errors import BenchError
from core.nouns import Item, Span
from core.quality.conversations import read_turn
from store.items import items
from tests.builders.drafts import World
from workbench import Workbench

TEXT = "The mill of Orvel stood on the Senn. It belonged to Ada Quill. Ada Quill was born in Bath in 1731. She never married."
WORLD = World(TEXT)
START = TEXT.index("It belonged")
SOURCE = Item(
    "source",
    "explicit_factoid",
    "Who owned the mill of Orvel?",
    ("Ada Quill", "Quill"),
    evidence=(Span(WORLD.documents[0].id, START, TEXT.index(" Ada Quill was")),),
    status="accepted",
)
FIRST = {"question": SOURCE.question, "standalone": SOURCE.question, "answer": "Ada Quill", "evidence": []}
SECOND = {"question": "When was she born?", "standalone": "When was Ada Quill born?", "answer": "1731", "evidence": [3]}


def window_around(source: Item) -> list[Window]:
    return list(windows_around(WORLD.documents, "conversation", TASK.window, [source], seed=1))


def said(*turns):
    return json.dumps({"goal": "Find out about the owner.", "turns": turns})


async def test_the_accepted_item_is_the_first_turn_and_the_agent_is_asked_again_if_it_rewords_it():
    [window] = window_around(SOURCE)
    agent = ScriptedAgent([said({**FIRST, "question": "Whose was the mill?"}, SECOND), said(FIRST, SECOND)])
    first, second = [item async for item in TASK.draft(window, WORLD.kit(agent, seed=3))]
    assert "Question: Who owned the mill of Orvel?\nAnswer: Ada Quill\n" in str(agent.history[0].inputs["first"])
    assert (first.question, first.answers, first.evidence) == (SOURCE.question, SOURCE.answers, SOURCE.evidence)
    assert first.steps[-1] == {
        "kind": "source_item",
        "item": "source",
        "revision": 1,
        "question": SOURCE.question,
        "answer": "Ada Quill",
    }
    turn = read_turn(second.labels)
    assert turn is not None and (turn.number, turn.of, turn.standalone) == (2, 2, "When was Ada Quill born?")
    assert len(agent.history) == 2


def test_a_window_without_all_evidence_of_the_item_is_left_out():
    assert window_around(SOURCE)[0].source == SOURCE
    far = replace(SOURCE, evidence=(*SOURCE.evidence, Span("elsewhere", 0, 3)))
    assert window_around(far) == []


def test_the_offline_agent_drafts_from_an_accepted_item_of_the_workspace(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.load_samples()
        jobs.start(bench)
        plan: dict[str, Any] = {"task": "conversation", "count": 9, "agent": "offline", "seed": 0, "budget": None}
        settings = {"first_turn": "accepted", "window_tokens": 2500}
        with pytest.raises(BenchError, match="is for the task conversation"):
            bench.drafts.plan(**{**plan, "task": "explicit_factoid"}, domain="humanities", settings=settings)
        with pytest.raises(
            BenchError, match="item 'nope' cannot begin a conversation of domain humanities: it must be accepted"
        ):
            bench.drafts.plan(**plan, domain="humanities", settings={"first_turn": "nope"})
        job = bench.drafts.plan(**plan, domain="humanities", settings=settings)
        made = jobs.start(bench).submit(job).result()
        jobs.stop(bench)
        [first, second] = items.load_items(bench.database, [one["id"] for one in made["items"]])
        source = items.get(bench.database, first.steps[-1]["item"])
    assert (first.question, first.answers) == (source.question, source.answers) and "Cauldron Yard" in first.question
    assert second.question == "Between which years was that yard itself demolished in stages?"
