"""Read questions from files of other projects, one part at a time, so that a file can have any length. A file contains JSON
lines or one array of objects; a folder of such files can be read too. A faulty record is rejected with its position in the
file, and the rest is still read."""

import codecs
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from core.errors import BenchError
from core.json_lines import OPEN_STRING, JsonLine, locate_json_fault, strict_json
from core.nouns import Document, Item
from store.format import Bundle
from store.formats._lines import (
    ENDINGS,
    check_text,
    describe_lack,
    describe_refusal,
    list_links,
    read_lines,
    read_start,
)
from store.formats._outside import OutsideQuestion, check_item, give_own_id

QUESTIONS_PER_BUNDLE = 500
_READ_BYTES = 2**20
"""Number of bytes that are read from a file at a time."""
_MAX_BAD_LINE_BYTES = 2**16
"""Maximum number of bytes of a file's first line that are examined, because an array can be one line of any length."""
_MAX_QUESTION_CHARACTERS = 64 * 2**20
"""Maximum number of characters of one question with its contexts."""
_DECODER = json.JSONDecoder(parse_int=len)
"""Decoder that only finds where a JSON value ends. The function strict_json then parses the value and rejects numbers with too
many digits."""


class QuestionPosition(NamedTuple):
    """Position of a question in another project's files: the file's name and the question's number in that file."""

    file: str
    """Name of the file that the question is in."""
    number: int
    """Number of the question's line or array element in the file, from 1."""

    @property
    def origin(self) -> str:
        return f"{self.file}:{self.number}"


def stream_bundles(
    path: Path,
    wanted: str,
    read: Callable[[Mapping[str, Any], QuestionPosition], OutsideQuestion],
    own_rows: Callable[[Path], Iterator[JsonLine] | None] = lambda path: None,
) -> Iterator[Bundle]:
    """Yield the questions in bundles of at most QUESTIONS_PER_BUNDLE questions; a repeated id in a file is rejected. `read`
    builds a question from a row, and raises ValueError to reject the row. `wanted` says in error messages what a file should
    contain. `own_rows` returns the rows of a file that is neither JSON lines nor an array, and None for other files. Raises
    BenchError at the end if no question was read."""
    places: dict[str, str] = {}
    """Dict from question id to the position where the question was read."""
    words: dict[str, int] = {}
    """Dict from question id to the hash of the question with its answers."""
    why = ""
    items: list[Item] = []
    documents: dict[str, Document] = {}
    refused: list[Mapping[str, Any]] = [
        describe_refusal(link.name, None, "is a link, which is not followed") for link in list_links(path)
    ]
    for file in list_files(path):
        special_rows, ids_of_file = own_rows(file), set[str]()
        unit = "Question" if special_rows or _is_array(file) else "Line"
        for number, record, broken in special_rows or read_rows(file):
            try:
                if record is None:
                    raise ValueError(broken)
                question = read(record, QuestionPosition(file.name, number))
                item = check_item(question.item)
                own_id = item.id
                if own_id in words and own_id not in ids_of_file and words[own_id] != _hash_words(item):
                    item = give_own_id(item)
                if item.id in places:
                    raise ValueError(f"repeats the id {item.id} of {places[item.id]}")
            except ValueError as error:
                refused.append(describe_refusal(file.name, number, str(error), unit))
                why = why or str(refused[-1]["message"])
                continue
            places[item.id] = f"{unit.lower()} {number}" + (f" of {file.name}" if path.is_dir() else "")
            words[item.id] = _hash_words(item)
            ids_of_file.add(own_id)
            items.append(item)
            documents |= {document.id: document for document in question.documents}
            if len(items) == QUESTIONS_PER_BUNDLE:
                yield Bundle(documents=list(documents.values()), items=items, refused=refused)
                items, documents, refused = [], {}, []
    if not places:
        raise BenchError(why or f"{path} holds no questions: give {wanted}.")
    yield Bundle(documents=list(documents.values()), items=items, refused=refused)


def _hash_words(item: Item) -> int:
    return hash((item.question, item.answers))


def list_files(path: Path) -> list[Path]:
    """Return the file itself if `path` is a file, or the files of the folder, sorted by the numbers in their names."""
    files = [path]
    if path.is_dir():
        files = [file for file in path.iterdir() if file.suffix in ENDINGS and not file.is_symlink()]
    if not files:
        advice = "give a file of questions, or a folder of them"
        raise BenchError(describe_lack(path, ".json or .jsonl file", advice, list_links(path)))
    return sorted(files, key=lambda file: (len(file.stem), file.stem) if file.stem.isdecimal() else (0, file.stem))


