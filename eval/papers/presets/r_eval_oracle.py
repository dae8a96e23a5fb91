"""r_eval_oracle: what the best of several systems at each question would reach, beside each by itself, over the questions that
every one has a reward for: how much there is to gain from choosing, and how many systems match at a question."""

from collections.abc import Sequence

from eval.figures.bars import draw_grouped_bars
from eval.figures.drawing import MAX_LINES, FigurePanel, PlottedValue
from eval.page import Figure, Page, Table, count, figure, words
from eval.papers.matching import average_values, check_rewards, collect_shared_rewards, list_cells, select_cell
from eval.papers.response_types import THRESHOLD
from eval.papers.season import describe_other_rows
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report
from eval.running.settings import read_share

BEST_OF_ALL = "best of all"


def build(report: Report, threshold: float = THRESHOLD) -> Page:
    """`threshold` = the reward from which on an answer matches. Raises BenchError when no answer has R-Eval's reward, or the
    runs are of several seasons."""
    check_rewards(report)
    least = read_share({"threshold": threshold}, "threshold", THRESHOLD)
    names, best = name_results(report.results), collect_shared_rewards(report)
    columns = [[own[run] for own in best.rewards] for run in range(len(names))]
    means = [average_values(report, best.rows, column) for column in columns]
    lines = []
    for run, (name, found) in enumerate(zip(names, means, strict=True)):
        gain = average_values(report, best.rows, [b - a for b, a in zip(best.best_rewards(), columns[run], strict=True)])
        lines.append(
            [
                words(name),
                count(found.n),
                *(figure(end, 1, 100) for end in (found.value, found.low, found.high)),
                *(figure(end, 1, 100) for end in (gain.value, gain.low, gain.high)),
                count(best.count_wins(run)),
                count(best.count_sole_wins(run)),
            ]
        )
    together = average_values(report, best.rows, best.best_rewards())
    ends = (figure(end, 1, 100) for end in (together.value, together.low, together.high))
    lines.append([words(BEST_OF_ALL), count(together.n), *ends, *(figure(None) for _ in range(5))])
    asked = len({row.key for rows in report.rows for row in rows})
    notes = [
        f"Over the {len(best.rows):,} of {asked:,} questions that every system has a reward for. To gain: the best at "
        "each question less this system. Among the best: none above it, and a reward above 0; alone: all others below it."
    ]
    heads = ["system", "n", "reward", "low", "high", "to gain", "gain low", "gain high", "among the best", "alone"]
    title = "R-Eval: the best of several systems at each question"
    matching = [sum(value >= least for value in own) for own in best.rewards]
    spread = [
        [count(n), count(matching.count(n)), figure(matching.count(n) / len(matching) if matching else None, 1, 100)]
        for n in range(len(names) + 1)
    ]
    tables = [
        Table("Reward, in hundredths", heads, lines, notes),
        Table(
            "Questions by how many systems match",
            ["systems", "questions", "%"],
            spread,
            [f"An answer matches from a reward of {least:g} on."],
        ),
    ]
    if not best.rows:
        lonely = "No question has a reward from every one of these systems, so that nothing is drawn: take fewer of them."
        return Page(title, tables, [], [lonely, *list_notes(report), *describe_other_rows(report)])
    highest = sorted(range(len(names)), key=lambda run: -(means[run].value or 0.0))[: MAX_LINES - 1]
    told = ["Mean reward; upright lines are 95 % bootstrap intervals."]
    if len(highest) < len(names):
        told.append(f"{len(names) - len(highest)} more systems, none with a higher mean, are not drawn. The table holds all.")
    return Page(
        title,
        tables,
        [Figure(title, _draw_systems(report, sorted(highest)), told)],
        [*list_notes(report), *describe_other_rows(report)],
    )


def _draw_systems(report: Report, shown: Sequence[int]) -> str:
    """The systems of those numbers, and the best of all."""
    best, cells = collect_shared_rewards(report), list_cells(report)
    place = {row.key: number for number, row in enumerate(best.rows)}
    groups = [best.rows, *(select_cell(best.rows, cell) for cell in cells)] if len(cells) > 1 else [best.rows]
    curves = []
    together = best.best_rewards()
    names = name_results(report.results)
    for run, name in [*((run, names[run]) for run in shown), (len(names), BEST_OF_ALL)]:
        places = []
        for rows in groups:
            at = [place[row.key] for row in rows]
            values = [best.rewards[i][run] if run < len(names) else together[i] for i in at]
            found = average_values(report, rows, values)
            places.append(PlottedValue(found.value, found.low, found.high))
        curves.append((name, places))
    labels = ["all", *(cell.label for cell in cells)] if len(cells) > 1 else ["all"]
    return draw_grouped_bars([FigurePanel("Mean reward", labels, curves)])


PRESET = Preset(label="R-Eval: the best of several systems at each question", build=build, settings={"threshold": THRESHOLD})
