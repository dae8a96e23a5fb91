"""A RAG system behind HTTP, served by a small server on this machine: its forms, and its troubles as failed traces."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Document, Span, Trace
from eval.running.retrieval import make_tools
from eval.running.runner import answer_all
from eval.system import Question, systems

BRIDGE = Document("d1", "The bridge opened in 1890. It fell in 1901.", "Bridge")


class Handler(BaseHTTPRequestHandler):
    """Answers by path; keeps the last body."""

    bodies: list[Any] = []  # noqa: RUF012 - what the test server was sent

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.bodies.append(body)
        status, reply = self.reply(self.path)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(reply.encode())

    def reply(self, path: str) -> tuple[int, str]:
        passages = [{"text": "It fell in 1901."}, "Elsewhere."]
        found = {
            "/v1/chat/completions": {
                "choices": [{"message": {"content": "1890"}}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
            },
            "/json": {"data": {"answer": "1890"}, "passages": passages},
            "/empty": {"data": {}},
        }
        if path == "/broken":
            return 200, "<html>oops</html>"
        if path == "/deep":
            return 200, "[" * 100_000
        return (200, json.dumps(found[path])) if path in found else (int(path[1:]), '{"detail": "not today"}')

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


async def answered(url: str, **settings: Any) -> Trace:
    question = Question("i", "When?", "When?", "en", "explicit_factoid", None, 32, given=("d1",))
    tools = make_tools([BRIDGE], {}, None, None)
    (trace,) = [t async for t in answer_all([question], systems()["endpoint"], {"url": url, **settings}, tools, run_id="r")]
    return trace


async def test_the_openai_form_needs_nothing_but_its_url(address: str) -> None:
    trace = await answered(f"{address}/v1/chat/completions", model="mine", request={"top_k": 3})
    assert (trace.answer, trace.tokens_in, trace.tokens_out, trace.calls, trace.retrieved) == ("1890", 9, 2, 1, None)
    assert Handler.bodies[-1] == {"model": "mine", "messages": [{"role": "user", "content": "When?"}], "top_k": 3}


async def test_any_json_form_is_a_mapping_of_request_and_reply(address: str) -> None:
    request = {"input": {"q": "$question", "lang": "$language"}}
    trace = await answered(f"{address}/json", request=request, answer="data.answer", contexts="passages")
    assert Handler.bodies[-1] == {"input": {"q": "When?", "lang": "en"}}
    assert trace.answer == "1890" and trace.retrieved is not None
    assert trace.retrieved[0] == Span("d1", 27, 43) and trace.retrieved[1].document != "d1"


@pytest.mark.parametrize(
    ("path", "stop", "words"),
    [
        ("/401", "refused", 'status 401: {"detail": "not today"}'),
        ("/429", "rate_limit", "429"),
        ("/500", "server", "500"),
        ("/broken", "unparsed", "is not JSON"),
        ("/deep", "unparsed", "is not JSON"),
        ("/empty", "unparsed", "has no text at data.answer"),
    ],
)
async def test_a_trouble_is_a_failed_trace_with_its_kind(address: str, path: str, stop: str, words: str) -> None:
    trace = await answered(f"{address}{path}", answer="data.answer")
    assert (trace.answer, trace.stop) == (None, stop) and words in str(trace.error)


async def test_nobody_there_is_a_failed_trace_and_no_url_no_run() -> None:
    assert (await answered("http://127.0.0.1:9/json", timeout=5)).stop == "connection"
    with pytest.raises(BenchError, match="needs --set url="):
        await answered("ftp://nowhere")
    with pytest.raises(BenchError, match="environment variable NO_SUCH_API_KEY"):
        await answered("http://127.0.0.1:9/json", key_env="NO_SUCH_API_KEY")


async def test_no_variable_but_a_key_is_sent_out(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    for name in ("DATABASE_PASSWORD", "PATH", "sk-a-pasted-key"):
        with pytest.raises(BenchError, match="such as MY_API_KEY"):
            await answered(f"{address}/json", key_env=name)
