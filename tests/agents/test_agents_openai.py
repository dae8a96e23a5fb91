"""The openai agent against the test endpoint: what is sent, what comes back, and that every request is counted."""

import asyncio
import json
from functools import reduce

import pytest

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.openai.openai_troubles import redact, retry_after, trouble_of_status
from core.agent import Sampling
from core.errors import AgentError, BenchError
from core.nouns import Message, Prompt
from tests.openai_server import DEEP, Running, running

KEY = "sk-test-4711-abcdef"
SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "answer": {"type": "string"},
        "evidence": {"type": "array", "items": {"type": "integer"}},
        "none": {"type": ["string", "null"]},
    },
    "required": ["question", "answer", "evidence"],
    "additionalProperties": False,
}
ASKED = (Message("system", "Ask about a sentence."), Message("user", "$sentences"))
DRAFT = Prompt("draft/small.en", "draft", ASKED, ("sentences",), SCHEMA)
PLAIN = Prompt("answer/small.en", "answer", (Message("user", "Question: $question"),), ("question",))
SENTENCES = {"sentences": "# Mill\n[1] The mill was bought by Ada Quill in 1911.\n[2] It burned down soon after that."}
QUESTION = {"question": "Who bought the old mill?"}


def agent(server: Running, **settings: object) -> OpenAIAgent:
    quick = {"backoff": 0.001, "cool_down": 0.001} | settings
    return OpenAIAgent("test-model", server.url, KEY, OpenAISettings(**quick))


async def test_reply_schema_is_sent_in_strict_form_and_the_reply_fits_it(server):
    done = await agent(server).ask(DRAFT, SENTENCES, Sampling())
    reply = json.loads(done.text)
    assert reply["evidence"] == [1] and reply["answer"] in SENTENCES["sentences"] and reply["answer"] not in reply["question"]
    sent = server.last()["response_format"]["json_schema"]
    assert sent["name"] == "small" and sent["strict"] is True
    assert sent["schema"]["required"] == ["question", "answer", "evidence", "none"]
    assert (done.attempts, done.finish, done.price) == (1, "stop", None)


async def test_price_is_tokens_times_price_per_million(server):
    done = await agent(server, price_in=2.0, price_out=10.0).ask(PLAIN, QUESTION, Sampling())
    assert done.price == pytest.approx((done.tokens_in * 2.0 + done.tokens_out * 10.0) / 1e6)


async def test_logprobs_come_back_as_token_and_log(server):
    done = await agent(server).ask(PLAIN, QUESTION, Sampling(logprobs=True))
    assert "".join(token for token, _ in done.logprobs) == done.text
    assert all(log < 0 for _, log in done.logprobs)


@pytest.mark.fault(27)
async def test_server_errors_and_broken_answers_are_tried_again_and_counted(server):
    faults = [{"requests": [1], "fault": "status", "status": 500}, {"requests": [2], "fault": "cut"}]
    server.script(faults)
    done = await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert (done.attempts, server.count()["requests"]) == (3, 3)
    assert server.count()["by_status"] == {"500": 1, "cut": 1, "200": 1}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"fault": "status", "status": 503}, "server"),
        ({"fault": "status", "status": 408}, "timeout"),
        ({"fault": "cut"}, "server"),
        ({"fault": "drop"}, "server"),
    ],
)
async def test_three_tries_are_all_it_gets(server, fault, kind):
    server.script([fault])
    with pytest.raises(AgentError) as caught:
        await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == (kind, 3, False)
    assert server.count()["requests"] == 3


@pytest.mark.fault(27)
async def test_hanging_endpoint_ends_in_a_timeout(server):
    server.script([{"fault": "hang"}])
    with pytest.raises(AgentError) as caught:
        await agent(server, timeout=0.7, tries=2).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, server.count()["requests"]) == ("timeout", 2, 2)


async def test_dead_endpoint_is_a_connection_failure():
    with pytest.raises(AgentError) as caught:
        await OpenAIAgent("m", "http://127.0.0.1:9/v1", KEY, OpenAISettings(backoff=0.001)).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.stops_job) == ("connection", False)


