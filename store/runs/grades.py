"""Store and load grading by people: batches of answers drawn at random, the answers in their order, and the grades that people
give. A grade never changes: to withdraw it, another row is added."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Grade
from store.engine.columns import Timestamp, current_time, decode_json, from_json, insert_row, insert_rows
from store.engine.database import Cursor, Database

_GRADING = 'id, release, runs, scheme, "of", "by", sizes, "each", graders, seed, made_by, made_at'
_PLACE = "key, number, run, item, variant, stratum, verdict, mark, why"
_GRADE = "id, place, person, mark, role, comment, seconds, made_at"
_GRADED = """
    SELECT DISTINCT item, variant FROM grading_place WHERE run = ? AND grading IN (SELECT grading FROM grading_end)
"""


@dataclass(frozen=True, slots=True)
class Grading:
    """A batch of answers, or of single verdicts of a judge, drawn at random for people to grade. The people do not know which
    system gave an answer."""

    id: str
    release: str
    runs: Sequence[str]
    scheme: str
    of: str
    """"" if people grade whole answers; otherwise the metric whose single verdicts they grade."""
    by: str
    """Name of the field, or of the metric with the scores, that divides the answers into the groups (strata) from which they
    are drawn."""
    sizes: Mapping[str, Mapping[str, int]]
    """Numbers of answers that could be drawn: a dict from run to a dict from group (stratum) to number."""
    each: int
    """Number of answers drawn from each group (stratum) of a run; 0 if the numbers differ, which makes the intervals
    narrower."""
    graders: int
    seed: int
    made_by: str
    at: Timestamp = ""
    closed: str | None = None
    """Name of the person who closed the batch, or None if it is still open."""


@dataclass(frozen=True, slots=True)
class GradingPlace:
    """One answer in a batch that people grade, or one verdict of a judge on an answer."""

    key: str
    number: int
    run: str
    item: str
    variant: str | None
    stratum: str
    verdict: Mapping[str, Any] | None = None
    """The judge's verdict at the time of drawing, {"n", "side", "sentence", "value", "judge", "prompt"}; None if people grade
    the whole answer."""
    mark: str | None = None
    """Mark that a rule gave, so that nobody needs to grade the answer; None if people grade it."""
    why: str = ""
    """Description of the rule that gave the mark."""


def add(database: Database, grading: Grading, places: Sequence[GradingPlace]) -> None:
    """Store a new grading batch with the answers that were drawn."""
    g, at = grading, grading.at or current_time()
    row = (g.id, g.release, list(g.runs), g.scheme, g.of, g.by, g.sizes, g.each, g.graders, g.seed, g.made_by, at)

    def write(cursor: Cursor) -> None:
        insert_row(cursor, "grading", _GRADING, row, is_numbered=True)
        rows = (
            (p.key, p.number, p.run, p.item, p.variant or "", p.stratum, p.verdict, p.mark, p.why, grading.id) for p in places
        )
        insert_rows(cursor, "grading_place", f"{_PLACE}, grading", rows)

    database.write(write)


def list_gradings(database: Database) -> list[Grading]:
    """Return all grading batches, newest first."""
    columns = ", ".join(f"g.{name}" for name in _GRADING.split(", "))
    joined = "grading g LEFT JOIN grading_end e ON e.grading = g.id"
    rows = database.rows(f"SELECT {columns}, e.made_by FROM {joined} ORDER BY g.number DESC")
    return [Grading(*decode_json(row, 2, 6)) for row in rows]


def find(database: Database, grading: str) -> Grading | None:
    """Return the grading batch with the given id, or None if there is none."""
    return next((batch for batch in list_gradings(database) if batch.id == grading), None)


def load_places(database: Database, grading: str) -> list[GradingPlace]:
    """Return all answers of the batch that are to be graded, in order."""
    rows = database.rows(f"SELECT {_PLACE} FROM grading_place WHERE grading = ? ORDER BY number", [grading])
    return [GradingPlace(*(*row[:4], row[4] or None, row[5], from_json(row[6]), *row[7:])) for row in rows]


def load_grades(database: Database, grading: str) -> dict[str, list[Grade]]:
    """Return a dict from the key of each graded answer to its grades, oldest first. Answers without grades are left out."""
    sql = f"SELECT {_GRADE} FROM grade WHERE place IN (SELECT key FROM grading_place WHERE grading = ?) ORDER BY number"
    grades: dict[str, list[Grade]] = defaultdict(list)
    for row in database.rows(sql, [grading]):
        grades[row[1]].append(Grade(*row))
    return dict(grades)


def add_grade(database: Database, grade: Grade, role: Callable[[Sequence[Grade]], Literal["", "resolves"] | None]) -> bool:
    """Store a grade. The function `role` gets the grades of the same answer so far and returns the role of the new one. Return
    True if the grade is stored. Return False if `role` returns None, or if the batch is closed. Storing a grade with the same
    id again changes nothing."""
    return add_grades(database, [grade], lambda _, grades: role(grades))[0]


def add_grades(
    database: Database, grades: Sequence[Grade], role: Callable[[Grade, Sequence[Grade]], Literal["", "resolves"] | None]
) -> list[bool]:
    """Store several grades like `add_grade`, one after the other in a single transaction."""

    def store(cursor: Cursor, grade: Grade) -> bool:
        rows = cursor.execute(f"SELECT {_GRADE} FROM grade WHERE place = ? ORDER BY number", [grade.place]).fetchall()
        if any(row[0] == grade.id for row in rows):
            return True
        ended = "SELECT 1 FROM grading_end WHERE grading = (SELECT grading FROM grading_place WHERE key = ?)"
        fits = role(grade, [Grade(*row) for row in rows])
        if fits is None or cursor.execute(ended, [grade.place]).fetchall():
            return False
        values = (grade.id, grade.place, grade.person, grade.mark, fits, grade.comment, grade.seconds, current_time())
        insert_row(cursor, "grade", _GRADE, values, is_numbered=True)
        return True

    return database.write(lambda cursor: [store(cursor, grade) for grade in grades])


def close(database: Database, grading: str, by: str) -> None:
    """Record that the grading batch is closed; doing this again changes nothing."""
    row = (grading, by, current_time())
    database.write(lambda cursor: insert_rows(cursor, "grading_end", "grading, made_by, made_at", [row]))


def list_closed_gradings(database: Database, run: str) -> list[Grading]:
    """Return the closed grading batches that contain answers of the run, newest first."""
    return [batch for batch in list_gradings(database) if batch.closed is not None and run in batch.runs]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever a grading batch is closed or a judge's verdict is stored."""
    return database.rows("SELECT count(*), max(made_at), (SELECT count(*) FROM judged) FROM grading_end")[0]


