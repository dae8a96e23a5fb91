"""R-Eval's matching: the mean reward of a system in each cell, a domain at a level; the same as a ratio to another system's on
the same questions; and what the best of several systems at each question would reach. A ratio to nothing is no number."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Level
from core.statistics.resampling import MIN_POISSON_CLUSTERS, Draws, draw
from core.statistics.statistics import intervals
from eval.papers.response_types import METRICS
from eval.papers.season import check_season
from eval.reports.leaderboard import TaskKey, order_level
from eval.reports.report import Key, Report
from eval.reports.results import ResultRow

RARE = 0.025
"""Share of resamples without a ratio from which on its interval has no upper end."""


class RadarCell(NamedTuple):
    """A domain at a level: an axis of R-Eval's radars."""

    domain: str
    level: Level

    @property
    def label(self) -> str:
        return f"{self.domain} {self.level}" if self.level is not None else self.domain


class Matched(NamedTuple):
    """One figure with what it is over."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no value, or no interval."""


def check_rewards(report: Report) -> None:
    """Raises BenchError on runs of several seasons, and where no answer has the reward."""
    check_season([result.run for result in report.results])
    if all(find_reward(row) is None for rows in report.rows for row in rows):
        raise BenchError("No answer of these runs has r_eval_f1 or r_eval_f1_cjk: score them with one of the two.")


def find_reward(row: ResultRow) -> float | None:
    """R-Eval's reward, by whichever of its two metrics has a value."""
    values = (row.points[name].value for name in METRICS if name in row.points)
    return next((value for value in values if value is not None), None)


def find_task(row: ResultRow) -> TaskKey:
    """A row's task: the data set that its item names as its own, else the item's task."""
    return TaskKey(str(row.labels.get("dataset") or row.task), row.level, row.domain)


def list_cells(report: Report) -> list[RadarCell]:
    """Those that the runs' questions are in, domain by domain, levels in the paper's order."""
    found = {RadarCell(row.domain, row.level) for rows in report.rows for row in rows}
    return sorted(found, key=lambda cell: (cell.domain, order_level(cell.level)))


def select_cell(rows: Sequence[ResultRow], cell: RadarCell) -> list[ResultRow]:
    return [row for row in rows if (row.domain, row.level) == cell]


def average_reward(report: Report, rows: Sequence[ResultRow]) -> Matched:
    """Over those of the rows that have one, with its interval."""
    known = [(row, value) for row in rows if (value := find_reward(row)) is not None]
    return average_values(report, [row for row, _ in known], [value for _, value in known])


def average_values(report: Report, rows: Sequence[ResultRow], values: Sequence[float]) -> Matched:
    """The mean of one value a row, with its interval."""
    drawn = _draw_columns(report, rows, [[value] for value in values], 1)
    (found,) = intervals(drawn.means, drawn.resampled, drawn)
    return Matched(found.mean, found.n, found.low, found.high, found.why)


def measure_ratio(report: Report, rows: Sequence[ResultRow], reference: Sequence[ResultRow]) -> Matched:
    """The rows' mean reward over the reference's on the questions that both have one for. Where the reference's is 0 there is
    no value; where its resamples are often 0, no interval."""
    import numpy as np

    other = {row.key: value for row in reference if (value := find_reward(row)) is not None}
    both = [(row, value, other[row.key]) for row in rows if row.key in other and (value := find_reward(row)) is not None]
    if not both:
        return Matched(None, 0, why="no question that both answered")
    drawn = _draw_columns(report, [row for row, _, _ in both], [[value, under] for _, value, under in both], 2)
    if drawn.means[1] == 0:
        return Matched(None, len(both), why="the reference has 0")
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled = np.where(drawn.resampled[1] > 0, drawn.resampled[0] / drawn.resampled[1], math.nan)
    means = drawn.means[:1] / drawn.means[1]
    lost = float(np.isnan(resampled).mean())
    (found,) = intervals(means, resampled[None], Draws(means, resampled, drawn.n[:1], drawn.clusters[:1]))
    if lost > RARE and found.low is not None:
        return Matched(found.mean, found.n, why=f"no interval: the reference has 0 in {lost:.0%} of the resamples")
    return Matched(found.mean, found.n, found.low, found.high, found.why)


class SharedRewards(NamedTuple):
    """What several systems reach together on the questions that each has a reward for."""

    rows: Sequence[ResultRow]
    """Those questions, as the first system's rows."""
    rewards: Sequence[Sequence[float]]
    """By question, each system's."""

    def best_rewards(self) -> list[float]:
        """By question, the best system's."""
        return [max(own) for own in self.rewards]

    def count_sole_wins(self, run: int) -> int:
        """Questions at which that one is above every other."""
        return sum(all(own[run] > value for place, value in enumerate(own) if place != run) for own in self.rewards)

    def count_wins(self, run: int) -> int:
        """Questions at which none is above it, and it has something."""
        return sum(own[run] == max(own) > 0 for own in self.rewards)


def collect_shared_rewards(report: Report) -> SharedRewards:
    """Of all runs of the report."""
    by_run: list[Mapping[Key, float]] = [
        {row.key: value for row in rows if (value := find_reward(row)) is not None} for rows in report.rows
    ]
    shared = [row for row in report.rows[0] if all(row.key in own for own in by_run)]
    return SharedRewards(shared, [[own[row.key] for own in by_run] for row in shared])


def _draw_columns(report: Report, rows: Sequence[ResultRow], values: Sequence[Sequence[float]], columns: int) -> Draws:
    """Columns of values, a row each, from the draws that every figure of the report comes from."""
    import numpy as np

    table: Any = np.array(values, np.float64).reshape(len(rows), columns)
    over = report.order if len(report.order) < MIN_POISSON_CLUSTERS else None
    return draw(table, report.clusters_of(rows), report.resamples, report.seed, over)
