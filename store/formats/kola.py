"""The form of KoLA's files, in which R-Eval keeps its items: JSON lines of {"input", "outputs": [every gold answer],
"language", "environment", "dataset", "_id"}. Level and domain are those of the R-Eval task that the data set, or the file, is
named for. Read only."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from store.format import Bundle, Format, joined
from store.formats import _streamed
from store.formats._golds import golds
from store.formats._outside import Outside, outside, read_question
from store.formats._r_eval import TASKS, as_golds, task_key
from store.formats._streamed import Place


def pieces(path: Path) -> Iterator[Bundle]:
    """One file, or the files of a folder."""
    return _streamed.pieces(path, '"input" and "outputs" of each question', _question)


def _question(row: Mapping[str, Any], place: Place) -> Outside:
    outputs = row.get("outputs")
    if not isinstance(outputs, list) or not outputs:
        raise ValueError("has no list of outputs")
    read = [as_golds(one) for one in outputs]
    answers, labels = golds([answer for found, _ in read for answer in found])
    named = row.get("dataset") if isinstance(row.get("dataset"), str) else ""
    stem = place.file.rsplit(".", 1)[0]
    key = task_key(str(named)) or task_key(stem)
    labels |= {"dataset": key or named or stem}
    labels |= {"answer_set": read[0][1]} if read[0][1] else {}
    task = TASKS.get(key)
    environment = row.get("environment") if isinstance(row.get("environment"), str) else None
    return outside({
        "id": row.get("_id"), "question": read_question(row, "input"), "answers": list(answers), "labels": labels,
        "level": task.level if task else None, "domain": task.domain if task else environment, "language": row.get("language"),
    }, place.origin)  # fmt: skip


FORMAT = Format(label="KoLA form", read=lambda path: joined(pieces(path)), pieces=pieces)