async def test_429_costs_no_try_narrows_the_gate_and_is_counted(server):
    server.script([{"to": 4, "fault": "status", "status": 429, "retry_after": 0}])
    asked = agent(server, tries=1, cool_down=60.0)
    done = await asked.ask(PLAIN, QUESTION, Sampling())
    assert (done.attempts, server.count()["requests"]) == (5, 5)
    assert asked.limits.width == 6.0  # 8 x 0.75, once in the cool-down


async def test_endless_429_ends_and_stops_the_job(server):
    server.script([{"fault": "status", "status": 429, "retry_after": 0}])
    with pytest.raises(AgentError) as caught:
        await agent(server, waits=4).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == ("rate_limit", 4, True)


@pytest.mark.parametrize("date", ["Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "soon"])
def test_a_date_that_cannot_be_read_is_no_time_to_wait(date):
    assert retry_after({"retry-after": date}) is None


@pytest.mark.parametrize("extra", [{"retry_after": 86400}, {"code": "insufficient_quota"}])
async def test_used_up_quota_is_not_waited_for(server, extra):
    server.script([{"fault": "status", "status": 429, **extra}])
    with pytest.raises(AgentError) as caught:
        await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.attempts, caught.value.stops_job) == (1, True)


@pytest.mark.parametrize(("status", "advice"), [(400, ""), (401, "API_KEY"), (403, "API_KEY"), (404, "model's name")])
async def test_refused_request_stops_the_job_and_says_why(server, status, advice):
    server.script([{"fault": "status", "status": status, "message": "no such thing"}])
    with pytest.raises(AgentError) as caught:
        await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert caught.value.stops_job and caught.value.kind == "refused" and caught.value.attempts == 1
    assert f"answered {status} (no such thing)." in str(caught.value) and advice in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        {"code": 403, "message": "Flagged.", "metadata": {"reasons": ["violence"], "flagged_input": "How", "model_slug": "m"}},
        {"code": "content_policy_violation", "message": "Flagged."},
    ],
)
def test_a_question_that_moderation_flags_with_403_fails_alone(error):
    trouble = trouble_of_status(403, {"error": error}, {}, "", (), ())
    assert (trouble.kind, trouble.next, trouble.stops_job) == ("filter", "stop", False)


async def test_too_long_request_fails_alone(server):
    server.script([{"fault": "status", "status": 400, "message": "maximum context length is 4096"}])
    with pytest.raises(AgentError) as caught:
        await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.stops_job) == ("too_long", False)


@pytest.mark.parametrize("key", ["none", "k", ""])
def test_a_placeholder_key_leaves_the_words_of_a_message_alone(key):
    assert redact("none of its parameters is known", key) == "none of its parameters is known"
    assert redact("the key 0123456789 is wrong", "0123456789") == "the key [key] is wrong"


@pytest.mark.fault(25)
async def test_key_stands_nowhere():
    with running(key="another") as server:
        asked = agent(server)
        with pytest.raises(AgentError) as caught:
            await asked.ask(PLAIN, QUESTION, Sampling())
        assert "401" in str(caught.value) and KEY not in str(caught.value)
        assert KEY not in repr(asked) and KEY not in json.dumps(asked.request(PLAIN, QUESTION, Sampling()))
    hidden = OpenAIAgent("m", "https://me:secret@host/v1", KEY)
    assert "secret" not in repr(hidden) + json.dumps(hidden.request(PLAIN, QUESTION, Sampling()))


async def test_endpoint_without_json_schema_is_asked_in_words_and_that_is_remembered(server):
    server.script([{"fault": "no_format"}])
    asked = agent(server)
    done = await asked.ask(DRAFT, SENTENCES, Sampling())
    assert done.attempts == 3 and json.loads(done.text)["evidence"] == [1]  # json_schema, json_object, words
    again = await asked.ask(DRAFT, SENTENCES, Sampling(index=1))
    assert again.attempts == 1 and server.count()["requests"] == 4
    assert '"evidence"' in server.last()["messages"][0]["content"]


async def test_model_that_wants_max_completion_tokens_gets_it(server):
    message = "Unsupported parameter: use max_completion_tokens"
    server.script([{"requests": [1], "fault": "status", "status": 400, "message": message}])
    done = await agent(server).ask(PLAIN, QUESTION, Sampling(max_tokens=7))
    assert done.attempts == 2 and server.last()["max_completion_tokens"] == 7 and "max_tokens" not in server.last()


