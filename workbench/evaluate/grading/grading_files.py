"""A batch's answers as a table for people who grade elsewhere, and their marks from one: in words, or in the figures of CRAG's
rubric. It tells no system, so that whoever grades by it is as blind as at the desk."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from builders.task import tasks
from core.catalog import pick
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
from workbench.evaluate.grading.grading import grading_of
from workbench.evaluate.grading.grading_desk import asked_at, last_of, role_for
from workbench.roles import act, may

COLUMNS = ("number", "question", "asked_at", "gold", "answer", "mark", "comment")
LARGEST = 20_000_000
"""Bytes of a file of marks."""
GOLDS = " | "
"""Between the golds of one cell."""


class Taken(NamedTuple):
    """What became of a file of marks."""

    stored: int
    already: int
    """They stood so before."""
    blank: int
    """Rows without a mark."""
    refused: list[str]
    """A sentence each."""


class GradingFiles:
    """Verbs on the answers of a batch by file."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @act("grade answers", "grading", is_logged=False)
    def sheet(self, grading: str) -> bytes:
        """Its answers as CSV, in the order of the desk, `mark` and `comment` left open. Raises BenchError where single verdicts
        are graded: these are read at the desk alone."""
        one = _of_answers(self._db, grading)
        out = io.StringIO()
        table = csv.writer(out)
        table.writerow(COLUMNS)
        for number, place in enumerate(_people_grade(self._db, one), 1):
            asked = asked_at(self._db, place)
            if asked is not None:
                golds = pick(tasks(), asked.item.task, "task").reference(asked.item)
                now = str(asked.item.labels.get("query_time", ""))
                cells = map(safe_cell, (asked.question, now, GOLDS.join(golds), asked.trace.answer or ""))
                table.writerow([number, *cells, "", ""])
        return out.getvalue().encode("utf-8-sig")

    @act("grade answers", "grading", is_logged=False)
    def take(self, grading: str, person: str, raw: bytes) -> Taken:
        """Store the marks of a CSV file or of JSON lines as this person's: each row names its answer by `number` as the sheet
        does, or by `item` where no other answer has that item, and gives `mark`, or `code` with four grades (0 missing, 1
        incorrect, 2 acceptable, 3 perfect). A row with another `person` takes somebody who may begin gradings. Rows that cannot
        be stored are told and left out. Raises BenchError on a file that is none, without a name, or on a closed batch."""
        if not person.strip():
            raise BenchError("Marks need a name: give yours first.")
        one = _of_answers(self._db, grading)
        if one.closed is not None:
            raise BenchError("This batch is closed: nobody grades it any more.")
        known, given = _Places(_people_grade(self._db, one)), grades.load_grades(self._db, one.id)
        already, blank, refused = 0, 0, list[str]()
        wanted: dict[tuple[str, str], tuple[int, Grade]] = {}
        for line, row in _rows(raw, refused):
            who = names.remember_name(self._db, _text(row, "person") or person)
            try:
                place, mark = known.place(row), _mark(row, one.scheme)
                if mark is None:
                    blank += 1
                    continue
                if (place.key, who) in wanted:
                    raise ValueError(f"gives the answer of line {wanted[place.key, who][0]} another mark")
                comment = _text(row, "comment")
                if len(comment) > MAX_CHARACTERS["comment"] or "\0" in comment:
                    raise ValueError("has a comment that is too long, or holds what no file can hold")
            except ValueError as error:
                refused.append(f"Line {line} {error}.")
                continue
            last = last_of(given.get(place.key, ()), who)
            if last is not None and (last.mark, last.comment) == (mark, comment):
                already += 1
            else:
                wanted[place.key, who] = line, Grade(new_id(), place.key, who, mark, "", comment)
        if any(who != person for _, who in wanted):
            may(self._db, "begin gradings", grading)
        stored = grades.add_grades(
            self._db, [grade for _, grade in wanted.values()], lambda grade, there: role_for(grade.person, there, one.graders)
        )
        refused += [
            f"Line {line} is of an answer that has its {one.graders} marks."
            for (line, _), is_stored in zip(wanted.values(), stored, strict=True)
            if not is_stored
        ]
        return Taken(sum(stored), already, blank, refused)


