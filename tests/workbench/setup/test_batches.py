"""Batch files: what stands in them, and what comes of replies that are missing, doubled, foreign, shuffled, cut or faulty. Each
fault is a count or one sentence, and the other rows go on.

The shape of requests and batches is that of the `openai` package's own types (openai.types.chat.completion_create_params and
openai.types.Batch), those of replies that of OpenAI's guide to the Batch API and of vLLM's documentation of run-batch."""

import asyncio
import json
import random
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from openai.types import Batch, FileObject
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

import jobs
from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached, WaitsForBatch
from core.nouns import Message, Prompt
from store.jobs.job_pages import JobCost, load_costs
from store.ledger import batches
from store.ledger.budget import Budget
from tests.batches import EXPIRED
from tests.openai_replies import completion
from tests.openai_server import Running
from workbench import Workbench
from workbench.build.gating.gating import GateRequest

PROMPT = Prompt(
    "answer/small.en", "answer", (Message("system", "Be short."), Message("user", "Question: $question")), ("question",)
)
AGENT = "openai:test-model"
PRICES = {"agent.price_in": 2.0, "agent.price_out": 10.0}
QUESTIONS = ("Who bought the mill?", "When did it burn?", "Wer baute die Brücke?", "谁写了这封信？")
JOB = "job"


