"""One window drafted: ids, overlap, verdicts, status, and what comes after a refusal."""

import json

import pytest

from agents.scripted.scripted import ScriptedAgent
from builders.drafting.drafting import draft_window, overlap_of
from builders.drafting.windows import windows
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import Task
from core.catalog import catalog
from core.errors import AgentError, Unreadable
from tests.builders.drafts import World, draft

TASK = catalog("builders.tasks", "TASK", Task)["explicit_factoid"]
WORLD = World("The mill of Wend burned in 1904. Ada Quill rebuilt it in 1911. The tower bell hangs in the school.")
WINDOW = next(windows(WORLD.documents, "explicit_factoid", TASK.window, seed=1))
GOOD = json.dumps({"question": "In which year did the mill of Wend burn?", "answer": "1904", "evidence": [1]})
CHECK = ["1904", '{"score": 9}']


async def drafted(agent, known=None, window=WINDOW, **kit):
    known = NearDuplicateIndex() if known is None else known
    kit = WORLD.kit(agent, **kit)
    return [d async for d in draft_window("explicit_factoid", TASK, window, kit, known, WORLD.text_of)]


def outcomes(found):
    return {verdict.gate: verdict.outcome for verdict in found.verdicts}


async def test_a_good_draft_passes_every_gate_and_the_rag_check():
    known = NearDuplicateIndex()
    [found] = await drafted(ScriptedAgent([GOOD, *CHECK]), known)
    assert found.item.status == "drafted" and len(known) == 1
    gates = ("parse", "evidence", "language", "figures", "self_contained", "duplicate", "level", "rag_check")
    assert outcomes(found) == dict.fromkeys(gates, "pass")
    assert found.item.overlap == overlap_of(found.item, WORLD.text_of) == 0.5  # mill and Wend of year, mill, Wend, burn
    assert all(v.item == found.item.id and v.revision == 1 for v in found.verdicts)


async def test_the_same_window_and_kit_give_the_same_id():
    ids = []
    for seed, reason in ((1, ""), (1, ""), (2, ""), (1, "too easy")):
        [found] = await drafted(ScriptedAgent([GOOD, *CHECK]), seed=seed, reason=reason)
        ids.append(found.item.id)
    assert ids[0] == ids[1] and len(set(ids)) == 3


async def test_a_refused_draft_is_kept_and_not_checked_further():
    wrong = GOOD.replace('"1904"', '"1906"')
    known, agent = NearDuplicateIndex(), ScriptedAgent([wrong])
    [found] = await drafted(agent, known)
    assert found.item.status == "refused" and outcomes(found)["evidence"] == "refuse"
    assert len(known) == 0 and len(agent.history) == 1 and "rag_check" not in outcomes(found)


async def test_a_wrong_number_is_mended_where_the_answer_stands_once():
    [found] = await drafted(ScriptedAgent([GOOD.replace("[1]", "[3]"), *CHECK]))
    assert WORLD.text_of(found.item.evidence[0]) == "The mill of Wend burned in 1904."
    assert next(v for v in found.verdicts if v.gate == "evidence").details["repaired"] is True


async def test_a_repetition_is_refused():
    known = NearDuplicateIndex([draft("In which year did the mill of Wend burn?", "1904", id="old")])
    [found] = await drafted(ScriptedAgent([GOOD]), known)
    assert found.item.status == "refused" and outcomes(found)["duplicate"] == "refuse"


async def test_a_window_with_earlier_drafts_is_told_what_they_ask():
    known = NearDuplicateIndex()
    await drafted(ScriptedAgent([GOOD, *CHECK]), known)
    other = json.dumps({"question": "Who rebuilt the mill of Wend?", "answer": "Ada Quill", "evidence": [2]})
    agent = ScriptedAgent([other, *CHECK])
    [found] = await drafted(agent, known, seed=2)
    assert found.item.status == "drafted"
    assert "\n- In which year did the mill of Wend burn?\n" in agent.history[0].messages[1].content
    elsewhere = WORLD.span("The tower bell hangs in the school.")
    assert known.list_asked("explicit_factoid", [elsewhere]) == () == known.list_asked("explicit_rationale", WINDOW.spans)


async def test_a_flagged_draft_stays_in_the_queue():
    leaning = GOOD.replace("In which year", "According to the text, in which year")
    [found] = await drafted(ScriptedAgent([leaning, *CHECK]))
    assert found.item.status == "drafted" and outcomes(found)["self_contained"] == "flag"


async def test_the_rag_check_can_be_left_out():
    agent = ScriptedAgent([GOOD])
    [found] = await drafted(agent, settings={"rag_check": False})
    assert "rag_check" not in outcomes(found) and len(agent.history) == 1


async def test_an_unreadable_draft_is_raised_and_nothing_yielded():
    with pytest.raises(Unreadable):
        await drafted(ScriptedAgent(["no", "no", "no"]))


async def test_a_wrong_key_during_the_rag_check_stops():
    error = AgentError("401", kind="refused", attempts=1, stops_job=True)
    with pytest.raises(AgentError):
        await drafted(ScriptedAgent([GOOD, error]))
