"""Command-line verbs that run systems on a release, score answers and compare runs."""

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.saved import is_saved_name
from core.errors import BenchError
from core.installation import COMMAND
from terminal import paths
from terminal.local_session import workspace_name
from terminal.output import format_count, show, show_end
from terminal.planning import plan_lines
from terminal.session import Session, assign_batch, select_options
from workbench.evaluate.running.run_presets import apply_preset
from workbench.evaluate.running.run_request import RunRequest
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


def build_request(session: Session, options: Namespace, release: str) -> RunRequest:
    """Build the request for a run on a release from the command's options."""
    request = RunRequest(
        release=release,
        system=options.system or "",
        agent=options.agent and paths.agent(session.folder, options.agent),
        metrics=split_names(options.metrics),
        judges=paths.agents(session.folder, options.judge or []),
        settings={
            **paths.settings(session.folder, options.set),
            **{name: value for name in ("history", "user", "patience") if (value := getattr(options, name)) is not None},
            **({"user_agent": paths.agent(session.folder, options.user_agent)} if options.user_agent else {}),
        },
        **select_options(options, "retriever", "votes", "budget", "variants", "repeat", "sample", "seed"),
    )
    return apply_preset(options.preset, request) if options.preset else request


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
        metrics=split_names(options.metrics) or [],
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


def describe_scores(report: Mapping[str, Any]) -> list[str]:
    """Format the mean scores of a predictions file as human-readable lines."""
    lines = []
    width = max([28, *map(len, report["metrics"])])
    for name, score in report["metrics"].items():
        mean = score["mean"] if score["mean"] is None else format(score["mean"], ".4f")
        whys = dict.fromkeys(item["why"][name] for item in report["items"] if name in item.get("why", {}))
        unscored = f" unscored={score['unscored']} ({'; '.join(whys)})" if score["unscored"] else ""
        lines.append(f"{name:{width}} {mean}  n={score['n']} failed={score['failed']}{unscored}")
    for name, by_kind in report.get("robustness", {}).get("figures", {}).items():
        values = [
            f"{kind} {figure['mean']:.3f} (n={figure['n']})" for kind, figure in by_kind.items() if figure["mean"] is not None
        ]
        lines += [f"{name:28} {', '.join(values)}"] if values else []
    return lines


def write_command(session: Session, options: Namespace, path: Path) -> None:
    """Write the options of a `score` command to a file, so that `batch collect` can continue it from any folder."""
    command = {name: value for name, value in vars(options).items() if name not in ("verb", "json")}
    command |= {"predictions": str(paths.find_file(session.folder, options.predictions).resolve()), "batch": str(path.parent)}
    if any(is_saved_name(judge) for judge in options.judge or []):
        command["workspace"] = str(paths.find_file(session.folder, workspace_name(options)).resolve())
    if path.is_file():
        from terminal.verbs.batch import read_command

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
            by=split_names(options.by),
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


def split_names(text: str | None) -> list[str] | None:
    """Split a comma-separated list into its names; return None for None."""
    return [part.strip() for part in text.split(",") if part.strip()] if text is not None else None
