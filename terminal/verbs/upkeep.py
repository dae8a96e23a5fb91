"""Command-line verbs for jobs, for backups, for checking the installation, and for the demo."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BenchError
from terminal import paths
from terminal.output import show, show_end
from terminal.session import Session

if TYPE_CHECKING:
    from workbench.setup.doctor_check import DoctorCheck
    from workbench.upkeep.upkeep import JobView

JOB_FIELDS = ("id", "kind", "state", "params", "done", "total", "cost_usd", "created", "error", "result")
"""Fields of a job's record in the JSON output."""

SECTIONS = {"python": "This installation", "agent": "The agent", "prompt": "Its reply to each prompt"}
"""Dict from the first check of each part of the doctor's report to the heading of that part."""


def jobs(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        if options.budget is not None:
            if options.resume is None:
                raise BenchError("--budget sets the budget of a job to resume: also give --resume ID.")
            b.upkeep.raise_budget(b.upkeep.find_resumable(options.resume), options.budget)
        if options.pause is not None:
            from jobs import start

            start(b).pause(options.pause)
        if options.resume is not None:
            return show_end(session, options, session.finish(b, b.upkeep.find_resumable(options.resume)))
        if options.cancel is not None:
            b.upkeep.cancel(options.cancel)
        views = b.upkeep.jobs()
    records = [{field: getattr(view, field) for field in JOB_FIELDS} for view in views]
    show(session, options, records, lambda: "\n".join(map(format_job, views)))
    return 0


def format_job(job: "JobView") -> str:
    """Format a job as one human-readable line. If the job is a run, the line ends with the run's id, which the verb `report`
    accepts."""
    done = f"{job.done}/{job.total}"
    state = "cancelling" if job.is_cancelling else job.state
    line = f"{job.id}  {job.kind:6} {state:10} {done:11}  {job.about}"
    run = (job.result or {}).get("run")
    return f"{line}: run {run}" if run else line


def backup(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        copy = b.upkeep.backup(paths.find_file(session.folder, options.out))
    show(session, options, replace(copy, out=str(Path(options.out))), f"{Path(options.out)}: {copy.bytes} bytes.")


def doctor(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        report = b.upkeep.doctor(
            agent=options.agent and paths.agent(session.folder, options.agent),
            engine=options.engine,
            settings=paths.settings(session.folder, options.set),
            say=session.say,
        )
    lines: list[str] = []
    for check in report.checks:
        heading = SECTIONS.get("prompt" if hasattr(check, "parsed") else check.name, "")
        if heading and heading not in lines:
            lines += [*([""] if lines else []), heading]
        lines.append(f"{_mark_check(check)} {check.name}: {check.message}")
    show(session, options, report, "\n".join(lines))
    return 0 if all(check.ok for check in report.checks) else 1


def _mark_check(check: "DoctorCheck") -> str:
    """Return the status of a check in three characters: "ok ", "BAD" or, for a parameter that the endpoint does not accept, "--
    "."""
    if not check.ok:
        return "BAD"
    return "-- " if check.is_refused else "ok "


def demo(session: Session, options: Namespace) -> None:
    from workbench.home.demo import demo as play

    fresh = options.workspace is None
    if fresh:
        options.workspace = "demo.duckdb"
    with session.bench(options, fresh=fresh) as b:
        result = play(b, lambda job: session.finish(b, job), session.say)
    show(session, options, result, result.text)
