"""Systems run on a release, answers are scored, runs are compared."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from agents.saved import is_saved_name
from terminal import paths
from terminal.local_session import workspace_name
from terminal.output import format_count, show, show_end
from terminal.planning import plan_lines
from terminal.session import Session
from workbench.evaluate.running.run_presets import apply_preset
from workbench.evaluate.running.run_request import RunRequest
from workbench.settings import parse_settings

ESTIMATE_SECONDS = 600.0
"""Seconds that the estimate of a paid run may take."""


def run(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        request = RunRequest(
            release=options.release,
            system=options.system or "",
            agent=options.agent and paths.agent(session.folder, options.agent),
            retriever=options.retriever,
            metrics=names(options.metrics),
            judges=paths.agents(session.folder, options.judge or []),
            votes=options.votes,
            budget=options.budget,
            settings=paths.settings(session.folder, options.set),
            variants=options.variants,
            repeat=options.repeat,
            sample=options.sample,
            seed=options.seed,
        )
        request = apply_preset(options.preset, request) if options.preset else request
        job = b.runs.plan(request)
        if b.runs.is_paid(request):
            estimate = b.runs.estimate(request, wait=ESTIMATE_SECONDS).value
            for line in plan_lines(estimate) if estimate else ():
                session.say(line)
        result = session.finish(b, job)
    return show_end(session, options, result)


def score(session: Session, options: Namespace) -> int:
    from workbench.evaluate.scoring.scores import score_file

    judges, saved = paths.agents(session.folder, options.judge or []), []
    if any(is_saved_name(judge) for judge in judges) and (session.folder / workspace_name(options)).exists():
        with session.bench(options) as b:
            saved = [agent for judge in judges if (agent := b.agents.saved(judge))]
    found: dict[str, Any] = score_file(
        session.folder / options.predictions,
        metrics=names(options.metrics) or [],
        language=options.language,
        judges=judges,
        votes=options.votes,
        budget=options.budget,
        settings=paths.settings(session.folder, options.set),
        say=session.say,
        saved=saved,
    )
    show(
        session,
        options,
        found,
        lambda: "\n".join(
            [
                *(
                    f"{k:28} {v['mean'] if v['mean'] is None else format(v['mean'], '.4f')}  n={v['n']} failed={v['failed']}"
                    for k, v in found["metrics"].items()
                ),
                *format_robustness(found.get("robustness", {}).get("figures", {})),
            ]
        ),
    )
    return 0


def format_robustness(figures: Mapping[str, Any]) -> list[str]:
    """A line a figure of robustness that has a value, kind by kind."""
    lines = []
    for name, by_kind in figures.items():
        told = [f"{kind} {one['mean']:.3f} (n={one['n']})" for kind, one in by_kind.items() if one["mean"] is not None]
        lines += [f"{name:28} {', '.join(told)}"] if told else []
    return lines


def report(session: Session, options: Namespace) -> int:
    if not options.run and not options.preset:
        session.say(
            "cli.py report: name a run (`cli.py jobs` lists them), or give --preset hawkbench_table1 for what became "
            "of the drafts."
        )
        return 2
    form = "json" if options.json else options.format
    with session.bench(options) as b:
        made = b.reports.report(
            options.run, by=names(options.by), form=form, preset=options.preset, settings=parse_settings(options.set)
        )
    session.write_out(made)
    return 0


def export_run(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        made = b.run_exports.write(options.run, options.format, session.folder / options.out)
    show(session, options, made, f"{made.out}: {format_count(made.n, 'answer')} of run {made.run} as {made.format}.")
    return 0


def names(text: str | None) -> list[str] | None:
    """The names of a comma-separated list."""
    return [part.strip() for part in text.split(",") if part.strip()] if text is not None else None
