"""r_eval_fig6: deployment: what an answer takes (service seconds, calls, tokens) against its mean reward, over all questions
and domain by domain, and which systems no other beats at both."""

from collections.abc import Callable, Mapping, Sequence

from core.nouns import Trace
from eval.figures.scatter import Plane, ScatterPoint, draw_scatter
from eval.page import Figure, Page, Table, count, figure, words
from eval.papers.matching import average_reward, check_rewards
from eval.papers.season import describe_other_rows
from eval.preset import Preset
from eval.reports.latency import describe_window
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report
from eval.reports.results import ResultRow
from eval.robustness.frontier import find_frontier

Cost = Callable[[Trace], float | None]
COSTS: Mapping[str, Cost] = {
    "seconds": lambda trace: trace.seconds,
    "calls": lambda trace: trace.calls,
    "tokens": lambda trace: (
        None if trace.tokens_in is None and trace.tokens_out is None else (trace.tokens_in or 0) + (trace.tokens_out or 0)
    ),
}
DIGITS = {"seconds": 2, "calls": 2, "tokens": 0}


def build(report: Report) -> Page:
    """Raises BenchError when no answer has R-Eval's reward, or the runs are of several seasons."""
    check_rewards(report)
    names = name_results(report.results)
    domains = sorted({row.domain for rows in report.rows for row in rows})
    lines = []
    points: dict[str, dict[str, tuple[float, float]]] = {cost: {} for cost in COSTS}
    ends: dict[str, tuple[float | None, float | None]] = {}
    for number, name in enumerate(names):
        for domain in ["all", *domains] if len(domains) > 1 else ["all"]:
            rows = [row for row in report.rows[number] if domain in ("all", row.domain)]
            found = average_reward(report, rows)
            taken = {cost: _mean(report, number, rows, of) for cost, of in COSTS.items()}
            if domain == "all":
                ends[name] = found.low, found.high
                for cost, (value, _) in taken.items():
                    if value is not None and found.value is not None:
                        points[cost][name] = found.value, value
            rewarded = (figure(end, 1, 100) for end in (found.value, found.low, found.high))
            spent = [cell for cost, (value, n) in taken.items() for cell in (figure(value, DIGITS[cost]), count(n))]
            lines.append(
                [words(name), words(domain), count(found.n), *rewarded, *spent, words(describe_window(report.results[number]))]
            )
    planes = [_plane(cost, known, names, ends) for cost, known in points.items() if known]
    title = "R-Eval: deployment"
    notes = [
        "Mean reward against what an answer takes on average, all questions. Upright lines are 95 % bootstrap intervals "
        "of the reward. Filled: no other system has as much reward for at most the same cost, and is better in one of "
        "the two. Seconds are service time, without waiting for a place."
    ]
    heads = [
        "system",
        "domain",
        "n",
        "reward",
        "low",
        "high",
        *(head for cost in COSTS for head in (cost, f"n {cost}")),
        "measured",
    ]
    drawn = [Figure(title, draw_scatter(planes, "mean reward", _round_up(_find_highest(planes))), notes)] if planes else []
    table = Table("Of an answer, on average; reward in hundredths", heads, lines, ["A dash: nobody told."])
    return Page(title, [table], drawn, [*list_notes(report), *describe_other_rows(report)])


def _mean(report: Report, run: int, rows: Sequence[ResultRow], of: Cost) -> tuple[float | None, int]:
    """The mean over answered questions that tell it, and how many those are."""
    asked = {row.key for row in rows}
    told = [
        of(trace) for trace in report.results[run].traces if trace.answer is not None and (trace.item, trace.variant) in asked
    ]
    known = [value for value in told if value is not None]
    return (sum(known) / len(known) if known else None), len(known)


def _plane(
    cost: str,
    known: Mapping[str, tuple[float, float]],
    names: Sequence[str],
    ends: Mapping[str, tuple[float | None, float | None]],
) -> Plane:
    best = find_frontier(known)
    points = [ScatterPoint(name, known[name][1], known[name][0], *ends[name], name in best) for name in names if name in known]
    return Plane(f"Reward over {cost}", f"{cost} an answer", _round_up(max(point.x for point in points)), points)


def _find_highest(planes: Sequence[Plane]) -> float:
    """Of all points and intervals; at least a tenth."""
    return min(max(end for plane in planes for point in plane.points for end in (point.y, point.high or 0.0, 0.1)), 0.98)


def _round_up(most: float) -> float:
    """A round number of at least that, for the end of an axis."""
    step = 1e-9
    while step * 10 <= most:
        step *= 10
    return float(f"{next((step * f for f in (1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10) if step * f >= most * 1.02), 1.0):.3g}")


PRESET = Preset(label="R-Eval figure 6: deployment", build=build)
