"""Command-line verbs that run systems on a release, score answers and compare runs."""

import json
from argparse import Namespace
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.saved import is_saved_name
from core.errors import BenchError
from core.installation import COMMAND
from terminal import paths
from terminal.choosing import split_names
from terminal.local_session import workspace_name
from terminal.output import describe_scores, format_count, show, show_end
from terminal.planning import build_request, plan_lines
from terminal.session import Session, assign_batch, select_options
from workbench.settings import parse_settings

if TYPE_CHECKING:
    from workbench import Workbench

LEDGER_FILE = "ledger.duckdb"
"""Name of the ledger file in the folder that `score --batch` writes."""
SCORE_COMMAND_FILE = "score.json"
"""Name of the file with the command's options in the folder that `score --batch` writes."""
ESTIMATE_SECONDS = 600.0
"""Maximum seconds to wait for the estimate of a run that costs money."""


def run(session: Session, options: Namespace) -> int:
    if options.shard or options.out:
        from terminal.verbs.shards import run_shard

        return run_shard(session, options)
    with session.bench(options) as b:
        if options.both_worlds:
            if options.sample is not None:
                raise BenchError("--sample draws other questions on each of the two releases of --both-worlds: leave it out.")
            real = b.counterfactual.find_real(options.release)
            if status := _run_on(session, options, b, real):
                return status
        return _run_on(session, options, b, options.release)


def _run_on(session: Session, options: Namespace, b: "Workbench", release: str) -> int:
    """Run the system on one release; return the exit code."""
    from workbench.evaluate.scoring.scores import describe_unjudged

    request = build_request(session, options, release)
    is_paid = b.runs.is_paid(request)
    estimate = b.runs.estimate(request, wait=ESTIMATE_SECONDS).value if is_paid else None
    job = b.runs.plan(request, retry_failed=options.retry_failed)
    assign_batch(session, b, job, options)
    for line in plan_lines(estimate) if estimate else ():
        session.say(line)
    result = session.finish(b, job)
    unjudged = describe_unjudged(b.runs.progress(job).unscored)
    status = show_end(session, options, result)
    if unjudged:
        session.say(unjudged)
    return status


def score(session: Session, options: Namespace) -> int:
    from workbench.evaluate.scoring.scores import describe_unjudged, score_file

    if options.shard or options.out:
        from terminal.verbs.shards import score_shard

        return score_shard(session, options)
    predictions = paths.find_file(session.folder, options.predictions)
    judges, saved = paths.agents(session.folder, options.judge or []), []
    workspace = paths.find_file(session.folder, workspace_name(options))
    if any(is_saved_name(judge) for judge in judges) and workspace.exists():
        with session.bench(options) as b:
            saved = [agent for judge in judges if (agent := b.agents.find_saved(judge))]
    folder = None if options.batch is None else paths.find_file(session.folder, options.batch).resolve()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_command(session, options, folder / SCORE_COMMAND_FILE)
    report: dict[str, Any] = score_file(
        predictions,
        metrics=split_names(options.metrics),
        judges=judges,
        settings=paths.settings(session.folder, options.set),
        say=session.say,
        saved=saved,
        ledger=folder and folder / LEDGER_FILE,
        is_batch=folder is not None,
        **select_options(options, "language", "votes", "budget"),
    )
    show(session, options, report, lambda: "\n".join(describe_scores(report)))
    whys = Counter(reason for item in report["items"] for reason in item.get("why", {}).items())
    if unjudged := describe_unjudged([(*reason, n) for reason, n in whys.items()]):
        session.say(unjudged)
    return 0


def read_command(path: Path) -> dict[str, Any]:
    """Return the options of the command that waits for a batch, from the file that the command wrote. Raises BenchError if the
    file is not valid."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise BenchError(f"{path} is not a valid file of `score --batch`: repeat the command that wrote it.") from error


def write_command(session: Session, options: Namespace, path: Path) -> None:
    """Write the options of a `score` command to a file, so that `batch collect` can continue it from any folder."""
    command = {name: value for name, value in vars(options).items() if name not in ("verb", "json")}
    command |= {"predictions": str(paths.find_file(session.folder, options.predictions).resolve()), "batch": str(path.parent)}
    if any(is_saved_name(judge) for judge in options.judge or []):
        command["workspace"] = str(paths.find_file(session.folder, workspace_name(options)).resolve())
    if path.is_file():
        waiting = read_command(path).get("predictions")
        if waiting != command["predictions"]:
            raise BenchError(f"{path.parent} already has the batch for {waiting}: give another folder with --batch.")
    path.write_text(json.dumps(command, ensure_ascii=False), encoding="utf-8")


def report(session: Session, options: Namespace) -> int:
    if not options.run and not options.preset:
        session.say(
            f"{COMMAND} report: give the id of a run (`{COMMAND} runs` lists the runs), or --preset hawkbench_table1 for a "
            "report on the drafts."
        )
        return 2
    if options.probe and not options.without_shortcuts:
        raise BenchError("--probe says which questions --without-shortcuts leaves out: give both, or leave out --probe.")
    form = "json" if options.json else options.format
    with session.bench(options) as b:
        text = b.reports.report(
            options.run,
            by=None if options.by is None else split_names(options.by),
            form=form,
            preset=options.preset,
            settings=parse_settings(options.set),
            without_shortcuts=(options.probe or ["any"]) if options.without_shortcuts else (),
        )
    session.write_out(text)
    return 0


def absence(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.absence.report(options.run, "json" if options.json else options.format)
    session.write_out(text)


def conversations(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        form = "json" if options.json else options.format
        text = b.conversations.report(options.run, form, options.metric, options.threshold)
    session.write_out(text)


def counterfactual(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.counterfactual.report(options.run, "json" if options.json else options.format)
    session.write_out(text)


def tiny(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.tiny.report([options.release], "json" if options.json else options.format)
    session.write_out(text)


def crosslingual(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.crosslingual.report(options.run, "json" if options.json else options.format)
    session.write_out(text)


def export_run(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        out = paths.find_file(session.folder, options.out)
        file = b.run_exports.write(options.run, options.format, out, options.rows_per_file)
    show(session, options, file, f"{file.out}: {format_count(file.n, 'answer')} of run {file.run} in the format {file.format}.")


def send_run(session: Session, options: Namespace) -> None:
    is_folder = options.to == "mlflow" and ":" not in options.address
    address = str(paths.find_file(session.folder, options.address).absolute()) if is_folder else options.address
    with session.bench(options) as b:
        sent = b.run_exports.send(options.run, options.to, address)
    show(session, options, sent, f"{format_count(sent.n, 'answer')} of run {sent.run} sent to {sent.address} by {sent.to}.")
