"""Export the answers of a grading batch as a table for people who grade outside the app, and import their marks, as names or as
numbers of CRAG's rubric. The table does not name the systems, so people who use it know no more than people who grade in the
app."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import new_id
from core.json_lines import read_object
from core.nouns import Grade
from core.quality.grading import CODES, FOUR_GRADES, SCHEMES
from core.spreadsheet import safe_cell
from store.engine.database import Database
from store.reviews import names
from store.runs import grades
from store.runs.grades import Grading, GradingPlace
from workbench.annotate.desk.decisions import MAX_CHARACTERS
from workbench.evaluate.grading.grading import get_grading, places_for_people
from workbench.evaluate.grading.grading_desk import last_mark, load_answer, role_for
from workbench.roles import check_permission, requires

COLUMNS = ("number", "question", "asked_at", "gold", "answer", "mark", "comment")
MAX_FILE_BYTES = 20_000_000
GOLD_SEPARATOR = " | "
"""Text between several gold answers in one cell of the table."""


class ReceivedMarks(NamedTuple):
    """How many marks a file contained and how many of them were stored, and which rows were refused."""

    stored: int
    already: int
    """Number of marks in the file that were already stored."""
    blank: int
    """Number of rows in the file without a mark."""
    refused: list[str]
    """Reasons why rows were refused, one sentence for each row."""


class GradingFiles:
    """Methods that export the answers of a grading batch to a file, and that import marks from a file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("grade answers", "grading", is_logged=False)
    def sheet(self, grading: str) -> bytes:
        """Return the answers of a grading batch as CSV, in the order of the screen, with empty columns `mark` and `comment`.
        Raises BenchError if the batch contains a judge's verdicts on single sentences."""
        table = io.StringIO()
        writer = csv.writer(table)
        writer.writerow(COLUMNS)
        for number, place in enumerate(places_for_people(self._db, _of_answers(self._db, grading)), 1):
            answer = load_answer(self._db, place)
            if answer is not None:
                cells = (answer.question, answer.asked_at, GOLD_SEPARATOR.join(answer.golds), answer.trace.answer or "")
                writer.writerow([number, *map(safe_cell, cells), "", ""])
        return table.getvalue().encode("utf-8-sig")

    @requires("grade answers", "grading", is_logged=False)
    def take(self, grading: str, person: str, raw: bytes) -> ReceivedMarks:
        """Store the marks in a CSV or JSON Lines file as marks by this person. Each row names its answer by `number`, as in the
        exported table, or by `item` if the batch has only one answer to this item. The row gives a `mark` or, on a scale of
        four grades, a `code` (0 missing, 1 incorrect, 2 acceptable, 3 perfect). A row that names another `person` is stored
        only if the current user has the permission to begin gradings. Rows that cannot be stored are reported and left out.
        Raises BenchError if the file cannot be read, if `person` is empty, or if the batch is closed."""
        if not person.strip():
            raise BenchError("Give your name first: it is stored with the marks.")
        batch = _of_answers(self._db, grading)
        if batch.closed is not None:
            raise BenchError("This batch is closed: it can no longer be graded.")
        places, grades_by_place = _Places(places_for_people(self._db, batch)), grades.load_grades(self._db, batch.id)
        already, blank, refused = 0, 0, list[str]()
        new: dict[tuple[str, str], tuple[int, Grade]] = {}
        for line, row in _read_rows(raw, refused):
            who = names.remember_name(self._db, _read_text(row, "person") or person)
            try:
                place, mark, comment = places.find(row), _read_mark(row, batch.scheme), _read_text(row, "comment")
                if mark is None:
                    blank += 1
                    continue
                if (place.key, who) in new:
                    raise ValueError(f"gives another mark to the answer of line {new[place.key, who][0]}")
                if len(comment) > MAX_CHARACTERS["comment"] or "\0" in comment:
                    raise ValueError("has a comment that is too long or contains a null character")
            except ValueError as error:
                refused.append(f"Line {line} {error}.")
                continue
            last = last_mark(grades_by_place.get(place.key, ()), who)
            if last is not None and (last.mark, last.comment) == (mark, comment):
                already += 1
            else:
                new[place.key, who] = line, Grade(new_id(), place.key, who, mark, "", comment)
        if any(who != person for _, who in new):
            check_permission(self._db, "begin gradings", grading)
        new_grades = [grade for _, grade in new.values()]
        stored = grades.add_grades(self._db, new_grades, lambda grade, earlier: role_for(grade.person, earlier, batch.graders))
        refused += [
            f"Line {line} is of an answer that already has its {batch.graders} marks."
            for (line, _), is_stored in zip(new.values(), stored, strict=True)
            if not is_stored
        ]
        return ReceivedMarks(sum(stored), already, blank, refused)


