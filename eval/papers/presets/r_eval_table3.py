"""r_eval_table3: R-Eval's leaderboard, with values times 100: mean reward per task, sum of each level's tasks, mean of each
domain over its tasks, and mean over all tasks, each with the system's rank."""

from collections.abc import Sequence

from eval.page import DASH, Cell, Page, Table, figure, words
from eval.papers.matching import check_rewards, find_reward, find_task
from eval.papers.season import list_season_notes
from eval.preset import Preset
from eval.reports.leaderboard import TaskKey, average_all, average_domains, order_level, rank_values, sum_levels
from eval.reports.report import Report
from eval.reports.results import Rows


def build(report: Report) -> Page:
    """Return the page of the leaderboard. Raises BenchError if no answer has R-Eval's reward, or if the runs are of several
    seasons (releases)."""
    check_rewards(report)
    keys = {find_task(row) for rows in report.rows for row in rows}
    tasks = sorted(keys, key=lambda task: (order_level(task.level), task.domain, task.task))
    rewards = [{task: _list_rewards(rows, task) for task in tasks} for rows in report.rows]
    means = [{task: sum(own) / len(own) if own else None for task, own in run.items()} for run in rewards]
    sums, domains = [sum_levels(own) for own in means], [average_domains(own) for own in means]
    pairs = [(_name_task(task, tasks), [own[task] for own in means]) for task in tasks]
    for level in sorted({task.level for task in tasks}, key=order_level):
        pairs.append((f"level {level}" if level is not None else "no level", [own[level] for own in sums]))
    pairs += [(domain, [own[domain] for own in domains]) for domain in sorted({task.domain for task in tasks})]
    pairs.append(("all", [average_all(list(own.values())) for own in means]))
    places = [rank_values(dict(enumerate(values))) for _, values in pairs]
    rows: list[list[Cell]] = []
    for run, name in enumerate(report.names):
        row = [words(name)]
        for (_, values), own in zip(pairs, places, strict=True):
            place = own[run]
            row += [figure(values[run], 1, 100.0), Cell(DASH) if place is None else Cell(f"{place:g}", place)]
        rows.append(row)
    last = places[-1]
    order = sorted(range(len(rows)), key=lambda n: (last[n] is None, last[n] or 0.0, n))
    counts = {task: _format_sizes([len(run[task]) for run in rewards]) for task in tasks}
    sizes = [f"{task.task} ({task.level}, {task.domain}) {size}" for task, size in counts.items()]
    notes = [
        "Mean reward in hundredths. Tasks have equal weight in a domain's mean and in the mean over all, whatever "
        "their number of questions; levels show the sum of their tasks. Systems with equal values get the mean "
        "of their places.",
        f"Questions a task: {'; '.join(sizes)}",
    ]
    heads = [part for name, _ in pairs for part in (name, "place")]
    table = Table("Reward and places", ["system", *heads], [rows[n] for n in order], notes)
    return Page("R-Eval: leaderboard", [table], notes=list_season_notes(report))


def _list_rewards(rows: Rows, task: TaskKey) -> list[float]:
    return [value for row in rows if find_task(row) == task and (value := find_reward(row)) is not None]


def _name_task(task: TaskKey, tasks: Sequence[TaskKey]) -> str:
    """Return the task's name; domain and level are added if other tasks have the same name."""
    same = [other for other in tasks if other.task == task.task]
    return task.task if len(same) == 1 else f"{task.task} ({task.domain}, {task.level or 'no level'})"


def _format_sizes(sizes: Sequence[int]) -> str:
    """Return the number of questions from which the systems' means are computed, as text: one number if it is the same for all
    systems, else a range."""
    return f"{sizes[0]:,}" if len(set(sizes)) == 1 else f"{min(sizes):,} to {max(sizes):,}"


PRESET = Preset(label="R-Eval table 3: leaderboard with ranks", build=build)
