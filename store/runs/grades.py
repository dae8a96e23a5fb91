"""Grades in and out: batches of answers drawn for people, their places in order, and the marks that people gave. Marks are
never changed or removed: one that is taken back is followed by a row that says so."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Grade
from store.engine.columns import current_time, from_json, insert_row, insert_rows, to_json
from store.engine.database import Cursor, Database

_GRADING = ("id", "release", "runs", "scheme", '"of"', '"by"', "sizes", '"each"', "graders", "seed", "made_by", "made_at")
_PLACE = {
    "key": "VARCHAR",
    "grading": "VARCHAR",
    "number": "INTEGER",
    "run": "VARCHAR",
    "item": "VARCHAR",
    "variant": "VARCHAR",
    "stratum": "VARCHAR",
    "verdict": "VARCHAR",
    "mark": "VARCHAR",
    "why": "VARCHAR",
}
_GRADED = """
    SELECT DISTINCT item, variant FROM grading_place WHERE run = ? AND grading IN (SELECT grading FROM grading_end)
"""
_GRADE = "id, place, person, mark, role, comment, seconds, made_at"


@dataclass(frozen=True, slots=True)
class Grading:
    """A batch of answers, or of a judge's single verdicts, to be graded blind."""

    id: str
    release: str
    runs: Sequence[str]
    scheme: str
    of: str
    """"" = whole answers; else the judged metric whose verdicts they are."""
    by: str
    """What strata are told apart by."""
    sizes: Mapping[str, Mapping[str, int]]
    """Run -> stratum -> how many there are to draw from."""
    each: int
    graders: int
    seed: int
    made_by: str
    at: str = ""
    """UTC, ISO format."""
    closed: str | None = None
    """Who closed it; None = it is open."""


@dataclass(frozen=True, slots=True)
class GradingPlace:
    """One answer, or one verdict on it, of a batch."""

    key: str
    number: int
    run: str
    item: str
    variant: str | None
    stratum: str
    verdict: Mapping[str, Any] | None = None
    """{"n", "side", "sentence", "value", "judge", "prompt"} as it stood when it was drawn; None for a whole answer."""
    mark: str | None = None
    """Given by rule, so that nobody is asked; None = people grade it."""
    why: str = ""
    """Which rule."""


def add(database: Database, grading: Grading, places: Sequence[GradingPlace]) -> None:
    """Store a new batch with its places."""
    row = [
        grading.id,
        grading.release,
        to_json(list(grading.runs)),
        grading.scheme,
        grading.of,
        grading.by,
        to_json({run: dict(sizes) for run, sizes in grading.sizes.items()}),
        grading.each,
        grading.graders,
        grading.seed,
        grading.made_by,
        grading.at or current_time(),
    ]
    sql = f"""
        INSERT INTO grading ({", ".join(_GRADING)}, number)
        SELECT {", ".join("?" * len(_GRADING))}, coalesce(max(number), 0) + 1
        FROM grading
        """

    def write(cursor: Cursor) -> None:
        cursor.execute(sql, row).fetchall()
        insert_rows(
            cursor,
            "grading_place",
            _PLACE,
            (
                (
                    p.key,
                    grading.id,
                    p.number,
                    p.run,
                    p.item,
                    p.variant or "",
                    p.stratum,
                    None if p.verdict is None else to_json(dict(p.verdict)),
                    p.mark,
                    p.why,
                )
                for p in places
            ),
        )

    database.write(write)


def list_gradings(database: Database) -> list[Grading]:
    """All batches, newest first."""
    columns = ", ".join(f"g.{name}" for name in _GRADING)
    rows = database.rows(
        f"SELECT {columns}, e.made_by FROM grading g LEFT JOIN grading_end e ON e.grading = g.id ORDER BY g.number DESC"
    )
    return [Grading(r[0], r[1], from_json(r[2]), r[3], r[4], r[5], from_json(r[6]), *r[7:]) for r in rows]


def find(database: Database, grading: str) -> Grading | None:
    """The batch of that id; None when there is none."""
    return next((one for one in list_gradings(database) if one.id == grading), None)


