"""TriviaQA: {"Data": [{"Question", "QuestionId", "QuestionSource", "Answer": {"Value", "Aliases"}}], "Domain", "Version"}. The
value is the first gold answer and the aliases are further ones; its pages and search results are named by file alone, so that
no document comes in. A question without an answer (those of the test files) is kept out. A release goes out into
triviaqa.json."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.nouns import Item
from core.text.text import normalise_answer
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._rows import read_rows, read_text
from store.formats._withheld import map_splits

FILE = "triviaqa.json"
KEPT_KEYS = ("QuestionSource",)
"""What is kept beside question and answers, in labels.triviaqa."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Evidence and documents have no place in this layout."""
    splits = map_splits(bundle)
    data = [_row(item, splits.get(item.id, "test") in withheld, bundle) for item in sorted(bundle.items, key=lambda i: i.id)]
    write_text(folder / FILE, json.dumps({"Data": data, "Domain": "unfiltered", "Version": 1.0}, ensure_ascii=False) + "\n")
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """One file, or an exported folder."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one TriviaQA file.")
    found = QuestionCollector(file.name, "Question")
    for row in read_rows(read_text(file)):
        if row.part not in ("Data", ""):
            continue  # what stands beside the questions
        try:
            if row.why or not isinstance(row.value, Mapping):
                raise ValueError(row.why or "is no JSON object")
            found.add(row.number, _question(row.value, f"{file.name}:{row.number}"))
        except ValueError as error:
            found.refuse(row.number, str(error))
    return found.bundle(path, 'an object with the array "Data"')


def _question(row: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    answer = row.get("Answer")
    if answer is not None and not isinstance(answer, Mapping):
        raise ValueError("has an Answer that is no JSON object")
    answer = answer or {}
    aliases = answer.get("Aliases") or []
    if not isinstance(aliases, list):
        raise ValueError("has Aliases that are no list")
    given = [*([answer["Value"]] if answer.get("Value") is not None else []), *aliases]
    if is_withheld(row, given):
        raise ValueError("is withheld: its answers are not in this layout")
    answers, labels = read_golds(given)
    about = {key: row[key] for key in KEPT_KEYS if isinstance(row.get(key), str)}
    read = {"question": row.get("Question"), "answers": list(answers), "id": row.get("QuestionId"), "labels": labels}
    found = parse_outside(read, origin)
    return found._replace(item=replace(found.item, labels={**found.item.labels, **({"triviaqa": about} if about else {})}))


def _row(item: Item, is_closed: bool, bundle: Bundle) -> dict[str, Any]:
    about = item.labels.get("triviaqa")
    kept = {key: about[key] for key in KEPT_KEYS if key in about} if isinstance(about, Mapping) else {}
    row = {"Question": item.question, "QuestionId": item.id, **kept}
    if is_closed:
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
