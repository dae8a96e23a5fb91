"""r_eval_table3: R-Eval's leaderboard in hundredths: each task's mean reward, the sum of each level's tasks, each domain's mean
over its tasks, the mean over all tasks, each with the system's place."""

from collections.abc import Sequence

from eval.page import DASH, Cell, Page, Table, figure, words
from eval.papers.matching import check_rewards, find_reward, find_task
from eval.papers.season import describe_other_rows
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.leaderboard import TaskKey, average_all, average_domains, order_level, rank_values, sum_levels
from eval.reports.report import Report
from eval.reports.results import ResultRow


def build(report: Report) -> Page:
    """Raises BenchError when no answer has R-Eval's reward, or the runs are of several seasons."""
    check_rewards(report)
    tasks = sorted({find_task(row) for rows in report.rows for row in rows}, key=_order)
    means = [{task: reward(rows, task) for task in tasks} for rows in report.rows]
    columns: list[tuple[str, list[float | None]]] = [(_task_name(task, tasks), [own[task] for own in means]) for task in tasks]
    sums = [sum_levels(own) for own in means]
    for level in sorted({task.level for task in tasks}, key=order_level):
        columns.append((f"level {level}" if level is not None else "no level", [own[level] for own in sums]))
    by_domain = [average_domains(own) for own in means]
    columns += [(domain, [own[domain] for own in by_domain]) for domain in sorted({task.domain for task in tasks})]
    columns.append(("all", [average_all(list(own.values())) for own in means]))
    heads = [part for name, _ in columns for part in (name, "place")]
    rows = [[words(name)] for name in name_results(report.results)]
    for _, values in columns:
        _fill(rows, values)
    held = [row for _, row in sorted(enumerate(rows), key=lambda one: (_sort_by_last(one[1]), one[0]))]
    notes = [
        "Mean reward in hundredths; tasks weigh the same in a domain and in all, whatever their number of questions; levels "
        "show the sum of their tasks. A place shared by several is the mean of their places.",
        "Questions a task: " + "; ".join(f"{task.task} ({task.level}, {task.domain}) {_sizes(report, task)}" for task in tasks),
    ]
    table = Table("Reward and places", ["system", *heads], held, notes)
    return Page("R-Eval: leaderboard", [table], notes=[*list_notes(report), *describe_other_rows(report)])


def reward(rows: Sequence[ResultRow], task: TaskKey) -> float | None:
    """The task's mean reward over answered questions; None without any."""
    found = [value for row in rows if find_task(row) == task and (value := find_reward(row)) is not None]
    return sum(found) / len(found) if found else None


def _task_name(task: TaskKey, tasks: Sequence[TaskKey]) -> str:
    """Its name, with what tells it from others of that name."""
    alike = [other for other in tasks if other.task == task.task]
    return task.task if len(alike) == 1 else f"{task.task} ({task.domain}, {task.level or 'no level'})"


def _sizes(report: Report, task: TaskKey) -> str:
    """How many answered ones the means are over: one number where every system has the same."""
    sizes = [sum(find_task(row) == task and find_reward(row) is not None for row in rows) for rows in report.rows]
    return f"{sizes[0]:,}" if len(set(sizes)) == 1 else f"{min(sizes):,} to {max(sizes):,}"


def _fill(rows: list[list[Cell]], values: Sequence[float | None]) -> None:
    place = rank_values(dict(enumerate(values)))
    for number, row in enumerate(rows):
        at = place[number]
        row += [figure(values[number], 1, 100.0), Cell(DASH) if at is None else Cell(f"{at:g}", at)]


def _sort_by_last(row: Sequence[Cell]) -> float:
    at = row[-1].value
    return at if isinstance(at, int | float) else float("inf")


def _order(task: TaskKey) -> tuple[object, ...]:
    return order_level(task.level), task.domain, task.task


PRESET = Preset(label="R-Eval table 3: leaderboard with places", build=build)
