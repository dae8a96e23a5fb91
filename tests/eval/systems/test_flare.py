"""flare against the fault server: what it is unsure of triggers, the query is what it was sure of, an endpoint without
probabilities is told apart before anything is asked of it twice."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from agents.offline.agent import OfflineAgent
from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from core.agent import Completion
from core.errors import BenchError
from core.nouns import Trace
from eval.settings import list_defaults
from eval.systems.flare import SYSTEM, compute_topk_entropy, find_unsure_token, make_query
from eval.workflows.adaptive import AddedText, append_piece, count_repeated_sentences, count_repeated_text
from eval.workflows.hops import is_extracted, list_hops
from tests.eval.asked import BUILT, BURNED, answered, kinds
from tests.eval.trace_reading import count_searches, find_raw_output
from tests.openai_server import Running, running

SURE: dict[str, float] = {}
BUILDER = "The mill was built by Ada Quill. It stood at Wend."
DEFAULTS = list_defaults(SYSTEM.settings)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


def says(*replies: str, unsure: Mapping[str, float] = SURE) -> list[dict[str, Any]]:
    """A probe, then replies in order, all but the given words sure."""
    return [{"fault": "text", "text": text, "times": 1, "unsure": dict(unsure)} for text in ("So", *replies)]


async def run(server: Running, script: Sequence[Mapping[str, Any]], **settings: Any) -> Trace:
    server.reset()
    server.script([dict(rule) for rule in script])
    return await answered("flare", OpenAIAgent("m", server.url, "k", OpenAISettings(backoff=0.01)).ask, **settings)


async def test_a_sure_reply_is_taken_sentence_by_sentence_without_a_search(server: Running) -> None:
    trace = await run(server, says(BUILDER, "It burned down in 1904. So the answer is 1904.", "So the answer is 1904."))
    assert (trace.answer, list_hops(trace), trace.retrieved, count_searches(trace)) == ("1904", [], (), 0)
    assert find_raw_output(trace) == "The mill was built by Ada Quill. It burned down in 1904. So the answer is 1904."
    assert (trace.calls, is_extracted(trace), trace.steps[-1].about["ended"]) == (3, True, "answer")


async def test_an_unsure_sentence_is_searched_for_without_what_is_unsure_and_written_anew(server: Running) -> None:
    script = says(
        "The mill burned in 1907. More.",
        "The mill burned in 1904. More.",
        "So the answer is 1904.",
        unsure={"1907": 0.2, "burned": 0.7},
    )
    trace = await run(server, script, top_k=2)
    (hop,) = list_hops(trace)
    assert hop.query == "The mill burned in", "1907 is under mask_below, burned under theta alone"
    assert hop.trigger == {"token": " 1907.", "score": pytest.approx(0.2), "threshold": 0.8}
    assert (hop.spans, hop.scores, hop.calls, trace.retrieved) == ((BURNED, BUILT), (9.0, 8.0), 2, (BURNED, BUILT))
    assert kinds(trace) == ["call", "query", "retrieve", "call", "call", "output"]
    assert find_raw_output(trace) == "The mill burned in 1904. So the answer is 1904." and trace.answer == "1904"
    assert "[1] The mill burned down in 1904." in server.last()["messages"][1]["content"]


async def test_the_whole_sentence_or_the_question_can_be_the_query(server: Running) -> None:
    script = says("The mill burned in 1907.", "So the answer is 1904.", unsure={"1907": 0.2})
    (hop,) = list_hops(await run(server, script, query_of="sentence"))
    assert hop.query == "The mill burned in 1907."
    script = says("Mill 1907.", "So the answer is 1904.", unsure={"1907": 0.1, "Mill": 0.1})
    (hop,) = list_hops(await run(server, script))
    assert hop.query == "When did the mill burn down?", "nothing is left of the sentence"


async def test_the_first_search_can_be_forced(server: Running) -> None:
    trace = await run(server, says("So the answer is 1904."), first_search=True)
    assert [(hop.query, hop.trigger) for hop in list_hops(trace)] == [
        ("When did the mill burn down?", {"marker": "first search"})
    ]


async def test_uncertainty_can_be_the_entropy_of_the_likeliest_tokens(server: Running) -> None:
    script = says("The mill burned in 1907.", "So the answer is 1904.", unsure={"1907": 0.34})
    trace = await run(server, script, unsure_by="topk_entropy", theta=1.0, top_logprobs=3)
    (hop,) = list_hops(trace)
    assert hop.trigger["score"] == pytest.approx(-0.34 * math.log(0.34) - 2 * 0.33 * math.log(0.33))
    assert not list_hops(await run(server, script, unsure_by="topk_entropy", theta=1.2))
    assert compute_topk_entropy([math.log(0.5), math.log(0.25)]) == pytest.approx(-0.5 * math.log(0.5) - 0.5 * math.log(0.25))


@pytest.mark.parametrize(
    "rule", [{"no_logprobs": True}, {"contains": '"logprobs"', "fault": "status", "status": 400, "message": "no logprobs here"}]
)
async def test_an_endpoint_without_probabilities_is_said_to_be_unsupported_after_one_token(
    server: Running, rule: dict[str, Any]
) -> None:
    with pytest.raises(BenchError, match=r"^unsupported: flare needs"):
        await run(server, [rule])
    assert server.count()["requests"] == 1 + ("fault" in rule) and server.last()["max_tokens"] == 1


async def test_the_agent_without_a_model_tells_no_probabilities() -> None:
    with pytest.raises(BenchError, match="unsupported: flare"):
        await answered("flare", OfflineAgent().ask)


@pytest.mark.parametrize(
    ("replies", "settings", "ended"),
    [
        (["One thing is so. "] * 3, {}, "stop"),
        (["", ""], {}, "nothing_new"),
        (["One thing. Two things.", "Three things. Four."], {"max_steps": 2}, "max_steps"),
        (["One thing that takes some words. Two.", "Three."], {"max_tokens": 5}, "max_tokens"),
    ],
)
async def test_writing_without_an_answer_ends_and_says_how(
    server: Running, replies: list[str], settings: dict[str, Any], ended: str
) -> None:
    trace = await run(server, says(*replies), **settings)
    assert (trace.answer, is_extracted(trace), trace.steps[-1].about["ended"]) == ("", False, ended)


@pytest.mark.parametrize(("status", "stop"), [(500, "server"), (429, "answered")])
async def test_a_fault_after_the_probe_is_a_failed_trace_or_is_sat_out(server: Running, status: int, stop: str) -> None:
    fault = {"from": 2, "fault": "status", "status": status, "retry_after": 0.01, **({"times": 2} if status == 429 else {})}
    trace = await run(server, [fault, *says("So the answer is 1904.")])
    assert (trace.stop, count_searches(trace)) == (stop, None if status == 500 else 0)


@pytest.mark.parametrize("how", ["message", "text"])
async def test_words_that_stand_are_gone_on_with_as_such(server: Running, how: str) -> None:
    trace = await run(server, says(BUILDER, "So the answer is 1904."), go_on=how)
    last = server.last()
    begun = last["prompt"] if how == "text" else last["messages"][-1]["content"]
    assert begun.endswith("The mill was built by Ada Quill.") and trace.answer == "1904"


@pytest.mark.parametrize(("name", "value"), [("theta", "high"), ("top_k", 0), ("go_on", "somehow"), ("mask_below", 2)])
async def test_a_setting_that_no_question_could_be_answered_with_is_named_before_any(
    server: Running, name: str, value: Any
) -> None:
    with pytest.raises(BenchError, match=name):
        await run(server, [], **{name: value})
    assert server.count()["requests"] == 0


def test_what_is_said_again_is_left_out() -> None:
    so_far = "The mill was built by Ada Quill. It stood"
    reply = "The mill was built by Ada Quill. It stood at Wend. More."
    assert reply[count_repeated_sentences(so_far, reply, "en") :] == " at Wend. More."
    assert count_repeated_sentences(so_far, "It burned.", "en") == 0 == count_repeated_sentences("", "It burned.", "en")
    assert count_repeated_sentences("磨坊在1904年烧毁。", "磨坊在1904年烧毁。后来重建。", "zh") == len("磨坊在1904年烧毁。")
    assert (count_repeated_text("a b", " a b c", "en"), count_repeated_text("a b", "b c", "en")) == (4, 0)


def test_sentences_are_joined_as_their_language_wants() -> None:
    assert append_piece("One.", "Two.", "en") == "One. Two." and append_piece("一。", "二。", "zh") == "一。二。"
    assert append_piece("compu", "ter", "en") == "computer" and append_piece("One. ", "Two.", "en") == "One. Two."


def test_probabilities_of_what_was_said_again_do_not_count() -> None:
    tokens = (("Old.", math.log(0.1)), (" New", math.log(0.9)), (" one.", math.log(0.6)), (" Later.", math.log(0.1)))
    piece = AddedText(" New one. Later.", Completion("Old. New one. Later.", logprobs=tokens), 4)
    assert find_unsure_token(piece, 9, DEFAULTS) == (" one.", pytest.approx(0.6))
    assert find_unsure_token(piece, 9, {**DEFAULTS, "theta": 0.5}) is None
    assert make_query(piece, 9, {**DEFAULTS, "mask_below": 0.7}, "en") == "New"
