"""Prompt trials in and out: windows drafted in two ways, and what people thought of each pair before they knew which was which.
Nothing here is ever changed or removed; the drafts are no items until their trial is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Span
from store.engine.columns import current_time, from_json, insert_row, insert_rows, spans_from_json, spans_to_json, to_json
from store.engine.database import Cursor, Database

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")

_PAIR = {
    "key": "VARCHAR",
    "trial": "VARCHAR",
    "number": "INTEGER",
    "place": "VARCHAR",
    "language": "VARCHAR",
    "spans": "VARCHAR",
    "drafts": "VARCHAR",
    "shown_first": "VARCHAR",
    "made_at": "VARCHAR",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """Two ways to draft on the same windows."""

    id: str
    task: str
    domain: str
    sides: Sequence[Mapping[str, Any]]
    """Of a and b: {"agent", "version": hash or None, "words": {prompt: hash}}."""
    settings: dict[str, Any]
    windows: int
    """How many are wanted."""
    seed: int
    by: str
    at: str
    """UTC, ISO format."""
    closed: str | None = None
    """Who closed it; None = it is open."""
    entered: Mapping[str, int] | None = None
    """What became of its drafts when it was closed: where they went -> how many."""


@dataclass(frozen=True, slots=True)
class TrialPair:
    """One window with what each side came to."""

    key: str
    number: int
    window: str
    language: str
    spans: tuple[Span, ...]
    drafts: Mapping[Side, Mapping[str, Any]]
    """{"state", "message", "gates", "item": its record or None, "verdicts", "price", "seconds", "calls"}."""
    first: Side
    """The one that stands on the left."""


@dataclass(frozen=True, slots=True)
class PairOpinion:
    """What one person thought of one pair."""

    id: str
    pair: str
    person: str
    decisions: Mapping[str, Mapping[str, Any]] | None
    """Side -> {"decision", "question", "answer", "reason"}; None = taken back."""
    preference: str
    """a, b, same, or "" for none."""
    seconds: float | None
    at: str = ""


def add(database: Database, trial: Trial) -> None:
    """Store a new trial."""
    row = [
        trial.id,
        trial.task,
        trial.domain,
        to_json([dict(side) for side in trial.sides]),
        to_json(trial.settings),
        trial.windows,
        trial.seed,
        trial.by,
        trial.at or current_time(),
    ]
    sql = """
        INSERT INTO trial (id, task, domain, sides, settings, windows, seed, made_by, made_at, number)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(max(number), 0) + 1
        FROM trial
        """
    database.write(lambda cursor: cursor.execute(sql, row).fetchall())


def list_trials(database: Database) -> list[Trial]:
    """All trials, newest first."""
    rows = database.rows(
        """
        SELECT t.id, t.task, t.domain, t.sides, t.settings, t.windows, t.seed, t.made_by, t.made_at, e.made_by, e.entered
        FROM trial t LEFT JOIN trial_end e ON e.trial = t.id
        ORDER BY t.number DESC
        """
    )
    return [
        Trial(
            id_,
            task,
            domain,
            from_json(sides),
            from_json(settings),
            windows,
            seed,
            by,
            at,
            closed,
            from_json(entered) if entered else None,
        )
        for id_, task, domain, sides, settings, windows, seed, by, at, closed, entered in rows
    ]


def find(database: Database, trial: str) -> Trial | None:
    """The trial of that id; None when there is none."""
    return next((one for one in list_trials(database) if one.id == trial), None)


def insert_pairs(cursor: Cursor, trial: str, pairs: Sequence[TrialPair]) -> None:
    """Store pairs, within a transaction of the caller's; those there are stay as they are."""
    at = current_time()
    insert_rows(
        cursor,
        "trial_pair",
        _PAIR,
        (
            (
                p.key,
                trial,
                p.number,
                p.window,
                p.language,
                spans_to_json(p.spans),
                to_json({s: dict(p.drafts[s]) for s in SIDES}),
                p.first,
                at,
            )
            for p in pairs
        ),
    )


def load_pairs(database: Database, trial: str) -> list[TrialPair]:
    """Every pair of the trial, in order."""
    sql = "SELECT key, number, place, language, spans, drafts, shown_first FROM trial_pair WHERE trial = ? ORDER BY number"
    return [
        TrialPair(key, number, place, language, spans_from_json(spans), from_json(drafts), first)
        for key, number, place, language, spans, drafts, first in database.rows(sql, [trial])
    ]


def add_answer(database: Database, given: PairOpinion) -> bool:
    """Store what a person thought; False when the pair's standing answer is another person's, and nothing is stored. The same
    id again is the same answer."""

    def write(cursor: Cursor) -> bool:
        rows = cursor.execute(
            "SELECT id, person, decisions IS NULL FROM trial_answer WHERE pair = ? ORDER BY number", [given.pair]
        ).fetchall()
        if any(row[0] == given.id for row in rows):
            return True
        if rows and rows[-1][1] != given.person and not rows[-1][2]:
            return False
        (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM trial_answer").fetchall()[0]
        names = ("id", "number", "pair", "person", "decisions", "preference", "seconds", "made_at")
        decisions = None if given.decisions is None else to_json({s: dict(d) for s, d in given.decisions.items()})
        insert_row(
            cursor,
            "trial_answer",
            names,
            [given.id, last + 1, given.pair, given.person, decisions, given.preference, given.seconds, current_time()],
        )
        return True

    return database.write(write)


def load_answers(database: Database, trial: str) -> dict[str, PairOpinion]:
    """Pair -> the answer that stands, in the order in which they were given; pairs without one are left out."""
    rows = database.rows(
        """
        SELECT a.id, a.pair, a.person, a.decisions, a.preference, a.seconds, a.made_at
        FROM trial_answer a JOIN trial_pair p ON p.key = a.pair
        WHERE p.trial = ?
        QUALIFY row_number() OVER (PARTITION BY a.pair ORDER BY a.number DESC) = 1
        ORDER BY a.number
        """,
        [trial],
    )
    found = [
        PairOpinion(id_, pair, person, from_json(said), preference, seconds, at)
        for id_, pair, person, said, preference, seconds, at in rows
    ]
    return {one.pair: one for one in found if one.decisions is not None}


def count_pairs(database: Database) -> dict[str, tuple[int, int]]:
    """Trial -> (pairs with a draft to decide on, those decided)."""
    rows = database.rows(
        """
        WITH last AS (
            SELECT pair, arg_max(decisions IS NOT NULL, number) AS is_decided
            FROM trial_answer
            GROUP BY pair
        )
        SELECT p.trial, count(*), count(*) FILTER (WHERE coalesce(l.is_decided, false))
        FROM trial_pair p LEFT JOIN last l ON l.pair = p.key
        WHERE json_extract_string(p.drafts, '$.a.state') = 'drafted' OR json_extract_string(p.drafts, '$.b.state') = 'drafted'
        GROUP BY p.trial
        """
    )
    return {trial: (pairs, decided) for trial, pairs, decided in rows}


def close(database: Database, trial: str, entered: Mapping[str, int], by: str) -> None:
    """Note that the trial is closed; twice is once."""
    row = [trial, to_json(dict(entered)), by, current_time()]
    names = ("trial", "entered", "made_by", "made_at")

    def write(cursor: Cursor) -> None:
        if not cursor.execute("SELECT 1 FROM trial_end WHERE trial = ?", [trial]).fetchall():
            insert_row(cursor, "trial_end", names, row)

    database.write(write)
