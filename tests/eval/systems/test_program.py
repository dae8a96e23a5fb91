"""A person's program under test: it may ask and search; it may raise, hang, exit or print without end, and only its own
questions fail."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Document, Hit, Message, Prompt, Span, Trace
from eval.running.retrieval import make_tools
from eval.running.runner import answer_all
from eval.system import Question, systems

SHORT = Prompt("answer/short.en", "answer", (Message("user", "Q $question C $context"),), ("question", "context"))
NO_FILLS: Mapping[str, str] = MappingProxyType({})
BRIDGE = Document("d1", "The bridge opened in 1890. It fell in 1901.", "Bridge")


async def traces(folder: Path, source: str, *words: str, fills: Mapping[str, str] = NO_FILLS, **settings: Any) -> list[Trace]:
    path = folder / "mine.py"
    path.write_text(source, encoding="utf-8")

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return Completion(prompt.fill(inputs)[0].content.upper(), tokens_in=3, tokens_out=1, call="c")

    tools = make_tools([BRIDGE], {"en": lambda query, k: [Hit(Span("d1", 0, 26), 2.0)][:k]}, ask, None)
    questions = [Question(str(i), w, w, "en", "explicit_factoid", SHORT, 32, fills=fills) for i, w in enumerate(words)]
    settings = {"program": str(path), "processes": 1, **settings}
    found = [t async for t in answer_all(questions, systems()["program"], settings, tools, run_id="r", concurrency=2)]
    return sorted(found, key=lambda t: t.item)


async def test_a_program_searches_and_asks_and_each_use_is_a_step(tmp_path: Path) -> None:
    source = """
def answer(question, retrieve, ask):
    passage = retrieve(question, k=1)[0]
    told = ask(question, context=passage["text"]) + "|" + ask("bare words")
    return {"answer": told + "|" + question.language, "contexts": [passage]}
"""
    (trace,) = await traces(tmp_path, source, "when?")
    assert trace.answer == "Q WHEN? C THE BRIDGE OPENED IN 1890.|BARE WORDS|en"
    assert [step.kind for step in trace.steps] == ["retrieve", "call", "call"]
    assert (trace.calls, trace.tokens_in, trace.retrieved) == (2, 6, (Span("d1", 0, 26),))


async def test_a_program_asks_in_its_own_words_where_the_task_fills_its_prompt_itself(tmp_path: Path) -> None:
    source = """
def answer(question, retrieve, ask):
    return ask(question, context="x") + "|" + ask("which year?", context="y")
"""
    (trace,) = await traces(tmp_path, source, "when?", fills={"question": "when, and where?", "now": "today"})
    assert trace.answer == "Q WHEN, AND WHERE? C X|Q WHICH YEAR? C Y"


async def test_one_that_raises_fails_with_its_words_and_goes_on(tmp_path: Path) -> None:
    source = "def answer(question, retrieve, ask):\n    return {'bad': 1}['good'] if question == 'bad' else 'fine'\n"
    bad, good = await traces(tmp_path, source, "bad", "good")
    assert (bad.answer, bad.stop, bad.error) == (None, "crashed", "The program raised KeyError: 'good'.")
    assert good.answer == "fine"


async def test_one_that_hangs_or_exits_is_ended_and_started_anew(tmp_path: Path) -> None:
    source = """
import os, sys, time
def answer(question, retrieve, ask):
    if question == "hang":
        time.sleep(600)
    if question == "exit":
        print("no more memory", file=sys.stderr, flush=True)
        os._exit(3)
    return "fine"
"""
    hang, exits, good = await traces(tmp_path, source, "hang", "exit", "good", timeout=10.0)
    assert (hang.answer, hang.stop) == (None, "timeout") and "sent no message for 10 seconds" in str(hang.error)
    assert (exits.stop, exits.error) == ("crashed", "The program ended with exit code 3: no more memory.")
    assert good.answer == "fine"


async def test_ten_megabytes_of_print_are_no_answer_and_no_harm(tmp_path: Path) -> None:
    source = "def answer(question, retrieve, ask):\n    print('x' * 10_000_000)\n    return 'fine'\n"
    assert [t.answer for t in await traces(tmp_path, source, "a", "b")] == ["fine", "fine"]


async def test_an_answer_that_is_none_is_unparsed(tmp_path: Path) -> None:
    (trace,) = await traces(tmp_path, "def answer(question, retrieve, ask):\n    return 42\n", "a")
    assert (trace.answer, trace.stop) == (None, "unparsed")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def answer(:", "cannot be read"),
        ("x = 1", "has no function answer"),
        ("import nowhere_to_be_found\ndef answer(q, r, a): ...", "ModuleNotFoundError"),
        ("raise SystemExit(4)\ndef answer(q, r, a): ...", "SystemExit"),
    ],
)
async def test_a_file_that_cannot_be_loaded_is_refused_before_the_run(tmp_path: Path, source: str, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        await traces(tmp_path, source, "a")
