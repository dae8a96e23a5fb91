"""search_o1 against the fault server: every hop of its thinking, refused searches, what is cut, and what ends it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from agents.offline.agent import OfflineAgent
from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from core.errors import BenchError
from core.nouns import Trace
from eval.systems.search_o1 import close_query, shorten_thinking
from eval.workflows.hops import is_extracted, list_hops
from tests.eval.asked import BELL, BURNED, SOLD, answered, kinds, question
from tests.eval.trace_reading import count_searches, find_raw_output
from tests.openai_server import Running, running

SETTINGS = OpenAISettings(backoff=0.01, cool_down=0.01)
FIRE, SALE = "mill fire", "tower sale"
FINDINGS = {"contains": "<reasoning>", "fault": "text", "text": "Passage 1.\n**Final Information**\nIt burned in 1904."}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


def asks(*queries: str) -> list[dict[str, Any]]:
    """Replies in order: a search each, then the box."""
    said = [f"I look. <|begin_search_query|>{query}<|end_search_query|> Result of mine: none." for query in queries]
    return [{"fault": "text", "text": text, "times": 1} for text in [*said, r"It is known. \boxed{\text{1904}}"]]


async def run(server: Running, script: Sequence[Mapping[str, Any]], **settings: Any) -> Trace:
    server.reset()
    server.script([dict(rule) for rule in script])
    agent = OpenAIAgent("m", server.url, "k", SETTINGS)
    return await answered("search_o1", agent.ask, **settings)


async def test_every_search_is_a_hop_and_the_box_is_the_answer(server: Running) -> None:
    trace = await run(server, [FINDINGS, *asks(FIRE, SALE)], top_k=2)
    assert (trace.answer, trace.stop, is_extracted(trace)) == ("1904", "answered", True)
    first, second = list_hops(trace)
    assert (first.query, first.trigger, first.spans, first.scores) == (
        FIRE,
        {"marker": "<|begin_search_query|>"},
        (BURNED, trace.steps[2].spans[1]),
        (9.0, 8.0),
    )
    assert (second.query, second.spans, first.calls, second.calls) == (SALE, (SOLD, BELL), 2, 2)
    assert (count_searches(trace), trace.calls) == (2, 5)
    assert kinds(trace) == ["call", "query", "retrieve", "call"] * 2 + ["call", "output"]
    assert trace.retrieved == (*first.spans, *second.spans)
    written = find_raw_output(trace)
    assert written and "Result of mine" not in written, "what stands behind a query is the model's own invention"
    assert written.count("<|begin_search_result|>It burned in 1904.<|end_search_result|>") == 2
    assert written in str(server.last()["messages"][1]["content"]) + r"It is known. \boxed{\text{1904}}"


@pytest.mark.parametrize("keep", [True, False])
async def test_a_stop_that_the_endpoint_takes_off_is_put_back(server: Running, keep: bool) -> None:
    script = [FINDINGS, *({**rule, "keep_stop": keep} for rule in asks(FIRE))]
    trace = await run(server, script)
    assert [hop.query for hop in list_hops(trace)] == [FIRE] and "fire<|end_search_query|>" in (find_raw_output(trace) or "")


async def test_a_repeated_and_an_over_limit_search_are_refused_and_said(server: Running) -> None:
    trace = await run(server, [FINDINGS, *asks(FIRE, FIRE.upper(), SALE, "bell")], searches=2, max_turns=6)
    assert [(hop.query, hop.blocked, len(hop.spans)) for hop in list_hops(trace)] == [
        (FIRE, "", 2),
        (FIRE.upper(), "repeat", 0),
        (SALE, "", 3),
        ("bell", "limit", 0),
    ]
    assert (trace.answer, count_searches(trace), trace.calls) == ("1904", 2, 7)
    written = find_raw_output(trace) or ""
    assert "searched for already" in written and "No search is left" in written


async def test_a_question_without_a_search_is_answered(server: Running) -> None:
    trace = await run(server, asks())
    assert (trace.answer, list_hops(trace), count_searches(trace), trace.retrieved) == ("1904", [], 0, ())


async def test_what_is_cut_within_a_query_is_no_search_and_no_answer(server: Running) -> None:
    cut = {"fault": "text", "text": "I look. <|begin_search_query|>mill fi", "finish": "length"}
    trace = await run(server, [cut])
    assert (trace.answer, is_extracted(trace), list_hops(trace)) == ("", False, [])
    assert find_raw_output(trace) == "I look. <|begin_search_query|>mill fi" and trace.steps[-1].about["ended"] == "length"
    half = {"fault": "text", "text": "<|begin_search_query|>mill fire<|end_sear", "times": 1}
    assert [hop.query for hop in list_hops(await run(server, [FINDINGS, half, *asks()]))] == [FIRE]


async def test_turns_that_run_out_leave_no_answer(server: Running) -> None:
    script = [FINDINGS, {"fault": "text", "text": "<|begin_search_query|>mill fire<|end_search_query|>"}]
    trace = await run(server, script, searches=1, max_turns=3)
    assert (trace.answer, is_extracted(trace), trace.steps[-1].about["ended"]) == ("", False, "max_turns")
    assert [hop.blocked for hop in list_hops(trace)] == ["", "limit", "limit"]


async def test_turns_must_leave_room_for_the_answer(server: Running) -> None:
    with pytest.raises(BenchError, match="max_turns is 6, and 5 searches need at least 7"):
        await run(server, [], searches=5, max_turns=6)
    assert server.count()["requests"] == 0


async def test_nothing_found_is_handed_on_without_a_call_and_so_are_findings_without_their_marker(server: Running) -> None:
    trace = await run(server, asks("nothing"))
    assert (trace.calls, count_searches(trace)) == (2, 1)
    loose = {"contains": "<reasoning>", "fault": "text", "text": "I see no marker here."}
    for one in (trace, await run(server, [loose, *asks(FIRE)])):
        assert "<|begin_search_result|>No helpful information found.<|end_search_result|>" in (find_raw_output(one) or "")


async def test_a_reply_that_says_all_again_is_not_taken_twice(server: Running) -> None:
    first = "<|begin_search_query|>mill fire<|end_search_query|>"
    again = f"{first}\n\n<|begin_search_result|>It burned in 1904.<|end_search_result|>\n\nSo \\boxed{{1904}}"
    script = [FINDINGS, {"fault": "text", "text": first, "times": 1}, {"fault": "text", "text": again, "keep_stop": True}]
    # the endpoint would stop within what it says again, so the second reply is given whole
    server.reset()
    server.script(script)
    agent = OpenAIAgent("m", server.url, "k", SETTINGS)

    async def whole(prompt: Any, inputs: Any, sampling: Any) -> Any:
        from dataclasses import replace

        return await agent.ask(prompt, inputs, replace(sampling, stop=()) if inputs.get("so_far") else sampling)

    trace = await answered("search_o1", whole)
    assert (trace.answer, len(list_hops(trace)), (find_raw_output(trace) or "").count("1904.")) == ("1904", 1, 1)


@pytest.mark.parametrize(("status", "stop"), [(500, "server"), (429, "answered")])
async def test_a_fault_within_a_hop_is_a_failure_or_is_sat_out(server: Running, status: int, stop: str) -> None:
    fault = {"contains": "<reasoning>", "fault": "status", "status": status, "retry_after": 0.01}
    fault |= {"times": 2} if status == 429 else {}
    trace = await run(server, [fault, FINDINGS, *asks(FIRE)])
    assert trace.stop == stop and [hop.query for hop in list_hops(trace)] == [FIRE]
    assert count_searches(trace) == (None if status == 500 else 1)


@pytest.mark.parametrize("how", ["message", "text"])
async def test_an_endpoint_can_be_told_of_its_own_words_as_such(server: Running, how: str) -> None:
    trace = await run(server, [FINDINGS, *asks(FIRE)], go_on=how)
    assert trace.answer == "1904" and len(list_hops(trace)) == 1
    last = server.last()
    if how == "message":
        assert last["messages"][-1]["role"] == "assistant" and last["messages"][-1]["content"].endswith("result|>\n\n")
        assert (last["continue_final_message"], last["add_generation_prompt"]) == (True, False)
    else:
        assert last["prompt"].endswith("It burned in 1904.<|end_search_result|>\n\n") and "messages" not in last


@pytest.mark.parametrize("how", ["turn", "message"])
@pytest.mark.parametrize(
    ("asked", "language", "query"),
    [("When did the mill burn down?", "en", "mill burn"), ("云栖湖的水闸在哪一年修建？", "zh", "")],
)
async def test_without_a_model_the_question_is_searched_for_once(how: str, asked: str, language: str, query: str) -> None:
    trace = await answered("search_o1", OfflineAgent().ask, question(asked, language), go_on=how)
    (hop,) = list_hops(trace)
    assert hop.query.startswith(query) and is_extracted(trace) and trace.calls == 3
    if language == "en":
        assert trace.answer == "1904"


def test_long_thinking_is_shown_with_gaps() -> None:
    steps = ["first", *(f"thought {n}" for n in range(6)), "<|begin_search_query|>a<|end_search_query|>", "w", "x", "y", "z"]
    assert shorten_thinking("\n\n".join(steps)).split("\n\n") == [
        "1. first",
        "...",
        "8. <|begin_search_query|>a<|end_search_query|>",
        "9. w",
        "10. x",
        "11. y",
        "12. z",
    ]


def test_a_turn_ends_with_its_first_query() -> None:
    assert (
        close_query("a <|begin_search_query|>b<|end_search_query|> c", "stop")
        == "a <|begin_search_query|>b<|end_search_query|>"
    )
    assert close_query("no query", "stop") == "no query"
