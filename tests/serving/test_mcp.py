"""The MCP server at /bench/mcp, asked by the client of the MCP package: what its tools do, whom they serve, and that none of
them decides."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

import jobs
import workbench
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from tests.house.documents import blocks
from tests.house.test_docs import compare_shapes
from tests.serving.gate.conftest import Browser, bench, browser, sign_in
from workbench import Workbench

__all__ = ["bench", "browser", "sign_in"]
URL = "http://localhost/bench/mcp"


def ask(work: Callable[[ClientSession], Awaitable[Any]], token: str = "") -> Any:
    """What `work` returns with a client of the app, by that token."""

    async def connect() -> Any:
        app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(
                httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), headers=headers, timeout=60.0)
            )
            read, write, *_ = await stack.enter_async_context(streamable_http_client(URL, http_client=http))
            session = await stack.enter_async_context(ClientSession(read, write))
            await session.initialize()
            return await work(session)

    return asyncio.run(connect())


def call(name: str, arguments: dict[str, Any], token: str = "") -> Any:
    """The result of one tool, as JSON; the sentence of an error."""

    async def work(session: ClientSession) -> Any:
        result = await session.call_tool(name, arguments)
        texts = [part.text for part in result.content]
        return " ".join(texts) if result.is_error else [json.loads(text) for text in texts]

    found = ask(work, token)
    return found if isinstance(found, str) or len(found) != 1 else found[0]


@pytest.fixture
def open_bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A workspace of this process, without sign-in."""
    path = tmp_path / "w.duckdb"
    path.write_bytes(samples.read_bytes())
    workbench.close_workbench()
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(path))
    made = workbench.open_workbench()
    yield made
    jobs.stop(made)
    workbench.close_workbench()


def count_decisions(bench: Workbench) -> tuple[int, dict[str, int]]:
    """The number of reviews, and items by status and revision."""
    items = bench.item_list.items()
    statuses: dict[str, int] = {}
    for item in items:
        key = f"{item.status} r{item.revision}"
        statuses[key] = statuses.get(key, 0) + 1
    return len(bench.item_list.list_reviews()), statuses


def test_every_tool_works_and_none_decides(open_bench: Workbench) -> None:
    async def list_them(session: ClientSession) -> dict[str, Any]:
        return {tool.name: tool for tool in (await session.list_tools()).tools}

    tools = ask(list_them)
    assert set(tools) == {"search_corpus", "list_items", "draft", "propose_decision", "run_quick_check", "report"}
    assert tools["search_corpus"].annotations.read_only_hint and not tools["propose_decision"].annotations.read_only_hint
    item = open_bench.item_list.items(domain="finance")[0]
    before = count_decisions(open_bench)

    passages = call("search_corpus", {"query": item.question, "limit": 3})
    assert len(passages) == 3 and passages[0]["text"] and passages[0]["score"] >= passages[1]["score"]
    text = open_bench.corpus.document(passages[0]["document"]).text
    assert text[passages[0]["start"] : passages[0]["end"]] == passages[0]["text"]

    listed = call("list_items", {"status": "accepted", "domain": "finance"})
    assert listed["total"] == 5 and item.id in {row["id"] for row in listed["items"]}

    proposed = call("propose_decision", {"item": item.id, "decision": "discard", "reason": "The date is in the question."})
    assert proposed["by"] == "assistant"
    thread = open_bench.comments.thread(item.id, "Ann")
    assert thread[-1].text == "Proposal of an assistant: discard. The date is in the question."
    assert count_decisions(open_bench) == before

    checked = call("run_quick_check", {"questions": 3})
    assert checked["running"] == [] and checked["rows"][0]["answered"] == 3
    shown = call("report", {"runs": [checked["rows"][0]["run"]], "by": ["domain"]})
    assert shown["runs"][0]["system"].startswith("echo") and shown["runs"][0]["cells"]

    words = {"task": "explicit_factoid", "domain": "finance", "agent": "offline", "count": 1}
    drafted = call("draft", words)
    assert drafted["drafted"] == 1
    reviews, statuses = count_decisions(open_bench)
    assert reviews == before[0] and statuses == {**before[1], "drafted r1": 1}

    shapes = [json.loads(block.text) for block in blocks("docs/how-to/mcp.md", "json") if "mcpServers" not in block.text]
    printed = [passages, listed, proposed, checked, drafted]
    for shape, value in zip(shapes, printed, strict=True):
        compare_shapes(shape, value, "docs/how-to/mcp.md")

    assert "nothing" in call("run_quick_check", {"release": "nothing"})
    assert "nothing" in call("propose_decision", {"item": "nothing", "decision": "accept", "reason": "It is good."})
    assert "No task named" in call("draft", {**words, "task": "riddle"})
    for agent in ("scripted:/etc/passwd", "huggingface:/etc"):
        assert "reads and writes no files" in call("draft", {**words, "agent": agent})
        assert "reads and writes no files" in call("run_quick_check", {"agent": agent})


@pytest.mark.fault(49)
def test_where_people_sign_in_a_token_and_its_role_are_needed(bench: Workbench, browser: Browser) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    client = browser()
    refused = client.post("/bench/mcp", json=body, headers=accept)
    assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
    wrong = client.post("/bench/mcp", json=body, headers={**accept, "authorization": "Bearer bw_guessed"})
    assert wrong.status_code == 401

    metrics = bench.access_tokens.create("Olga", "prometheus", scope="metrics").secret
    answer = client.post("/bench/mcp", json=body, headers={**accept, "authorization": f"Bearer {metrics}"})
    assert answer.status_code == 403 and "can only read the metrics of the server" in answer.json()["message"]

    own = bench.access_tokens.create("Ann", "editor", scope="mcp").secret
    desk = client.post("/bench/next", json={}, headers={"authorization": f"Bearer {own}"})
    assert desk.status_code == 403 and "can only use the tools of assistants" in desk.json()["message"]

    item = next(one for one in bench.item_list.items() if one.status == "drafted")
    before = count_decisions(bench)
    assert call("propose_decision", {"item": item.id, "decision": "accept", "reason": "It fits."}, own)["by"] == "Ann"
    assert bench.comments.thread(item.id, "Ann")[-1].person == "Ann"
    assert count_decisions(bench) == before
    drafting = {"task": "explicit_factoid", "domain": "law", "agent": "offline"}
    assert "Ann is an annotator here and may not draft items" in call("draft", drafting, own)
    assert "may not see runs" in call("report", {"runs": ["abcdef"]}, own)

    revoked = bench.access_tokens.create("Ann", "old", scope="mcp")
    bench.access_tokens.revoke(revoked.row.id)
    answer = client.post("/bench/mcp", json=body, headers={**accept, "authorization": f"Bearer {revoked.secret}"})
    assert answer.status_code == 401


@pytest.mark.fault(50)
def test_a_page_elsewhere_reaches_no_tool(open_bench: Workbench, browser: Browser) -> None:
    client = browser()
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = client.post("/bench/mcp", json=body, headers={"origin": "https://elsewhere.example"})
    assert answer.status_code == 403
