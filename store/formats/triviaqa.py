"""Read and write TriviaQA: {"Data": [{"Question", "QuestionId", "QuestionSource", "Answer": {"Value", "Aliases"}}], "Domain",
"Version"}. "Value" is the first gold answer, and "Aliases" are the further gold answers. Pages and search results are only
names of files, so no documents are imported. A question without an answer, as in test files, is rejected. A release is written
to triviaqa.json."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.nouns import Item
from core.text.text import normalise_answer
from store.format import Bundle, Format
from store.formats._as_read import read_kept
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import WITHHELD, find_file
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._rows import read_rows, read_text
from store.formats._withheld import select_withheld, sort_items

FILE = "triviaqa.json"
KEPT_KEYS = ("QuestionSource",)
"""Keys of a TriviaQA question whose values are stored in labels.triviaqa."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write triviaqa.json with questions and answers; this format has no evidence and no documents."""
    hidden = select_withheld(bundle, withheld)
    data = [_build_row(item, item.id in hidden, bundle) for item in sort_items(bundle)]
    write_text(folder / FILE, json.dumps({"Data": data, "Domain": "unfiltered", "Version": 1.0}, ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read one TriviaQA file, or a folder exported in this format."""
    file = find_file(path, FILE, "one TriviaQA file")
    collector = QuestionCollector(file.name, "Question")
    rows = (row.as_line() for row in read_rows(read_text(file)) if row.part in ("Data", ""))
    collector.collect(rows, _parse_question)
    return collector.bundle(path, 'an object with the array "Data"')


def _parse_question(row: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Parse a row as a question. Raises ValueError if the row is faulty; the caller adds the position in the file to the
    message."""
    answer = row.get("Answer")
    if answer is not None and not isinstance(answer, Mapping):
        raise ValueError("has an Answer that is not a JSON object")
    answer = answer or {}
    aliases = answer.get("Aliases") or []
    if not isinstance(aliases, list):
        raise ValueError("has Aliases that are not a list")
    golds = [*([answer["Value"]] if answer.get("Value") is not None else []), *aliases]
    if is_withheld(row, golds):
        raise ValueError(WITHHELD)
    answers, labels = read_golds(golds)
    kept = {key: row[key] for key in KEPT_KEYS if isinstance(row.get(key), str)}
    question = {"question": row.get("Question"), "answers": list(answers), "id": row.get("QuestionId"), "labels": labels}
    outside = parse_outside(question, origin)
    labels = {**outside.item.labels, **({"triviaqa": kept} if kept else {})}
    return outside._replace(item=replace(outside.item, labels=labels))


def _build_row(item: Item, is_hidden: bool, bundle: Bundle) -> dict[str, Any]:
    kept = read_kept(item, "triviaqa")
    row = {"Question": item.question, "QuestionId": item.id, **{key: kept[key] for key in KEPT_KEYS if key in kept}}
    if is_hidden:
        return row | {"Answer": {"Value": None, "Aliases": []}, "answer_hashes": hash_answers(item, bundle)}
    first = item.answers[0] if item.answers else ""
    return row | {
        "Answer": {
            "Value": first,
            "NormalizedValue": normalise_answer(first),
            "Aliases": list(item.answers),
            "NormalizedAliases": list(dict.fromkeys(map(normalise_answer, item.answers))),
        }
    }


FORMAT = Format(label="TriviaQA", write=write, read=read)
