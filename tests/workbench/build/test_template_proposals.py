"""Templates that an agent proposes are held against the tables and wait for a person; nothing is made of one before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from tests.workbench.build.test_templates import made, put
from workbench import Workbench

GOOD = {
    "name": "Home town",
    "text": "Where does {who} live?",
    "table": "people",
    "kind": "simple",
    "level": "KS",
    "slots": [{"place": "who", "path": "name", "of": "subject"}],
    "answer": "town",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        put(bench, tmp_path, "Wend")
        yield bench


def scripted(folder: Path, *templates: dict[str, Any]) -> str:
    reply = {"templates": list(templates)} if templates else {"templates": [], "none": "There is nothing to ask."}
    line = json.dumps({"text": json.dumps(reply)})
    (folder / "replies.jsonl").write_text(f"{line}\n{line}\n", encoding="utf-8")
    return f"scripted:{folder / 'replies.jsonl'}"


def proposed(bench: Workbench, agent: str, count: int = 2, **more: Any) -> dict[str, Any]:
    return jobs.start(bench).submit(bench.proposals.plan(agent, count, **more)).result()


def test_what_fits_waits_and_what_does_not_is_told_with_its_reason(bench: Workbench, tmp_path: Path) -> None:
    shoe = {**GOOD, "name": "shoe", "text": "What shoes has {who}?", "answer": "shoe"}
    told = proposed(bench, scripted(tmp_path, GOOD, shoe, GOOD), 1)
    assert (told["proposed"], told["refused"], told["calls"], told["stopped"]) == (1, 2, 1, None)
    [draft] = bench.proposals.list_waiting()
    assert draft.content["id"] == "home_town" and draft.about is not None
    assert draft.about["prompt"].startswith("draft/template.en@") and draft.about["calls"]
    why = [one.why for one in bench.proposals.list_refused(told["job"])]
    assert "'shoe' of template shoe matches no column" in why[0] and why[1] == "this template exists already"
    assert bench.templates.list_templates() == []
    with pytest.raises(BenchError, match="No template home_town"):
        bench.seasons.plan(["home_town"], 3)


def test_an_approved_one_is_a_template_whose_items_name_the_agent_and_its_words(bench: Workbench, tmp_path: Path) -> None:
    agent = scripted(tmp_path, GOOD)
    proposed(bench, agent, 1)
    [draft] = bench.proposals.list_waiting()
    with pytest.raises(BenchError, match="requires a name: give yours first"):
        bench.proposals.approve("", draft.id)
    card = bench.proposals.approve("Ada", draft.id)
    assert card.about["approved_by"] == "Ada" and bench.proposals.list_waiting() == []
    with pytest.raises(BenchError, match="has already decided on this template"):
        bench.proposals.turn_down(draft.id)
    assert made(bench, ["home_town"], 3)["drafted"] == 3
    [item, *_] = bench.reviews.items(task="template_question")
    origin = item.provenance
    assert draft.about is not None and (origin.agent, [*origin.calls]) == (draft.about["agent"], draft.about["calls"])
    assert origin.prompt == draft.about["prompt"] and item.answers


def test_one_that_is_turned_down_is_not_proposed_again_and_one_may_be_edited(bench: Workbench, tmp_path: Path) -> None:
    other = {**GOOD, "name": "town", "text": "Name the town of {who}."}
    proposed(bench, scripted(tmp_path, GOOD, other))
    first = next(one for one in bench.proposals.list_waiting() if one.content["id"] == "home_town")
    bench.proposals.turn_down(first.id)
    again = proposed(bench, scripted(tmp_path, GOOD), 1, seed=1)
    assert again["proposed"] == 0 and [one.content["id"] for one in bench.proposals.list_waiting()] == ["town"]
    id_ = bench.proposals.take("Ada", bench.proposals.list_waiting()[0].id)
    bench.templates.keep("Ada", id_, {"text": "In which town is {who} at home?"})
    card = bench.templates.hand_in("Ada", id_)
    assert card.record["text"] == "In which town is {who} at home?" and card.about["agent"].startswith("scripted")


def test_the_offline_agent_proposes_by_rules_of_every_kind_that_the_tables_allow(bench: Workbench) -> None:
    bench.templates.load_samples()
    for card in bench.templates.list_templates():
        bench.templates.remove(card.id)
    told = proposed(bench, "offline", 16)
    found = bench.proposals.list_waiting()
    assert told["proposed"] == len(found) == 16 and told["refused"] < 4  # rules know of no rows
    assert {draft.content["kind"] for draft in found} >= {"simple", "set", "comparison", "aggregation", "false_premise"}
    assert len({draft.content["text"] for draft in found}) == 16
    assert {draft.about["agent"] for draft in found if draft.about} == {"offline"}
    assert proposed(bench, "offline", 2, language="zh", seed=3)["proposed"] == 2
    assert "的" in bench.proposals.list_waiting()[0].content["text"]


def test_a_reply_without_any_ends_the_job_with_its_reason(bench: Workbench, tmp_path: Path) -> None:
    told = proposed(bench, scripted(tmp_path), 3)
    assert (told["proposed"], told["calls"]) == (0, 1) and "There is nothing to ask." in told["message"]
    with pytest.raises(BenchError, match="ask for 1 or more"):
        bench.proposals.plan("offline", 0)
    with pytest.raises(BenchError, match="No kind riddle"):
        bench.proposals.plan("offline", 1, kinds=["riddle"])
