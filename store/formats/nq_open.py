"""NQ-open: questions without documents as JSON lines, {"question", "answer": [every gold answer], "id"?}. Without an id the
same question and answers always get the same one. A release goes out into nq_open.jsonl, a question a line, with its id."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_lines
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import read_lines
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._withheld import map_splits

FILE = "nq_open.jsonl"


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Evidence and documents have no place in this layout."""
    splits = map_splits(bundle)
    write_lines(
        folder / FILE,
        (
            {"id": item.id, "question": item.question}
            | (
                {"answer": [], "answer_hashes": hash_answers(item, bundle)}
                if splits.get(item.id, "test") in withheld
                else {"answer": list(item.answers)}
            )
            for item in sorted(bundle.items, key=lambda i: i.id)
        ),
    )
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """One file, or an exported folder."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one file of JSON lines.")
    found = QuestionCollector(file.name)
    for number, record, why in read_lines(file):
        try:
            if record is None:
                raise ValueError(why)
            found.add(number, _question(record, f"{file.name}:{number}"))
        except ValueError as error:
            found.refuse(number, str(error))
    return found.bundle(path, 'a JSON object a line with "question" and "answer"')


def _question(record: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    given = record.get("answer", record.get("answers", []))
    given = [given] if isinstance(given, str) else given
    if is_withheld(record, given):
        raise ValueError("is withheld: its answers are not in this layout")
    answers, labels = read_golds(given)
    read = {"question": record.get("question"), "answers": list(answers), "labels": labels, "id": record.get("id")}
    return parse_outside(read, origin)


FORMAT = Format(label="NQ-open", write=write, read=read)