@pytest.mark.parametrize(("fault", "finish"), [("length", "length"), ("filter", "filter"), ("empty", "stop")])
async def test_cut_filtered_and_empty_replies_come_back_as_they_are(server, fault, finish):
    server.script([{"fault": fault}])
    done = await agent(server).ask(PLAIN, QUESTION, Sampling())
    assert (done.finish, done.attempts) == (finish, 1)
    assert done.text == "" or fault == "length"


async def test_stream_gives_the_growing_text_and_the_same_completion(server):
    asked, seen = agent(server), []
    whole = await asked.ask(PLAIN, QUESTION, Sampling(logprobs=True))
    streamed = await asked.stream(PLAIN, QUESTION, Sampling(logprobs=True), seen.append)
    assert seen[-1] == streamed.text == whole.text and len(seen) > 1
    assert (streamed.tokens_in, streamed.logprobs) == (whole.tokens_in, whole.logprobs)


async def test_broken_stream_is_tried_again(server):
    server.script([{"requests": [1], "fault": "cut"}])
    done = await agent(server).stream(PLAIN, QUESTION, Sampling(), lambda text: None)
    assert done.attempts == 2 == server.count()["requests"] and done.finish == "stop"


@pytest.mark.parametrize("width", [1, 8, 64])
async def test_endpoint_that_mostly_fails_stops_the_job_before_every_item_is_tried(server, width):
    server.script([{"fault": "status", "status": 500}])
    asked = agent(server, concurrency=width, backoff=0.02)
    calls = [asked.ask(PLAIN, {"question": f"Question {n}?"}, Sampling()) for n in range(200)]
    errors = await asyncio.gather(*calls, return_exceptions=True)
    stopped = [e for e in errors if e.kind == "endpoint"]
    assert stopped and all(e.stops_job for e in stopped)
    assert len(errors) - len(stopped) == 11, "questions that failed with all their tries"
    requests = server.count()["requests"]
    assert sum(e.attempts for e in errors) == requests, "every request is counted"
    assert requests <= 11 * 3 + (width - 1), "three for each of 11, and one for each other question that was in flight"


async def test_faults_in_a_crowd_are_counted_to_the_last_request(server):
    server.script(
        [
            {"share": 0.15, "fault": "status", "status": 429, "retry_after": 0},
            {"share": 0.10, "fault": "status", "status": 500},
            {"share": 0.10, "fault": "cut"},
        ]
    )
    asked = agent(server, concurrency=16, tries=6)
    calls = [asked.ask(PLAIN, {"question": f"Question {n}?"}, Sampling()) for n in range(80)]
    done = await asyncio.gather(*calls)
    assert sum(d.attempts for d in done) == server.count()["requests"] > 80
    assert server.count()["most_at_once"] <= 16


async def test_two_agents_at_one_endpoint_keep_its_limits_together(server):
    server.script([{"fault": "slow", "seconds": 0.05}])
    pair = [agent(server, concurrency=2), agent(server, concurrency=2)]
    await asyncio.gather(*(one.ask(PLAIN, {"question": f"Question {n}?"}, Sampling()) for n in range(4) for one in pair))
    assert server.count()["requests"] == 8 and server.count()["most_at_once"] == 2
    pair[0].circuit.note_failure("a question")
    assert pair[0].limits is pair[1].limits and pair[0].circuit is not pair[1].circuit, "a job that goes on is a new start"


async def test_what_the_endpoint_says_it_allows_counts_where_nothing_was_set(server):
    server.script([{"headers": {"x-ratelimit-limit-requests": "600", "x-ratelimit-limit-tokens": "60000"}}])
    asked, bound = agent(server), agent(server, rpm=30, tpm=30_000)
    for one in (asked, bound):
        await one.ask(PLAIN, QUESTION, Sampling())
    assert asked.limits.rates == (600, 60000) and bound.limits.rates == (30, 30_000)
    server.script([{"headers": {"x-ratelimit-limit-requests": "0", "x-ratelimit-limit-tokens": "many"}}])
    await asked.ask(PLAIN, {"question": "Again?"}, Sampling())
    assert asked.limits.rates == (600, 60000), "no news is none"


