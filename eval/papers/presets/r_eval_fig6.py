"""r_eval_fig6: the mean reward of each system against the cost of an answer (service seconds, calls, tokens), over all
questions and by domain, with the systems that no other system beats in both reward and cost."""

from collections.abc import Callable, Mapping

from core.nouns import Trace
from core.statistics.statistics import Interval
from eval.figures.scatter import Plane, ScatterPoint, draw_scatter, find_frontier
from eval.page import Figure, Page, Record, count, figure, interval_cells, tabulate
from eval.papers.matching import average_reward, check_rewards
from eval.papers.season import list_season_notes
from eval.preset import Preset
from eval.reports.latency import describe_window
from eval.reports.report import Report
from eval.reports.results import Rows


def _count_tokens(trace: Trace) -> float | None:
    counts = [tokens for tokens in (trace.tokens_in, trace.tokens_out) if tokens is not None]
    return sum(counts) if counts else None


Cost = Callable[[Trace], float | None]
COSTS: Mapping[str, Cost] = {
    "seconds": lambda trace: trace.seconds,
    "calls": lambda trace: trace.calls,
    "tokens": _count_tokens,
}
DIGITS = {"seconds": 2, "calls": 2, "tokens": 0}


def build(report: Report) -> Page:
    """Return the page of R-Eval's figure 6. Raises BenchError if no answer has R-Eval's reward, or if the runs are of several
    seasons (releases)."""
    check_rewards(report)
    domains = sorted({row.domain for rows in report.rows for row in rows})
    records = []
    points: dict[str, dict[str, tuple[Interval, float]]] = {cost: {} for cost in COSTS}
    for number, name in enumerate(report.names):
        for domain in ["all", *domains] if len(domains) > 1 else ["all"]:
            rows = [row for row in report.rows[number] if domain in ("all", row.domain)]
            reward = average_reward(report, rows)
            spent: Record = {}
            for cost, measure in COSTS.items():
                mean, n = _average_cost(report, number, rows, measure)
                spent |= {cost: figure(mean, DIGITS[cost]), f"n {cost}": count(n)}
                if domain == "all" and mean is not None and reward.mean is not None:
                    points[cost][name] = reward, mean
            head = {"system": name, "domain": domain, "n": reward.n, **interval_cells("reward", reward, 1, 100)}
            records.append({**head, **spent, "measured": describe_window(report.results[number])})
    planes = [_build_plane(cost, costs) for cost, costs in points.items() if costs]
    title = "R-Eval: deployment"
    notes = [
        "Mean reward against what an answer takes on average, all questions. Upright lines are 95 % bootstrap intervals "
        "of the reward. Filled: no other system has as much reward for at most the same cost, and is better in one of "
        "the two. Seconds are service time, without waiting for a free slot."
    ]
    highest = max((end for plane in planes for point in plane.points for end in (point.y, point.high or 0.0)), default=0.0)
    top = _round_up(min(max(highest, 0.1), 0.98))
    figures = [Figure(title, draw_scatter(planes, "mean reward", top), notes)] if planes else []
    table = tabulate("Of an answer, on average; reward in hundredths", records, ["A dash: the value is unknown."])
    return Page(title, [table], figures, list_season_notes(report))


def _average_cost(report: Report, run: int, rows: Rows, measure: Cost) -> tuple[float | None, int]:
    """Return (mean cost, number of questions) over the answered questions for which this cost is known."""
    keys = {row.key for row in rows}
    answered = [t for t in report.results[run].traces if t.answer is not None and (t.item, t.variant) in keys]
    costs = [value for value in map(measure, answered) if value is not None]
    return (sum(costs) / len(costs) if costs else None), len(costs)


def _build_plane(cost: str, costs: Mapping[str, tuple[Interval, float]]) -> Plane:
    best = find_frontier({name: (reward.mean or 0.0, mean) for name, (reward, mean) in costs.items()})
    points = [ScatterPoint(name, mean, y.mean or 0.0, y.low, y.high, name in best) for name, (y, mean) in costs.items()]
    return Plane(f"Reward over {cost}", f"{cost} an answer", _round_up(max(point.x for point in points)), points)


def _round_up(value: float) -> float:
    """Return a round number of at least `value`, as the end of an axis."""
    step = 1e-9
    while step * 10 <= value:
        step *= 10
    return float(f"{next((step * f for f in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if step * f >= value * 1.02), 1.0):.3g}")


PRESET = Preset(label="R-Eval figure 6: deployment", build=build)
