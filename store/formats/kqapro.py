"""Read KQA Pro: an array of {"question", "answer", "choices", "program": [{"function", "dependencies", "inputs"}], "sparql"}.
KQA Pro has no documents. The program and the SPARQL query that lead to the answer become the item's steps, and the choices
become its labels. A question without an answer, as in the test file, is rejected. The program does not export in this
format."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._multi_hop import build_question
from store.formats._outside import OutsideQuestion
from store.formats._streamed import QuestionPosition


class KqaproStepShape(TypedDict, total=False):
    function: str | None
    inputs: list[str | int | float | None] | None
    dependencies: list[int] | None


class KqaproRowShape(TypedDict, total=False):
    choices: list[str] | None
    program: list[KqaproStepShape] | None
    sparql: str | None


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from one KQA Pro file, or from all files of a folder."""
    return _streamed.stream_bundles(path, '"question" and "answer" of each question', _parse_question)


def _parse_question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    if row.get("answer") is None:
        raise ValueError("has no gold answer, as in a test file")
    answers, labels = read_golds([row["answer"]])
    check_shape(row, KqaproRowShape)
    program = row.get("program") or []
    fields = ("function", "inputs", "dependencies")
    steps = [{"kind": "program"} | {field: step.get(field) for field in fields} for step in program]
    if row.get("sparql") is not None:
        steps.append({"kind": "sparql", "text": row["sparql"]})
    labels |= {"dataset": "kqapro"} | ({"choices": row["choices"]} if row.get("choices") is not None else {})
    labels |= {"calls": len(program)} if program else {}
    record = {"id": row.get("id"), "question": row.get("question"), "answers": list(answers), "labels": labels}
    return build_question(record, (), (), steps, place.origin)


FORMAT = Format(label="KQA Pro", pieces=pieces)
