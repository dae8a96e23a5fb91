"""Store and load prompt trials: windows drafted in two ways, and people's blind opinions on each pair. The drafts become items
when their trial is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.nouns import Span
from store.engine.columns import Timestamp, current_time, decode_json, from_json, insert_row, insert_rows, spans_from_json
from store.engine.database import Cursor, Database

Side = Literal["a", "b"]
SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True, slots=True)
class Trial:
    """A comparison of two drafting configurations on the same windows."""

    id: str
    task: str
    domain: str
    sides: Sequence[Mapping[str, Any]]
    """Sides a and b: {"agent", "version": hash or None, "words": {prompt: hash}}."""
    settings: dict[str, Any]
    windows: int
    """Number of requested windows."""
    seed: int
    by: str
    at: Timestamp
    closed: str | None = None
    """Name of the person who closed the trial; None = open."""
    entered: Mapping[str, int] | None = None
    """Number of drafts by destination when the trial was closed."""


@dataclass(frozen=True, slots=True)
class TrialPair:
    """One window of a trial with the draft of each configuration."""

    key: str
    number: int
    window: str
    language: str
    spans: tuple[Span, ...]
    drafts: Mapping[Side, Mapping[str, Any]]
    """{"state", "message", "gates", "item": its record or None, "verdicts", "price", "seconds", "calls"} by side."""
    first: Side
    """Side on the left of the screen."""


@dataclass(frozen=True, slots=True)
class PairOpinion:
    """One person's opinion on one pair of a trial."""

    id: str
    pair: str
    person: str
    decisions: Mapping[str, Mapping[str, Any]] | None
    """{"decision", "question", "answer", "reason"} by side; None = withdrawn."""
    preference: str
    """Preferred side: a, b or same; "" = none."""
    seconds: float | None
    at: Timestamp = ""


def add(database: Database, trial: Trial) -> None:
    """Store a new trial."""
    columns = "id, task, domain, sides, settings, windows, seed, made_by, made_at"
    sides, at = list(trial.sides), trial.at or current_time()
    row = (trial.id, trial.task, trial.domain, sides, trial.settings, trial.windows, trial.seed, trial.by, at)
    database.write(lambda cursor: insert_row(cursor, "trial", columns, row, is_numbered=True))


def list_trials(database: Database) -> list[Trial]:
    """Return all trials, newest first."""
    rows = database.rows(
        """
        SELECT t.id, t.task, t.domain, t.sides, t.settings, t.windows, t.seed, t.made_by, t.made_at, e.made_by, e.entered
        FROM trial t LEFT JOIN trial_end e ON e.trial = t.id
        ORDER BY t.number DESC
        """
    )
    return [Trial(*decode_json(row, 3, 4, 10)) for row in rows]


def find(database: Database, trial: str) -> Trial | None:
    """Return the trial with the given id, or None if there is none."""
    return next((stored for stored in list_trials(database) if stored.id == trial), None)


def insert_pairs(cursor: Cursor, trial: str, pairs: Sequence[TrialPair]) -> None:
    """Store pairs of a trial within the caller's transaction; pairs that are already stored are kept."""
    columns = "key, trial, number, place, language, spans, drafts, shown_first, made_at"
    at = current_time()
    rows = (
        (p.key, trial, p.number, p.window, p.language, p.spans, {s: p.drafts[s] for s in SIDES}, p.first, at) for p in pairs
    )
    insert_rows(cursor, "trial_pair", columns, rows)


def load_pairs(database: Database, trial: str) -> list[TrialPair]:
    """Return every pair of the trial, in order."""
    sql = "SELECT key, number, place, language, spans, drafts, shown_first FROM trial_pair WHERE trial = ? ORDER BY number"
    return [
        TrialPair(key, number, place, language, spans_from_json(spans), from_json(drafts), first)
        for key, number, place, language, spans, drafts, first in database.rows(sql, [trial])
    ]


def add_answer(database: Database, opinion: PairOpinion) -> bool:
    """Store an opinion on a pair; returns False and stores nothing if another person's opinion on the pair already counts.
    Storing the same id again changes nothing."""

    def write(cursor: Cursor) -> bool:
        sql = "SELECT id, person, decisions IS NULL FROM trial_answer WHERE pair = ? ORDER BY number"
        rows = cursor.execute(sql, [opinion.pair]).fetchall()
        if any(id == opinion.id for id, _, _ in rows):
            return True
        if rows and rows[-1][1] != opinion.person and not rows[-1][2]:
            return False
        columns = "id, pair, person, decisions, preference, seconds, made_at"
        values = (opinion.id, opinion.pair, opinion.person, opinion.decisions, opinion.preference, opinion.seconds)
        row = (*values, current_time())
        insert_row(cursor, "trial_answer", columns, row, is_numbered=True)
        return True

    return database.write(write)


def load_answers(database: Database, trial: str) -> dict[str, PairOpinion]:
    """Return pair -> the opinion that counts, in the order in which they were given; pairs without an opinion are left out."""
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
    opinions = [PairOpinion(*decode_json(row, 3)) for row in rows]
    return {opinion.pair: opinion for opinion in opinions if opinion.decisions is not None}


def count_pairs(database: Database) -> dict[str, tuple[int, int]]:
    """Return trial -> (number of pairs with a draft to decide on, number of pairs already decided)."""
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
    """Record that the trial is closed; calling this again changes nothing."""
    row = (trial, entered, by, current_time())
    database.write(lambda cursor: insert_rows(cursor, "trial_end", "trial, entered, made_by, made_at", [row]))
