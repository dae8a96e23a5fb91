"""Command-line verbs for sweeps, which run many systems that differ in some factors."""

from argparse import Namespace
from typing import Any

from core.as_json import as_json
from terminal import paths
from terminal.choosing import join_lines, wait_for
from terminal.output import format_count, show
from terminal.session import Session


def start(session: Session, options: Namespace) -> int:
    from workbench.evaluate.sweeps.sweep_file import read_sweep_file

    plan = read_sweep_file(paths.find_file(session.folder, options.file), lambda name: paths.agent(session.folder, name))
    with session.bench(options) as b:
        if options.estimate:
            estimate = wait_for(lambda: b.sweeps.estimate(plan))
            cells: list[dict[str, Any]] = [
                {"label": cell.label, "questions": cell.estimate.questions, "calls": cell.estimate.calls, "stored": cell.stored}
                for cell in estimate.cells
            ]
            record = {"name": plan.name, "cells": cells, "complete": estimate.complete, "total": as_json(estimate.total)}
            lines = [f"{cell['label']}  {format_count(cell['questions'], 'question')}" for cell in cells]
            done = f"{estimate.complete} of {format_count(len(cells), 'cell')} ran before."
            show(session, options, record, "\n".join([*lines, done]))
            return 0
        job = b.sweeps.plan(plan)
        result = session.finish(b, job)
        outcome = load_outcome(b, job)
    record = {"job": job, "name": plan.name, **result, **outcome}
    show(session, options, record, lambda: "\n".join([*format_cells(outcome), format_end(result)]))
    if result["stopped"]:
        session.say(str(result["message"]))
    return 1 if result["stopped"] or (result["not_run"] and not result["runs"]) else 0


def format_end(result: dict[str, Any]) -> str:
    """Format the result of a sweep as one human-readable line."""
    ran = f"{result['done']} of {format_count(result['cells'], 'cell')} ran, {result['reused']} answers reused."
    return f"{ran} {result['message']}".strip()


def load_outcome(bench: Any, job: str) -> dict[str, Any]:
    """Return the cells of a sweep (its combinations of factors) with their scores, as a dict with "metrics" and "table"."""
    outcome = wait_for(lambda: bench.sweeps.outcome(job))
    table = [
        {
            "label": cell.label,
            "at": as_json(cell.at),
            "state": cell.state,
            "why": cell.why,
            "runs": list(cell.runs),
            "metrics": as_json(cell.figures.by_metric),
        }
        for cell in outcome.cells
    ]
    return {"metrics": list(outcome.metrics), "table": table}


def format_cells(outcome: dict[str, Any]) -> list[str]:
    """Format the cells of a sweep as text, with one line for each cell."""
    lines = []
    for cell in outcome["table"]:
        figures = [
            f"{name} {figure['mean']:.3f} (n={figure['n']})"
            for name in outcome["metrics"]
            if (figure := cell["metrics"].get(name)) and figure["mean"] is not None
        ]
        lines.append(f"{cell['label']}  {cell['why'] or ', '.join(figures) or cell['state']}")
    return lines


def list_sweeps(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        records = [as_json(one) for one in b.sweeps.list_sweeps()]
    lines = (f"{r['job']}  {r['state']:8} {r['done']}/{r['cells']}  {r['name']} on {r['release']}" for r in records)
    show(session, options, {"sweeps": records}, lambda: join_lines(lines, "No sweeps."))


def show_sweep(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        plan = b.sweeps.load_plan(options.job)
        outcome = load_outcome(b, options.job)
    show(session, options, {"plan": plan.record(), **outcome}, lambda: "\n".join(format_cells(outcome)))
