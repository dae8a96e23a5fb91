"""The doctor says of an endpoint what it takes and which replies could be read, in words that a new user understands."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from terminal.verbs.upkeep import _mark_check
from tests.eval.tiny_llama import tiny_llama
from tests.openai_server import Running, running
from workbench import Workbench
from workbench.setup import trial
from workbench.setup.capabilities import check_capabilities
from workbench.setup.doctor_check import DoctorCheck, PromptCheck
from workbench.setup.trial import MAX_AT_ONCE, count_readable, fill_prompts


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


def look(bench: Workbench, agent: str) -> tuple[dict[str, DoctorCheck], list[str]]:
    """What it says of the agent, by name, without the prompts; and what it said before each group of calls."""
    said: list[str] = []
    checks = bench.upkeep.doctor(agent=agent, settings={}, say=said.append).checks
    rows = [check for check in checks if not isinstance(check, PromptCheck)]
    start = next(n for n, check in enumerate(rows) if check.name == "plug-ins") + 1
    return {check.name: check for check in rows[start:]}, said


def read_share(checks: dict[str, DoctorCheck]) -> int:
    """Percent of the replies to the prompts that could be read."""
    share = re.match(r"\d+ of \d+ \((\d+)%\)", checks["replies read"].message)
    assert share
    return int(share[1])


def save(bench: Workbench, url: str) -> None:
    bench.agent_list.save({"name": "mine", "model": "m", "base_url": url, "price_in": 1.0, "price_out": 2.0})


@pytest.fixture
def bench(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-doctor-of-the-tests")
    with Workbench.open(f"{tmp_path}/w.duckdb") as opened:
        yield opened


def test_a_search_engine_is_looked_at_by_the_name_of_its_retriever(bench: Workbench) -> None:
    checks = bench.upkeep.doctor(engine="tantivy", settings={}, say=print).checks
    assert checks[-1].name == "engine tantivy" and checks[-1].ok and checks[-1].message.startswith("tantivy 0.")
    lost = bench.upkeep.doctor(engine="opensearch", settings={"engine_address": "http://127.0.0.1:9"}, say=print).checks[-1]
    assert not lost.ok and "OpenSearch at http://127.0.0.1:9 failed while its version was asked" in lost.message
    with pytest.raises(BenchError, match="name the engine's retriever with --engine"):
        bench.upkeep.doctor(settings={"engine_address": "http://127.0.0.1:9"}, say=print)


def test_a_setting_that_nothing_reads_is_refused(bench: Workbench) -> None:
    with pytest.raises(BenchError, match=r"no setting 'base_url': an agent's settings begin with agent\."):
        bench.upkeep.doctor(agent="offline", settings={"base_url": "http://127.0.0.1:9"}, say=print)
    with pytest.raises(BenchError, match="belongs to a --agent"):
        bench.upkeep.doctor(settings={"agent.timeout": 9}, say=print)
    with pytest.raises(BenchError, match="judge"):
        bench.upkeep.doctor(agent="offline", settings={"judge.timeout": 9}, say=print)


def test_a_good_endpoint_takes_everything(bench: Workbench, server: Running) -> None:
    server.script([])
    save(bench, server.url)
    found, said = look(bench, "mine")
    assert found["JSON"].message == "by JSON schema" and found["temperature"].message == "accepted"
    assert found["functions"].message == found["streaming"].message == found["system message"].message == "accepted"
    assert re.search(r"tokens in, \d+ out, 0\.\d+ USD$", found["one call"].message)
    assert read_share(found) >= 95
    assert "5 small requests to openai:m to learn what it accepts (at most 0.0" in said[0] and len(said) == 2
    assert bench.agents.ledger.sum_spending().calls >= 5


def test_a_thinking_model_says_where_its_thinking_stands(bench: Workbench, server: Running) -> None:
    server.script([{"as": "openai_reasoning"}])
    save(bench, server.url)
    found, _ = look(bench, "mine")
    assert found["temperature"].message == "not accepted: left out"
    marks = {name: _mark_check(check) for name, check in found.items()}
    assert (marks["agent"], marks["temperature"], marks["thinking"]) == ("ok ", "-- ", "ok "), "refused is not ok on one row"
    assert found["limit of a reply"].message == "accepted as max_completion_tokens"
    assert found["thinking"].message == "counted and not shown" and "of them thinking" in found["one call"].message
    assert read_share(found) >= 95


def test_what_an_endpoint_takes_is_found_out_anew_by_each_test(bench: Workbench, server: Running) -> None:
    """A vLLM that was started again, with a parser for functions."""
    server.script([{"as": "vllm_no_tools"}])
    save(bench, server.url)
    agent, ledger = bench.agents.make("mine"), bench.agents.ledger

    def find_functions() -> str:
        return next(check.message for check in check_capabilities(agent, ledger, str) if check.name == "functions")

    assert find_functions() == "not accepted: use react or pal in place of function_calling and dfsdt"
    server.script([])
    assert find_functions() == "accepted"
    known = bench.database.rows("SELECT profile FROM profile")
    server.script([{"fault": "status", "status": 401}])
    [dead] = check_capabilities(agent, ledger, str)
    assert known and not dead.ok and bench.database.rows("SELECT profile FROM profile") == known


def test_an_endpoint_that_does_not_answer_is_one_sentence_and_no_prompt_is_sent(bench: Workbench) -> None:
    save(bench, "http://127.0.0.1:9/v1")
    found, said = look(bench, "mine")
    [row] = found.values()
    assert not row.ok and "127.0.0.1:9" in row.message and len(said) == 1


def test_an_agent_without_endpoint_says_so(bench: Workbench) -> None:
    found, _ = look(bench, "offline")
    assert found["endpoint"].message == "none is asked" and found["replies read"].ok


def test_a_local_model_is_asked_once_and_says_where_it_runs(bench: Workbench, tmp_path: Path) -> None:
    folder = tiny_llama(tmp_path / "llama")
    agent = bench.agents.make(f"huggingface:{folder}", {"agent.template": "plain", "agent.device": "cpu"})
    said: list[str] = []
    found = {check.name: check for check in check_capabilities(agent, bench.agents.ledger, said.append)}
    assert said == [f"Sending a small request to huggingface:{folder} to learn what it accepts (free) ..."]
    assert (found["JSON"].message, found["runs on"].message) == ("in words only", "cpu, float32")
    assert re.search(r"tokens in, 64 out, free$", found["one call"].message)
    unusable = bench.agents.make(f"huggingface:{folder}")
    [row] = check_capabilities(unusable, bench.agents.ledger, str)
    assert (row.name, row.ok) == ("agent", False) and "has no chat template" in row.message


def test_prompts_are_sent_together_are_listed_in_their_order_and_tell_how_many_are_done(
    bench: Workbench, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "PROGRESS_SECONDS", 0.0)
    server.script([{"fault": "slow", "seconds": 0.02}])
    server.reset()
    save(bench, server.url)
    said: list[str] = []
    checks = bench.upkeep.doctor(agent="mine", settings={}, say=said.append).checks
    names = [prompt.name for prompt, _ in fill_prompts()]
    assert [check.name for check in checks if isinstance(check, PromptCheck)] == names
    assert 1 < server.count()["most_at_once"] <= MAX_AT_ONCE
    assert said[-1] == f"openai:m {len(names)} of {len(names)} prompts"


def test_a_reply_that_was_cut_off_says_at_how_many_tokens(bench: Workbench, server: Running) -> None:
    server.script([{"finish": "length"}])
    save(bench, server.url)
    checks = bench.upkeep.doctor(agent="mine", settings={}, say=str).checks
    said = {check.message for check in checks if isinstance(check, PromptCheck)}
    assert said == {"The reply was cut off: it is longer than the 512 tokens of this test."}


def test_prompts_whose_reply_could_not_be_read_are_named_beside_the_share() -> None:
    def check(name: str, parsed: bool) -> PromptCheck:
        return PromptCheck(name, parsed, "", parsed)

    one = count_readable([check("a", True), check("b", False)])
    assert (one.ok, one.message) == (False, "1 of 2 (50%); not read: b")
    many = count_readable([check(name, False) for name in "abcdefg"])
    assert many.message == "0 of 7 (0%); not read: a, b, c, d, e and 2 more"
