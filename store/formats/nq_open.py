"""Read and write NQ-open: questions without documents as JSON lines, {"question", "answer": [every gold answer], "id"?}. A
question without an id gets an id derived from its text and answers. A release is written to nq_open.jsonl, one question per
line, with its id."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.nouns import Item
from store.format import Bundle, Format
from store.formats._folder import write_common_files, write_lines
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import WITHHELD, find_file, read_lines
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._record_files import Column, RecordFile
from store.formats._withheld import select_withheld, sort_items

FILE = "nq_open.jsonl"
RECORD_FILES = (
    RecordFile(
        name="questions",
        about="A question with its gold answers.",
        patterns=(FILE,),
        columns={
            "id": Column("Id of the item."),
            "question": Column("The question."),
            "answer": Column("All gold answers; empty for an item of a withheld split.", "texts"),
            "answer_hashes": Column("Salted hash of each withheld answer.", "texts"),
        },
    ),
)


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write nq_open.jsonl with questions and answers; this format has no evidence and no documents."""
    hidden = select_withheld(bundle, withheld)

    def row(item: Item) -> dict[str, Any]:
        answers = {"answer": list(item.answers)}
        if item.id in hidden:
            answers = {"answer": [], "answer_hashes": hash_answers(item, bundle)}
        return {"id": item.id, "question": item.question} | answers

    write_lines(folder / FILE, map(row, sort_items(bundle)))
    write_common_files(bundle, folder, withheld, RECORD_FILES)


def read(path: Path) -> Bundle:
    """Read one NQ-open file, or a folder exported in this format."""
    file = find_file(path, FILE, "one file of JSON lines")
    collector = QuestionCollector(file.name)
    collector.collect(read_lines(file), _parse_question)
    return collector.bundle(path, 'one JSON object per line with "question" and "answer"')


def _parse_question(record: Mapping[str, Any], origin: str) -> OutsideQuestion:
    """Parse a record as a question. Raises ValueError if the record is faulty; the caller adds the position in the file to the
    message."""
    golds = record.get("answer", record.get("answers", []))
    golds = [golds] if isinstance(golds, str) else golds
    if is_withheld(record, golds):
        raise ValueError(WITHHELD)
    answers, labels = read_golds(golds)
    question = {"question": record.get("question"), "answers": list(answers), "labels": labels, "id": record.get("id")}
    return parse_outside(question, origin)


FORMAT = Format(label="NQ-open", write=write, read=read)
