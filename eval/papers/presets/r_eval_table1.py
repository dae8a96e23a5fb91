"""r_eval_table1: the task registry of a workspace (independent of runs): its kinds of questions, its seasons, and which systems
have a reward above 0 on each kind of question."""

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Table, tabulate, words
from eval.papers.task_registry import TaskRegistry
from eval.preset import Preset


def build(registry: TaskRegistry) -> Page:
    """Return the page of the task registry. Raises BenchError if the workspace has no questions yet."""
    numbered = registry.number_tasks()
    if not numbered:
        raise BenchError("There are no questions yet: draft some, make some from templates, or import a benchmark.")
    records = [
        {
            "id": id_,
            "level": words(task.level or "none"),
            "domain": task.domain,
            "data set": _name_cell(task.dataset if task.dataset != task.task else ""),
            "task": task.task,
            "metric": task.metric,
            "context": task.context,
            "set": task.frozen,
            "release": _name_cell(task.release),
            "pool": task.pool,
            "source": "refreshing" if task.is_refreshing else "existing",
            "seasons": len(task.seasons),
            "feasible": task.feasible,
            "tried": task.tried,
        }
        for id_, task in numbered
    ]
    notes = [
        "Set: number of a task's questions in the newest release that has any. Pool: number of its questions that "
        "nobody discarded. Refreshing: the questions are made from templates, so that a new season uses the "
        "current tables. Feasible of tried: number of systems, each with its agent, that have a reward above 0, "
        "of those that tried the task."
    ]
    more = [_tabulate_seasons(registry), _tabulate_feasible(registry)]
    return Page("R-Eval: task registry", [tabulate("Tasks", records, notes), *(table for table in more if table.rows)])


def _tabulate_seasons(registry: TaskRegistry) -> Table:
    records = []
    for season in registry.seasons:
        versions = [f"{id_}@{str(version).rpartition(':')[2][:6]}" for id_, version in season["templates"].items()]
        records.append(
            {
                "season": season["id"][:8],
                "seed": words(season["seed"]),
                "n": season["n"],
                "templates": ", ".join(versions),
                "tables": ", ".join(season["tables"]),
                "data": season["data_hash"][:15],
                "made at": season["made_at"][:16].replace("T", " "),
            }
        )
    return tabulate("Seasons", records, ["A season is a frozen sample; systems are compared only within one."])


def _tabulate_feasible(registry: TaskRegistry) -> Table:
    ids = {(task.task, task.level, task.domain, task.dataset): id_ for id_, task in registry.number_tasks()}
    order = {place: number for number, place in enumerate(ids)}
    checks = [check for check in registry.feasible if check.place in ids]
    records = [
        {
            "system": check.system,
            "agent": _name_cell(check.agent),
            "task": ids[check.place],
            "n": check.n,
            "above 0": check.above,
            "feasible": "yes" if check.above else "no",
        }
        for check in sorted(checks, key=lambda check: (check.system, check.agent, order[check.place]))
    ]
    note = "n: number of answers with a reward, over all runs of a system."
    heads = ["system", "agent", "task", "n", "above 0", "feasible"]
    return tabulate("Which systems can do which task", records, [note], heads)


def _name_cell(name: str) -> Cell:
    """Return a cell with a name that may be missing: a dash on the page, and an empty value in a file."""
    return Cell(name or DASH, name)


PRESET = Preset(label="R-Eval table 1: task registry", build=build, of="tasks")