def list_graded_runs(database: Database) -> list[str]:
    """Return the ids of the runs with at least one answer in a closed grading batch."""
    sql = "SELECT DISTINCT run FROM grading_place WHERE grading IN (SELECT grading FROM grading_end) ORDER BY run"
    return [row[0] for row in database.rows(sql)]


def load_judged(database: Database, run: str) -> list[tuple[str, str, str, str, str | None]]:
    """Return (metric, judge, prompt or "", item, variant) for every verdict that a judge gave on an answer in a closed grading
    batch. Verdicts that differ only in the metric's version count once."""
    rows = database.rows(
        f"""
        SELECT DISTINCT j.metric, json_extract_string(j.details, '$.judge'),
            coalesce(json_extract_string(j.details, '$.prompt'), ''), j.item, j.variant
        FROM judged j JOIN ({_GRADED}) p ON p.item = j.item AND p.variant = j.variant
        WHERE j.run = ?
        ORDER BY ALL
        """,
        [run, run],
    )
    return [(metric, judge or "", prompt, item, variant or None) for metric, judge, prompt, item, variant in rows]


def load_judges(database: Database, run: str) -> list[tuple[str, str, str, int]]:
    """Return (metric name with suffixes such as .offline and .judge1, judge, prompt or "", number of judged answers) for every
    judge of the run."""
    rows = database.rows(
        """
        SELECT metric, json_extract_string(details, '$.judge'), coalesce(json_extract_string(details, '$.prompt'), ''), count(*)
        FROM judged
        WHERE run = ?
        GROUP BY ALL
        ORDER BY ALL
        """,
        [run],
    )
    return [(metric, judge or "", prompt, n) for metric, judge, prompt, n in rows]
