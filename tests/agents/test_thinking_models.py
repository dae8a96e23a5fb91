"""A model that thinks: its thought is kept apart wherever it stands, gets room beside the reply, and is not an answer."""

import json

import pytest

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.openai.profile import PassingMemory, Profile
from agents.thinking import DEFAULT_THINKING_TOKENS, take_off_thinking
from core.agent import Completion, Sampling
from core.errors import AgentError
from core.nouns import Message, Prompt
from tests.openai_server import Running

PLAIN = Prompt("answer/small.en", "answer", (Message("user", "Question: $question"),), ("question",))
QUESTION = {"question": "Who bought the old mill?"}
MESSAGE = ["choices", 0, "message"]
ANSWER = "Ada Quill bought it."


def agent(server: Running, memory: PassingMemory | None = None, **settings: object) -> OpenAIAgent:
    quick = {"backoff": 0.001, "cool_down": 0.001} | settings
    return OpenAIAgent("test-model", server.url, "sk-thinking", OpenAISettings(**quick), memory=memory)


def say(text: str, **more: object) -> dict[str, object]:
    return {"fault": "text", "text": text, **more}


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"content": ANSWER, "reasoning": "Hm."}, "reasoning"),
        ({"content": ANSWER, "reasoning_content": "Hm."}, "reasoning_content"),
        ({"content": ANSWER, "reasoning_content": None, "reasoning": None}, "none"),
        ({"content": ANSWER, "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]}, "reasoning_details"),
        ({"content": ANSWER, "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}, "none"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"text": ANSWER}]}, "parts"),
        ({"content": f"<think>Hm.</think>\n{ANSWER}"}, "text"),
        ({"content": f"Hm.</think>\n{ANSWER}"}, "text"),
        ({"content": ANSWER, "reasoning": 5, "reasoning_details": "odd"}, "none"),
    ],
)
@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_thought_is_taken_off_wherever_it_stands(server, message, place, is_streamed):
    server.script([{"fault": "shape", "at": MESSAGE, "is": message}])
    asked, shown = agent(server), []
    ask = asked.stream(PLAIN, QUESTION, Sampling(), shown.append) if is_streamed else asked.ask(PLAIN, QUESTION, Sampling())
    reply = await ask
    assert (reply.text, reply.thinking) == (ANSWER, "" if place == "none" else "Hm.")
    assert asked.profile.thinking == place and asked.headroom == (0 if place == "none" else DEFAULT_THINKING_TOKENS)
    assert not is_streamed or shown[-1] == ANSWER


async def test_thinking_in_text_is_never_shown_as_it_comes(server):
    server.script([say(f"<think>It may be Bo Quill, or not.</think>\n{ANSWER}")])
    shown: list[str] = []
    await agent(server).stream(PLAIN, QUESTION, Sampling(), shown.append)
    assert shown[-1] == ANSWER and not any("may" in text or "<" in text for text in shown)


async def test_log_probabilities_are_those_of_the_answer_alone(server):
    server.script([say(f"<think>It may be so.</think> {ANSWER}")])
    reply = await agent(server).ask(PLAIN, QUESTION, Sampling(logprobs=True))
    assert "".join(token for token, _ in reply.logprobs).strip() == ANSWER == reply.text


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_thought_that_never_ends_is_no_answer(server, is_streamed):
    server.script([say("<think>It may be Bo Quill, or")])
    asked = agent(server, price_in=1.0, price_out=1.0)
    with pytest.raises(AgentError, match="never ends its thinking") as caught:
        if is_streamed:
            await asked.stream(PLAIN, QUESTION, Sampling(), lambda text: None)
        else:
            await asked.ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == ("thinking", 1, False)
    assert caught.value.raw and caught.value.price and asked.profile.thinking == "text"


@pytest.mark.parametrize(
    "message",
    [
        {"content": "<think>It is Ada.</think>"},
        {"content": None, "reasoning": "It is Ada."},
        {"content": "It is Ada.</think>\n"},
    ],
)
@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_reply_that_is_all_thought_is_no_answer(server, message, is_streamed):
    server.script([{"fault": "shape", "at": MESSAGE, "is": message}])
    asked = agent(server, price_in=1.0, price_out=1.0)
    with pytest.raises(AgentError, match=r"returned its thinking and no answer\.$") as caught:
        if is_streamed:
            await asked.stream(PLAIN, QUESTION, Sampling(), lambda text: None)
        else:
            await asked.ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == ("thinking", 1, False)
    assert caught.value.raw and caught.value.price


async def test_content_that_is_null_and_usage_that_is_missing_are_an_empty_reply_of_unknown_price(server):
    server.script([{"fault": "shape", "at": [], "is": {"choices": [{"message": {"content": None}}]}}])
    reply = await agent(server, price_in=1.0, price_out=1.0).ask(PLAIN, QUESTION, Sampling())
    assert (reply.text, reply.thinking, reply.price, reply.tokens_out) == ("", "", None, None)


async def test_a_reply_that_ended_in_its_thinking_is_asked_for_once_more_with_four_times_the_room(server):
    usage = {"prompt_tokens": 10, "completion_tokens": 100, "completion_tokens_details": {"reasoning_tokens": 100}}
    cut = {
        "fault": "shape",
        "at": [],
        "is": {"choices": [{"message": {"content": ""}, "finish_reason": "length"}], "usage": usage},
    }
    server.script([{"requests": [1], **cut}])
    asked = agent(server, price_in=1.0, price_out=1.0)
    reply = await asked.ask(PLAIN, QUESTION, Sampling(max_tokens=128))
    assert reply.text and reply.attempts == 2 and server.last()["max_tokens"] == 128 + 4 * DEFAULT_THINKING_TOKENS
    assert reply.tokens_in > 10 and reply.tokens_out > 100 and reply.price * 1e6 == reply.tokens_in + reply.tokens_out
    assert asked.profile.thinking == "hidden"
    await asked.ask(PLAIN, {"question": "And then?"}, Sampling(max_tokens=128))
    assert server.last()["max_tokens"] == 128 + DEFAULT_THINKING_TOKENS
    server.reset()
    server.script([cut])
    with pytest.raises(AgentError, match="spent all its 16,512 tokens on thinking") as caught:
        await asked.ask(PLAIN, {"question": "When?"}, Sampling(max_tokens=128))
    assert (caught.value.kind, caught.value.attempts, server.count()["requests"]) == ("thinking", 2, 2)
    assert caught.value.price == pytest.approx((20 + 200) / 1e6)


async def test_tokens_for_thinking_can_be_set_and_a_model_that_thinks_not_has_none(server):
    await agent(server, thinking_tokens=1000).ask(PLAIN, QUESTION, Sampling(max_tokens=10))
    assert server.last()["max_tokens"] == 1010
    memory = PassingMemory()
    await agent(server, memory).ask(PLAIN, QUESTION, Sampling(max_tokens=10))
    assert server.last()["max_tokens"] == 10 and agent(server, memory).profile.thinking == "none"
    await agent(server, takes=Profile(thinking="text")).ask(PLAIN, QUESTION, Sampling(max_tokens=10))
    assert server.last()["max_tokens"] == 10 + DEFAULT_THINKING_TOKENS


async def test_a_small_window_gets_the_reply_without_room_for_thinking(server):
    too_long = {"fault": "status", "status": 400, "message": "maximum context length is 4096 tokens"}
    server.script([{"contains": str(128 + DEFAULT_THINKING_TOKENS), **too_long}])
    reply = await agent(server, takes=Profile(thinking="text")).ask(PLAIN, QUESTION, Sampling(max_tokens=128))
    assert reply.attempts == 2 and server.last()["max_tokens"] == 128


async def test_the_endpoint_says_the_highest_limit_it_allows(server):
    says = "max_tokens is too large: 4224. This model supports at most 2048 completion tokens, whereas you provided 4224."
    server.script([{"contains": "4224", "fault": "status", "status": 400, "message": says, "code": "invalid_value"}])
    asked = agent(server, takes=Profile(thinking="text"))
    assert (await asked.ask(PLAIN, QUESTION, Sampling(max_tokens=128))).attempts == 2
    assert server.last()["max_tokens"] == 2048 and asked.profile.most_tokens == 2048


async def test_what_looks_like_a_thought_stays_where_the_model_is_set_to_have_none(server):
    server.script([say("The tag </think> ends a thought.")])
    reply = await agent(server, takes=Profile(thinking="none")).ask(PLAIN, QUESTION, Sampling())
    assert reply.text == "The tag </think> ends a thought." and reply.thinking == ""


async def test_effort_extra_and_room_are_part_of_the_request_where_they_are_set(server):
    plain = agent(server).request(PLAIN, QUESTION, Sampling())
    others = [
        agent(server, **{name: value}).request(PLAIN, QUESTION, Sampling())
        for name, value in {"reasoning": "low", "extra": {"a": 1}, "thinking_tokens": 5, "max_tokens": 9}.items()
    ]
    assert len({json.dumps(request) for request in (plain, *others)}) == 5
    assert plain["params"] == {"temperature": 0.0, "max_tokens": 512, "structured": "auto"}
    thinks = agent(server, takes=Profile(thinking="text", temperature=False))
    assert thinks.request(PLAIN, QUESTION, Sampling()) == plain, "what is found out is not part of what is asked"


async def test_further_fields_are_merged_into_the_request(server):
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "provider": {"order": ["a"]}}
    await agent(server, extra=extra, reasoning="low").ask(PLAIN, QUESTION, Sampling())
    assert {**server.last(), **extra} == server.last() and server.last()["reasoning_effort"] == "low"


async def test_a_stream_that_counts_or_says_done_is_whole_without_a_finish_reason(server):
    server.script([{"finish": None}])
    reply = await agent(server).stream(PLAIN, QUESTION, Sampling(), lambda text: None)
    assert reply.text and (reply.attempts, reply.finish) == (1, "stop")
    counted = agent(server, takes=Profile(stream_usage=False))
    assert (await counted.stream(PLAIN, QUESTION, Sampling(), lambda text: None)).tokens_out is None


async def test_a_stream_that_ends_without_a_word_of_its_end_is_asked_again(server):
    server.script([{"requests": [1], "fault": "undone"}])
    assert (await agent(server).stream(PLAIN, QUESTION, Sampling(), lambda text: None)).attempts == 2


@pytest.mark.parametrize("fault", ["cut", "undone", "error"])
async def test_a_stream_that_breaks_off_inside_a_thought_is_asked_again_and_shows_nothing_of_it(server, fault):
    broken = {"fault": fault, "text": "<think>It may be Bo Quill, or his", "is": {"message": "gone", "code": 502}}
    server.script([{"requests": [1], **broken}, say(ANSWER)])
    asked = agent(server)
    shown: list[str] = []
    reply = await asked.stream(PLAIN, QUESTION, Sampling(), shown.append)
    assert (reply.text, reply.thinking, reply.attempts) == (ANSWER, "", 2)
    assert not any("may" in text or "<" in text for text in shown)
    server.script([broken])
    with pytest.raises(AgentError, match="after 3 requests") as caught:
        await asked.stream(PLAIN, {"question": "Again?"}, Sampling(), shown.append)
    assert not caught.value.stops_job and "Bo Quill" not in str(caught.value)


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_an_error_in_an_answer_of_status_200_is_read_like_one_of_its_own_status(server, is_streamed):
    busy = {"message": "Provider returned error", "code": 502}
    refused = {"message": "Unsupported parameter: 'seed' is not supported with this model.", "code": 400, "param": "seed"}
    server.script([{"requests": [n], "fault": "error", "is": error} for n, error in enumerate((busy, refused), 1)])
    asked = agent(server)
    ask = asked.stream(PLAIN, QUESTION, Sampling(seed=1), lambda text: None) if is_streamed else None
    reply = await (ask or asked.ask(PLAIN, QUESTION, Sampling(seed=1)))
    assert (reply.attempts, reply.not_taken) == (3, ("a seed requested, but not accepted by this model",))
    server.reset()
    server.script([{"fault": "error", "is": busy}])
    with pytest.raises(AgentError, match=r"answered with an error \(Provider returned error\) after 3 requests"):
        await asked.ask(PLAIN, {"question": "Again?"}, Sampling())


def test_a_thought_is_taken_off_a_local_reply_with_its_probabilities():
    words = ("<think>", "Hm.", "</think>", "Ada", " Quill.")
    logs = tuple((word, -0.1) for word in words)
    reply = take_off_thinking(Completion("".join(words), logprobs=logs), "huggingface:m")
    assert (reply.text, reply.thinking, [word for word, _ in reply.logprobs]) == ("Ada Quill.", "Hm.", ["Ada", " Quill."])
    with pytest.raises(AgentError, match="spent all its 3 tokens on thinking"):
        take_off_thinking(Completion("<think>Hm", finish="length", tokens_out=3), "huggingface:m")
    with pytest.raises(AgentError, match="returned its thinking and no answer"):
        take_off_thinking(Completion("<think>Hm.</think>\n"), "huggingface:m")


def test_the_worst_price_reserves_the_room_for_thinking_and_the_second_asking():
    prices = {"price_in": 0.0, "price_out": 1.0}
    plain, thinks = (
        OpenAIAgent("m", "http://127.0.0.1:9/v1", "k", OpenAISettings(**prices, takes=Profile(thinking=place)))
        for place in ("none", "text")
    )
    sampling = Sampling(max_tokens=100)
    assert plain.worst_price(PLAIN, QUESTION, sampling) == thinks.plain_price(PLAIN, QUESTION, sampling) == 100 / 1e6
    assert thinks.worst_price(PLAIN, QUESTION, sampling) == pytest.approx((2 * 100 + 5 * DEFAULT_THINKING_TOKENS) / 1e6)
