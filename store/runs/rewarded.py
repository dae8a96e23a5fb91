"""Load all answers of a run with their questions in one query, for analyses of the whole run. The steps of the system on the
way to each answer are not loaded."""

from collections.abc import Sequence
from typing import NamedTuple

from core.nouns import Level, Run, Score
from store.engine.columns import from_json, level_from_text
from store.engine.database import Database
from store.runs.traces import MEMBER

MAX_LISTED_CHARACTERS = 400
"""Maximum number of characters that a list shows of a question or an answer."""


class RewardedQuestion(NamedTuple):
    """One question of a run with the system's answer; both texts are shortened for a list."""

    item: str
    variant: str | None
    question: str
    """First characters of the question as the system received it."""
    golds: Sequence[str]
    level: Level
    domain: str
    answer: str | None
    """First characters of the system's answer, or None if it failed."""
    stop: str


def load_questions(database: Database, run: Run) -> list[RewardedQuestion]:
    """Return all questions of the run, sorted by item and variant."""
    rows = database.rows(
        f"""
        {MEMBER}
        SELECT t.item, nullif(t.variant, ''), substr(coalesce(v.text, r.question), 1, ?), r.answers, r.level, r.domain,
            substr(t.answer, 1, ?), t.stop
        FROM trace t
        JOIN member m ON m.item = t.item
        JOIN revision r ON r.item = m.item AND r.revision = m.revision
        LEFT JOIN variant v ON v.id = t.variant
        WHERE t.run = ?
        ORDER BY t.item, t.variant
        """,
        [[run.release_hash], MAX_LISTED_CHARACTERS, MAX_LISTED_CHARACTERS, run.id],
    )
    return [RewardedQuestion(*(*row[:3], tuple(from_json(row[3])), level_from_text(row[4]), *row[5:])) for row in rows]


def load_scores(database: Database, run: str, metrics: Sequence[str]) -> dict[tuple[str, str | None], dict[str, Score]]:
    """Return a dict from (item, variant) to a dict from metric to score, for the given metrics."""
    rows = database.rows(
        """
        SELECT run, item, variant, metric, version, value, why
        FROM score
        WHERE run = ? AND metric IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY item, variant, metric, version
        """,
        [run, list(metrics)],
    )
    scores: dict[tuple[str, str | None], dict[str, Score]] = {}
    for row in rows:
        score = Score(row[0], row[1], row[2] or None, *row[3:])
        scores.setdefault((score.item, score.variant), {})[score.metric] = score
    return scores
