"""r_eval_table3: R-Eval's leaderboard in hundredths: each task's mean reward, the sum of each level's tasks, each domain's mean
over its tasks, the mean over all tasks, each with the system's place."""

from collections.abc import Sequence

from eval.page import DASH, Cell, Page, Table, figure, words
from eval.papers.matching import check, reward_of, task_of
from eval.papers.season import notes_of_season
from eval.preset import Preset
from eval.reports.layout import names_of, notes_of
from eval.reports.leaderboard import TaskKey, domain_means, level_order, level_sums, mean, places
from eval.reports.report import Report
from eval.reports.results import ResultRow


def build(report: Report) -> Page:
    """Raises BenchError when no answer has R-Eval's reward, or the runs are of several seasons."""
    check(report)
    tasks = sorted({task_of(row) for rows in report.rows for row in rows}, key=_order)
    means = [{task: reward(rows, task) for task in tasks} for rows in report.rows]
    columns: list[tuple[str, list[float | None]]] = [(_task_name(task, tasks), [own[task] for own in means]) for task in tasks]
    sums = [level_sums(own) for own in means]
    for level in sorted({task.level for task in tasks}, key=level_order):
        columns.append((f"level {level}" if level is not None else "no level", [own[level] for own in sums]))
    by_domain = [domain_means(own) for own in means]
    columns += [(domain, [own[domain] for own in by_domain]) for domain in sorted({task.domain for task in tasks})]
    columns.append(("all", [mean(list(own.values())) for own in means]))
    heads = [part for name, _ in columns for part in (name, "place")]
    rows = [[words(name)] for name in names_of(report.results)]
    for _, values in columns:
        _fill(rows, values)
    held = [row for _, row in sorted(enumerate(rows), key=lambda one: (_sort_by_last(one[1]), one[0]))]
    notes = [
        "Mean reward in hundredths; tasks weigh the same in a domain and in all, whatever their number of questions; levels "
        "show the sum of their tasks. A place shared by several is the mean of their places.",
        "Questions a task: " + "; ".join(f"{task.task} ({task.level}, {task.domain}) {_sizes(report, task)}" for task in tasks),
    ]
    table = Table("Reward and places", ["system", *heads], held, notes)
    return Page("R-Eval: leaderboard", [table], notes=[*notes_of(report), *notes_of_season(report)])


def reward(rows: Sequence[ResultRow], task: TaskKey) -> float | None:
    """The task's mean reward over answered questions; None without any."""
    found = [value for row in rows if task_of(row) == task and (value := reward_of(row)) is not None]
    return sum(found) / len(found) if found else None


def _task_name(task: TaskKey, tasks: Sequence[TaskKey]) -> str:
    """Its name, with what tells it from others of that name."""
    alike = [other for other in tasks if other.task == task.task]
    return task.task if len(alike) == 1 else f"{task.task} ({task.domain}, {task.level or 'no level'})"


def _sizes(report: Report, task: TaskKey) -> str:
    """How many answered ones the means are over: one number where every system has the same."""
    sizes = [sum(task_of(row) == task and reward_of(row) is not None for row in rows) for rows in report.rows]
    return f"{sizes[0]:,}" if len(set(sizes)) == 1 else f"{min(sizes):,} to {max(sizes):,}"


def _fill(rows: list[list[Cell]], values: Sequence[float | None]) -> None:
    place = places(dict(enumerate(values)))
    for number, row in enumerate(rows):
        at = place[number]
        row += [figure(values[number], 1, 100.0), Cell(DASH) if at is None else Cell(f"{at:g}", at)]


def _sort_by_last(row: Sequence[Cell]) -> float:
    at = row[-1].value
    return at if isinstance(at, int | float) else float("inf")


def _order(task: TaskKey) -> tuple[object, ...]:
    return level_order(task.level), task.domain, task.task


PRESET = Preset(label="R-Eval table 3: leaderboard with places", build=build)
