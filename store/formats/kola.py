"""The form of KoLA's files, in which R-Eval keeps its items: JSON lines of {"input", "outputs": [every gold answer],
"language", "environment", "dataset", "_id"}; and KoLA's own files, which have HELM's form: {"adapter_spec", "request_states":
[{"instance": {"input": {"text"}, "references": [{"output": {"text"}, "tags": ["correct"]}], "split", "id"}}]}. There, ids
repeat, so that a question has the id of its words; golds with semicolons between them are one set where the instructions say
so; where a list "answer" stands beside an output, it has the golds, and the output marks around them; worked examples before
the question are no part of it. Level and domain are those of the R-Eval task that the data set, or the file, is named for. Read
only."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.errors import BenchError
from core.ids import derived_id
from core.json_lines import JsonLine, strict_json
from core.shapes import check_shape
from store.format import Bundle, Format, join_bundles
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._outside import OutsideQuestion, parse_outside, read_question
from store.formats._r_eval import TASKS, parse_golds, task_key
from store.formats._rows import read_text
from store.formats._streamed import QuestionPosition

STATES = "request_states"
_STEM = re.compile(r"[1-4]-\d_(?:r_)?(?:\d_)?(?:COPEN\+\+)?(.+?)(?:_sample)?")
"""A file of KoLA's: level and number, the data set's name, perhaps the word sample."""


class TextShape(TypedDict):
    text: str


class ReferenceShape(TypedDict):
    output: TextShape
    answer: NotRequired[list[str] | None]
    """The answers as they are, where the output is a reply to imitate: in quotation marks, with a word that ends it."""
    tags: NotRequired[list[str] | None]


class InstanceShape(TypedDict):
    input: TextShape
    references: list[ReferenceShape]
    split: NotRequired[str | None]
    id: NotRequired[str | int | None]


class StateShape(TypedDict):
    instance: InstanceShape


class KolaRowShape(TypedDict, total=False):
    dataset: str | None
    environment: str | None
    language: str | None


def pieces(path: Path) -> Iterator[Bundle]:
    """One file, or the files of a folder."""
    return _streamed.stream_bundles(path, '"input" and "outputs" of each question', _question, _rows)


def _rows(path: Path) -> Iterator[JsonLine] | None:
    """The request states of a file of HELM's form; None for one of lines or an array."""
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:adapter_spec|request_states)"', start):
        return None
    try:
        whole = strict_json(read_text(path))
    except ValueError as error:
        raise BenchError(f"{path} {error}: give the whole file.") from error
    states = whole.get(STATES) if isinstance(whole, dict) else None
    if not isinstance(states, list):
        raise BenchError(f"{path} has no array {STATES!r}: give a file of KoLA's.")
    spec = whole.get("adapter_spec")
    has_sets = isinstance(spec, dict) and "semicolon" in str(spec.get("instructions"))
    return (JsonLine(number, {"state": state, "has_sets": has_sets}) for number, state in enumerate(states, 1))


def _question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    if "state" in row:
        return _of_state(row["state"], bool(row["has_sets"]), place)
    check_shape(row, KolaRowShape)
    outputs = row.get("outputs")
    if not isinstance(outputs, list) or not outputs:
        raise ValueError("has no list of outputs")
    read = [parse_golds(one) for one in outputs]
    answers, labels = read_golds([answer for found, _ in read for answer in found])
    stem = place.file.rsplit(".", 1)[0]
    key = task_key(row.get("dataset") or "") or task_key(stem)
    labels |= {"dataset": key or row.get("dataset") or stem}
    labels |= {"answer_set": read[0][1]} if read[0][1] else {}
    task = TASKS.get(key)
    return parse_outside(
        {
            "id": row.get("_id"),
            "question": read_question(row, "input"),
            "answers": list(answers),
            "labels": labels,
            "level": task.level if task else None,
            "domain": task.domain if task else row.get("environment"),
            "language": row.get("language"),
        },
        place.origin,
    )


def _of_state(state: Mapping[str, Any], has_sets: bool, place: QuestionPosition) -> OutsideQuestion:
    check_shape(state, StateShape)
    instance = state["instance"]
    is_tagged = any(one.get("tags") is not None for one in instance["references"])
    right = [one for one in instance["references"] if not is_tagged or "correct" in (one.get("tags") or ())]
    read = [parse_golds(one.get("answer") or _output(one["output"]["text"], has_sets)) for one in right]
    answers, labels = read_golds([answer for given, _ in read for answer in given])
    asked = _without_examples(instance["input"]["text"].strip())
    stem = place.file.rsplit(".", 1)[0]
    named = _STEM.fullmatch(stem)
    key = task_key(named[1] if named else stem)
    about = {name: instance[name] for name in ("id", "split") if instance.get(name) is not None}
    labels |= {"dataset": key or (named[1] if named else stem), "kola": about}
    labels |= {"answer_set": read[0][1]} if read and read[0][1] else {}
    task = TASKS.get(key)
    return parse_outside(
        {
            "id": derived_id("kola", labels["dataset"], asked, *answers),
            "question": asked,
            "answers": list(answers),
            "labels": labels,
            "level": task.level if task else None,
            "domain": task.domain if task else "wiki",
            "language": "en",
        },
        place.origin,
    )


def _without_examples(text: str) -> str:
    """The last question of "Q: ...\nA: ...\nQ: ...\nA:", else the text."""
    if not (f"\n{text}".rfind("\nQ: ") >= 0 and text.endswith("\nA:")):
        return text
    body = f"\n{text.removesuffix('A:').rstrip()}"
    return body[body.rfind("\nQ: ") + len("\nQ: ") :].strip()


def _output(text: str, has_sets: bool) -> str | list[str]:
    """The gold in a text; a list where it stands for several."""
    return [part for one in text.split(";") if (part := one.strip())] if has_sets and ";" in text else text


FORMAT = Format(label="KoLA form", read=lambda path: join_bundles(pieces(path)), pieces=pieces)
