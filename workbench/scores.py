"""Scoring a predictions file: no workspace, a ledger in memory."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.catalog import pick
from core.errors import BenchError
from eval.metric import metrics as metric_catalog
from eval.predictions import read_predictions, score_predictions
from eval.runner import RunStopped
from eval.scoring import Judge
from store.database import Database
from workbench.agents import Agents


def score_file(
    path: Path, *, metrics: Sequence[str], language: str | None = None, judges: Sequence[str] = (), votes: int = 1,
    budget: float | None = None, settings: Mapping[str, Any], say: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The JSON of `cli.py score`. Raises BenchError on unknown metrics, an unreadable file, or a judge that ended it."""
    if not metrics:
        raise BenchError(f"No metric named: give --metrics with any of {', '.join(metric_catalog())}.")
    for name in metrics:
        pick(metric_catalog(), name, "metric")
    predictions = read_predictions(path)
    for refused in predictions.refused:
        say(str(refused["message"]))
    with Database.open(":memory:") as database:
        agents = Agents(database)
        for name in judges:
            agents.check(name, settings, budget, owner="judge")
        made = [agents.agent(name, settings, budget=budget, owner="judge") for name in judges]
        asked = [Judge(judge.name, judge.is_offline, judge.ask) for judge in made]
        try:
            return asyncio.run(score_predictions(predictions, metrics, language=language, judges=asked, votes=votes))
        except RunStopped as stopped:
            raise BenchError(f"Scoring stopped ({stopped.reason}): {stopped}") from stopped
