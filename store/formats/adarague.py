"""Read and write AdaRAGUE's CSV: qid, question_text, context, reference, and systems' answers in further columns. The column
context is a Python list of {"idx", "title", "paragraph_text", "is_supporting"}: each paragraph becomes a document given with
the question, and the supporting paragraphs become evidence. The column reference is a Python list of gold answers. Other
columns (no_retrieve, rag_one_retrieve, ...) are stored in labels.adarague and exported unchanged. A release is written to
adarague.csv."""

import ast
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NotRequired

from typing_extensions import TypedDict

from core.errors import BenchError
from core.nouns import Document, Item
from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats._as_read import read_kept
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import MAX_TEXT_CHARACTERS, WITHHELD, find_file
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._record_files import Column, RecordFile
from store.formats._rows import read_text
from store.formats._withheld import select_withheld, sort_items, withheld_documents

FILE = "adarague.csv"
NEEDED_COLUMNS = ("qid", "question_text", "context", "reference")
WRITTEN_COLUMNS = (*NEEDED_COLUMNS, "answer_hashes")
RECORD_FILES = (
    RecordFile(
        name="questions",
        about="A question with its paragraphs and gold answers.",
        patterns=(FILE,),
        columns={
            "qid": Column("Id of the item."),
            "question_text": Column("The question."),
            "context": Column("The paragraphs as a Python list, each with its title and whether it holds evidence."),
            "reference": Column("The gold answers as a Python list; empty for an item of a withheld split."),
            "answer_hashes": Column("Salted hashes of withheld answers, as a Python list."),
        },
        prefixes={"": Column("A further column of the file that the question was imported from.")},
    ),
)
MAX_CONTEXT_CHARACTERS = 4 * MAX_TEXT_CHARACTERS
"""Maximum length in characters of the context in one row."""
_BETWEEN = re.compile(r"\}\s*(?=\{\s*['\"]idx['\"])")
_WORD = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = re.compile(rf"\s*\[\s*(?:(?:{_WORD})(?:[\s,]+(?:{_WORD}))*[\s,]*)?\]\s*", re.DOTALL)


