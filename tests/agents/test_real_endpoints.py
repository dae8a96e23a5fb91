"""A stranger with an address, a key and a model's name gets a draft, an answer, a grade and a function call from every endpoint
of the table, from an empty profile; what was learned is not asked twice."""

import asyncio
import json

import pytest

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.openai.probes import describe_profile
from agents.openai.profile import PassingMemory, Profile
from agents.openai.refusal import WIRE_NAMES, read_refusal
from agents.providers import PROVIDERS
from agents.saved import SavedAgent
from core.agent import Completion, Sampling
from core.errors import AgentError
from core.nouns import Message, Prompt
from eval.workflows.tool_calls import make_reply_message
from tests.openai_server import Running
from tests.real_endpoints import ENDPOINTS, REFUSED_REQUESTS, REPLY_SHAPES, fill_body

KEY = "mod"
"""A part of the word "model", which stands in most refusals."""
SCHEMA = {
    "type": "object",
    "properties": {
        "question": {"type": "string"},
        "answer": {"type": "string"},
        "evidence": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["question", "answer", "evidence"],
    "additionalProperties": False,
}
GRADE = {
    "type": "object",
    "properties": {"score": {"type": "integer"}},
    "required": ["score"],
    "additionalProperties": False,
}
SYSTEM = Message("system", "Work with care.")
DRAFT = Prompt("draft/small.en", "draft", (SYSTEM, Message("user", "# Mill\n[1] Ada Quill bought it in 1911.")), (), SCHEMA)
ANSWER = Prompt("answer/small.en", "answer", (SYSTEM, Message("user", "Question: Who bought it?")), ())
JUDGE = Prompt("judge/small.en", "judge", (SYSTEM, Message("user", "Answer: Ada Quill")), (), GRADE)
CALLING = Prompt("workflow/small.en", "workflow", (SYSTEM, Message("user", "Who bought it?")), ())
PARAMETERS = {"type": "object", "properties": {"entity": {"type": "string"}}, "required": ["entity"]}
TOOL = {"type": "function", "function": {"name": "Search", "description": "Opens a page.", "parameters": PARAMETERS}}
FINISH = {"type": "function", "function": {"name": "Finish", "description": "Ends.", "parameters": PARAMETERS}}
WITHOUT_TOOLS = ("vllm_no_tools", "llama_cpp", "ollama", "openrouter_no_tools")
"""Endpoints whose models call no functions."""


def agent(server: Running, memory: PassingMemory | None = None, query: str = "", **settings: object) -> OpenAIAgent:
    quick = {"backoff": 0.001, "cool_down": 0.001} | settings
    return OpenAIAgent("test-model", server.url + query, KEY, OpenAISettings(**quick), memory=memory)


def act_as(server: Running, endpoint: str) -> str:
    """Let the server act as that endpoint; returns the query that its address needs."""
    server.script([{"as": endpoint}])
    return "?api-version=2024-10-21" if endpoint == "azure" else ""


async def ask_everything(asked: OpenAIAgent, endpoint: str) -> list[Completion]:
    """A draft, an answer as it comes, a grade, and a function call with what follows its result."""
    replies = [
        await asked.ask(DRAFT, {}, Sampling(temperature=0.7, max_tokens=512, seed=3)),
        await asked.stream(ANSWER, {}, Sampling(max_tokens=64, seed=3, stop=("zebra",)), lambda text: None),
        await asked.ask(JUDGE, {}, Sampling(max_tokens=128, top_p=0.9, logprobs=True)),
    ]
    calling = Sampling(max_tokens=128, seed=3, tools=(TOOL, FINISH))
    if endpoint in WITHOUT_TOOLS:
        is_known = asked.profile.tools is False
        with pytest.raises(AgentError) as caught:
            await asked.ask(CALLING, {}, calling)
        assert (caught.value.kind, caught.value.attempts) == ("refused", 0 if is_known else 1)
        assert asked.profile.tools is False and ("earlier request" in str(caught.value)) is is_known
        return replies
    first = await asked.ask(CALLING, {}, calling)
    result = {"role": "tool", "tool_call_id": first.actions[0].id, "content": "Ada Quill bought it."}
    turns = (make_reply_message(first), result)
    second = await asked.ask(CALLING, {}, Sampling(max_tokens=128, seed=3, tools=(TOOL, FINISH), turns=turns))
    assert first.actions and second.actions
    return [*replies, first, second]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_a_stranger_gets_draft_answer_grade_and_call_and_no_refusal_comes_twice(server, endpoint):
    memory = PassingMemory()
    query = act_as(server, endpoint)
    draft, answer, grade, *_ = await ask_everything(agent(server, memory, query), endpoint)
    assert json.loads(draft.text)["answer"] and answer.text and "score" in json.loads(grade.text)
    assert not any("think" in reply.text.lower() for reply in (draft, answer, grade))
    refused = server.count()["refused"]
    rows = [row.refuses for row in REFUSED_REQUESTS if row.endpoint == endpoint]
    assert refused == {name: 1 for name in rows if (endpoint, name) not in UNASKED}
    await ask_everything(agent(server, memory, query), endpoint)
    assert server.count()["refused"] == refused


UNASKED = {
    ("azure", "an address without api-version"),
    ("gemini_functions", "a function call that comes back without its signature"),
    ("groq", "any reasoning_effort but none and default"),
    ("groq", "reasoning_format, of a model that does not reason"),
    ("mistral", "max_completion_tokens"),
    ("vllm_old", "max_completion_tokens"),
}
"""Refusals of what is not sent without a setting, or not any more."""
EXTRA = ("reasoning_format",)


async def test_azure_without_an_api_version_is_refused_with_a_look_at_the_address(server):
    server.script([{"as": "azure"}])
    with pytest.raises(AgentError, match=r"Resource not found.*Check its address"):
        await agent(server).ask(ANSWER, {}, Sampling())


@pytest.mark.parametrize("row", REFUSED_REQUESTS, ids=lambda row: f"{row.endpoint}: {row.refuses}")
def test_each_refusal_names_its_source_and_what_it_refuses(row):
    body = json.loads(fill_body(row, {"temperature": 0, "seed": 3, "max_completion_tokens": 800}))
    assert row.source.startswith("https://")
    if (row.endpoint, row.status) not in (("azure", 404), ("openrouter", 200)) and row.endpoint != "gemini_functions":
        assert read_refusal(body, [*WIRE_NAMES, "system"], EXTRA).parameter


def test_each_shape_names_its_source():
    assert all(shape.source.startswith("https://") for shape in REPLY_SHAPES)


async def test_a_model_takes_a_temperature_when_it_does_not_reason(server):
    memory = PassingMemory()
    server.script([{"as": "openai_reasoning"}])
    thinking = agent(server, memory)
    reply = await thinking.ask(ANSWER, {}, Sampling(temperature=0.0))
    assert (
        reply.not_taken == ("temperature 0 requested, but not adjustable on this model",)
        and thinking.profile.temperature is False
    )
    plain = agent(server, memory, reasoning="none")
    assert (await plain.ask(ANSWER, {}, Sampling(temperature=0.0))).not_taken == ()
    assert server.last()["temperature"] == 0 and server.last()["reasoning_effort"] == "none"


async def test_an_effort_that_is_not_taken_is_left_out_and_said(server):
    server.script([{"as": "groq"}])
    asked = agent(server, reasoning="high", extra={"reasoning_format": "parsed"})
    reply = await asked.ask(ANSWER, {}, Sampling())
    assert reply.not_taken == (
        "reasoning high requested, but not accepted by this model",
        "reasoning_format requested, but not accepted by this endpoint",
    )
    assert reply.attempts == 3 and asked.profile.extra_refused == ("reasoning_format",)


async def test_what_is_set_by_hand_is_not_found_out(server):
    server.script([{"as": "openai_reasoning"}])
    by_hand = Profile(token_limit="max_completion_tokens", temperature=False)
    assert (await agent(server, takes=by_hand).ask(ANSWER, {}, Sampling())).attempts == 1
    with pytest.raises(AgentError, match="max_completion_tokens"):
        await agent(server, takes=Profile(token_limit="max_tokens")).ask(ANSWER, {}, Sampling())


CALL = Sampling(max_tokens=128, tools=(TOOL, FINISH))
REFUSED_SCHEMA = {
    "message": "Invalid schema for function 'Search': In context=('properties', 'entity'), 'format' is not permitted.",
    "type": "invalid_request_error",
    "param": "tools[0].function.parameters",
    "code": "invalid_function_parameters",
}
"""OpenAI's refusal of one definition: the wrapper of https://github.com/evalstate/fast-agent/issues/143."""


async def test_a_refused_definition_of_one_function_is_no_refusal_of_all_functions(server):
    assert read_refusal({"error": REFUSED_SCHEMA}, ["tools"]) == ("tools", False, False, None)
    server.script([{"fault": "status", "status": 400, "times": 1, **REFUSED_SCHEMA}])
    asked = agent(server)
    with pytest.raises(AgentError, match="Invalid schema"):
        await asked.ask(CALLING, {}, CALL)
    assert asked.profile.tools is None and (await asked.ask(CALLING, {}, CALL)).actions


async def test_functions_that_are_switched_off_by_hand_are_never_sent(server):
    server.reset()
    server.script([])
    off = agent(server, takes=Profile(tools=False))
    with pytest.raises(AgentError, match="gets no functions, because the agent's setting takes_tools is no") as caught:
        await off.ask(CALLING, {}, CALL)
    with pytest.raises(AgentError, match="takes_tools"):
        off.write_batch_request(CALLING, {}, CALL)
    assert (caught.value.attempts, server.count()["requests"]) == (0, 0)
    assert (await off.ask(ANSWER, {}, Sampling())).text, "what needs no functions is asked"


async def test_functions_that_are_switched_on_by_hand_are_always_sent(server):
    server.script([{"as": "ollama"}])
    on = agent(server, takes=Profile(tools=True))
    for _ in range(2):
        with pytest.raises(AgentError, match="does not support tools"):
            await on.ask(CALLING, {}, CALL)
    assert server.count()["refused"] == {"functions, of a model without them": 2}


async def test_six_refusals_are_all_that_one_call_works_around(server):
    names = ("temperature", "seed", "stop", "top_p", "logprobs", "max_tokens", "max_completion_tokens")
    body = "Unsupported parameter: '{}' is not supported with this model."
    server.script([{"contains": f'"{n}"', "fault": "status", "status": 400, "message": body.format(n)} for n in names])
    with pytest.raises(AgentError) as caught:
        sampling = Sampling(seed=1, stop=("x",), top_p=0.5, logprobs=True)
        await agent(server).ask(ANSWER, {}, sampling)
    assert (caught.value.kind, caught.value.attempts, server.count()["requests"]) == ("refused", 7, 7)


def test_a_value_out_of_bounds_is_no_general_refusal():
    body = {"error": {"message": "Invalid 'temperature': decimal above maximum value.", "param": "temperature"}}
    assert read_refusal(body, ["temperature"]) == ("temperature", False, False, None)
    limit = "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for this model"
    assert read_refusal({"error": {"message": limit}}, ["token_limit"]).most == 8192


def test_a_word_of_plain_english_is_no_parameter():
    for words in ("Please stop sending requests with tools of war.", "The stream of tokens broke.", "Bad Request"):
        assert read_refusal({"error": {"message": words}}, ["stop", "stream", "tools", "seed"]).parameter == ""


async def test_probing_finds_out_what_an_endpoint_takes(server):
    server.script([{"as": "mistral"}])
    asked = agent(server)
    for probe in asked.list_probes():
        await (
            asked.stream(probe.prompt, {}, probe.sampling, str)
            if probe.is_streamed
            else asked.ask(probe.prompt, {}, probe.sampling)
        )
    profile = asked.profile
    assert (profile.token_limit, profile.seed, profile.stream_usage) == ("max_tokens", "random_seed", False)
    assert (profile.temperature, profile.stop, profile.logprobs, profile.tools, profile.system) == (True,) * 5
    assert (profile.structured, profile.thinking, profile.stream) == ("schema", "parts", True)
    assert describe_profile(profile) == {
        "JSON": "by JSON schema",
        "thinking": "in parts of the content",
        "limit of a reply": "accepted as max_tokens",
        "seed": "accepted as random_seed",
        **dict.fromkeys(("temperature", "top_p", "stop sequences", "log-probabilities"), "accepted"),
        **dict.fromkeys(("functions", "system message", "streaming"), "accepted"),
    }


async def test_the_names_of_the_models_are_listed(server):
    assert await agent(server).list_models() == ["test-model"]


async def test_eight_questions_at_once_all_get_through_an_endpoint_that_nobody_knows(server):
    server.script([{"as": "openai_reasoning"}])
    asked = agent(server)
    prompts = [Prompt(f"answer/{n}.en", "answer", (SYSTEM, Message("user", f"Question {n}?")), ()) for n in range(8)]
    replies = await asyncio.gather(*(asked.ask(prompt, {}, Sampling(stop=("x",))) for prompt in prompts))
    assert all(reply.text for reply in replies) and sum(reply.attempts for reply in replies) == server.count()["requests"]
    assert (await asked.ask(ANSWER, {}, Sampling(stop=("x",)))).attempts == 1


def test_a_provider_of_the_list_begins_with_its_quirks():
    asked = OpenAIAgent("mistral-small", PROVIDERS["mistral"].base_url + "/", "k")
    assert (asked.profile.seed, asked.profile.stream_usage) == ("random_seed", False)
    assert OpenAIAgent("m", "http://127.0.0.1:9/v1", "k").profile == Profile()
    assert all(provider.base_url.startswith("http") and provider.label for provider in PROVIDERS.values())
    saved = [SavedAgent("own", model="m", base_url=p.base_url, key_env=p.key_env) for p in PROVIDERS.values()]
    assert len(saved) == 14