def read_rows(path: Path) -> Iterator[JsonLine]:
    """Yield every JSON object of the file, from lines or from an array. Raises BenchError if the file cannot be read or has
    another format."""
    if not _is_array(path):
        yield from read_lines(path)
        return
    try:
        with path.open("rb") as file:
            yield from _read_elements(file)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def _is_array(path: Path) -> bool:
    start = read_start(path)
    check_text(path, start)
    return start.removeprefix(codecs.BOM_UTF8).lstrip()[:1] == b"[" and not _begins_with_bad_line(path)


def _begins_with_bad_line(path: Path) -> bool:
    """Return whether a file that begins with "[" contains JSON lines with a faulty first line instead of an array. A file
    contains JSON lines if its second line is a complete object, and if its first line is neither a single bracket nor ends with
    a comma."""
    with path.open("rb") as file:
        first = _read_full_line(file, _MAX_BAD_LINE_BYTES).removeprefix(codecs.BOM_UTF8).strip()
        if not first or first == b"[" or first.endswith(b","):
            return False
        second = _read_full_line(file, _MAX_QUESTION_CHARACTERS)
    try:
        return isinstance(strict_json(second.decode()), dict)
    except ValueError:
        return False


def _read_full_line(file: IO[bytes], most: int) -> bytes:
    """Return the next line that is not blank; b"" if there is none, or if it is longer than `most` bytes."""
    while (line := file.readline(most)) and not line.strip():
        pass
    return line if len(line) < most or line.endswith(b"\n") else b""


def _read_elements(file: IO[bytes]) -> Iterator[JsonLine]:
    """Yield the elements of a JSON array, each as soon as it has been read. If the file has an error, the last element gives
    the reason instead of a record."""
    text, number = _Text(file), 0
    text.skip("[")
    while (sign := text.skip(",")) not in ("", "]"):
        number += 1
        value, why = text.read_value()
        if why:
            yield JsonLine(number, None, f"{why}, and nothing after it was read")
            return
        try:
            record = strict_json(value)
        except ValueError as error:
            yield JsonLine(number, None, str(error))
            continue
        yield JsonLine(number, record) if isinstance(record, dict) else JsonLine(number, None, "is not a JSON object")
    if sign == "":
        yield JsonLine(number + 1, None, text.broken or "breaks off: the file ends before its array does")


class _Text:
    """The part of a text file that has not been read yet."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._decoder = file, codecs.getincrementaldecoder("utf-8-sig")()
        self._held, self._at, self._is_whole = "", 0, False
        self.broken = ""
        """Reason why the rest of the file cannot be read; "" if it can."""

    def skip(self, sign: str) -> str:
        """Skip white space and at most one occurrence of the character `sign`. Return the next character, or "" at the end of
        the text."""
        if self._skip_gaps() == sign:
            self._at += 1
        return self._skip_gaps()

    def read_value(self) -> tuple[str, str]:
        """Return (text of the next JSON value, "") or, if the value is not complete, ("", the reason)."""
        while True:
            try:
                _, end = _DECODER.raw_decode(self._held, self._at)
                if end < len(self._held) or self._is_whole:  # a number may continue in the next piece of the file
                    value, self._at = self._held[self._at : end], end
                    return value, ""
            except RecursionError:
                return "", "is nested too deeply"
            except json.JSONDecodeError as error:
                problem = locate_json_fault(self._held, error.pos).what
                is_cut = error.pos >= len(self._held) - _READ_BYTES or problem == OPEN_STRING
                if self._is_whole or not is_cut:
                    return "", self.broken or f"is not JSON ({problem})"
            held = len(self._held) - self._at
            if held > _MAX_QUESTION_CHARACTERS:
                return "", f"is longer than {_MAX_QUESTION_CHARACTERS // 2**20} MB, or never ends"
            while len(self._held) - self._at <= 2 * held and self._read_more():
                pass

    def _skip_gaps(self) -> str:
        while True:
            while self._at < len(self._held) and self._held[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._held) or not self._read_more():
                return self._held[self._at : self._at + 1]

    def _read_more(self) -> bool:
        raw = b"" if self.broken else self._file.read(_READ_BYTES)
        self._is_whole = not raw
        try:
            more = self._decoder.decode(raw, final=not raw) if not self.broken else ""
        except UnicodeDecodeError as error:
            self.broken, more = "is not UTF-8", error.object[: error.start].decode("utf-8")
        self._held, self._at = self._held[self._at :] + more, 0
        return bool(raw)
