"""AdaRAGUE's CSV: qid, question_text, context, reference, and systems' answers in further columns. A context is a printed list
of {"idx", "title", "paragraph_text", "is_supporting"}: each paragraph is a document, those that support are evidence, all
are given. A reference is a printed list of gold answers. Further columns (no_retrieve, rag_one_retrieve, ...) are kept in
labels.adarague, so that they go out as they came in. A release goes out into adarague.csv."""

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
from store.formats._folder import write_common_files, write_text
from store.formats._gathered import QuestionCollector
from store.formats._golds import hash_answers, is_withheld, read_golds
from store.formats._lines import LONGEST_TEXT
from store.formats._outside import OutsideQuestion, parse_outside
from store.formats._rows import read_text
from store.formats._withheld import map_splits, withheld_documents

FILE = "adarague.csv"
NEEDED_COLUMNS = ("qid", "question_text", "context", "reference")
WRITTEN_COLUMNS = (*NEEDED_COLUMNS, "answer_hashes")
LONGEST_CONTEXT = 4 * LONGEST_TEXT
"""Characters of one printed context."""
_BETWEEN = re.compile(r"\}\s*(?=\{\s*['\"]idx['\"])")
_WORD = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_LIST = re.compile(rf"\s*\[\s*(?:(?:{_WORD})(?:[\s,]+(?:{_WORD}))*[\s,]*)?\]\s*", re.DOTALL)


class AdaragueParagraphShape(TypedDict):
    paragraph_text: str
    title: NotRequired[str | None]
    is_supporting: NotRequired[bool | None]


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """A row a question; the columns that were read beside ours follow."""
    splits, kept_back = map_splits(bundle), withheld_documents(bundle, withheld)
    texts = {document.id: document for document in bundle.documents if document.id not in kept_back}
    more = list(dict.fromkeys(name for item in bundle.items for name in _read_other_columns(item)))
    closed = {item.id for item in bundle.items if splits.get(item.id, "test") in withheld}
    out = io.StringIO()
    table = csv.DictWriter(out, [*NEEDED_COLUMNS, *more, *(["answer_hashes"] if closed else [])], lineterminator="\n")
    table.writeheader()
    for item in sorted(bundle.items, key=lambda i: i.id):
        table.writerow(
            _withhold_row(item, texts, bundle) if item.id in closed else _row(item, texts) | _read_other_columns(item)
        )
    write_text(folder / FILE, out.getvalue())
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """One file, or an exported folder."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise BenchError(f"{path} holds no {FILE}: give an exported folder, or one .csv file.")
    found = QuestionCollector(file.name)
    for number, row, why in _rows(read_text(file), path):
        try:
            if row is None:
                raise ValueError(why)
            found.add(number, _question(row, f"{file.name}:{number}"))
        except ValueError as error:
            found.refuse(number, str(error))
    return found.bundle(path, f"rows with the columns {', '.join(NEEDED_COLUMNS)}")


def _rows(text: str, path: Path) -> Iterator[tuple[int, dict[str, str] | None, str]]:
    """(line on which it begins, row, why it cannot be read). Raises BenchError on a table without our columns."""
    csv.field_size_limit(LONGEST_CONTEXT)
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
                yield number, None, f"has {len(cells)} cells where the head has {len(head)}"
            else:
                yield number, dict(zip(head, cells, strict=True)), ""
    except csv.Error as error:
        yield begins, None, f"cannot be read as CSV ({error}), and nothing behind it was read"


def _question(row: Mapping[str, str], origin: str) -> OutsideQuestion:
    """Raises ValueError with the end of a sentence."""
    if "\0" in "".join(row.values()):
        raise ValueError("holds U+0000, a NUL character")
    if not row["qid"].strip():
        raise ValueError("has no qid")
    given = _references(row["reference"])
    if is_withheld(row, given):
        raise ValueError("is withheld: its answers are not in this layout")
    answers, labels = read_golds(given)
    more = {name: text for name, text in row.items() if name not in WRITTEN_COLUMNS}
    found = parse_outside(
        {
            "id": row["qid"],
            "question": row["question_text"],
            "answers": list(answers),
            "labels": labels,
            "contexts": list(_contexts(row["context"])),
        },
        origin,
    )
    return found._replace(item=replace(found.item, labels={**found.item.labels, **({"adarague": more} if more else {})}))


def _references(text: str) -> list[str]:
    """The texts of a printed list, with commas or as numpy prints it, without; anything else is one answer as it stands."""
    if text.strip() in ("", "nan"):
        return []
    if not _LIST.fullmatch(text):
        if text.strip()[0] + text.strip()[-1] in ("[]", "{}"):
            raise ValueError("has a reference that is no printed list of texts")
        return [text.strip()]
    try:
        return [ast.literal_eval(word) for word in re.findall(_WORD, text, re.DOTALL)]
    except (ValueError, SyntaxError) as error:
        raise ValueError("has a reference that is no printed list of texts") from error


def _contexts(text: str) -> Iterator[dict[str, Any]]:
    """The paragraphs of a printed list, with commas or as numpy prints it, without."""
    if text.strip() in ("", "nan", "[]"):
        return
    try:
        found = ast.literal_eval(_BETWEEN.sub("}, ", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("has a context that is no printed list of paragraphs") from error
    try:
        check_shape(found, list[AdaragueParagraphShape])
    except ValueError as error:
        raise ValueError(f"has a context that is no printed list of paragraphs: it {error}") from error
    for one in found:
        yield {"title": one.get("title") or None, "text": one["paragraph_text"], "gold": bool(one.get("is_supporting"))}


def _row(item: Item, texts: Mapping[str, Document], is_open: bool = True) -> dict[str, str]:
    gold = {span.document for span in item.evidence} if is_open else set()
    of = [name for name in dict.fromkeys((*item.given, *(span.document for span in item.evidence))) if name in texts]
    context = [
        {"idx": n, "is_supporting": name in gold, "paragraph_text": texts[name].text, "title": texts[name].title}
        for n, name in enumerate(of)
    ]
    return {
        "qid": item.id,
        "question_text": item.question,
        "context": _print_values(context),
        "reference": _print_values(item.answers),
    }


def _withhold_row(item: Item, texts: Mapping[str, Document], bundle: Bundle) -> dict[str, str]:
    """A withheld row: what a system is shown, and hashes of the answers."""
    return _row(item, texts, False) | {"reference": "[]", "answer_hashes": _print_values(hash_answers(item, bundle))}


def _print_values(values: Sequence[Any]) -> str:
    return repr(list(values))


def _read_other_columns(item: Item) -> dict[str, str]:
    """The columns that were read beside ours."""
    kept = item.labels.get("adarague")
    return {str(name): str(text) for name, text in kept.items()} if isinstance(kept, Mapping) else {}


FORMAT = Format(label="AdaRAGUE", write=write, read=read)