class _Places:
    """Finds the answer of a grading batch that a row of the file names."""

    def __init__(self, places: list[GradingPlace]) -> None:
        self._places = places
        self._by_item: dict[str, list[GradingPlace]] = {}
        for place in places:
            self._by_item.setdefault(place.item, []).append(place)

    def find(self, row: Mapping[str, Any]) -> GradingPlace:
        """Return the answer that the row names. Raises ValueError if there is no such answer; the message completes a sentence
        that begins with the row's line number."""
        number = _read_text(row, "number").removesuffix(".0")
        if number:
            if not number.isascii() or not number.isdigit() or not 1 <= int(number[:9]) <= len(self._places):
                raise ValueError(f"has the number {number[:20]!r}, and the batch has answers 1 to {len(self._places):,}")
            return self._places[int(number) - 1]
        item = _read_text(row, "item") or _read_text(row, "interaction_id")
        if not item:
            raise ValueError("names no answer: give the answer's number or its item")
        places = self._by_item.get(item, [])
        if not places:
            raise ValueError(f"is about item {item[:60]!r}, which is not in this grading batch")
        if len(places) > 1:
            raise ValueError(
                f"is about item {item[:60]!r}, to which this grading batch has {len(places)} answers: give the answer's number"
            )
        return places[0]


def _of_answers(database: Database, grading: str) -> Grading:
    """Return the grading batch. Raises BenchError if the batch contains a judge's verdicts on single sentences instead of
    answers."""
    batch = get_grading(database, grading)
    if batch.of:
        raise BenchError(
            "Verdicts on single sentences can be graded only in the app: a table has no column for the text to compare with."
        )
    return batch


def _read_mark(row: Mapping[str, Any], scheme: str) -> str | None:
    """Return the name of the row's mark, or None if the row has no mark. Raises ValueError if the scale does not have this
    mark; the message completes a sentence that begins with the row's line number."""
    word, code = _read_text(row, "mark").lower(), _read_text(row, "code").removesuffix(".0")
    if not word and not code:
        return None
    names = SCHEMES[scheme].names
    by_code = {str(figure): name for name, figure in CODES.items()} if scheme == FOUR_GRADES else {}
    marks = {word if word in names else by_code.get(word.removesuffix(".0"), word)} if word else set()
    marks |= {by_code.get(code, code)} if code else set()
    if len(marks) != 1 or not marks <= set(names):
        listed = ", ".join(names) + (" and the numbers 0 to 3" if by_code else "")
        raise ValueError(f"has the mark {' and '.join(sorted(marks))[:40]!r}, and the allowed marks are {listed}")
    return marks.pop()


def _read_rows(raw: bytes, refused: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each row as (line number, dict of its fields). Messages about rows that cannot be read are added to `refused`.
    Raises BenchError if the whole file cannot be read."""
    if len(raw) > MAX_FILE_BYTES:
        raise BenchError(f"The file of marks has {len(raw):,} bytes, but at most {MAX_FILE_BYTES:,} are allowed: split it.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError("The file of marks is not UTF-8 text: save it as CSV in UTF-8.") from error
    if text.lstrip().startswith("{"):
        for number, line in enumerate(text.split("\n"), 1):
            read = read_object(number, line)
            if read is not None and read.record is None:
                refused.append(f"Line {number} {read.why}.")
            elif read is not None:
                yield number, read.record or {}
        return
    head = text.partition("\n")[0]
    earlier_limit = csv.field_size_limit(MAX_FILE_BYTES)
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
        columns = [str(name).strip().lower() for name in table.fieldnames or ()]
        if not {"mark", "code"} & set(columns) or not {"number", "item", "interaction_id"} & set(columns):
            raise BenchError(
                "The file has no columns `number` (or `item`) and `mark` (or `code`): fill in the batch's downloaded table."
            )
        table.fieldnames = columns
        for row in table:
            yield table.line_num, row
    except csv.Error as error:
        raise BenchError(f"The file of marks cannot be read as CSV: {error}.") from error
    finally:
        csv.field_size_limit(earlier_limit)


def _read_text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value).strip()
