"""Jobs, backups, the doctor; and the demo."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from terminal import paths
from terminal.output import show, show_end
from terminal.session import Session
from workbench.upkeep.job_words import about

if TYPE_CHECKING:
    from workbench.upkeep.upkeep import JobView

LISTED = ("id", "kind", "state", "params", "done", "total", "cost_usd", "created", "error", "result")
"""What is printed of a job."""


def jobs(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        if options.resume is not None:
            return show_end(session, options, session.finish(b, b.upkeep.resumable(options.resume)))
        if options.cancel is not None:
            b.upkeep.cancel(options.cancel)
        found = b.upkeep.jobs()
    listed = [{key: getattr(row, key) for key in LISTED} for row in found]
    show(session, options, listed, lambda: "\n".join(map(format_job, found)))
    return 0


def format_job(job: "JobView") -> str:
    """A job in a line; a run ends with the id that `report` takes."""
    done = f"{job.done}/{job.total}"
    line = f"{job.id}  {job.kind:6} {job.state:10} {done:11}  {about(job.kind, job.params)}"
    run = (job.result or {}).get("run")
    return f"{line}: run {run}" if run else line


def backup(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        made = b.upkeep.backup(session.folder / options.out)
    show(session, options, replace(made, out=str(Path(options.out))), f"{Path(options.out)}: {made.bytes} bytes.")
    return 0


def doctor(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.upkeep.doctor(
            agent=options.agent and paths.agent(session.folder, options.agent),
            settings=paths.settings(session.folder, options.set),
            say=session.say,
        )
    lines = [f"{'ok ' if c.ok else 'BAD'} {c.name}: {c.message}" for c in found.checks]
    show(session, options, found, "\n".join(lines))
    return 0 if all(c.ok for c in found.checks) else 1


def demo(session: Session, options: Namespace) -> int:
    from workbench.home.demo import demo as play

    fresh = options.workspace is None
    if fresh:
        options.workspace = "demo.duckdb"
    with session.bench(options, fresh=fresh) as b:
        result = play(b, lambda job: session.finish(b, job), session.say)
    show(session, options, result, result["text"])
    return 0
