"""Saved agents: a name that works wherever --agent does, with the same run behind two names of one model."""

import pytest

from agents.openai.openai import OpenAIAgent
from agents.saved import SavedAgent
from core.errors import BenchError
from workbench import Workbench
from workbench.setup.agents import ENVIRONMENT

URL = "http://127.0.0.1:9/v1"
GPT = {
    "name": "gpt",
    "model": "org/m",
    "base_url": URL,
    "key_env": "OURS_API_KEY",
    "price_in": 2.5,
    "price_out": 10.0,
    "rpm": 60.0,
    "temperature": 0.5,
}


@pytest.fixture
def bench():
    token = ENVIRONMENT.set({"OURS_API_KEY": "sk-ours-secret", "OPENAI_API_KEY": "sk-other"})
    with Workbench.open(":memory:") as bench:
        bench.agent_list.save(GPT)
        yield bench
    ENVIRONMENT.reset(token)


def test_a_saved_name_is_hired_with_its_endpoint_key_and_settings(bench):
    agent = bench.agents.make("gpt")
    assert isinstance(agent, OpenAIAgent) and agent.name == "openai:org/m" and agent.base_url == URL
    assert agent.settings.price_out == 10 and agent._key == "sk-ours-secret"


def test_set_stands_before_what_was_saved(bench):
    bound = bench.agents.bind("gpt", {"agent.temperature": 0})
    assert bound.identity == {"name": "openai:org/m", "endpoint": URL, "temperature": 0}


def test_two_names_of_one_model_are_one_identity_and_prices_no_part_of_it(bench):
    bench.agent_list.save({**GPT, "name": "cheap", "price_in": 0.1, "rpm": 5.0})
    full = bench.agents.bind("openai:org/m", {"judge.temperature": 0.5}, owner="judge")
    assert bench.agents.bind("gpt", {}).identity == bench.agents.bind("cheap", {}).identity
    assert full.identity == {"name": "openai:org/m", "endpoint": "https://api.openai.com/v1", "temperature": 0.5}


def test_a_budget_is_kept_with_the_saved_prices(bench):
    bench.agents.check("gpt", {}, 1.0)
    bench.agent_list.save({**GPT, "price_out": None}, replaces="gpt")
    with pytest.raises(BenchError, match="save them with gpt on the agents page"):
        bench.agents.check("gpt", {}, 1.0)


def test_a_job_does_not_go_on_with_an_agent_that_became_another(bench):
    pinned = bench.agents.pin(["gpt", "offline", "openai:x"])["saved"]
    assert list(pinned) == ["gpt"]
    bench.agent_list.save({**GPT, "rpm": 5.0, "price_in": 3.0}, replaces="gpt")
    bench.agents.bind("gpt", {}, pinned=pinned)
    bench.agent_list.save({**GPT, "model": "org/other"}, replaces="gpt")
    with pytest.raises(BenchError, match=r"gpt has changed since this job was planned .*org/m then, openai:org/other now"):
        bench.agents.bind("gpt", {}, pinned=pinned)
    bench.agent_list.delete("gpt")
    with pytest.raises(BenchError, match="gpt was deleted"):
        bench.agents.bind("gpt", {}, pinned=pinned)


def test_jobs_without_saved_agents_or_edited_prompts_keep_the_params_they_had(bench):
    assert bench.agents.pin(["offline", "openai:x", "nobody"]) == {}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "offline"}, "name of a kind"),
        ({"name": "Recorded"}, "name of a kind"),
        ({"name": "a:b"}, "letters, digits"),
        ({"name": ""}, "letters, digits"),
        ({"model": " "}, "needs a model"),
        ({"base_url": "https://me:word@host/v1"}, "name or password"),
        ({"base_url": "file:///etc/passwd"}, "http or https"),
        ({"base_url": "http:///v1"}, "http or https"),
        ({"base_url": "http://host/v1?key=secret"}, "no query except"),
        ({"base_url": "http://[bad/v1"}, "http or https"),
        ({"key_env": "sk-a-pasted-key"}, "a name like MY_API_KEY"),
        ({"key_env": "DATABASE_PASSWORD"}, "a name like MY_API_KEY"),
        ({"price_in": -1.0}, "price_in"),
        ({"structured": "xml"}, "structured"),
        ({"kind": "offline"}, "kind 'offline' can be saved"),
    ],
)
def test_a_field_that_does_not_fit_is_one_sentence_and_nothing_is_saved(bench, wrong, words):
    with pytest.raises(BenchError, match=words) as refused:
        bench.agent_list.save({**GPT, "name": "new", **wrong})
    assert "word@" not in str(refused.value) and "pasted" not in str(refused.value)
    assert [card.name for card in bench.agent_list.list_agents()] == ["offline", "recorded", "gpt"]


def test_a_name_that_another_agent_has_is_not_overwritten(bench):
    with pytest.raises(BenchError, match="an agent gpt already"):
        bench.agent_list.save({**GPT, "model": "else"})
    bench.agent_list.save({**GPT, "name": "renamed"}, replaces="gpt")
    assert [card.name for card in bench.agent_list.list_agents()][2:] == ["renamed"]


def test_the_list_tells_whether_a_key_is_there_and_never_the_key(bench):
    bench.agent_list.save({**GPT, "name": "keyless", "base_url": "", "key_env": "ABSENT_API_KEY", "price_in": None})
    gpt, keyless = bench.agent_list.list_agents()[2:]
    assert (gpt.label, gpt.key_is_set, gpt.hint) == ("gpt · org/m · $2.50/$10.00 per M", True, "")
    assert keyless.label == "keyless · org/m · price unknown"
    assert keyless.hint == "ABSENT_API_KEY is not set on the server: set it and start the app again."
    assert "secret" not in repr(bench.agent_list.list_agents())


def test_saved_record_reads_back_whole():
    agent = SavedAgent.from_record(GPT)
    assert SavedAgent.from_record(agent.record) == agent
