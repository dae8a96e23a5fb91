"""Write a CSV file for spreadsheets: items.csv, with one row per item and the texts of its evidence. If a spreadsheet would run
a text as a formula, the text gets an apostrophe in front, also in headers. Lists and objects are written as JSON in one cell. A
CSV export cannot be imported again; exports as Parquet and JSON lines contain the whole release."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.ids import canonical_json
from core.label_questions import LABEL_ANSWERS, read_label_answers
from core.spreadsheet import safe_cell
from store.format import Bundle, Format
from store.formats._folder import item_records, write_common_files

FILE = "items.csv"
COLUMNS = (
    "id",
    "revision",
    "split",
    "task",
    "level",
    "domain",
    "language",
    "question",
    "answer",
    "other answers",
    "evidence",
    "evidence places",
    "documents",
    "overlap",
    "origin",
    "agent",
    "withheld",
    "answer hashes",
)
"""First columns of items.csv. The next columns are one for each further input of an item ("input: hallucinated"), each label
("label: referent") and each label question ("label question: difficulty")."""


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write items.csv with rows sorted by id, in UTF-8 with a byte order mark so that spreadsheet programs detect the
    encoding."""
    records = list(item_records(bundle, withheld))
    inputs, labels = (
        sorted({name for record in records for name in record[part]} - {LABEL_ANSWERS}) for part in ("inputs", "labels")
    )
    questions = sorted({name for record in records for name in read_label_answers(record["labels"])})
    with (folder / FILE).open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        named = (("input", inputs), ("label", labels), ("label question", questions))
        table.writerow([*COLUMNS, *(safe_cell(f"{kind}: {name}") for kind, names in named for name in names)])
        table.writerows(_build_rows(records, inputs, labels, questions))
    write_common_files(bundle, folder, withheld)


def _build_rows(
    records: Iterable[Mapping[str, Any]], inputs: Sequence[str], labels: Sequence[str], questions: Sequence[str]
) -> Iterator[list[Any]]:
    for record in records:
        answers, evidence = record["answers"], record["evidence"]
        places = [{name: piece[name] for name in ("document", "start", "end")} for piece in evidence]
        cells = [
            *(record[name] for name in COLUMNS[:8]),
            answers[0] if answers else None,
            answers[1:] or None,
            "\n".join(piece["text"] for piece in evidence) or None,
            places or None,
            record["given"] or None,
            record["overlap"],
            record["provenance"]["origin"],
            record["provenance"]["agent"],
            "yes" if record.get("withheld") else None,
            record.get("answer_hashes"),
            *(record["inputs"].get(name) for name in inputs),
            *(record["labels"].get(name) for name in labels),
            *(read_label_answers(record["labels"]).get(name) for name in questions),
        ]
        yield [safe_cell(canonical_json(cell) if isinstance(cell, list | dict | bool) else cell) for cell in cells]


FORMAT = Format(label="CSV for a spreadsheet", write=write)
