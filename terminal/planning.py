"""Build the request for a run from a command's options, and format the estimate of the run (calls, price, duration) for a
terminal, before the run costs anything."""

from argparse import Namespace
from typing import TYPE_CHECKING

from core.statistics.effects import questions_for
from terminal import paths
from terminal.choosing import split_names
from terminal.output import format_count
from terminal.session import Session, select_options
from workbench.evaluate.running.run_presets import apply_preset
from workbench.evaluate.running.run_request import RunRequest

if TYPE_CHECKING:
    from workbench.build.drafting.call_estimate import WorkEstimate
    from workbench.evaluate.running.run_estimate import DetectableDifference, RunEstimate

TARGET_DIFFERENCE = 0.05
"""Difference between two systems for which the estimate states how many questions would detect it."""


def build_request(session: Session, options: Namespace, release: str) -> RunRequest:
    """Build the request for a run on a release from the command's options."""
    request = RunRequest(
        release=release,
        system=options.system or "",
        agent=options.agent and paths.agent(session.folder, options.agent),
        metrics=None if options.metrics is None else split_names(options.metrics),
        judges=paths.agents(session.folder, options.judge or []),
        settings={
            **paths.settings(session.folder, options.set),
            **{name: value for name in ("history", "user", "patience") if (value := getattr(options, name)) is not None},
            **({"user_agent": paths.agent(session.folder, options.user_agent)} if options.user_agent else {}),
        },
        **select_options(options, "retriever", "votes", "budget", "variants", "repeat", "sample", "seed"),
    )
    return apply_preset(options.preset, request) if options.preset else request


def plan_lines(estimate: "RunEstimate") -> list[str]:
    """Return the estimate of a run as human-readable lines."""
    lines = [f"Before it starts: {format_count(estimate.questions, 'question')}, {_format_calls(estimate)}."]
    if estimate.calls is not None:
        tokens = f"{estimate.tokens_in:,} input tokens and {estimate.tokens_out:,} output tokens"
        lines.append(f"About {tokens}: {_format_price(estimate)}; {_format_time(estimate)}.")
    if estimate.stored:
        stored = format_count(estimate.stored.traces, "answer")
        lines.append(f"Run {estimate.stored.run} has the same configuration: {stored} of it are stored and used again.")
    metrics: dict[DetectableDifference, list[str]] = {}
    for detectable in estimate.detectable:  # metrics with the same detectable difference share one line
        metrics.setdefault(detectable._replace(metric=""), []).append(detectable.metric)
    for effect, names in metrics.items():
        questions, named = questions_for(effect.spread, TARGET_DIFFERENCE), ", ".join(names)
        if questions is None:
            lines.append(f"{named}: the smallest detectable difference is unknown. The estimate is based on {effect.rests_on}.")
        elif effect.difference is not None:
            lines.append(
                f"{named}: a difference of {effect.difference:.3f} is detected with a power of 80 % (n = "
                f"{effect.n:,}); a difference of {TARGET_DIFFERENCE:g} needs {questions:,} questions. The estimate is based on "
                f"{effect.rests_on}."
            )
    return lines + list(estimate.notes)


def describe_work(estimate: "WorkEstimate") -> str:
    """Return the estimate of a job as a sentence that is said before the job costs anything."""
    least, most = estimate.least, estimate.most
    tokens = f"{least.tokens_in or 0:,.0f} input tokens and {least.tokens_out or 0:,.0f} output tokens"
    price = "unknown price, because prices per token are missing"
    if least.price is not None and most.price is not None:
        price = f"about {least.price:.2g} USD" + (f", at most {most.price:.2g}" if most.price > least.price else "")
    return f"Before it starts: about {format_count(round(least.calls or 0), 'call')}, {tokens}: {price}."


def _format_calls(estimate: "RunEstimate") -> str:
    judging = f"{format_count(estimate.judge_calls, 'call')} of judges"
    if estimate.calls is None:
        return f"an unknown number of calls of the system, {judging}"
    return f"{format_count(estimate.calls, 'call')} of the system, {judging}"


def _format_price(estimate: "RunEstimate") -> str:
    if estimate.price_usd is None:
        return "unknown price, because prices per token are missing"
    return f"about {estimate.price_usd:.2g} USD, {estimate.most_usd:.2g} if every reply is as long as it may be"


def _format_time(estimate: "RunEstimate") -> str:
    if estimate.seconds is None:
        return "unknown duration"
    pace = estimate.pace
    basis = f"measured on {format_count(pace.measured, 'call')}" if pace.measured else "assumed"
    return f"about {estimate.seconds:,.0f} s at {pace.width} parallel calls of {pace.seconds:.2g} s each ({basis})"