class Asker(NamedTuple):
    """A workspace, whose requests wait in a folder."""

    bench: Workbench
    folder: Path

    def ask(
        self, questions: Sequence[str] = QUESTIONS, budget: float | None = None, is_judge: bool = False, **settings: Any
    ) -> list[Any]:
        """What a job gets for each question: a completion, or the error; and its files, written as at the end of a job."""

        async def ask() -> list[Any]:
            bound = self.bench.agents.bind(AGENT, PRICES | settings, budget=Budget(budget), job=JOB)
            act = bound.ask_unless_failed if is_judge else bound.ask
            asked = [act(PROMPT, {"question": question}, Sampling()) for question in questions]
            try:
                return await asyncio.gather(*asked, return_exceptions=True)
            finally:
                await bound.close()

        with self.bench.batches.collect_requests(JOB, str(self.folder)) as collector:
            found = asyncio.run(ask())
            collector.flush()
        batches.write_files(self.bench.database, str(self.folder))
        return found

    def requests(self, name: str = "requests.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]

    def files(self) -> dict[str, int]:
        """File -> requests of it that wait."""
        return {file.name: file.waiting for file in self.bench.batches.load_folder(str(self.folder)).files}

    def collect(self, lines: Sequence[Any], end: str = "\n") -> Any:
        """What came of these lines, objects or text."""
        path = self.folder / "given.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + end, encoding="utf-8")
        return self.bench.batches.collect(str(self.folder), [path])

    def counts(self, found: Any) -> dict[str, int]:
        """The counts that are not 0."""
        names = ("taken", "again", "failed", "missing", "already", "doubled", "foreign", "broken")
        return {name: n for name in names if (n := getattr(found, name))}


def reply_to(request: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The line of a good reply, in OpenAI's form."""
    body = completion(request["body"], 1)
    response = {"status_code": 200, "request_id": "req_1", "body": body}
    return {"id": "batch_req_1", "custom_id": request["custom_id"], "response": response, "error": None} | changes


def answered(status: int, body: Any) -> dict[str, Any]:
    return {"response": {"status_code": status, "request_id": "req_1", "body": body}}


@pytest.fixture
def asker(server: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Asker]:
    """Four requests that wait in out/requests.jsonl."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with Workbench.open(":memory:") as bench:
        asker = Asker(bench, tmp_path / "out")
        assert all(isinstance(found, WaitsForBatch) for found in asker.ask())
        yield asker


def test_a_request_is_a_line_of_the_batch_api_with_the_ledgers_key(asker: Asker, server: Running) -> None:
    lines = asker.requests()
    body = TypeAdapter(CompletionCreateParamsNonStreaming)
    for line in lines:
        assert list(line) == ["custom_id", "method", "url", "body"]
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        checked = body.validate_python(line["body"])
        assert [dict(message)["role"] for message in checked["messages"]] == ["system", "user"]
        assert set(line["body"]) == {"model", "messages", "temperature", "max_tokens"}
    assert len({line["custom_id"] for line in lines}) == 4 and server.count()["requests"] == 0
    assert [line["custom_id"] for line in lines] == sorted(line["custom_id"] for line in lines)
    asker.collect([reply_to(line) for line in lines])
    [first, *_] = asker.ask()
    assert first.call in {line["custom_id"] for line in lines} and first.cached


def test_what_is_in_a_file_is_not_written_again_until_the_file_is_lost(asker: Asker) -> None:
    asker.ask()
    assert asker.files() == {"requests.jsonl": 4}
    asker.ask([*QUESTIONS, "What is new?"])
    assert asker.files() == {"requests.jsonl": 4, "requests-2.jsonl": 1}
    (asker.folder / "requests.jsonl").unlink()
    asker.ask()
    assert asker.files() == {"requests.jsonl": 0, "requests-2.jsonl": 1, "requests-3.jsonl": 4}


def test_what_was_answered_elsewhere_is_not_sent(asker: Asker, server: Running) -> None:
    async def ask_now(questions: Sequence[str]) -> None:
        bound = asker.bench.agents.bind(AGENT, PRICES)
        for question in questions:
            await bound.ask(PROMPT, {"question": question}, Sampling())
        await bound.close()

    asyncio.run(ask_now(QUESTIONS[:1]))
    sent = asker.bench.batches.submit(str(asker.folder))
    assert [(file.name, file.waiting, file.batch) for file in sent.files] == [
        ("requests.jsonl", 0, None),
        ("requests-2.jsonl", 3, "batch_1"),
    ]
    asyncio.run(ask_now(QUESTIONS))
    found = asker.bench.batches.collect(str(asker.folder))
    assert asker.counts(found) == {"taken": 3} and server.count()["requests"] == 4
    assert asker.bench.agents.ledger.sum_spending().calls == 4, "the first answer stays"


def test_a_file_holds_at_most_so_many_requests_and_bytes_and_one_model(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_REQUESTS", 2)
    asker.ask([f"Question {n}?" for n in range(5)])
    monkeypatch.setattr(batches, "MAX_BYTES", 300)
    asker.ask([f"Question {n}?" for n in range(5, 7)])
    sizes = {name: n for name, n in asker.files().items() if name != "requests.jsonl"}
    assert sizes == {
        "requests-2.jsonl": 2,
        "requests-3.jsonl": 2,
        "requests-4.jsonl": 1,
        "requests-5.jsonl": 1,
        "requests-6.jsonl": 1,
    }


def test_replies_of_openai_are_read_at_batch_prices(asker: Asker) -> None:
    lines = asker.requests()
    found = asker.collect([reply_to(line) for line in lines])
    assert asker.counts(found) == {"taken": 4} and found.messages == [] and found.waiting == 0
    replies = asker.ask()
    usage = [completion(line["body"], 1)["usage"] for line in lines]
    price = sum(use["prompt_tokens"] * 2.0 + use["completion_tokens"] * 10.0 for use in usage) / 1e6
    assert sum(reply.price for reply in replies) == pytest.approx(price / 2) == pytest.approx(found.cost_usd)
    assert {(reply.seconds, reply.cached) for reply in replies} == {(None, True)}
    spending = asker.bench.agents.ledger.sum_spending(JOB)
    assert (spending.calls, spending.attempts, spending.cost) == (4, 4, pytest.approx(price / 2))


def test_batch_prices_of_their_own_come_before_the_share(asker: Asker) -> None:
    own = {"agent.batch_price_in": 0.5, "agent.batch_price_out": 0.0}
    asker.ask(["What is new?"], **own)
    [line] = asker.requests("requests-2.jsonl")
    asker.collect([reply_to(line)])
    [reply] = asker.ask(["What is new?"], **own)
    assert reply.price == pytest.approx(reply.tokens_in * 0.5 / 1e6)


def test_replies_of_vllm_are_read_in_both_of_its_forms(asker: Asker) -> None:
    first, second, third, fourth = asker.requests()
    wrapped = {"id": "vllm-1", **answered(200, completion(first["body"], 1)), "custom_id": first["custom_id"], "error": None}
    plain = {"id": "vllm-2", "custom_id": second["custom_id"], "response": completion(second["body"], 1), "error": None}
    refused = {"status_code": 400, "request_id": "vllm-batch-3", "body": None}
    long_ = {
        "object": "error",
        "message": "This model's maximum context length is 8 tokens.",
        "type": "BadRequestError",
        "code": 400,
    }
    bad = {"id": "vllm-3", "custom_id": third["custom_id"], "response": refused, "error": {"error": long_}}
    words = {
        "id": "vllm-4",
        "custom_id": fourth["custom_id"],
        "response": refused | {"status_code": 500},
        "error": "engine died",
    }
    found = asker.collect([wrapped, plain, bad, words])
    assert asker.counts(found) == {"taken": 2, "failed": 1, "again": 1}
    assert "maximum context length is 8 tokens" in found.messages[0] and "engine died" in found.messages[1]


@pytest.mark.fault(27)
def test_lines_that_are_missing_are_counted_and_asked_again(asker: Asker) -> None:
    first, *others = asker.requests()
    found = asker.collect([reply_to(line) for line in others])
    assert asker.counts(found) == {"taken": 3, "missing": 1} and found.waiting == 1
    asker.ask()
    assert asker.requests("requests-2.jsonl") == [first] and asker.files() == {"requests.jsonl": 0, "requests-2.jsonl": 1}


@pytest.mark.fault(13)
def test_a_doubled_line_is_taken_once_and_counted(asker: Asker) -> None:
    first, *others = asker.requests()
    other = reply_to(first)
    other["response"] = answered(200, completion({**first["body"], "messages": [{"role": "user", "content": "Else?"}]}, 9))[
        "response"
    ]
    found = asker.collect([reply_to(line) for line in [first, *others, first]] + [other])
    assert asker.counts(found) == {"taken": 4, "doubled": 2}
    assert asker.counts(asker.collect([reply_to(line) for line in others])) == {"already": 3}
    assert asker.bench.agents.ledger.sum_spending(JOB).calls == 4


@pytest.mark.fault(13)
def test_lines_of_another_batch_are_counted_and_left_alone(asker: Asker) -> None:
    lines = asker.requests()
    foreign = [reply_to(line, custom_id=f"b2:{n:032}") for n, line in enumerate(lines)]
    found = asker.collect(foreign)
    assert asker.counts(found) == {"foreign": 4} and not found.has_news and found.waiting == 4
    assert asker.counts(asker.collect([*foreign[:2], *map(reply_to, lines)])) == {"foreign": 2, "taken": 4}


@pytest.mark.fault(27)
def test_lines_out_of_order_find_their_requests(asker: Asker) -> None:
    lines = asker.requests()
    shuffled = random.Random(1).sample(lines, k=4)
    assert shuffled != lines and asker.counts(asker.collect([reply_to(line) for line in shuffled])) == {"taken": 4}
    replies = asker.ask()
    answers = [next(line for line in lines if question in json.dumps(line, ensure_ascii=False)) for question in QUESTIONS]
    assert [r.text for r in replies] == [completion(line["body"], 1)["choices"][0]["message"]["content"] for line in answers]


@pytest.mark.fault(12)
def test_a_cut_file_loses_its_last_line_alone(asker: Asker) -> None:
    lines = [json.dumps(reply_to(line)) for line in asker.requests()]
    found = asker.collect([*lines[:3], lines[3][: len(lines[3]) // 2]], end="")
    assert asker.counts(found) == {"taken": 3, "missing": 1, "broken": 1}
    assert found.messages == ["given.jsonl: Line 4 is not JSON."]
    found = asker.collect(["", "[]", "{}", "\x00", '{"custom_id": 7}', "[" * 5000, json.dumps({"custom_id": "x"})])
    assert asker.counts(found) == {"broken": 6}
    assert found.messages == [
        "given.jsonl: 3 lines, first line 2, have no custom_id.",
        "given.jsonl: 2 lines, first line 4, are not JSON.",
        "given.jsonl: Line 7 has neither a response nor an error.",
    ]


@pytest.mark.fault(27)
def test_an_error_inside_a_line_fails_that_request_alone(asker: Asker) -> None:
    lines = asker.requests()
    expired = reply_to(lines[0], response=None, error=EXPIRED)
    limited = reply_to(lines[1], **answered(429, {"error": {"message": "Slow down.", "code": "rate_limit"}}))
    filtered = reply_to(lines[2], **answered(400, {"error": {"message": "Not this.", "code": "content_filter"}}))
    found = asker.collect([expired, limited, filtered, reply_to(lines[3])])
    assert asker.counts(found) == {"taken": 1, "again": 2, "failed": 1}
    assert len(found.messages) == 3 and "completion window expired" in found.messages[0]
    replies = asker.ask()
    assert sorted(type(reply).__name__ for reply in replies) == ["AgentError", "Completion", "WaitsForBatch", "WaitsForBatch"]
    [failed] = [reply for reply in replies if isinstance(reply, AgentError)]
    assert failed.kind == "filter" and failed.failed_before and not failed.stops_job and "Not this." in str(failed)
    assert asker.requests("requests-2.jsonl") == lines[:2]
    time.sleep(0.002)  # the next start begins after the failures were stored
    assert list(map(type, asker.ask(is_judge=True))) == list(map(type, replies)), "a judge waits too, and has not failed"
    assert asker.bench.agents.ledger.failures(JOB, "9").keys() == {lines[2]["custom_id"]}, "asked now, the others are asked"


@pytest.mark.fault(27)
def test_a_200_line_with_an_error_body_is_an_error(asker: Asker) -> None:
    lines = asker.requests()
    inside = reply_to(lines[0], **answered(200, {"error": {"message": "Overloaded.", "code": 503}}))
    long_ = reply_to(lines[1], **answered(200, {"error": {"message": "too long", "code": "context_length_exceeded"}}))
    found = asker.collect([inside, long_, *map(reply_to, lines[2:])])
    assert asker.counts(found)["taken"] == 2 and found.again + found.failed == 2
    assert "Overloaded." in found.messages[0]


@pytest.mark.fault(27)
def test_a_body_without_choices_is_asked_again_three_times_and_then_fails(asker: Asker) -> None:
    [line] = asker.requests()[:1]
    empty = completion(line["body"], 1) | {"choices": [], "usage": None}
    asker.collect([reply_to(other) for other in asker.requests()[1:]])
    for name, counts in (("requests-2", {"again": 1}), ("requests-3", {"again": 1}), ("requests-4", {"failed": 1})):
        asker.ask()
        assert asker.requests(f"{name}.jsonl") == [line]
        found = asker.collect([reply_to(line, **answered(200, empty))])
        assert asker.counts(found) == counts and "the reply has no choices" in found.messages[0]
    assert [type(reply).__name__ for reply in asker.ask()].count("AgentError") == 1 and len(asker.files()) == 4


@pytest.mark.fault(27)
def test_a_reply_of_another_shape_is_kept_and_not_asked_again(asker: Asker) -> None:
    lines = asker.requests()
    bodies = [[1, 2], {"choices": "none"}, "words", None]
    found = asker.collect([reply_to(line, **answered(200, body)) for line, body in zip(lines, bodies, strict=True)])
    assert found.again + found.failed == 4 and found.taken == 0
    assert not any(isinstance(reply, Completion) for reply in asker.ask())


def test_a_refused_parameter_is_left_out_of_the_next_file(asker: Asker) -> None:
    lines = asker.requests()
    error = {
        "message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    }
    refused = answered(400, {"error": error | {"param": "max_tokens", "code": "unsupported_parameter"}})
    found = asker.collect([reply_to(line, **refused) for line in lines])
    assert asker.counts(found) == {"again": 4} and len(found.messages) == 1
    asker.ask()
    assert {"max_completion_tokens" in line["body"] for line in asker.requests("requests-2.jsonl")} == {True}


def test_thinking_that_took_all_tokens_gets_more_of_them_once(asker: Asker) -> None:
    [line] = asker.requests()[:1]
    body = completion(line["body"], 1)
    body["choices"][0] |= {
        "finish_reason": "length",
        "message": {"role": "assistant", "content": "", "reasoning": "Let me see."},
    }
    asker.collect([reply_to(other) for other in asker.requests()[1:]])
    asker.ask()
    ledger = asker.bench.agents.ledger
    before = ledger.sum_spending(JOB)
    found = asker.collect([reply_to(line, **answered(200, body))])
    assert asker.counts(found) == {"again": 1}
    spending = ledger.sum_spending(JOB)
    assert spending.calls == before.calls and spending.failed == 1, "a reply that cannot be used is no answer"
    assert spending.cost == pytest.approx(before.cost + found.cost_usd) and found.cost_usd > 0, "and was paid"
    assert load_costs(asker.bench.database, [JOB])[JOB] == JobCost(before.calls, pytest.approx(spending.cost))
    asker.ask()
    [more] = asker.requests("requests-3.jsonl")
    assert more["body"]["max_tokens"] == line["body"]["max_tokens"] + 4096
    assert asker.counts(asker.collect([reply_to(more, **answered(200, body))])) == {"failed": 1}
    charged = asker.bench.agents.ledger.sum_charges(JOB).usd
    assert charged > 0


def test_a_budget_counts_what_waits_at_batch_prices(asker: Asker) -> None:
    worst = [
        request.sent.price
        for request, _ in batches.load_requests(
            asker.bench.database, str(asker.folder), [line["custom_id"] for line in asker.requests()]
        ).values()
    ]
    replies = asker.ask(budget=sum(worst) - 1e-6)
    assert sorted(type(reply) for reply in replies if not isinstance(reply, WaitsForBatch)) == [BudgetReached]
    with pytest.raises(BenchError, match="needs prices"):
        raise next(error for error in Asker.ask(asker, budget=1.0, **{"agent.price_in": None}) if isinstance(error, BenchError))


def test_batches_go_to_the_endpoint_and_their_replies_come_back(asker: Asker, server: Running) -> None:
    stage, folder = asker.bench.batches, str(asker.folder)
    server.script([{"batch": "in_progress"}])
    sent = stage.submit(folder)
    assert [(file.batch, file.status) for file in sent.files] == [("batch_1", "validating")]
    assert [(file.status, file.answered) for file in stage.status(folder).files] == [("in_progress", 0)]
    waits = stage.collect(folder)
    assert not waits.has_news and waits.messages == ["requests.jsonl waits for batch batch_1: in_progress, 0 of 4 answered."]
    with pytest.raises(BenchError, match="no file to send"):
        stage.submit(folder)
    server.script([{"fault": "status", "status": 400, "message": "Not this.", "code": "content_filter", "requests": [1]}])
    found = stage.collect(folder)
    assert asker.counts(found) == {"taken": 3, "failed": 1}
    assert {path.name for path in asker.folder.iterdir()} == {"requests.jsonl", "replies.jsonl", "errors.jsonl"}
    assert server.count() | {"requests": 0, "lines": 4, "files": 1} == server.count()
    assert stage.status(folder).waiting == 0


def test_a_batch_that_expired_or_was_refused_is_said_and_what_it_left_is_sent_again(asker: Asker, server: Running) -> None:
    stage, folder = asker.bench.batches, str(asker.folder)
    server.script([{"batch": "failed", "message": "Line 1 is no request."}])
    stage.submit(folder)
    found = stage.collect(folder)
    assert asker.counts(found) == {"missing": 4}
    assert found.messages == ["The batch of requests.jsonl is failed (Line 1 is no request.)."]
    asker.ask()
    server.script([{"batch": "expired"}, {"fault": "line_error", "requests": [1]}, {"fault": "unanswered", "requests": [2]}])
    stage.submit(folder)
    found = stage.collect(folder)
    assert asker.counts(found) == {"taken": 2, "again": 1, "missing": 1} and "is expired" in found.messages[-1]
    asker.ask()
    assert asker.files() == {"requests.jsonl": 0, "requests-2.jsonl": 0, "requests-3.jsonl": 2}


@pytest.mark.fault(27)
def test_an_endpoint_without_the_batch_api_or_at_another_address_is_one_sentence(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, folder = asker.bench.batches, str(asker.folder)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(
        BenchError, match=r"was written for http.* test-model, and openai:test-model is at http://127.0.0.1:9/v1"
    ):
        stage.submit(folder)
    with pytest.raises(BenchError, match="has no batch of this workspace"):
        stage.load_folder(f"{folder}x")
    with pytest.raises(BenchError, match="is not a file"):
        stage.collect(folder, [asker.folder / "none.jsonl"])


def test_the_test_endpoint_answers_as_the_openai_package_has_it(asker: Asker, server: Running) -> None:
    asker.bench.batches.submit(str(asker.folder))
    asker.bench.batches.status(str(asker.folder))
    with urllib.request.urlopen(f"{server.url}/batches/batch_1", timeout=60) as answer:
        batch = Batch.model_validate(json.load(answer), strict=True)
    assert (batch.status, batch.request_counts and batch.request_counts.completed) == ("completed", 4)
    assert FileObject.model_fields.keys() >= {"id", "bytes", "filename", "purpose"}


def test_gates_on_items_wait_for_one_batch_and_go_on(asker: Asker, server: Running, tmp_path: Path) -> None:
    bench, folder = asker.bench, tmp_path / "gates"
    bench.corpus.load_samples()
    chosen = [item.id for item in bench.item_list.items(task="explicit_factoid")][:2]
    job = bench.gating.plan(GateRequest(("closed_book", "critic"), (AGENT,), samples=2), chosen)
    bench.batches.assign(job, folder)
    waits = jobs.start(bench).submit(job).result()
    assert (waits["stopped"], waits["looked"], waits["batch"]["waiting"]) == ("batch", 0, 6), "both gates ask in one round"
    for _ in range(3):
        bench.batches.submit(str(folder))
        assert bench.batches.collect(str(folder)).taken
        done = jobs.start(bench).resume(job).result()
        if done["stopped"] is None:
            break
    assert done["looked"] == 2 and done["gates"].keys() == {"closed_book", "critic"} and server.count()["requests"] == 0
    jobs.stop(bench)