class _Places:
    """A batch's answers, as rows name them."""

    def __init__(self, places: list[GradingPlace]) -> None:
        self._places = places
        self._of: dict[str, list[GradingPlace]] = {}
        for place in places:
            self._of.setdefault(place.item, []).append(place)

    def place(self, row: Mapping[str, Any]) -> GradingPlace:
        """Raises ValueError with the end of a sentence."""
        number = _text(row, "number").removesuffix(".0")
        if number:
            if not number.isascii() or not number.isdigit() or not 1 <= int(number[:9]) <= len(self._places):
                raise ValueError(f"has the number {number[:20]!r}, and the batch has answers 1 to {len(self._places):,}")
            return self._places[int(number) - 1]
        item = _text(row, "item") or _text(row, "interaction_id")
        if not item:
            raise ValueError("names no answer: give its number, or its item")
        found = self._of.get(item, [])
        if len(found) != 1:
            raise ValueError(
                f"is of item {item[:60]!r}, of which the batch has {len(found)} answers: give its number"
                if found
                else f"is of item {item[:60]!r}, which is not in the batch"
            )
        return found[0]


def _of_answers(database: Database, grading: str) -> Grading:
    one = grading_of(database, grading)
    if one.of:
        raise BenchError("Single verdicts are graded at the desk alone: what they are held against fits no table.")
    return one


def _people_grade(database: Database, one: Grading) -> list[GradingPlace]:
    return [place for place in grades.load_places(database, one.id) if place.mark is None]


def _mark(row: Mapping[str, Any], scheme: str) -> str | None:
    """The mark's name; None for a row that has none. Raises ValueError with the end of a sentence."""
    said, code = _text(row, "mark").lower(), _text(row, "code").removesuffix(".0")
    if not said and not code:
        return None
    by_code = {str(figure): name for name, figure in CODES.items()} if scheme == FOUR_GRADES else {}
    found = {said if said in SCHEMES[scheme].names else by_code.get(said.removesuffix(".0"), said)} if said else set()
    found |= {by_code.get(code, code)} if code else set()
    if len(found) != 1 or not found <= set(SCHEMES[scheme].names):
        known = ", ".join(SCHEMES[scheme].names) + (" and the figures 0 to 3" if by_code else "")
        raise ValueError(f"has the mark {' and '.join(sorted(found))[:40]!r}, and {known} are known")
    return found.pop()


def _rows(raw: bytes, refused: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(line, its fields); lines that cannot be read go to `refused`. Raises BenchError on a file that is none."""
    if len(raw) > LARGEST:
        raise BenchError(f"The file of marks has {len(raw):,} bytes, and one may have {LARGEST:,}: split it.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError("The file of marks is no UTF-8 text: save it as CSV in UTF-8.") from error
    if text.lstrip().startswith("{"):
        for number, line in enumerate(text.split("\n"), 1):
            read = read_object(number, line)
            if read is not None and read.record is None:
                refused.append(f"Line {number} {read.why}.")
            elif read is not None:
                yield number, read.record or {}
        return
    head = text.partition("\n")[0]
    before = csv.field_size_limit(LARGEST)
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
        names = [str(name).strip().lower() for name in table.fieldnames or ()]
        if not {"mark", "code"} & set(names) or not {"number", "item", "interaction_id"} & set(names):
            raise BenchError("The file has no columns number (or item) and mark (or code): fill the batch's own table.")
        table.fieldnames = names
        for row in table:
            yield table.line_num, row
    except csv.Error as error:
        raise BenchError(f"The file of marks is no CSV that can be read: {error}.") from error
    finally:
        csv.field_size_limit(before)


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value).strip()
