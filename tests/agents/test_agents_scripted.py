"""The scripted agent: replies in order, a history, and a clear end."""

import pytest

from agents.scripted.scripted import ScriptedAgent
from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError
from core.nouns import Message, Prompt

PROMPT = Prompt("answer/short.en", "answer", (Message("user", "Say $word"),), ("word",))


async def test_replies_come_in_order_with_a_history():
    agent = ScriptedAgent(["one", lambda asked: str(asked.inputs["word"]).upper(), Completion("three", finish="length")])
    done = [await agent.ask(PROMPT, {"word": word}, Sampling()) for word in ("a", "b", "c")]
    assert [d.text for d in done] == ["one", "B", "three"] and done[2].finish == "length"
    assert [asked.messages[0].content for asked in agent.history] == ["Say a", "Say b", "Say c"]


async def test_scripted_error_is_raised_and_the_script_goes_on():
    agent = ScriptedAgent([AgentError("It timed out.", kind="timeout", attempts=3), "fine"])
    with pytest.raises(AgentError, match="timed out"):
        await agent.ask(PROMPT, {"word": "a"}, Sampling())
    assert (await agent.ask(PROMPT, {"word": "a"}, Sampling())).text == "fine"


async def test_end_of_the_script_is_said():
    agent = ScriptedAgent(["only"])
    await agent.ask(PROMPT, {"word": "a"}, Sampling())
    with pytest.raises(BenchError, match=r"1 replies, but answer.short.en needed another one"):
        await agent.ask(PROMPT, {"word": "a"}, Sampling())


async def test_file_holds_texts_and_errors(tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text('{"text": "one", "tokens_in": 5}\n{"error": "timeout", "stops_job": true}\n', encoding="utf-8")
    agent = ScriptedAgent.from_file(file)
    assert (await agent.ask(PROMPT, {"word": "a"}, Sampling())).tokens_in == 5
    with pytest.raises(AgentError) as caught:
        await agent.ask(PROMPT, {"word": "a"}, Sampling())
    assert (caught.value.kind, caught.value.stops_job) == ("timeout", True)


async def test_a_line_separator_inside_a_reply_ends_no_line(tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text('{"text": "one\u2028two"}\n', encoding="utf-8")
    assert (await ScriptedAgent.from_file(file).ask(PROMPT, {"word": "a"}, Sampling())).text == "one\u2028two"


@pytest.mark.parametrize("line", ["{", '{"reply": "x"}', "[]"])
def test_broken_line_is_named(tmp_path, line):
    file = tmp_path / "script.jsonl"
    file.write_text('{"text": "one"}\n' + line, encoding="utf-8")
    with pytest.raises(BenchError, match=r"script\.jsonl, line 2"):
        ScriptedAgent.from_file(file)
