"""Names and settings of agents, as the command line takes them."""

import json

import pytest

from agents.naming import build
from core.errors import BenchError

KEYED = {"OPENAI_API_KEY": "sk-not-a-key", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1/"}


def test_openai_takes_model_endpoint_and_settings():
    settings = {"price_in": 1, "price_out": 2.5, "concurrency": 4, "context": 8192}
    agent = build("openai:org/model:free", settings, KEYED, [], None)
    assert agent.name == "openai:org/model:free" and agent.context == 8192 and not agent.is_offline
    assert agent.settings.price_out == 2.5 and agent.limits.width == agent.limits.maximum == 4
    assert agent.base_url == "http://127.0.0.1:9/v1"


def test_recorded_and_scripted_read_their_files(tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text(json.dumps({"prompt": "p.en", "inputs": {}, "reply": "yes"}), encoding="utf-8")
    assert len(build("recorded", {}, {}, [file], None)) == 1
    file.write_text('{"text": "yes"}', encoding="utf-8")
    assert build(f"scripted:{file}", {}, {}, [], None).name == f"scripted:{file}"


def test_offline_needs_nothing():
    assert build("offline", {}, {}, [], None).is_offline


@pytest.mark.parametrize("name", ["gpt", "", "openai", "openai:", "offline:x", "recorded:x", "scripted"])
def test_unknown_name_lists_those_there_are(name):
    with pytest.raises(BenchError, match="openai:MODEL"):
        build(name, {}, KEYED, [], None)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("openai:m", {"price": 1}),
        ("recorded", {"temperature": 1}),
        ("openai:m", {"concurrency": 0}),
        ("openai:m", {"concurrency": 2.5}),
        ("openai:m", {"timeout": "soon"}),
        ("openai:m", {"timeout": float("inf")}),
        ("openai:m", {"price_in": -1}),
        ("openai:m", {"rpm": True}),
        ("openai:m", {"structured": "xml"}),
    ],
)
def test_unfit_setting_is_refused_by_name(name, settings):
    with pytest.raises(BenchError, match=next(iter(settings))):
        build(name, settings, KEYED, [], None)


@pytest.mark.parametrize("name", ["scripted:/no/such.jsonl", "huggingface:/no/such"])
def test_missing_file_is_named(name):
    with pytest.raises(BenchError, match="/no/such"):
        build(name, {}, {}, [], None)
