"""Two runs of agents by hand, as R-Eval's tables are made of: three tasks in two domains at two levels."""

from dataclasses import replace

from eval.papers.task_registry import RegisteredTask, TaskFeasibility, TaskRegistry
from eval.reports.report import Report, build_report
from eval.reports.results import RunResult
from tests.eval.runs import item, result

ITEMS = [
    item("a", level="KS", domain="film", labels={"dataset": "films_easy"}),
    item("b", level="KS", domain="film", labels={"dataset": "films_easy"}),
    item("c", level="KA", domain="film", labels={"dataset": "films_hard"}),
    item("d", level="KS", domain="paper", labels={"dataset": "papers"}),
    item("e", level="KS", domain="paper", labels={"dataset": "papers"}),
]
REWARDS = {"react": [1.0, 0.5, 0.0, 1.0, None], "pal": [0.5, 0.5, 0.5, 1.0, 1.0]}
USEFUL = {"react": [1.0, 0.0, 0.0, 1.0, None], "pal": [1.0, 1.0, 1.0, 1.0, 1.0]}


def runs() -> Report:
    return build_report([_run("react", "tool_error", failed="e"), _run("pal", "finished")])


def registry() -> TaskRegistry:
    """Of the same tasks."""
    film = RegisteredTask(
        "template_question",
        "KS",
        "film",
        "films_easy",
        "r_eval_f1",
        "tables (films)",
        True,
        20,
        10,
        "spring",
        ["b2:season"],
        2,
        1,
    )
    season = {
        "id": "b2:season",
        "seed": 42,
        "n": 10,
        "templates": {"director": "b2:abcdef"},
        "tables": {"films": "b2:1"},
        "data_hash": "b2:data",
        "made_at": "2026-11-22T10:00:00",
    }
    able = [TaskFeasibility("react", "openai:m", ("template_question", "KS", "film", "films_easy"), 10, 4)]
    return TaskRegistry([film, replace(film, level="KA", dataset="films_hard"), replace(film, level=None)], [season], able)


def _run(system: str, stop: str, failed: str = "") -> RunResult:
    """Its third answer ends with that stop."""
    scores = {"r_eval_f1": REWARDS[system], "r_eval_f1.useful": USEFUL[system], "r_eval_f1.scratchpad": USEFUL[system]}
    made = result(system, ITEMS, scores, system=system, failed=(failed,))
    return replace(made, traces=[replace(trace, stop=stop) if trace.item == "c" else trace for trace in made.traces])
