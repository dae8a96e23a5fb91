"""An OpenAI-compatible endpoint on 127.0.0.1 that never thinks: valid replies composed from the request (openai_replies.py),
faults by script, a count of requests. A process of its own:

    python tests/openai_server.py --port 0 [--script FILE] [--seed N] [--latency S] [--key K]      (prints its port)

POST /v1/chat/completions (whole, streamed, tools, stops, logprobs), POST /v1/completions (whole), POST /v1/embeddings,
POST /rerank and /v1/rerank (model_replies.py says what a rule may say of both), GET /v1/models, POST and GET /v1/files and
/v1/batches (batches.py says what a rule may say of them; "lines" counts the lines of their files, which are no requests in the
count); for tests GET /count, GET /last (body of the last request), POST /reset, POST /script (a JSON list of rules, in place of
the old ones).

A rule {"as": NAME} makes it act as that endpoint of tests/real_endpoints.py: it refuses and answers as that one does.

A script is a JSON list of rules, or one rule a line. A rule says when and what; the first that applies is taken:
  when  "requests": [1, 4] (numbers from 1 since the last reset), "from"/"to": numbers, "share": 0.2 (of the requests, by seed),
        "contains": text in the request, "times": at most so often
  with  "headers": {name: value} beside a whole answer; "unsure": {word: probability} of words of the reply, all others being
        sure of; "no_logprobs": true, as an endpoint that knows none; "finish": the finish reason; "keep_stop": true, as an
        endpoint that leaves the stop in the text; "text": the reply, beside a fault of the transport
  what  "fault": one of
        status (with "status": 429, and "retry_after": seconds, "message", "code", "param"), hang, cut (the body breaks off),
        drop (the connection closes without an answer), malformed (a reply of broken JSON), prose, empty, answerless (a reply
        without an answer), length, filter, slow (with "seconds"), hold (until a script without this rule is posted), no_format
        (400 if the request has a response_format), no_tools (400 if the request has functions), call (with "name", "arguments":
        the function that is to be called, beside "text"), text (with "text": the reply), shape (with "at": the way to a part of
        the reply's JSON, [] for the whole, and "is": what stands there), halt (a stream that stops half-way until a script
        without this rule is posted), stall (a stream that hangs half-way), error (an answer of status 200, or a stream
        half-way, that holds the error "is"), undone (a stream without a finish reason, usage and [DONE])
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests import real_endpoints  # noqa: E402
from tests.batches import BatchFiles  # noqa: E402
from tests.model_replies import embed, rerank  # noqa: E402
from tests.openai_replies import as_text, completion, damaged, pieces, reshaped, told  # noqa: E402

WORDS = {400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error"}


class Running:
    """A server started by `running`, seen from the test."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.url = f"{self.root}/v1"

    def count(self) -> dict[str, Any]:
        """requests, by_status, keys (different bodies), repeats (requests - keys), asked_again (after a 200 to that body),
        at_once (those without an answer yet), most_at_once, refused (how often each row of real_endpoints.py applied)."""
        return dict(self._call("/count"))

    def last(self) -> dict[str, Any]:
        return dict(self._call("/last"))

    def reset(self) -> None:
        self._call("/reset", {})

    def script(self, rules: list[dict[str, Any]]) -> None:
        self._call("/script", rules)

    def _call(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.root + path, data), timeout=60) as reply:
            return json.load(reply)


