"""r_eval_table1: the task registry of a workspace, its seasons, and which systems can do which task at all. It is of the
workspace's questions, and takes no run."""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Table, count, words
from eval.papers.task_registry import TaskRegistry
from eval.preset import Preset


def build(registry: TaskRegistry) -> Page:
    """Raises BenchError when there is no question yet."""
    numbered = registry.number_tasks()
    if not numbered:
        raise BenchError("There is no question yet: draft some, make some from templates, or import a benchmark.")
    rows = [
        [
            words(id_),
            words(one.level or "none"),
            words(one.domain),
            _name_cell(one.dataset if one.dataset != one.task else ""),
            words(one.task),
            words(one.metric),
            words(one.context),
            count(one.frozen),
            _name_cell(one.release),
            count(one.pool),
            words("refreshing" if one.is_refreshing else "existing"),
            count(len(one.seasons)),
            count(one.feasible),
            count(one.tried),
        ]
        for id_, one in numbered
    ]
    heads = [
        "id",
        "level",
        "domain",
        "data set",
        "task",
        "metric",
        "context",
        "set",
        "release",
        "pool",
        "source",
        "seasons",
        "feasible",
        "tried",
    ]
    notes = [
        "Set: questions in the newest release that holds any of them. Pool: all that nobody discarded. Refreshing: made "
        "from templates, so that a new season comes from the tables as they are. Feasible of tried: systems, each with "
        "its agent, that have more than 0 at any answer."
    ]
    tables = [Table("Tasks", heads, rows, notes)]
    if registry.seasons:
        tables.append(_seasons(registry))
    if registry.feasible:
        tables.append(_build_feasible_table(registry))
    return Page("R-Eval: task registry", tables)


def _seasons(registry: TaskRegistry) -> Table:
    rows = [
        [
            words(one["id"][:8]),
            words(one["seed"]),
            count(one["n"]),
            words(_versions(one["templates"])),
            words(", ".join(one["tables"])),
            words(one["data_hash"][:15]),
            words(one["made_at"][:16].replace("T", " ")),
        ]
        for one in registry.seasons
    ]
    return Table(
        "Seasons",
        ["season", "seed", "n", "templates", "tables", "data", "made at"],
        rows,
        ["A season is a frozen sample; systems are compared only within one."],
    )


def _build_feasible_table(registry: TaskRegistry) -> Table:
    ids = {(one.task, one.level, one.domain, one.dataset): id_ for id_, one in registry.number_tasks()}
    order = {place: number for number, place in enumerate(ids)}
    there = sorted(
        (one for one in registry.feasible if one.place in ids), key=lambda one: (one.system, one.agent, order[one.place])
    )
    rows = [
        [
            words(one.system),
            _name_cell(one.agent),
            words(ids[one.place]),
            count(one.n),
            count(one.above),
            words("yes" if one.above else "no"),
        ]
        for one in there
    ]
    heads = ["system", "agent", "task", "n", "above 0", "feasible"]
    return Table("What systems can do at all", heads, rows, ["n: answers with a reward, all runs of a system together."])


def _name_cell(name: str) -> Cell:
    """A name, which may be missing: a dash to read, and nothing in a file."""
    return Cell(name or DASH, name)


def _versions(templates: Mapping[str, Any]) -> str:
    """Each with the beginning of its version."""
    return ", ".join(f"{id_}@{str(version).rpartition(':')[2][:6]}" for id_, version in templates.items())


PRESET = Preset(label="R-Eval table 1: task registry", build=build, of="tasks")
