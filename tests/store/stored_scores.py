"""Scores stored for a test in one transaction of their own."""

from collections.abc import Sequence

from core.nouns import Score
from store.engine.database import Database
from store.runs.runs import insert_scores


def store_scores(database: Database, scores: Sequence[Score]) -> None:
    database.write(lambda cursor: insert_scores(cursor, scores))
