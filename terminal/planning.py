"""What a run will come to, in lines for a terminal: read before anything is paid for."""

from core.statistics.effects import questions_for
from terminal.output import format_count
from workbench.evaluate.running.run_estimate import RunEstimate

WISHED = 0.05
"""The difference of which it is told how many questions it wants."""


def plan_lines(estimate: RunEstimate) -> list[str]:
    """An estimate for people."""
    lines = [f"Before it starts: {format_count(estimate.questions, 'question')}, {_calls(estimate)}."]
    if estimate.calls is not None:
        tokens = f"{estimate.tokens_in:,} tokens in and {estimate.tokens_out:,} out"
        lines.append(f"About {tokens}: {_price(estimate)}; {_time(estimate)}.")
    if estimate.stored:
        stored = format_count(estimate.stored.traces, "answer")
        lines.append(f"Run {estimate.stored.run} is this very run: {stored} of it are stored and not asked again.")
    for one in estimate.detectable:
        if one.difference is not None:
            lines.append(
                f"{one.metric}: a difference of {one.difference:.3f} shows four times in five (n = {one.n:,}); "
                f"{WISHED:g} wants {questions_for(one.spread, WISHED):,} questions. It rests on {one.rests_on}."
            )
    return lines + list(estimate.notes)


def _calls(estimate: RunEstimate) -> str:
    judging = f"{format_count(estimate.judge_calls, 'call')} of judges"
    if estimate.calls is None:
        return f"calls of the system not known before, {judging}"
    return f"{format_count(estimate.calls, 'call')} of the system, {judging}"


def _price(estimate: RunEstimate) -> str:
    if estimate.price_usd is None:
        return "price not known, for want of prices per token"
    return f"about {estimate.price_usd:.2g} USD, {estimate.most_usd:.2g} if every reply is as long as it may be"


def _time(estimate: RunEstimate) -> str:
    if estimate.seconds is None:
        return "how long is not known before"
    pace = estimate.pace
    basis = f"measured on {format_count(pace.measured, 'call')}" if pace.measured else "assumed"
    return f"about {estimate.seconds:,.0f} s at {pace.width} calls at once of {pace.seconds:.2g} s each ({basis})"
