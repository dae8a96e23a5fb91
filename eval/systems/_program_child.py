"""Run a user's Python program in a separate process: load its file, answer questions that arrive as JSON lines on standard
input, and reply on a channel of its own, so that text which the program prints cannot disturb the replies.

    in   {"question", "id", "language", "domain", "query", "inputs", "given", "now", "bare", "history"},
         or the reply to a request
    out  {"ready": true}   {"retrieve": [query, k]}   {"ask": [text, context]}   {"answer": ...}   {"error": "..."}"""

import importlib.util
import inspect
import json
import os
import signal
import sys
import threading
import time
from typing import Any, TextIO


class QuestionText(str):
    """The text of a question as the user's program gets it, with the attributes id, language, domain, query, inputs, given,
    now, history (the turns of the conversation before, as dicts with question and answer) and bare (the question without
    them)."""

    def __new__(cls, record: dict[str, Any]) -> "QuestionText":
        return super().__new__(cls, record["question"])

    def __init__(self, record: dict[str, Any]) -> None:
        self.id, self.language, self.domain = record["id"], record["language"], record["domain"]
        self.query, self.inputs, self.given, self.now = (record[key] for key in ("query", "inputs", "given", "now"))
        self.history, self.bare = record["history"], record["bare"]


class Channel:
    """JSON lines to and from the parent process, which measures the time."""

    def __init__(self, source: TextIO, sink: TextIO) -> None:
        self.source, self.sink = source, sink

    def send(self, message: dict[str, Any]) -> None:
        self.sink.write(json.dumps(message) + "\n")
        self.sink.flush()

    def receive(self) -> dict[str, Any] | None:
        line = self.source.readline()
        return json.loads(line) if line else None

    def request(self, message: dict[str, Any]) -> Any:
        self.send(message)
        reply = self.receive()
        if reply is None:
            raise SystemExit(0)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply["value"]

    def retrieve(self, query: str, k: int = 5) -> list[dict[str, Any]]:
        """Return the k best passages for the query, each as {"document", "start", "end", "text", "score"}."""
        hits: list[dict[str, Any]] = self.request({"retrieve": [str(query), int(k)]})
        return hits

    def ask(self, text: str, context: str | None = None) -> str:
        """Return the reply of the run's agent. With a context, the prompt is the task's answer prompt filled with the text and
        the context; without a context, the prompt is the text alone."""
        return str(self.request({"ask": [str(text), context]}))


def end_with(parent: int) -> None:
    """Kill this process and its children if the parent process has ended, so that no hanging program survives."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(0, signal.SIGKILL)


def end_with_parent() -> None:
    """Start a thread that kills this process when its parent process has ended."""
    threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()


def open_channel() -> Channel:
    """Return the channel to the parent process. After this call, printed text goes to standard error, and standard input is
    empty."""
    channel = Channel(os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return channel


def main(path: str) -> None:
    end_with_parent()
    channel = open_channel()
    try:
        answer = load_program(path)
    except BaseException as error:  # noqa: BLE001 - reported to the parent process
        channel.send({"error": describe_error(error)})
        return
    channel.send({"ready": True})
    while (record := channel.receive()) is not None:
        try:
            value = answer(QuestionText(record), channel.retrieve, channel.ask)
            if inspect.isawaitable(value):
                import asyncio  # this import takes a third of the start-up time of the process

                value = asyncio.run(finish_value(value))
            channel.send({"answer": value})
        except Exception as error:  # noqa: BLE001 - reported to the parent process
            channel.send({"error": describe_error(error)})


def load_program(path: str) -> Any:
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("program_under_test", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "answer", None)):
        raise AttributeError("it has no function answer(question, retrieve, ask)")
    return module.answer


async def finish_value(value: Any) -> Any:
    return await value


def describe_error(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


if __name__ == "__main__":
    main(sys.argv[1])
