"""Ask a Python function the questions of a release, and write its answers to a predictions file for the system `recorded`."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from core.errors import first_line


class AskedQuestion(str):
    """The text of a question, as a string with the attributes id, task, level, domain, language, inputs and given."""

    id: str
    task: str
    level: int | str | None
    domain: str
    language: str
    inputs: Mapping[str, str]
    """Dict from the name of a further input of the question, such as a text to be continued, to the input's text."""
    given: tuple[str, ...]
    """Ids of the documents from which the question was drafted."""

    def __new__(cls, record: Mapping[str, Any]) -> "AskedQuestion":
        asked = super().__new__(cls, record["question"])
        asked.id, asked.task, asked.level = record["id"], record["task"], record["level"]
        asked.domain, asked.language = record["domain"], record["language"]
        asked.inputs, asked.given = dict(record["inputs"]), tuple(record["given"])
        return asked


def ask_callable(answer: Callable[[Any], Any], questions: Iterable[Mapping[str, Any]], folder: Path) -> Path:
    """Ask the function each question; return the path of the predictions file with its answers. The function returns an answer
    as text, or a mapping with `answer` and, if it has them, `contexts` (texts, best first), `tokens` and `calls`. If the
    function raises an exception or returns None, the question counts as failed."""
    path = folder / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for record in questions:
            file.write(json.dumps(ask_once(answer, AskedQuestion(record))) + "\n")
    return path


def ask_once(answer: Callable[[Any], Any], question: AskedQuestion) -> dict[str, Any]:
    """Ask the function one question; return its answer as a JSON record for a predictions file."""
    began = time.perf_counter()
    try:
        value = answer(question)
    except Exception as error:  # noqa: BLE001  whatever a system raises is a failed answer
        return {"id": question.id, "prediction": None, "error": f"{type(error).__name__}: {first_line(error)}"}
    line: dict[str, Any] = {"id": question.id, "seconds": time.perf_counter() - began}
    if isinstance(value, Mapping):
        line |= {name: value[name] for name in ("contexts", "tokens", "calls") if value.get(name) is not None}
        value = value.get("answer")
    if isinstance(value, str):
        return line | {"prediction": value}
    kind = "no answer" if value is None else f"an answer of type {type(value).__name__} instead of text"
    return {"id": question.id, "prediction": None, "error": f"The function returned {kind}."}
