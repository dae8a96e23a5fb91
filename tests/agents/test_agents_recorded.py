"""Recordings are found by name and inputs, survive better instructions, and a miss says so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.recorded.recorded import RecordedAgent, make_recording
from core.agent import Sampling
from core.errors import AgentError, BenchError
from core.nouns import Message, Prompt

PROMPT = Prompt("answer/short.en", "answer", (Message("system", "Be short."), Message("user", "$question")), ("question",))
WHO = {"question": "Who runs the mill?"}


def agent(folder: Path, *lines: object) -> RecordedAgent:
    file = folder / "replies.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return RecordedAgent([file])


@pytest.mark.parametrize("whole", [True, False])
async def test_reply_is_found_though_the_instructions_were_reworded(tmp_path, whole):
    asked = agent(tmp_path, make_recording(PROMPT, WHO, "Ada Quill", whole))
    reworded = replace(PROMPT, messages=(Message("system", "Answer in a few words."), PROMPT.messages[1]))
    done = await asked.ask(reworded, WHO, Sampling())
    assert (done.text, done.attempts, done.price) == ("Ada Quill", 0, 0.0)


async def test_miss_is_an_error_without_an_attempt_and_is_remembered(tmp_path):
    asked = agent(tmp_path, make_recording(PROMPT, WHO, "Ada Quill"))
    with pytest.raises(AgentError, match=r"answer/short\.en") as caught:
        await asked.ask(PROMPT, {"question": "Who else?"}, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == ("unrecorded", 0, False)
    assert asked.misses == [{"prompt": "answer/short.en", "inputs": {"question": "Who else?"}}]


async def test_regeneration_gets_the_next_recording_and_then_the_last_again(tmp_path):
    asked = agent(tmp_path, make_recording(PROMPT, WHO, "cut off"), make_recording(PROMPT, WHO, "Ada Quill"))
    texts = []
    for before in range(3):
        more = (Message("assistant", "no"), Message("user", "again")) * before
        texts.append((await asked.ask(replace(PROMPT, messages=PROMPT.messages + more), WHO, Sampling())).text)
    assert texts == ["cut off", "Ada Quill", "Ada Quill"]


def test_another_recording_is_another_request(tmp_path):
    one = agent(tmp_path, make_recording(PROMPT, WHO, "Ada Quill")).request(PROMPT, WHO, Sampling())
    two = agent(tmp_path, make_recording(PROMPT, WHO, "Bo Finch")).request(PROMPT, WHO, Sampling())
    assert one != two


def test_broken_line_is_named(tmp_path):
    with pytest.raises(BenchError, match=r"replies\.jsonl, line 2"):
        agent(tmp_path, make_recording(PROMPT, WHO, "Ada Quill"), {"prompt": "x"})
