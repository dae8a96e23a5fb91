"""r_eval_fig3: mean reward of each agent at each level of each domain, with intervals, one panel per workflow. The paper uses
radar charts here; bar charts can show the intervals."""

from collections import defaultdict

from eval.figures.bars import draw_grouped_bars
from eval.figures.drawing import FigurePanel, Line, PlottedValue
from eval.page import Figure, Page, interval_cells, tabulate, words
from eval.papers.matching import average_reward, check_rewards, list_cells, select_cell
from eval.papers.season import list_season_notes
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    """Return the page of R-Eval's figure 3. Raises BenchError if no answer has R-Eval's reward, or if the runs are of several
    seasons (releases)."""
    check_rewards(report)
    cells = list_cells(report)
    by_workflow: dict[str, list[Line]] = defaultdict(list)
    records, ends = [], []
    for name, result, rows in zip(report.names, report.results, report.rows, strict=True):
        system, values = result.run.system.name, []
        for cell in cells:
            own = select_cell(rows, cell)
            mean = average_reward(report, own)
            values.append(PlottedValue.from_interval(mean))
            ends += [end for end in (mean.mean, mean.high) if end]
            records.append(
                {
                    "workflow": system,
                    "system": name,
                    "domain": cell.domain,
                    "level": words(cell.level or "none"),
                    "n": mean.n,
                    **interval_cells("reward", mean, 1, 100),
                    "without a reward": len(own) - mean.n,
                }
            )
        by_workflow[system].append((name, values))
    panels = [FigurePanel(workflow, [cell.label for cell in cells], curves) for workflow, curves in by_workflow.items()]
    top = next((step for step in (0.1, 0.2, 0.4, 0.6, 0.8) if step >= max(ends, default=1.0)), 1.0)
    title = "R-Eval: matching by workflow"
    note = "Mean reward; upright lines are 95 % bootstrap intervals, a dash is a missing value."
    table = tabulate("Mean reward, in hundredths", records)
    notes = list_season_notes(report)
    return Page(title, [table], [Figure(title, draw_grouped_bars(panels, top), [note])], notes)


PRESET = Preset(label="R-Eval figure 3: matching by workflow", build=build)
