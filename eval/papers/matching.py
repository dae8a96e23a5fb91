"""Compute what R-Eval calls matching. It consists of the mean reward of a system in each cell (a domain at a level), the ratio
of this mean to another system's mean on the same questions, and the highest reward of several systems on each question. A ratio
to a mean of 0 is undefined."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.errors import BenchError
from core.nouns import Level
from core.statistics.resampling import MIN_POISSON_CLUSTERS, Draws, draw
from core.statistics.statistics import Interval, intervals
from eval.papers.response_types import METRICS
from eval.papers.season import check_season
from eval.reports.leaderboard import TaskKey, order_level
from eval.reports.report import Report
from eval.reports.results import ResultRow, RowKey, Rows

MAX_LOST_SHARE = 0.025
"""Maximum share (0..1) of bootstrap resamples in which a ratio is undefined; above it, the ratio has no interval."""


class RadarCell(NamedTuple):
    """One domain at one level, which is an axis of R-Eval's radar charts."""

    domain: str
    level: Level

    @property
    def label(self) -> str:
        return f"{self.domain} {self.level}" if self.level is not None else self.domain


def check_rewards(report: Report) -> None:
    """Raise BenchError if the runs are of several seasons (releases), or if no answer has R-Eval's reward."""
    check_season([result.run for result in report.results])
    if all(find_reward(row) is None for rows in report.rows for row in rows):
        raise BenchError("No answer of these runs has r_eval_f1 or r_eval_f1_cjk: score them with one of the two.")


def find_reward(row: ResultRow) -> float | None:
    """Return the answer's R-Eval reward, from the first of the metrics r_eval_f1 and r_eval_f1_cjk that has a value; None if
    neither metric has a value."""
    values = (row.points[name].value for name in METRICS if name in row.points)
    return next((value for value in values if value is not None), None)


def index_rewards(rows: Rows) -> dict[RowKey, float]:
    """Return a dict from (item, variant) to the reward, for the rows that have a reward."""
    return {row.key: reward for row in rows if (reward := find_reward(row)) is not None}


def find_task(row: ResultRow) -> TaskKey:
    """Return the task under which an answer counts on R-Eval's leaderboard: the data set in its item's labels, else the item's
    task."""
    return TaskKey(str(row.labels.get("dataset") or row.task), row.level, row.domain)


def list_cells(report: Report) -> list[RadarCell]:
    """Return the (domain, level) cells of the runs' questions, by domain, then by level in the paper's order."""
    cells = {RadarCell(row.domain, row.level) for rows in report.rows for row in rows}
    return sorted(cells, key=lambda cell: (cell.domain, order_level(cell.level)))


def select_cell(rows: Rows, cell: RadarCell) -> list[ResultRow]:
    return [row for row in rows if (row.domain, row.level) == cell]


def average_reward(report: Report, rows: Rows) -> Interval:
    """Return the mean reward with its interval, over the rows that have a reward."""
    rewards = index_rewards(rows)
    return average_values(report, [row for row in rows if row.key in rewards], list(rewards.values()))


def average_values(report: Report, rows: Rows, values: Sequence[float]) -> Interval:
    """Return the mean of `values` (one value per row) with its interval."""
    drawn = _draw_columns(report, rows, [[value] for value in values], 1)
    return intervals(drawn.means, drawn.resampled, drawn)[0]


def measure_ratio(report: Report, rows: Rows, reference: Rows) -> Interval:
    """Return the ratio of the rows' mean reward to that of `reference`, over the questions with a reward in both. The ratio has
    no value if the reference's mean is 0, and no interval if that mean is 0 in many of the resamples."""
    own, other = index_rewards(rows), index_rewards(reference)
    both = [row for row in rows if row.key in own and row.key in other]
    if not both:
        return Interval(None, None, None, 0, "no question that both answered")
    drawn = _draw_columns(report, both, [[own[row.key], other[row.key]] for row in both], 2)
    if drawn.means[1] == 0:
        return Interval(None, None, None, len(both), "the reference's mean is 0")
    with np.errstate(invalid="ignore", divide="ignore"):
        resampled = np.where(drawn.resampled[1] > 0, drawn.resampled[0] / drawn.resampled[1], math.nan)
    means = drawn.means[:1] / drawn.means[1]
    lost = float(np.isnan(resampled).mean())
    (ratio,) = intervals(means, resampled[None], Draws(means, resampled, drawn.n[:1], drawn.clusters[:1]))
    if lost > MAX_LOST_SHARE and ratio.low is not None:
        why = f"no interval: the reference's mean is 0 in {lost:.0%} of the resamples"
        return Interval(ratio.mean, None, None, ratio.n, why)
    return ratio


class SharedRewards(NamedTuple):
    """The rewards of several systems on the questions for which every system has a reward."""

    rows: Rows
    """The questions for which every system has a reward, as rows of the first system."""
    rewards: Sequence[Sequence[float]]
    """For each question, the reward of each system, in the order of the runs."""

    def best_rewards(self) -> list[float]:
        return [max(own) for own in self.rewards]

    def count_sole_wins(self, run: int) -> int:
        """Return the number of questions on which only this run has the highest reward."""
        return sum(all(own[run] > value for place, value in enumerate(own) if place != run) for own in self.rewards)

    def count_wins(self, run: int) -> int:
        """Return the number of questions on which this run has the highest reward, alone or tied with other runs, and the
        reward is above 0."""
        return sum(own[run] == max(own) > 0 for own in self.rewards)


def collect_shared_rewards(report: Report) -> SharedRewards:
    """Return the rewards of all the report's runs on the questions for which every run has a reward."""
    by_run: list[Mapping[RowKey, float]] = [index_rewards(rows) for rows in report.rows]
    shared = [row for row in report.rows[0] if all(row.key in own for own in by_run)]
    return SharedRewards(shared, [[own[row.key] for own in by_run] for row in shared])


def _draw_columns(report: Report, rows: Rows, values: Sequence[Sequence[float]], columns: int) -> Draws:
    """Return the bootstrapped means of the columns of `values` (one row per question), with the same resamples as in the
    report."""
    table: Any = np.array(values, np.float64).reshape(len(rows), columns)
    over = report.order if len(report.order) < MIN_POISSON_CLUSTERS else None
    return draw(table, report.clusters_of(rows), report.resamples, report.seed, over)
