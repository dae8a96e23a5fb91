"""Store and load prompt trials. Two drafting configurations draft questions from the same pieces of documents (windows), and
people judge each pair of drafts without knowing which configuration made which draft. The drafts become items when the prompt
trial is closed."""

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
    """A prompt trial: two drafting configurations, compared on the same pieces of documents (windows)."""

    id: str
    task: str
    domain: str
    sides: Sequence[Mapping[str, Any]]
    """The two drafting configurations a and b, each as {"agent", "version": hash or None, "words": {prompt: hash}}."""
    settings: dict[str, Any]
    windows: int
    """Number of windows that were requested for the trial."""
    seed: int
    by: str
    at: Timestamp
    closed: str | None = None
    """Name of the person who closed the trial, or None if it is open."""
    entered: Mapping[str, int] | None = None
    """Dict from outcome to the number of drafts with this outcome when the trial was closed, or None if the trial is open."""


@dataclass(frozen=True, slots=True)
class TrialPair:
    """One piece of a document (window) in a trial, with the draft that each of the two configurations made from it."""

    key: str
    number: int
    window: str
    language: str
    spans: tuple[Span, ...]
    drafts: Mapping[Side, Mapping[str, Any]]
    """Dict from side to its draft: {"state", "message", "gates", "item": record or None, "verdicts", "price", "seconds",
    "calls"}."""
    first: Side
    """Side of the trial, a or b, that the screen shows on the left."""


@dataclass(frozen=True, slots=True)
class PairOpinion:
    """One person's opinion on the two drafts of one trial pair."""

    id: str
    pair: str
    person: str
    decisions: Mapping[str, Mapping[str, Any]] | None
    """Dict from side to {"decision", "question", "answer", "reason"}; None if the person withdrew the opinion."""
    preference: str
    """Side that the person prefers: a, b, same, or "" if the person chose none."""
    seconds: float | None
    at: Timestamp = ""


def add(database: Database, trial: Trial) -> None:
    """Store a new prompt trial, without its pairs."""
    columns = "id, task, domain, sides, settings, windows, seed, made_by, made_at"
    sides, at = list(trial.sides), trial.at or current_time()
    row = (trial.id, trial.task, trial.domain, sides, trial.settings, trial.windows, trial.seed, trial.by, at)
    database.write(lambda cursor: insert_row(cursor, "trial", columns, row, is_numbered=True))


def list_trials(database: Database) -> list[Trial]:
    """Return all prompt trials, newest first."""
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
    """Store pairs of drafts of a trial within the caller's transaction. Pairs that are already stored are not replaced."""
    columns = "key, trial, number, place, language, spans, drafts, shown_first, made_at"
    at = current_time()
    rows = (
        (p.key, trial, p.number, p.window, p.language, p.spans, {s: p.drafts[s] for s in SIDES}, p.first, at) for p in pairs
    )
    insert_rows(cursor, "trial_pair", columns, rows)


def load_pairs(database: Database, trial: str) -> list[TrialPair]:
    """Return every pair of drafts of the trial, in order."""
    sql = "SELECT key, number, place, language, spans, drafts, shown_first FROM trial_pair WHERE trial = ? ORDER BY number"
    return [
        TrialPair(key, number, place, language, spans_from_json(spans), from_json(drafts), first)
        for key, number, place, language, spans, drafts, first in database.rows(sql, [trial])
    ]


def add_answer(database: Database, opinion: PairOpinion) -> bool:
    """Store a person's opinion on a trial pair; return True once it is stored. If another person's opinion on the pair is in
    effect, store nothing and return False. Storing an opinion with the same id again changes nothing."""

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
    """Return a dict from the key of a pair to the opinion on it that is in effect, in the order in which the opinions were
    given. Pairs without an opinion are left out."""
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
    """Return a dict from trial id to (number of pairs with at least one draft, number of those pairs that have an opinion)."""
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
    """Record that the prompt trial is closed; doing this again changes nothing."""
    row = (trial, entered, by, current_time())
    database.write(lambda cursor: insert_rows(cursor, "trial_end", "trial, entered, made_by, made_at", [row]))
