"""Store and load human grading: batches of answers sampled for people to grade, the answers in their order, and the grades that
people give. Grades never change: a grade is withdrawn by adding another row."""

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
    """A batch of answers, or of a judge's single verdicts, sampled for people to grade without knowing which system gave the
    answers."""

    id: str
    release: str
    runs: Sequence[str]
    scheme: str
    of: str
    """"" if whole answers are graded, or the metric whose single verdicts are graded."""
    by: str
    """Name of the field by which the draw is stratified, or of the metric whose scores make the strata."""
    sizes: Mapping[str, Mapping[str, int]]
    """Number of answers that could be drawn: a dict from run to a dict from stratum to number."""
    each: int
    """Number of answers drawn from each stratum of a run; 0 = different numbers, chosen so that intervals shrink."""
    graders: int
    seed: int
    made_by: str
    at: Timestamp = ""
    closed: str | None = None
    """Name of the person who closed the batch, or None while it is open."""


@dataclass(frozen=True, slots=True)
class GradingPlace:
    """One answer to grade in a batch, or one of a judge's verdicts on it."""

    key: str
    number: int
    run: str
    item: str
    variant: str | None
    stratum: str
    verdict: Mapping[str, Any] | None = None
    """The judge's verdict when the batch was drawn, {"n", "side", "sentence", "value", "judge", "prompt"}, or None if a whole
    answer is graded."""
    mark: str | None = None
    """Mark that a rule gave, so that no person grades this answer, or None if people do."""
    why: str = ""
    """The rule that gave the mark, in words."""


def add(database: Database, grading: Grading, places: Sequence[GradingPlace]) -> None:
    """Store a new grading batch with its sampled answers."""
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
    """Return all answers to grade in the batch, in order."""
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
    """Store a grade with the role that `role` returns for the grades already given to the same answer. Return True if the grade
    is stored, or False if `role` returns None or the batch is closed. Storing a grade with the same id again changes
    nothing."""
    return add_grades(database, [grade], lambda _, grades: role(grades))[0]


def add_grades(
    database: Database, grades: Sequence[Grade], role: Callable[[Grade, Sequence[Grade]], Literal["", "resolves"] | None]
) -> list[bool]:
    """Store several grades like `add_grade`, one after another in a single transaction."""

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
    """Record that the grading batch is closed; calling this again changes nothing."""
    row = (grading, by, current_time())
    database.write(lambda cursor: insert_rows(cursor, "grading_end", "grading, made_by, made_at", [row]))


def list_closed_gradings(database: Database, run: str) -> list[Grading]:
    """Return the closed grading batches that contain answers of the run, newest first."""
    return [batch for batch in list_gradings(database) if batch.closed is not None and run in batch.runs]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever a grading batch is closed, or verdicts of a judge are added."""
    return database.rows("SELECT count(*), max(made_at), (SELECT count(*) FROM judged) FROM grading_end")[0]


def list_graded_runs(database: Database) -> list[str]:
    """Return the ids of the runs that have an answer in a closed grading batch."""
    sql = "SELECT DISTINCT run FROM grading_place WHERE grading IN (SELECT grading FROM grading_end) ORDER BY run"
    return [row[0] for row in database.rows(sql)]


def load_judged(database: Database, run: str) -> list[tuple[str, str, str, str, str | None]]:
    """Return (metric, judge, prompt or "", item, variant) for every verdict of a judge on an answer in a closed grading
    batch. Verdicts that differ only in the version of the metric count once."""
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
    """Return (metric name with suffixes such as .offline and .judge1, judge, prompt or "", number of judged answers) for all
    judges of the run."""
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
