"""Two runs of agents by hand, as R-Eval's tables are made of: three tasks in two domains at two levels."""

from dataclasses import replace

from eval.report import Report, report
from eval.results import RunResult
from tests.eval.runs import item, result

ITEMS = [
    item("a", level="KS", domain="film", labels={"dataset": "films_easy"}),
    item("b", level="KS", domain="film", labels={"dataset": "films_easy"}),
    item("c", level="KA", domain="film", labels={"dataset": "films_hard"}),
    item("d", level="KS", domain="paper", labels={"dataset": "papers"}),
    item("e", level="KS", domain="paper", labels={"dataset": "papers"}),
]  # fmt: skip
REWARDS = {"react": [1.0, 0.5, 0.0, 1.0, None], "pal": [0.5, 0.5, 0.5, 1.0, 1.0]}
USEFUL = {"react": [1.0, 0.0, 0.0, 1.0, None], "pal": [1.0, 1.0, 1.0, 1.0, 1.0]}


def runs() -> Report:
    return report([_run("react", "tool_error", failed="e"), _run("pal", "finished")])


def _run(system: str, stop: str, failed: str = "") -> RunResult:
    """Its third answer ends with that stop."""
    scores = {"r_eval_f1": REWARDS[system], "r_eval_f1.useful": USEFUL[system], "r_eval_f1.scratchpad": USEFUL[system]}
    made = result(system, ITEMS, scores, system=system, failed=(failed,))
    return replace(made, traces=[replace(trace, stop=stop) if trace.item == "c" else trace for trace in made.traces])
