"""r_eval_fig3: matching as it is, a panel a workflow: the mean reward of each agent at each level of each domain, with its
interval. (The paper draws radars here; bars hold the intervals, and the radar of figure 4 has its forest plot.)"""

from eval.figures.bars import draw_grouped_bars
from eval.figures.drawing import FigurePanel, PlottedValue
from eval.page import Figure, Page, Table, count, figure, words
from eval.papers.matching import average_reward, check_rewards, list_cells, select_cell
from eval.papers.season import describe_other_rows
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report


def build(report: Report) -> Page:
    """Raises BenchError when no answer has R-Eval's reward, or the runs are of several seasons."""
    check_rewards(report)
    cells, names = list_cells(report), name_results(report.results)
    by_workflow: dict[str, list[tuple[str, list[PlottedValue]]]] = {}
    lines = []
    for name, result, rows in zip(names, report.results, report.rows, strict=True):
        places = []
        for cell in cells:
            own = select_cell(rows, cell)
            found = average_reward(report, own)
            places.append(PlottedValue(found.value, found.low, found.high))
            ends = (figure(end, 1, 100) for end in (found.value, found.low, found.high))
            lines.append(
                [
                    words(result.run.system.name),
                    words(name),
                    words(cell.domain),
                    words(cell.level or "none"),
                    count(found.n),
                    *ends,
                    count(len(own) - found.n),
                ]
            )
        by_workflow.setdefault(result.run.system.name, []).append((name, places))
    panels = [FigurePanel(workflow, [cell.label for cell in cells], curves) for workflow, curves in by_workflow.items()]
    every = [one for panel in panels for _, places in panel.lines for one in places]
    most = max((end for one in every for end in (one.value, one.high) if end), default=1.0)
    top = next((step for step in (0.1, 0.2, 0.4, 0.6, 0.8) if step >= most), 1.0)
    title = "R-Eval: matching by workflow"
    note = "Mean reward; upright lines are 95 % bootstrap intervals, a dash is no value."
    drawn = Figure(title, draw_grouped_bars(panels, top), [note])
    heads = ["workflow", "system", "domain", "level", "n", "reward", "low", "high", "without a reward"]
    table = Table("Mean reward, in hundredths", heads, lines)
    return Page(title, [table], [drawn], [*list_notes(report), *describe_other_rows(report)])


PRESET = Preset(label="R-Eval figure 3: matching by workflow", build=build)