@contextmanager
def running(
    script: list[dict[str, Any]] | None = None, seed: int = 1, latency: float = 0.0, key: str | None = None
) -> Iterator[Running]:
    """A server process that ends with the block, or with this process."""
    command = [sys.executable, str(Path(__file__).resolve()), "--port", "0", "--seed", str(seed), "--latency", str(latency)]
    command += ["--parent", str(os.getpid()), *(["--key", key] if key else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        server = Running(int(process.stdout.readline()))
        server.script(script or [])
        yield server
    finally:
        process.kill()
        process.communicate()


class Endpoint:
    """The server's state: rules and counts."""

    def __init__(self, rules: list[dict[str, Any]], seed: int, latency: float, key: str | None) -> None:
        self.seed, self.latency, self.key = seed, latency, key
        self.set_rules(rules)
        self.reset()

    def set_rules(self, rules: list[dict[str, Any]]) -> None:
        self.rules = rules
        self.uses: Counter[int] = Counter()
        self.acts_as = next((rule["as"] for rule in rules if "as" in rule), "")
        self.refused: Counter[str] = Counter()

    def reset(self) -> None:
        self.requests = self.asked_again = self.now = self.most = 0
        self.by_status: Counter[str] = Counter()
        self.keys: set[bytes] = set()
        self.answered: set[bytes] = set()
        self.last: dict[str, Any] = {}
        self.lines = 0
        self.batch_files = BatchFiles()
        self.uses.clear()

    def count(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "by_status": dict(self.by_status),
            "keys": len(self.keys),
            "repeats": self.requests - len(self.keys),
            "asked_again": self.asked_again,
            "at_once": self.now,
            "most_at_once": self.most,
            **({"lines": self.lines, "files": len(self.batch_files.sent)} if self.batch_files.sent else {}),
            "refused": dict(self.refused),
        }

    def rule(self, number: int, text: str) -> dict[str, Any]:
        """The first rule that applies to this request; {} for none."""
        for place, rule in enumerate(self.rules):
            chance = random.Random(f"{self.seed}:{place}:{number}").random()
            if (
                not {"as", "batch"} & rule.keys()
                and number in rule.get("requests", [number])
                and rule.get("from", 1) <= number <= rule.get("to", number)
                and chance < rule.get("share", 1.0)
                and rule.get("contains", "") in text
                and self.uses[place] < rule.get("times", number)
            ):
                self.uses[place] += 1
                return rule
        return {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1"):
                first, *lines = head.strip().split("\r\n")
                headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                if not await self.answer(first.split()[1], headers, body, writer):
                    break
        writer.close()

    async def answer(self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answers one request; False when the connection is to close."""
        path, _, query = path.partition("?")
        if path == "/count":
            return await send(writer, 200, self.count())
        if path == "/last":
            return await send(writer, 200, self.last)
        if path == "/reset":
            self.reset()
            return await send(writer, 200, {})
        if path == "/script":
            self.set_rules(json.loads(body))
            return await send(writer, 200, {})
        if path == "/v1/models":
            return await send(writer, 200, {"object": "list", "data": [{"id": "test-model", "object": "model"}]})
        if path.startswith(("/v1/files", "/v1/batches")):
            if self.key and headers.get("authorization") != f"Bearer {self.key}":
                return await send(writer, 401, {"error": {"message": "Incorrect API key provided"}})
            return await self.answer_batch(path, headers, body, writer)
        if path not in ("/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/rerank", "/v1/rerank"):
            return await send(writer, 404, {"error": {"message": f"No such path: {path}"}})
        self.requests += 1
        number = self.requests
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            return await self.model(path, query, headers, body, number, writer)
        finally:
            self.now -= 1

    async def answer_batch(self, path: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answers one request to the Batch API."""
        parts = path.removeprefix("/v1/").split("/")
        if parts == ["files"]:
            return await send(writer, 200, self.batch_files.upload(headers, body))
        if parts[0] == "files" and parts[2:] == ["content"] and parts[1] in self.batch_files.files:
            return await send_bytes(writer, self.batch_files.files[parts[1]])
        if parts == ["batches"]:
            return await send(writer, 200, self.batch_files.create(json.loads(body), self.answer_line, self.rules))
        if parts[0] == "batches" and parts[1] in self.batch_files.batches:
            return await send(writer, 200, self.batch_files.look(parts[1], self.answer_line, self.rules))
        return await send(writer, 404, {"error": {"message": f"No such path: {path}"}})

    def answer_line(self, asked: dict[str, Any]) -> tuple[int, Any, dict[str, Any]]:
        """(status, body, rule) of the answer to a line of a batch."""
        self.lines += 1
        row = real_endpoints.find_refusal(self.acts_as, asked, self.refused)
        if row is not None:
            self.refused[row.refuses] += 1
            return row.status, json.loads(real_endpoints.fill_body(row, asked)), {}
        rule = self.rule(self.lines, json.dumps(asked, ensure_ascii=False))
        fault = rule.get("fault", "")
        if fault == "status":
            error = {"message": rule.get("message", "by script"), "code": rule.get("code"), "type": "script"}
            return int(rule["status"]), {"error": error}, rule
        if fault == "error":
            return 200, {"error": rule["is"]}, rule
        reply = told(damaged(completion(asked, self.lines), fault, rule), asked, rule)
        reply = real_endpoints.reshape(self.acts_as, reply, asked)
        return 200, reshaped(reply, rule["at"], rule["is"]) if fault == "shape" else reply, rule

    async def model(
        self, path: str, query: str, headers: dict[str, str], body: bytes, number: int, writer: asyncio.StreamWriter
    ) -> bool:
        asked = json.loads(body)
        self.last = asked
        self.asked_again += body in self.answered
        self.keys.add(body)
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            self.by_status["401"] += 1
            shown = headers.get("authorization", "nothing")
            return await send(writer, 401, {"error": {"message": f"Incorrect API key provided: {shown}"}})
        row = real_endpoints.find_refusal(self.acts_as, {**asked, "?": query}, self.refused)
        if row is not None:
            self.refused[row.refuses] += 1
            self.by_status["refused"] += 1
            return await send(writer, row.status, json.loads(real_endpoints.fill_body(row, asked)))
        rule = self.rule(number, json.dumps(asked, ensure_ascii=False))
        fault = rule.get("fault", "")
        await asyncio.sleep(self.latency + (rule.get("seconds", 0) if fault == "slow" else 0))
        while fault == "hold" and rule in self.rules:
            await asyncio.sleep(0.02)
        if fault == "hang":
            self.by_status["hang"] += 1
            await asyncio.sleep(3600)
        if fault == "drop":
            self.by_status["drop"] += 1
            return False
        if fault == "no_format" and "response_format" in asked:
            self.by_status["400"] += 1
            return await send(writer, 400, {"error": {"message": rule.get("message", "response_format is not supported")}})
        if fault == "no_tools" and "tools" in asked:
            self.by_status["400"] += 1
            return await send(writer, 400, {"error": {"message": "tools is not supported"}})
        if fault == "status":
            status = int(rule["status"])
            self.by_status[str(status)] += 1
            extra = {"Retry-After": str(rule["retry_after"])} if "retry_after" in rule else {}
            error = {"message": rule.get("message", "by script"), "code": rule.get("code"), "type": "script"}
            return await send(writer, status, {"error": error | {"param": rule.get("param")}}, extra)
        if path == "/v1/embeddings" or path.endswith("/rerank"):
            status, reply = (embed if path == "/v1/embeddings" else rerank)(asked, rule)
            self.by_status[str(status)] += 1
            if status == 200:
                self.answered.add(body)
            return await send(writer, status, reply, rule.get("headers"))
        is_text = path == "/v1/completions"
        chat = {**asked, "messages": [{"role": "user", "content": asked["prompt"]}]} if is_text else asked
        reply = told(damaged(completion(chat, number), fault, rule), chat, rule)
        reply = as_text(reply) if is_text else real_endpoints.reshape(self.acts_as, reply, asked)
        if fault == "shape":
            reply = reshaped(reply, rule["at"], rule["is"])
        self.by_status["cut" if fault == "cut" else "200"] += 1
        if fault != "cut":
            self.answered.add(body)
        if asked.get("stream"):
            return await stream(writer, reply, asked, rule, lambda: fault == "halt" and rule in self.rules)
        if fault == "error":
            return await send(writer, 200, {"error": rule["is"]})
        return await send(writer, 200, reply, rule.get("headers"), cut=fault == "cut")


async def send(
    writer: asyncio.StreamWriter, status: int, body: object, extra: dict[str, str] | None = None, cut: bool = False
) -> bool:
    data = json.dumps(body, ensure_ascii=False).encode()
    if cut:  # no length and a closed connection: the client sees a whole answer whose JSON is not
        data, extra = data[: len(data) // 2], {"Connection": "close"}
    else:
        extra = {**(extra or {}), "Content-Length": str(len(data))}
    lines = [f"HTTP/1.1 {status} {WORDS.get(status, 'Status')}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in extra.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    await writer.drain()
    return not cut


async def send_bytes(writer: asyncio.StreamWriter, data: bytes) -> bool:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()
    return True


DEEP = "nested"
"""A word of a stream that is sent as lists within each other, deeper than JSON is written or read here."""


async def stream(
    writer: asyncio.StreamWriter,
    reply: dict[str, Any],
    asked: dict[str, Any],
    rule: dict[str, Any],
    is_halted: Callable[[], bool],
) -> bool:
    """Server-sent events, one a word; cut leaves out the second half and the end, stall hangs there, halt waits there."""
    fault = rule.get("fault", "")
    is_half = fault in ("cut", "stall", "error")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    with_usage = bool((asked.get("stream_options") or {}).get("include_usage")) and fault != "undone"
    if fault == "undone":
        reply["choices"][0]["finish_reason"] = None
    events = list(pieces(reply, with_usage))
    for place, event in enumerate(events[: len(events) // 2] if is_half else events):
        while place == len(events) // 2 and is_halted():
            await asyncio.sleep(0.02)
        words = json.dumps(event, ensure_ascii=False).replace(json.dumps(DEEP), "[" * 3000 + "]" * 3000)
        writer.write(b"data: " + words.encode() + b"\n\n")
        await writer.drain()
    if fault == "error":
        writer.write(b"data: " + json.dumps({"error": rule["is"]}).encode() + b"\n\n")
        await writer.drain()
    if fault == "stall":
        await asyncio.sleep(3600)
    if not is_half and fault != "undone":
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()
    return False


def read_script(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8").strip()
    return list(json.loads(text)) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line]


async def main(arguments: argparse.Namespace) -> None:
    endpoint = Endpoint(
        read_script(arguments.script) if arguments.script else [], arguments.seed, arguments.latency, arguments.key
    )
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", arguments.port, backlog=512, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    while arguments.parent is None or os.getppid() == arguments.parent:
        await asyncio.sleep(0.5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="An OpenAI-compatible endpoint for tests.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every answer")
    parser.add_argument("--key", help="the only key that is let in; any, when left out")
    parser.add_argument("--parent", type=int, help="end when this process is no longer the parent")
    asyncio.run(main(parser.parse_args()))