async def test_loading_the_client_is_no_part_of_a_calls_seconds(server, monkeypatch):
    """A first test call said 8 s where the endpoint took 20 ms: the packages were loaded within it."""
    asked, made = agent(server), []
    attempt = asked._attempt

    async def look(*given, **named):
        made.append(len(asked._clients))
        return await attempt(*given, **named)

    monkeypatch.setattr(asked, "_attempt", look)
    await asked.ask(PLAIN, QUESTION, Sampling())
    assert made == [1]


def test_one_agent_serves_one_loop_after_another(server):
    asked = agent(server)
    for n in range(2):
        done = asyncio.run(asked.ask(PLAIN, {"question": f"Loop {n}?"}, Sampling()))
        assert done.attempts == 1


def test_request_differs_where_the_answer_may():
    asked = OpenAIAgent("m", "http://127.0.0.1:9/v1", KEY)
    base = Sampling(seed=3)
    other = [Sampling(seed=4), Sampling(seed=3, index=1), Sampling(seed=3, max_tokens=9), Sampling(seed=3, stop=("x",))]
    records = [json.dumps(asked.request(PLAIN, QUESTION, s)) for s in [base, *other]]
    assert len(set(records)) == 5
    keyless = OpenAIAgent("m", "http://127.0.0.1:9/v1", None)
    assert asked.request(PLAIN, QUESTION, base) == keyless.request(PLAIN, QUESTION, base)


def test_worst_price_is_above_the_real_one_and_unknown_without_prices():
    dear = OpenAIAgent("m", "http://127.0.0.1:9/v1", KEY, OpenAISettings(price_in=1.0, price_out=2.0))
    worst = dear.worst_price(PLAIN, QUESTION, Sampling(max_tokens=100))
    assert 100 * 2 / 1e6 < worst < 150 * 2 / 1e6
    assert OpenAIAgent("m", None, KEY).worst_price(PLAIN, QUESTION, Sampling()) is None


def test_no_key_and_no_endpoint_is_said():
    with pytest.raises(BenchError, match="OPENAI_API_KEY"):
        OpenAIAgent("m", None, None)


async def test_alternatives_come_back_beside_the_logprobs(server):
    done = await agent(server).ask(PLAIN, QUESTION, Sampling(logprobs=True, top_logprobs=2))
    assert server.last()["top_logprobs"] == 2 and len(done.alternatives) == len(done.logprobs)
    assert all(tops[0] == log and len(tops) == 2 for tops, (_, log) in zip(done.alternatives, done.logprobs, strict=True))
    assert (await agent(server).ask(PLAIN, QUESTION, Sampling(logprobs=True))).alternatives is None


@pytest.mark.parametrize("how", ["message", "text"])
async def test_a_reply_can_be_gone_on_with(server, how):
    asked = agent(server)
    done = await asked.ask(PLAIN, QUESTION, Sampling(logprobs=True, prefill="It was", prefill_mode=how, stop=("zzz",)))
    last = server.last()
    if how == "text":
        assert last["prompt"].endswith("\n\nIt was") and last["logprobs"] == 1 and last["stop"] == ["zzz"]
    else:
        assert last["messages"][-1] == {"role": "assistant", "content": "It was"}
        assert last["continue_final_message"] is True and last["add_generation_prompt"] is False
    assert "".join(token for token, _ in done.logprobs) == done.text and done.tokens_in
    requests = [asked.request(PLAIN, QUESTION, Sampling(prefill=words, prefill_mode=how)) for words in ("It was", "It is")]
    assert requests[0] != requests[1] and "begun" not in asked.request(PLAIN, QUESTION, Sampling())


MESSAGE, USAGE = ["choices", 0, "message"], ["usage"]


