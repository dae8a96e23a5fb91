"""The agents page: what agents there are, adding one of one's own, a test call, and no key anywhere."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from agents.providers import PROVIDERS
from tests.openai_server import Running, running
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench

KEY = "sk-secret-of-the-page-tests"
PAGE = "setup/agents"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Running]:
    with running(key=KEY) as server:
        yield server


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS_API_KEY", KEY)
    monkeypatch.setenv("WRONG_API_KEY", f"{KEY}-wrong")


def save(bench: Workbench, endpoint: Running, name: str = "gpt", key_env: str = "OURS_API_KEY") -> None:
    bench.agent_list.save(
        {"name": name, "model": "m", "base_url": endpoint.url, "key_env": key_env, "price_in": 2.5, "price_out": 10.0}
    )


def words(at: AppTest) -> str:
    """Everything that the page sent to the browser."""

    def protos(node: object) -> Iterator[str]:
        yield str(getattr(node, "proto", ""))
        for child in getattr(node, "children", {}).values():
            yield from protos(child)

    return " ".join((*protos(at.main), *protos(at.sidebar)))


def after_test(at: AppTest, bench: Workbench, name: str) -> AppTest:
    """Press Test call and wait for its end."""
    at.button(key=f"agent_test_{name}").click().run()
    until(lambda: bench.trial_calls.find_last(name).state != "asking")
    return at.run()


def test_the_built_in_agents_say_what_they_are(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    shown = " ".join(m.value for m in at.markdown)
    assert "offline (no LLM)" in shown and "recorded, no call made" in shown
    assert any("No calls yet" in m.value for m in at.markdown)


def test_an_agent_is_added_edited_and_deleted(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    next(b for b in at.button if b.label == "Add an agent").click().run()
    at.text_input(key="agent_form_name").input("gpt")
    at.text_input(key="agent_form_model").input("org/m")
    at.text_input(key="agent_form_base_url").input("http://127.0.0.1:9/v1")
    at.number_input(key="agent_form_price_in").set_value(0.0)
    at.number_input(key="agent_form_price_out").set_value(1.5)
    at.number_input(key="agent_form_context").set_value(8192)
    at.button(key="agent_form_save").click().run()
    assert not at.exception and any("gpt is saved" in s.value for s in at.success)
    saved = empty_bench.agents.find_saved("gpt")
    assert saved and saved.settings == {"price_in": 0.0, "price_out": 1.5, "context": 8192}

    at.button(key="agent_edit_gpt").click().run()
    assert at.number_input(key="agent_form_price_out").value == 1.5
    at.text_input(key="agent_form_name").input("fast")
    at.button(key="agent_form_save").click().run()
    assert [c.name for c in empty_bench.agent_list.list_agents()][2:] == ["fast"]
    at.button(key="agent_delete_fast").click().run()
    assert [c.name for c in empty_bench.agent_list.list_agents()] == ["offline", "recorded"]


def test_what_does_not_fit_is_one_sentence_and_the_form_keeps_its_words(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    next(b for b in at.button if b.label == "Add an agent").click().run()
    at.text_input(key="agent_form_name").input("gpt")
    at.text_input(key="agent_form_model").input("m")
    at.text_input(key="agent_form_base_url").input("http://me:word@host/v1")
    at.button(key="agent_form_save").click().run()
    assert "contains a name or password" in at.error[0].value
    assert at.text_input(key="agent_form_model").value == "m" and len(empty_bench.agent_list.list_agents()) == 2


def test_a_test_call_shows_price_before_and_the_reply_after(
    empty_bench: Workbench, show: Show, endpoint: Running, keyed: None
) -> None:
    save(empty_bench, endpoint)
    at = show(PAGE)
    assert any("A test costs at most" in c.value for c in at.caption)
    after_test(at, empty_bench, "gpt")
    assert '"supported"' in at.code[0].value
    facts = next(c.value for c in at.caption if "Answered in" in c.value)
    assert "tokens in" in facts and "structured output by JSON schema" in facts and "the reply has the requested form" in facts
    assert "by JSON schema" in at.table[0].value.to_csv() and "system message,accepted" in at.table[0].value.to_csv()
    assert empty_bench.agents.ledger.sum_spending().calls == 6  # the prompt, and five that find out what the endpoint takes
    after_test(at, empty_bench, "gpt")
    assert empty_bench.agents.ledger.sum_spending().calls == 12
    until(
        lambda: [one.value.to_dict("records")[0]["Answered"] for one in at.run().dataframe[:1]] == [12]
    )  # may be a moment old
    (row,) = at.dataframe[0].value.to_dict("records")
    assert (row["Agent"], row["Failed"]) == ("openai:m", "0")


def test_a_wrong_key_and_a_dead_endpoint_are_each_one_sentence(
    empty_bench: Workbench, show: Show, endpoint: Running, keyed: None
) -> None:
    save(empty_bench, endpoint, "wrong", "WRONG_API_KEY")
    empty_bench.agent_list.save({"name": "offhook", "kind": "scripted", "model": "/nowhere/replies.jsonl"})
    at = after_test(show(PAGE), empty_bench, "wrong")
    assert "401" in at.error[0].value and at.error[0].value.count(".") < 9
    assert "WRONG" in at.error[0].value and KEY not in at.error[0].value
    assert at.button(key="agent_test_offhook").disabled


def test_the_built_in_agents_answer_a_test_for_nothing(empty_bench: Workbench, show: Show) -> None:
    at = show(PAGE)
    for name in ("offline", "recorded"):
        after_test(at, empty_bench, name)
        last = empty_bench.trial_calls.find_last(name)
        assert last and last.state == "answered" and last.is_read and last.price == 0


@pytest.mark.fault(25)
def test_a_key_is_in_no_page_log_ledger_row_or_setting(
    empty_bench: Workbench,
    show: Show,
    endpoint: Running,
    keyed: None,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    save(empty_bench, endpoint)
    save(empty_bench, endpoint, "wrong", "WRONG_API_KEY")
    at = show(PAGE)
    after_test(at, empty_bench, "gpt")
    after_test(at, empty_bench, "wrong")
    at.button(key="agent_edit_gpt").click().run()
    tables = [name for (name,) in empty_bench.database.rows("SELECT table_name FROM duckdb_tables()")]
    rows = {table: str(empty_bench.database.rows(f"SELECT * FROM {table}")) for table in tables}
    assert "openai:m" in rows["call"] and '"key_env":"OURS_API_KEY"' in rows["setting"]
    said = capfd.readouterr()
    assert "OURS_API_KEY" in words(at)
    for place, text in {
        **rows,
        "page": words(at),
        "state": repr(at.session_state),
        "log": caplog.text,
        "out": said.out,
        "err": said.err,
        "cards": repr(empty_bench.agent_list.list_agents()),
    }.items():
        assert KEY not in text, place
    assert os.environ["OURS_API_KEY"] == KEY


def test_the_picker_names_prices_and_missing_keys(empty_bench: Workbench) -> None:
    def page() -> None:
        import streamlit as st

        from pages.parts.setup.agent.agent_picker import show

        show("Agent", "one")
        st.text(str(show("Judge", "two", optional=True)))

    empty_bench.agent_list.save({"name": "gpt", "model": "m", "key_env": "ABSENT_API_KEY", "price_in": 2.5, "price_out": 10.0})
    at = AppTest.from_function(page).run()
    assert at.selectbox(key="one").options == ["offline (no LLM)", "recorded (no call made)", "gpt · m · $2.50/$10.00 per M"]
    assert at.selectbox(key="one").value == "offline" and at.text[0].value == "None"
    at.selectbox(key="two").select("gpt").run()
    assert at.text[0].value == "gpt" and "not set on the server" in at.caption[0].value.replace("\\", "")
    empty_bench.agent_list.delete("gpt")
    assert not at.run().exception and at.text[0].value == "None"


def test_a_provider_fills_address_and_variable_and_its_models_can_be_chosen(
    empty_bench: Workbench, show: Show, endpoint: Running, monkeypatch: pytest.MonkeyPatch, keyed: None
) -> None:
    at = show(PAGE)
    next(b for b in at.button if b.label == "Add an agent").click().run()
    at.selectbox(key="agent_form_provider").select("mistral").run()
    assert at.text_input(key="agent_form_base_url").value == "https://api.mistral.ai/v1"
    assert at.text_input(key="agent_form_key_env").value == "MISTRAL_API_KEY"
    local = replace(PROVIDERS["vllm"], base_url=endpoint.url, key_env="OURS_API_KEY")
    monkeypatch.setattr("pages.parts.setup.agent.form.PROVIDERS", {**PROVIDERS, "vllm": local})
    at.selectbox(key="agent_form_provider").select("vllm").run()
    at.button(key="agent_form_list").click().run()
    at.selectbox(key="agent_form_models").select("test-model").run()
    assert at.text_input(key="agent_form_model").value == "test-model" and not at.exception
    at.text_input(key="agent_form_name").input("own")
    at.text_input(key="agent_form_extra").input('{"a": {"b": 1}}')
    at.selectbox(key="agent_form_reasoning").select("low")
    at.selectbox(key="agent_form_takes_stop").select("no")
    at.button(key="agent_form_save").click().run()
    saved = empty_bench.agents.find_saved("own")
    assert saved and saved.settings == {"extra": {"a": {"b": 1}}, "reasoning": "low", "takes_stop": "no"}
    at.button(key="agent_edit_own").click().run()
    assert at.text_input(key="agent_form_extra").value == '{"a": {"b": 1}}'
    at.text_input(key="agent_form_base_url").input("http://127.0.0.1:9/v1")
    at.button(key="agent_form_list").click().run()
    assert any("could not be reached" in e.value for e in at.error)
