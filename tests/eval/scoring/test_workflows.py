"""react, pal, dfsdt and function_calling against the fault server: success, wrong tool, wrong arguments, an endless loop, a
window that is too small, giving up; each ends with its stop reason and its response type, and the trace shows every step."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from agents.offline.agent import OfflineAgent
from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.openai.profile import PassingMemory
from core.cancellation import cancel_when
from core.errors import BenchError
from core.functions.function import Function, Parameter
from core.installation import IMPORT_FOLDER
from core.nouns import Document, Score, Span, Trace
from eval.environment import EnvironmentSources, open_environments
from eval.metrics.r_eval_f1 import score_reward
from eval.papers.response_types import classify_trace
from eval.running.retrieval import make_tools
from eval.running.runner import RunStopped, answer_all
from eval.scoring.scoring import make_case
from eval.system import Question, systems
from eval.systems.pal import CHILD
from eval.workflows import off_loop
from eval.workflows.pickled import unpack_value
from eval.workflows.workflow import format_answer
from prompts.prompt import load
from tests.openai_server import Running, running

WORKFLOWS = ("react", "pal", "function_calling", "dfsdt")
SETTINGS = OpenAISettings(backoff=0.01, cool_down=0.01)
MILL = Document("d1", "Ada Quill built the mill of Wend.\n\nThe mill burned down in 1904.", "Mill of Wend")
TOWER = Document("d2", "Orvel sold its tower in 1911.", "Tower of Orvel")
GOLD = "1904"
ASKS_FIRST = ("function_calling", "dfsdt")
PROBED = {"fault": "text", "text": "I could.", "requests": [1]}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


def act(workflow: str, name: str, **arguments: Any) -> dict[str, Any]:
    """A rule whose reply calls that function, as each workflow has it; used once."""
    if workflow == "react":
        values = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        return {"fault": "text", "text": f"Thought: I look.\nAction: {name}[{values}]\nObservation: mine", "times": 1}
    return {"fault": "call", "name": name, "arguments": json.dumps(arguments), "text": "I look.", "times": 1}


def end(workflow: str, answer: str = "") -> dict[str, Any]:
    """A rule whose reply gives the answer, or gives up without one."""
    if workflow == "react":
        return {"fault": "text", "text": f"Thought: Enough.\nAction: Finish[{answer}]", "times": 1}
    how = {"return_type": "give_answer", "final_answer": answer} if answer else {"return_type": "give_up_and_restart"}
    return {"fault": "call", "name": "Finish", "arguments": json.dumps(how), "times": 1}


def program(code: str) -> dict[str, Any]:
    return {"fault": "text", "text": f"Here it is:\n```python\n{code}\n```"}


async def traced(
    server: Running, workflow: str, script: Sequence[Mapping[str, Any]], context: int | None = None, **settings: Any
) -> Trace:
    """The trace of one question; what asks whether there are functions (without a ledger, a request more) is answered first."""
    server.reset()
    server.script([PROBED, *map(dict, script)] if workflow in ASKS_FIRST else [dict(rule) for rule in script])
    return await asked(server, workflow, context, **settings)


async def asked(
    server: Running,
    workflow: str,
    context: int | None = None,
    now: str = "",
    memory: PassingMemory | None = None,
    **settings: Any,
) -> Trace:
    agent = OpenAIAgent("m", server.url, "k", SETTINGS, memory=memory)
    ground = EnvironmentSources([MILL, TOWER])
    tools = make_tools([MILL, TOWER], {}, agent.ask, context, functions=lambda q: open_environments(["documents"], ground))
    (trace,) = [t async for t in answer_all([replace(question(), now=now)], systems()[workflow], settings, tools, run_id="r")]
    return trace


def question() -> Question:
    text = "When did the mill of Wend burn down?"
    return Question("i", text, text, "en", "template_question", load("answer/short", "en"), 32, answers=(GOLD,))


def kind_of(trace: Trace) -> str | None:
    case = make_case(trace, question(), lambda span: (MILL.text + TOWER.text)[span.start : span.end])
    values = score_reward(case) if case else {}
    names = {part: f"r_eval_f1.{part}" if part else "r_eval_f1" for part in values}
    scores = {
        names[part]: Score("r", "i", None, names[part], "1", value)
        for part, value in values.items()
        if isinstance(value, float)
    }
    return classify_trace(trace, scores)


def told(trace: Trace, kind: str) -> list[str]:
    return [step.text for step in trace.steps if step.kind == kind]


@pytest.mark.parametrize("workflow", ["react", "function_calling", "dfsdt"])
async def test_an_answer_that_was_looked_up_is_finished_and_what_it_saw_is_kept(server: Running, workflow: str) -> None:
    script = [act(workflow, "Search", entity="mill of wend"), act(workflow, "Lookup", keyword="burned"), end(workflow, GOLD)]
    trace = await traced(server, workflow, script)
    assert (trace.answer, trace.stop, trace.calls, kind_of(trace)) == (GOLD, "finished", 3, "EM")
    assert told(trace, "observation") == ["Ada Quill built the mill of Wend.", "(Result 1/1) The mill burned down in 1904."]
    assert trace.retrieved == (Span("d1", 0, 33), Span("d1", 35, 64))
    kinds = [step.kind for step in trace.steps]
    assert kinds[:4] == ["call", "thought", "action", "observation"] and kinds[-1] == "action"
    assert "mine" not in "".join(told(trace, "thought")), "an observation of the model's own is cut off"


@pytest.mark.parametrize("workflow", ["react", "function_calling", "dfsdt"])
@pytest.mark.parametrize(("name", "arguments"), [("Fly", {"to": "Wend"}), ("Search", {"place": "Wend"})])
async def test_a_wrong_tool_and_wrong_arguments_are_told_and_too_many_end_in_a_tool_error(
    server: Running, workflow: str, name: str, arguments: dict[str, str]
) -> None:
    trace = await traced(server, workflow, [{**act(workflow, name, **arguments), "times": 9}], tolerance=2)
    assert (trace.answer, trace.stop, kind_of(trace)) == ("", "tool_error", "TE")
    wrong = [step for step in trace.steps if step.kind == "observation"]
    assert len(wrong) == 2 and all(step.about["ok"] is False for step in wrong)
    assert {step.about["trouble"] for step in wrong} == {"unknown_function" if name == "Fly" else "bad_arguments"}
    assert ("Search" if name == "Fly" else "entity") in wrong[0].text
    mended = await traced(server, workflow, [act(workflow, name, **arguments), end(workflow, GOLD)], tolerance=2)
    assert (mended.answer, mended.stop, kind_of(mended)) == (GOLD, "finished", "AM")


@pytest.mark.parametrize("workflow", ["react", "function_calling", "dfsdt"])
async def test_an_endless_loop_ends_at_its_last_step(server: Running, workflow: str) -> None:
    trace = await traced(server, workflow, [{**act(workflow, "Search", entity="Mill of Wend"), "times": 99}], max_steps=3)
    assert (trace.answer, trace.stop, kind_of(trace)) == ("", "max_steps", "RE")
    # a tree of width 2 and depth 3 has 2 + 4 + 8 tries
    assert len(told(trace, "action")) == (14 if workflow == "dfsdt" else 3)


async def test_a_tree_asks_no_more_than_its_queries(server: Running) -> None:
    trace = await traced(server, "dfsdt", [{**act("dfsdt", "Search", entity="Mill of Wend"), "times": 99}], max_queries=5)
    assert (trace.stop, trace.calls, server.count()["requests"]) == ("max_steps", 5, 6)


@pytest.mark.parametrize("workflow", WORKFLOWS)
async def test_the_model_is_told_when_the_question_is_asked(server: Running, workflow: str) -> None:
    server.reset()
    await asked(server, workflow, now="02/28/2024, 08:35:24 PT", max_steps=1)
    assert "Wend burn down?\\n\\nAsked at: 02/28/2024, 08:35:24 PT" in json.dumps(server.last()["messages"])


@pytest.mark.parametrize("workflow", WORKFLOWS)
async def test_a_window_that_is_too_small_ends_in_context_before_it_is_paid(server: Running, workflow: str) -> None:
    trace = await traced(server, workflow, [], context=60)
    assert (trace.answer, trace.stop, server.count()["requests"], kind_of(trace)) == ("", "context", 0, "RE")


@pytest.mark.parametrize("workflow", ["react", "function_calling"])
async def test_a_chain_that_outgrows_its_window_ends_in_context_and_keeps_what_it_saw(server: Running, workflow: str) -> None:
    script = [{**act(workflow, "Search", entity="Mill of Wend"), "times": 99}]
    trace = await traced(server, workflow, script, context=1_200, max_steps=99, max_tokens=100)
    assert trace.stop == "context" and 1 < len(told(trace, "observation")) < 60


@pytest.mark.parametrize("workflow", ["react", "function_calling", "dfsdt"])
async def test_giving_up_is_finished_without_an_answer(server: Running, workflow: str) -> None:
    trace = await traced(server, workflow, [{**end(workflow), "times": 9}])
    assert (trace.answer, trace.stop, kind_of(trace)) == ("", "finished", "RE")
    assert trace.steps[-1].about["gave_up"] is True


@pytest.mark.parametrize("workflow", ["react", "function_calling", "dfsdt"])
async def test_replies_that_cannot_be_read_end_in_a_parse_error(server: Running, workflow: str) -> None:
    prose = [{"fault": "text", "text": "The weather has been mild."}]
    trace = (
        await traced(server, workflow, prose, max_steps=9, width=9)
        if workflow == "dfsdt"
        else await traced(server, workflow, prose, max_steps=9)
    )
    assert (trace.answer, trace.stop, trace.calls, kind_of(trace)) == ("", "parse_error", 3, "TE")


@pytest.mark.parametrize("workflow", WORKFLOWS)
async def test_an_endpoint_that_fails_is_the_models_error_and_no_answer(server: Running, workflow: str) -> None:
    fine = [] if workflow == "pal" else [{**act(workflow, "Search", entity="x"), "to": 2}]
    trace = await traced(server, workflow, [*fine, {"fault": "status", "status": 500}], max_steps=2)
    assert trace.answer is None and kind_of(trace) == "ME"
    assert trace.stop in ("model_error", "server") and trace.error


async def test_a_step_that_gives_up_goes_back_two_and_the_next_try_is_told_of_the_last(server: Running) -> None:
    """Searches, looks up, gives up: back to where it looked up, for something else than that."""
    script = [
        act("dfsdt", "Search", entity="Tower of Orvel"),
        act("dfsdt", "Lookup", keyword="1911"),
        end("dfsdt"),
        act("dfsdt", "Search", entity="Mill of Wend"),
        end("dfsdt", GOLD),
    ]
    cut_off = await traced(server, "dfsdt", script[:-1], max_queries=4)
    assert cut_off.stop == "max_steps"
    fourth = server.last()
    trace = await traced(server, "dfsdt", script)
    assert (trace.answer, trace.stop) == (GOLD, "finished")
    assert [step.about.get("gave_up") for step in trace.steps if step.kind == "action"] == [None, None, True, None, False]
    messages = server.last()["messages"]
    assert [m["role"] for m in messages] == ["system", "user", *["assistant", "tool"] * 2]
    calls = [m["tool_calls"][0]["function"]["arguments"] for m in messages if m["role"] == "assistant"]
    assert "Tower of Orvel" in calls[0] and "Mill of Wend" in calls[1], "the look-up that led nowhere is not in the way"
    (told_,) = [m["content"] for m in fourth["messages"] if m["role"] == "user"][1:]
    assert "Lookup" in told_ and "1911" in told_ and "different" in told_


async def test_a_page_that_one_try_opened_is_not_open_for_the_next(server: Running) -> None:
    script = [
        act("dfsdt", "Search", entity="Mill of Wend"),
        end("dfsdt"),
        act("dfsdt", "Lookup", keyword="burned"),
        end("dfsdt", "x"),
    ]
    trace = await traced(server, "dfsdt", script, width=3)
    assert "No page is open" in told(trace, "observation")[1]


async def test_an_endpoint_without_functions_is_said_to_be_unsupported_before_anything_is_answered(server: Running) -> None:
    for workflow in ("function_calling", "dfsdt"):
        server.reset()
        server.script([{"fault": "no_tools"}])
        with pytest.raises(BenchError, match=r"^unsupported: the endpoint takes no functions \(.*400.*\)\. Choose"):
            await asked(server, workflow)
        assert server.count()["requests"] == 1


async def test_a_second_run_knows_that_the_endpoint_takes_no_functions(server: Running) -> None:
    memory = PassingMemory()
    server.reset()
    server.script([{"as": "llama_cpp"}])
    with pytest.raises(BenchError, match=r"^unsupported: the endpoint takes no functions \(.*500 .*--jinja.*\)\. Choose"):
        await asked(server, "function_calling", memory=memory)
    known = (
        r"^unsupported: the endpoint takes no functions \(openai:m at .* refused functions in an earlier request.*\)\. Choose"
    )
    for workflow in ("function_calling", "dfsdt"):
        with pytest.raises(BenchError, match=known):
            await asked(server, workflow, memory=memory)
    assert server.count()["requests"] == 1 and sum(server.count()["refused"].values()) == 1
    server.script([{"as": "llama_cpp"}, end("react", GOLD)])
    assert (await asked(server, "react", memory=memory)).answer == GOLD, "react needs no functions of the endpoint"


async def test_a_wrong_key_is_not_taken_for_an_endpoint_without_functions(server: Running) -> None:
    server.script([{"fault": "status", "status": 401, "message": "Incorrect API key provided"}])
    with pytest.raises(RunStopped, match=r"^openai:m at .* answered 401 .*Check OPENAI_API_KEY"):
        await asked(server, "function_calling")


PROGRAMS = [
    ("page = Search(entity='Mill of Wend')\nimport re\nre.findall(r'[0-9]+', Lookup(keyword='burned'))[0]", GOLD, "EM"),
    ("Search('Mill of Wend')\nresult = Lookup('burned')\nprint('1904')", GOLD, "EM"),
    ("[1904, 'or so']", "1904, or so", "AM"),
    ("None", "", "RE"),
]


@pytest.mark.parametrize(("code", "answer", "kind"), PROGRAMS)
async def test_a_programs_last_line_is_the_answer(server: Running, code: str, answer: str, kind: str) -> None:
    trace = await traced(server, "pal", [program(code)])
    assert (trace.answer, trace.stop, trace.calls, kind_of(trace)) == (answer, "finished", 1, kind)
    assert told(trace, "action")[0] == code


BROKEN = [
    ("open('/etc/passwd').read()", "Permission"),
    ("import os\nos.listdir('/')", "Permission"),
    ("import socket", "socket"),
    ("while True:\n    pass", "time limit"),
    ("x = [0]\nwhile True:\n    x = x + x", "memory limit"),
    ("def f(:", "parameter"),
    ("Fly('Wend')", "Fly"),
    ("Search(place='Wend')", "entity"),
    ("Lookup('x')", "No page is open"),
    ("[Search('Tower of Orvel') for _ in range(9)]", "suspension limit"),
    ("__import__('os').system('true')", "error"),
    ("l = [1]\nfor _ in range(40):\n    l = [l, l]\nl", "its value is too large"),
    ("d = {1: 2}\nfor _ in range(40):\n    d = {1: d, 2: d}\nd", "too large"),
    ("10 ** 100_000", "more than 4,000 digits"),
    ("l = [1]\nfor _ in range(40):\n    l = [l, l]\nSearch(l)", "arguments of Search are too large"),
    ("Search('x' * 20_000)", "arguments of Search are too large"),
    ("l = [1]\nfor _ in range(40):\n    l = [l, l]\nstr(l)", "memory"),
    ("l = (1,)\nfor _ in range(60):\n    l = (l, l)\n{l: 1}", "time limit"),
    ("l = (1,)\nfor _ in range(60):\n    l = (l, l)\nSearch({l: 1})", "time limit"),
    ("l = frozenset([1])\nfor _ in range(60):\n    l = frozenset([l, (l,)])\nl", "its value is too large"),
    ("import time\ntime.sleep(3000)", "time limit"),
    ("class A: pass\na = A()\na.b = [1]\nfor _ in range(40):\n    a.b = [a.b, a.b]\na", "too large"),
]


@pytest.mark.parametrize(("code", "said"), BROKEN)
async def test_a_program_that_reaches_out_loops_or_breaks_ends_in_a_tool_error_with_its_message(
    server: Running, code: str, said: str
) -> None:
    seconds = 0.5 if said == "time limit" else 20.0  # no limit but the one that is meant is met on a slow machine
    trace = await traced(server, "pal", [program(code)], program_seconds=seconds, max_steps=5)
    assert (trace.answer, trace.stop, kind_of(trace)) == ("", "tool_error", "TE")
    assert said in told(trace, "observation")[-1] and "ended in an error" in told(trace, "observation")[-1]


def test_programs_of_one_process_share_nothing() -> None:
    codes = ["secret = 41\nsecret + 1", "secret", "2", "secret", "x = [0]\nwhile True:\n    x = x + x", "len('x' * 30_000_000)"]
    limits = {"max_feed_duration_secs": 20.0, "max_memory": 50_000_000, "max_suspensions": 5}
    order = {"names": [], "seconds": 20.0, "limits": limits, "longest": 99, "longest_arguments": 99}
    orders = "".join(json.dumps({**order, "code": code}) + "\n" for code in codes)
    command = [sys.executable, str(CHILD), str(IMPORT_FOLDER)]
    ended = subprocess.run(command, input=orders, capture_output=True, text=True, check=True)
    ready, *results = map(json.loads, ended.stdout.splitlines())
    assert ready == {"ready": True}
    assert [unpack_value(result["value"]) for result in results] == [42, None, 2, None, None, 30_000_000]
    assert ["secret" in result["trouble"] for result in results] == [False, True, False, True, False, False]


ODD_VALUES = [
    ("'x' * 200_000", "x" * 9),
    ("{(1, 2): {3, 4}}", '{"[1, 2]": "{3, 4}"}'),
    ("ValueError('x')", "ValueError, x"),
    ("...", "ell"),
    ("class A: pass\nA()", ""),
    ("from decimal import Decimal\nDecimal('1.50')", "1.50"),
    ("1 + 2j", "(1+2j)"),
    ("l = []\nl.append(l)\nl", "[...]"),
]


@pytest.mark.parametrize(("code", "begins"), ODD_VALUES)
async def test_any_value_of_a_program_is_said_and_bounded(server: Running, code: str, begins: str) -> None:
    trace = await traced(server, "pal", [program(code)], program_seconds=20.0)
    assert trace.answer is not None and trace.answer.startswith(begins) and len(trace.answer) <= 100_010, trace.answer[:99]


async def test_sleep_counts_against_a_programs_limit_together_with_its_work(server: Running) -> None:
    code = "import time\nfor n in range({}):\n    time.sleep(60)\nn"
    trace = await traced(server, "pal", [program(code.format(9))], program_seconds=600.0)
    assert (trace.answer, trace.stop) == ("8", "finished"), "nobody waits for it"
    trace = await traced(server, "pal", [program(code.format(10))], program_seconds=600.0)
    assert trace.stop == "tool_error" and "a program may run 600 s, including time" in told(trace, "observation")[-1]


async def test_a_job_that_is_stopped_kills_its_program_and_leaves_the_question_unanswered(server: Running) -> None:
    code = "while True:\n    pass"
    with cancel_when(lambda: True), pytest.raises(RunStopped) as caught:
        await traced(server, "pal", [program(code)], program_seconds=6000.0)
    assert caught.value.reason == "cancelled"


async def test_a_reply_without_a_program_is_a_parse_error(server: Running) -> None:
    trace = await traced(server, "pal", [{"fault": "text", "text": "```python\n```"}])
    assert (trace.answer, trace.stop) == ("", "parse_error")


@pytest.mark.parametrize("answer", ["Orvel (the town); x = 3", 'it\'s "so"', "[a] and [b]", "answer='1904'"])
async def test_an_answer_in_words_is_taken_as_it_stands_even_where_it_looks_like_code(server: Running, answer: str) -> None:
    trace = await traced(server, "react", [end("react", answer)])
    assert (trace.answer, trace.stop) == (GOLD if "answer=" in answer else answer, "finished")


async def test_what_a_call_gave_is_cut_to_its_cap(server: Running) -> None:
    trace = await traced(server, "react", [act("react", "Search", entity="Mill of Wend"), end("react")], observation=9)
    assert told(trace, "observation") == ["Ada Quill..."]


async def test_a_run_without_functions_says_what_to_name() -> None:
    tools = make_tools([MILL], {}, OfflineAgent().ask, None)
    (trace,) = [t async for t in answer_all([question()], systems()["react"], {}, tools, run_id="r")]
    assert trace.error and "give --set environment" in trace.error


def test_values_are_said_as_answers() -> None:
    values = [None, True, False, 3, 2.5, ["a", ["b", 1]], {"k": 1}, ("x",)]
    assert list(map(format_answer, values)) == ["", "yes", "no", "3", "2.5", "a, b, 1", '{"k": 1}', "x"]


SLOW = Function(
    name="Wait",
    parameters=(Parameter("word", "string", "A word."),),
    description="Waits.",
    returns="a word.",
    call=lambda word: word,
)


async def with_slow(server: Running, workflow: str, call: Callable[[str], str]) -> Trace:
    """The trace of one question whose model calls the function, then gives the answer."""
    server.reset()
    if workflow == "pal":
        server.script([program("try:\n    found = Wait(word='mill')\nexcept Exception as e:\n    found = str(e)\nfound")])
    else:
        script = [act(workflow, "Wait", word="mill"), end(workflow, GOLD)]
        server.script([PROBED, *script] if workflow in ASKS_FIRST else script)
    agent = OpenAIAgent("m", server.url, "k", SETTINGS)
    functions = open_environments(["documents"], EnvironmentSources([MILL])).add_functions(replace(SLOW, call=call))
    tools = make_tools([MILL], {}, agent.ask, None, functions=lambda q: functions)
    (trace,) = [t async for t in answer_all([question()], systems()[workflow], {}, tools, run_id="r")]
    return trace


@pytest.mark.parametrize("workflow", WORKFLOWS)
async def test_a_slow_function_does_not_hold_the_loop_that_other_jobs_share(server: Running, workflow: str) -> None:
    is_called, is_let_go = Event(), Event()

    def wait(word: str) -> str:
        is_called.set()
        return f"{word} {is_let_go.wait(60)}"

    async def other_job() -> None:
        while not is_called.is_set():
            await asyncio.sleep(0.01)
        is_let_go.set()

    other = asyncio.create_task(other_job())
    trace = await with_slow(server, workflow, wait)
    await other
    assert "mill True" in told(trace, "observation") and trace.stop == "finished"


@pytest.mark.parametrize("workflow", WORKFLOWS)
async def test_a_function_that_hangs_is_given_up_and_the_model_is_told(
    server: Running, workflow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(off_loop, "CALL_SECONDS", 0.2)
    is_let_go = Event()
    trace = await with_slow(server, workflow, lambda word: str(is_let_go.wait(60)))
    is_let_go.set()
    assert "Wait took more than 0.2 seconds: ask for less at once." in told(trace, "observation")
    assert trace.stop == "finished"