class AdaragueParagraphShape(TypedDict):
    paragraph_text: str
    title: NotRequired[str | None]
    is_supporting: NotRequired[bool | None]


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write adarague.csv with one row per question. Additional columns that were read from a file follow after the standard
    columns."""
    removed, hidden = withheld_documents(bundle, withheld), select_withheld(bundle, withheld)
    texts = {document.id: document for document in bundle.documents if document.id not in removed}
    more = list(dict.fromkeys(name for item in bundle.items for name in read_kept(item, "adarague")))
    out = io.StringIO()
    table = csv.DictWriter(out, [*NEEDED_COLUMNS, *more, *(["answer_hashes"] if hidden else [])], lineterminator="\n")
    table.writeheader()
    for item in sort_items(bundle):
        row = _build_row(item, texts, item.id in hidden)
        if item.id in hidden:
            row |= {"answer_hashes": repr(hash_answers(item, bundle))}
        else:
            row |= {str(name): str(text) for name, text in read_kept(item, "adarague").items()}
        table.writerow(row)
    write_text(folder / FILE, out.getvalue())
    write_common_files(bundle, folder, withheld, RECORD_FILES)


def read(path: Path) -> Bundle:
    """Read one AdaRAGUE CSV file, or a folder exported in this format."""
    file = find_file(path, FILE, "one .csv file")
    collector = QuestionCollector(file.name)
    collector.collect(_read_rows(read_text(file), path), _parse_question)
    return collector.bundle(path, f"rows with the columns {', '.join(NEEDED_COLUMNS)}")


def _read_rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, str] | None, str]]:
    """Yield (number of the row's first line, row or None, reason why the row cannot be read). Raises BenchError if the table
    lacks columns that this format needs."""
    csv.field_size_limit(MAX_CONTEXT_CHARACTERS)
    table = csv.reader(io.StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        head = next(table, [])
        if missing := [name for name in NEEDED_COLUMNS if head.count(name) != 1]:
            raise BenchError(
                f"{path} has no column {missing[0]}, or has it twice: AdaRAGUE's tables have {', '.join(NEEDED_COLUMNS)}."
            )
        begins = table.line_num + 1
        for cells in table:
            number, begins = begins, table.line_num + 1
            if not any(cells):
                continue
            if len(cells) != len(head):
                yield number, None, f"has {len(cells)} cells, but the header has {len(head)}"
            else:
                yield number, dict(zip(head, cells, strict=True)), ""
    except csv.Error as error:
        yield begins, None, f"cannot be read as CSV ({error}), and nothing after it was read"


def _parse_question(row: Mapping[str, str], origin: str) -> OutsideQuestion:
    """Parse a row as a question. Raises ValueError if the row is faulty; the caller adds the position in the file to the
    message."""
    if "\0" in "".join(row.values()):
        raise ValueError("holds U+0000, a NUL character")
    if not row["qid"].strip():
        raise ValueError("has no qid")
    references = _parse_references(row["reference"])
    if is_withheld(row, references):
        raise ValueError(WITHHELD)
    answers, labels = read_golds(references)
    question = {"id": row["qid"], "question": row["question_text"], "answers": list(answers), "labels": labels}
    outside = parse_outside(question | {"contexts": list(_parse_contexts(row["context"]))}, origin)
    more = {name: text for name, text in row.items() if name not in WRITTEN_COLUMNS}
    labels = {**outside.item.labels, **({"adarague": more} if more else {})}
    return outside._replace(item=replace(outside.item, labels=labels))


def _parse_references(text: str) -> list[str]:
    """Return the texts of a value that is written like a Python list (with commas) or like a NumPy array (without commas). Any
    other text counts as a single answer."""
    if text.strip() in ("", "nan"):
        return []
    if not _LIST.fullmatch(text):
        if text.strip()[0] + text.strip()[-1] in ("[]", "{}"):
            raise ValueError("has a reference that is not a Python list of texts")
        return [text.strip()]
    try:
        return [ast.literal_eval(word) for word in re.findall(_WORD, text, re.DOTALL)]
    except (ValueError, SyntaxError) as error:
        raise ValueError("has a reference that is not a Python list of texts") from error


def _parse_contexts(text: str) -> Iterator[dict[str, Any]]:
    """Yield the paragraphs of a context that is written like a Python list (with commas) or like a NumPy array (without
    commas)."""
    if text.strip() in ("", "nan", "[]"):
        return
    try:
        paragraphs = ast.literal_eval(_BETWEEN.sub("}, ", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("has a context that is not a Python list of paragraphs") from error
    try:
        check_shape(paragraphs, list[AdaragueParagraphShape])
    except ValueError as error:
        raise ValueError(f"has a context that is not a Python list of paragraphs: it {error}") from error
    for paragraph in paragraphs:
        yield {
            "title": paragraph.get("title") or None,
            "text": paragraph["paragraph_text"],
            "gold": bool(paragraph.get("is_supporting")),
        }


def _build_row(item: Item, texts: Mapping[str, Document], is_hidden: bool) -> dict[str, str]:
    """Return the CSV row of an item. The row of a withheld item contains only what a system is allowed to see."""
    cited = [span.document for span in item.evidence]
    gold = set() if is_hidden else set(cited)
    context = [
        {"idx": n, "is_supporting": name in gold, "paragraph_text": texts[name].text, "title": texts[name].title}
        for n, name in enumerate(name for name in dict.fromkeys((*item.given, *cited)) if name in texts)
    ]
    answers: Sequence[str] = () if is_hidden else item.answers
    row = (item.id, item.question, repr(context), repr(list(answers)))
    return dict(zip(NEEDED_COLUMNS, row, strict=True))


FORMAT = Format(label="AdaRAGUE", write=write, read=read)