@pytest.mark.parametrize(
    ("at", "value", "where"),
    [
        ([], ["a", "list"], "the whole"),
        ([], "a text", "the whole"),
        (["choices"], {"0": {}}, "choices"),
        (["choices", 0], "a text", "choices.0"),
        (MESSAGE, "a text", "choices.0.message"),
        ([*MESSAGE, "content"], 5, "choices.0.message.content"),
        ([*MESSAGE, "content"], [7], "choices.0.message.content.0"),
        ([*MESSAGE, "tool_calls"], "none", "message.tool_calls"),
        (["choices", 0, "finish_reason"], 4, "finish_reason"),
        (["choices", 0, "logprobs"], "high", "choices.0.logprobs"),
        (["choices", 0, "logprobs"], {"content": [{"token": "a", "logprob": "low"}]}, "logprobs.content.0.logprob"),
        (USAGE, "12 tokens", "usage"),
        ([*USAGE, "prompt_tokens"], -5, "usage.prompt_tokens"),
        ([*USAGE, "completion_tokens"], {"n": 3}, "usage.completion_tokens"),
        ([*USAGE, "prompt_tokens"], 10**30, "usage.prompt_tokens"),
        (USAGE, reduce(lambda inner, _: [inner], range(500), []), "nested too deep"),
    ],
)
@pytest.mark.fault(27)
async def test_a_reply_of_another_shape_is_refused_at_once_with_what_is_wrong(server, at, value, where):
    server.script([{"fault": "shape", "at": at, "is": value}])
    with pytest.raises(AgentError) as caught:
        await agent(server, price_in=1.0, price_out=1.0).ask(PLAIN, QUESTION, Sampling())
    assert (caught.value.kind, caught.value.attempts, caught.value.stops_job) == ("malformed", 1, False)
    assert where in str(caught.value) and caught.value.raw["unread"] and server.count()["requests"] == 1


async def test_a_reply_without_a_choice_is_asked_for_again(server):
    server.script([{"requests": [1], "fault": "shape", "at": [], "is": {"choices": []}}])
    assert (await agent(server).ask(PLAIN, QUESTION, Sampling())).attempts == 2
    server.script([{"fault": "shape", "at": [], "is": {"choices": []}}])
    with pytest.raises(AgentError, match="the reply has no choices"):
        await agent(server).ask(PLAIN, {"question": "Again?"}, Sampling())


async def test_a_reply_without_a_choice_that_was_charged_is_an_empty_reply_with_its_price(server):
    server.script([{"fault": "shape", "at": ["choices"], "is": []}])
    read = await agent(server, price_in=1.0, price_out=1.0).ask(PLAIN, QUESTION, Sampling())
    assert (read.text, read.attempts, server.count()["requests"]) == ("", 1, 1)
    assert read.tokens_in and read.price and read.price == pytest.approx((read.tokens_in + read.tokens_out) / 1e6)


async def test_content_as_a_list_of_parts_is_read(server):
    parts = [{"type": "text", "text": "It was "}, "Marta ", {"type": "text", "text": "Quill."}]
    server.script([{"fault": "shape", "at": [*MESSAGE, "content"], "is": parts}])
    assert (await agent(server).ask(PLAIN, QUESTION, Sampling())).text == "It was Marta Quill."


async def test_a_reply_without_usage_is_read_and_its_price_is_unknown(server):
    server.script([{"fault": "shape", "at": USAGE, "is": None}])
    done = await agent(server, price_in=1.0, price_out=1.0).ask(PLAIN, QUESTION, Sampling())
    assert done.text and (done.tokens_in, done.tokens_out, done.price) == (None, None, None)


async def test_an_endpoint_whose_every_reply_has_another_shape_stops_the_job(server):
    server.script([{"fault": "shape", "at": USAGE, "is": "many"}])
    asked = agent(server, concurrency=2)
    calls = [asked.ask(PLAIN, {"question": f"Question {n}?"}, Sampling()) for n in range(40)]
    errors = await asyncio.gather(*calls, return_exceptions=True)
    assert any(e.kind == "endpoint" for e in errors) and server.count()["requests"] < 16


@pytest.mark.parametrize(
    ("at", "value"),
    [(["choices", 0, "message", "content"], 5), (USAGE, "many"), (["choices", 0, "message", "content"], DEEP)],
    ids=["a number", "a text", "too deep"],
)
async def test_a_stream_of_another_shape_is_refused_at_once(server, at, value):
    server.script([{"fault": "shape", "at": at, "is": value}])
    with pytest.raises(AgentError) as caught:
        await agent(server).stream(PLAIN, QUESTION, Sampling(), lambda text: None)
    assert (caught.value.kind, server.count()["requests"]) == ("malformed", 1)
