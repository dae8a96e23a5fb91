"""Read the files of KoLA, in whose format R-Eval also publishes its items. The files are JSON lines of {"input", "outputs":
[every gold answer], "language", "environment", "dataset", "_id"}, or KoLA's own files in HELM's format, {"adapter_spec",
"request_states": [{"instance": {"input": {"text"}, "references": [{"output": {"text"}, "tags": ["correct"]}], "split",
"id"}}]}. Ids in HELM's format are not unique, so each question gets an id derived from its text. A gold answer with semicolons
counts as one set of parts if the instructions in the file say so. If an output has a list under the key "answer", the gold
answers come from this list. Examples before the question, which show a model how to answer, are removed. The level and domain
are those of the R-Eval task whose name is in the name of the data set or file. The program does not export in this format."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.errors import BenchError
from core.ids import derived_id
from core.json_lines import JsonLine, strict_json
from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._lines import read_start
from store.formats._outside import OutsideQuestion, parse_outside, read_question
from store.formats._r_eval import TASKS, parse_golds, task_key
from store.formats._rows import read_text
from store.formats._streamed import QuestionPosition

STATES = "request_states"
_STEM = re.compile(r"[1-4]-\d_(?:r_)?(?:\d_)?(?:COPEN\+\+)?(.+?)(?:_sample)?")
"""Pattern of the name of a KoLA file: level and number, the data set's name, and optionally the word sample."""


class TextShape(TypedDict):
    text: str


class ReferenceShape(TypedDict):
    output: TextShape
    answer: NotRequired[list[str] | None]
    """The gold answers without the quotation marks and the last word that `output` shows as a pattern to imitate."""
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
    """Yield bundles of questions from one KoLA file, or from all files of a folder."""
    return _streamed.stream_bundles(path, '"input" and "outputs" of each question', _parse_question, _read_states)


def _read_states(path: Path) -> Iterator[JsonLine] | None:
    """Return the request states of a file in HELM's format; None if the file contains JSON lines or a JSON array."""
    if not re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:adapter_spec|request_states)"', read_start(path)):
        return None
    try:
        whole = strict_json(read_text(path))
    except ValueError as error:
        raise BenchError(f"{path} {error}: give the whole file.") from error
    states = whole.get(STATES) if isinstance(whole, dict) else None
    if not isinstance(states, list):
        raise BenchError(f"{path} has no array {STATES!r}: give a KoLA file.")
    spec = whole.get("adapter_spec")
    has_sets = isinstance(spec, dict) and "semicolon" in str(spec.get("instructions"))
    return (JsonLine(number, {"state": state, "has_sets": has_sets}) for number, state in enumerate(states, 1))


def _parse_question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    """Parse a row as a question. Raises ValueError if the row is faulty; the caller adds the position in the file to the
    message."""
    if "state" in row:
        return _parse_state(row["state"], bool(row["has_sets"]), place)
    check_shape(row, KolaRowShape)
    outputs = row.get("outputs")
    if not isinstance(outputs, list) or not outputs:
        raise ValueError("has no list of outputs")
    answers, labels = _read_golds(outputs)
    stem = place.file.rsplit(".", 1)[0]
    key = task_key(row.get("dataset") or "") or task_key(stem)
    labels |= {"dataset": key or row.get("dataset") or stem}
    question = {"id": row.get("_id"), "question": read_question(row, "input"), "answers": answers, "labels": labels}
    return parse_outside(question | _build_place(key, row.get("environment"), row.get("language")), place.origin)


def _parse_state(state: Mapping[str, Any], has_sets: bool, place: QuestionPosition) -> OutsideQuestion:
    check_shape(state, StateShape)
    instance = state["instance"]
    is_tagged = any(reference.get("tags") is not None for reference in instance["references"])
    right = [answer for answer in instance["references"] if not is_tagged or "correct" in (answer.get("tags") or ())]
    answers, labels = _read_golds(
        [answer.get("answer") or _split_output(answer["output"]["text"], has_sets) for answer in right]
    )
    text = _drop_examples(instance["input"]["text"].strip())
    stem = place.file.rsplit(".", 1)[0]
    match = _STEM.fullmatch(stem)
    name = match[1] if match else stem
    key = task_key(name)
    kept = {field: instance[field] for field in ("id", "split") if instance.get(field) is not None}
    labels |= {"dataset": key or name, "kola": kept}
    id_ = derived_id("kola", labels["dataset"], text, *answers)
    question = {"id": id_, "question": text, "answers": answers, "labels": labels}
    return parse_outside(question | _build_place(key, "wiki", "en"), place.origin)


def _read_golds(values: Sequence[Any]) -> tuple[list[str], dict[str, Any]]:
    """Return (gold answers, labels). If the first gold answer is a list, the labels contain its parts."""
    golds = [parse_golds(value) for value in values]
    answers, labels = read_golds([answer for answers, _ in golds for answer in answers])
    return list(answers), labels | ({"answer_set": golds[0][1]} if golds and golds[0][1] else {})


def _build_place(key: str, domain: str | None, language: str | None) -> dict[str, Any]:
    """Return the level, domain and language of a question. The values come from the R-Eval task `key`, if there is such a
    task."""
    task = TASKS.get(key)
    return {"level": task and task.level, "domain": task.domain if task else domain, "language": language}


def _drop_examples(text: str) -> str:
    """Return the last question of a text with several questions after "Q:" and answers after "A:"; return the whole text if it
    has another form."""
    if not (f"\n{text}".rfind("\nQ: ") >= 0 and text.endswith("\nA:")):
        return text
    body = f"\n{text.removesuffix('A:').rstrip()}"
    return body[body.rfind("\nQ: ") + len("\nQ: ") :].strip()


def _split_output(text: str, has_sets: bool) -> str | list[str]:
    """Return the gold answer in an output's text: a list of parts if the answer is a set separated by semicolons, otherwise the
    text."""
    return [part.strip() for part in text.split(";") if part.strip()] if has_sets and ";" in text else text


FORMAT = Format(label="KoLA form", pieces=pieces)