def load_places(database: Database, grading: str) -> list[GradingPlace]:
    """All of a batch, in order."""
    sql = """
        SELECT key, number, run, item, variant, stratum, verdict, mark, why
        FROM grading_place
        WHERE grading = ?
        ORDER BY number
        """
    return [
        GradingPlace(r[0], r[1], r[2], r[3], r[4] or None, r[5], from_json(r[6]), *r[7:]) for r in database.rows(sql, [grading])
    ]


def load_grades(database: Database, grading: str) -> dict[str, list[Grade]]:
    """Place -> its grades, oldest first; places without any are left out."""
    sql = f"SELECT {_GRADE} FROM grade WHERE place IN (SELECT key FROM grading_place WHERE grading = ?) ORDER BY number"
    found: dict[str, list[Grade]] = defaultdict(list)
    for row in database.rows(sql, [grading]):
        found[row[1]].append(Grade(*row))
    return dict(found)


def add_grade(database: Database, grade: Grade, role: Callable[[Sequence[Grade]], Literal["", "resolves"] | None]) -> bool:
    """Store a mark, in the role that the grades there are leave to its person; False where that is none, or the batch was
    closed meanwhile: nothing is stored then. The same id again is the same mark."""
    return add_grades(database, [grade], lambda _, given: role(given))[0]


def add_grades(
    database: Database, many: Sequence[Grade], role: Callable[[Grade, Sequence[Grade]], Literal["", "resolves"] | None]
) -> list[bool]:
    """As give, one after the other and all of them together."""

    def store(cursor: Cursor, grade: Grade) -> bool:
        rows = cursor.execute(f"SELECT {_GRADE} FROM grade WHERE place = ? ORDER BY number", [grade.place]).fetchall()
        if any(row[0] == grade.id for row in rows):
            return True
        ended = "SELECT 1 FROM grading_end WHERE grading = (SELECT grading FROM grading_place WHERE key = ?)"
        fits = role(grade, [Grade(*row) for row in rows])
        if fits is None or cursor.execute(ended, [grade.place]).fetchall():
            return False
        (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM grade").fetchall()[0]
        insert_row(
            cursor,
            "grade",
            ("number", *_GRADE.split(", ")),
            [
                last + 1,
                grade.id,
                grade.place,
                grade.person,
                grade.mark,
                fits,
                grade.comment,
                grade.seconds,
                current_time(),
            ],
        )
        return True

    return database.write(lambda cursor: [store(cursor, grade) for grade in many])


def close(database: Database, grading: str, by: str) -> None:
    """Note that the batch is done; twice is once."""

    def write(cursor: Cursor) -> None:
        if not cursor.execute("SELECT 1 FROM grading_end WHERE grading = ?", [grading]).fetchall():
            insert_row(cursor, "grading_end", ("grading", "made_by", "made_at"), [grading, by, current_time()])

    database.write(write)


def list_closed_gradings(database: Database, run: str) -> list[Grading]:
    """Closed batches that drew from that run, newest first."""
    return [one for one in list_gradings(database) if one.closed is not None and run in one.runs]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Changes when a batch is closed: what was reckoned from grades before it is out of date."""
    return database.rows("SELECT count(*), max(made_at) FROM grading_end")[0]


def list_graded_runs(database: Database) -> list[str]:
    """Every run that a closed batch has an answer of."""
    sql = "SELECT DISTINCT run FROM grading_place WHERE grading IN (SELECT grading FROM grading_end) ORDER BY run"
    return [row[0] for row in database.rows(sql)]


def load_judged(database: Database, run: str) -> list[tuple[str, str, str, str, str | None]]:
    """(metric, judge, prompt or "", item, variant) of what judges said on answers that stand in a closed batch."""
    rows = database.rows(
        f"""
        SELECT j.metric, json_extract_string(j.details, '$.judge'), coalesce(json_extract_string(j.details, '$.prompt'), ''),
            j.item, j.variant
        FROM judged j JOIN ({_GRADED}) p ON p.item = j.item AND p.variant = j.variant
        WHERE j.run = ?
        ORDER BY ALL
        """,
        [run, run],
    )
    return [(metric, judge or "", prompt, item, variant or None) for metric, judge, prompt, item, variant in rows]


def load_judges(database: Database, run: str) -> list[tuple[str, str, str, int]]:
    """(metric with .offline and .judge1, judge, prompt or "", answers) of all that judges said in a run."""
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
