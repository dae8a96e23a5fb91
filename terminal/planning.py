"""What a run will come to, in lines for a terminal: read before anything is paid for."""

from collections.abc import Mapping
from typing import Any

from core.statistics.effects import questions_for
from terminal.output import format_count

WISHED = 0.05
"""The difference of which it is told how many questions it wants."""


def plan_lines(found: Mapping[str, Any]) -> list[str]:
    """An estimate (workbench/evaluate/running/run_estimate.py) for people."""
    lines = [f"Before it starts: {format_count(found['questions'], 'question')}, {_calls(found)}."]
    if found["calls"] is not None:
        tokens = f"{found['tokens_in']:,} tokens in and {found['tokens_out']:,} out"
        lines.append(f"About {tokens}: {_price(found)}; {_time(found)}.")
    if found["reuse"]:
        stored = format_count(found["reuse"]["traces"], "answer")
        lines.append(f"Run {found['reuse']['run']} is this very run: {stored} of it are stored and not asked again.")
    for one in found["detectable"]:
        if one["difference"] is not None:
            lines.append(
                f"{one['metric']}: a difference of {one['difference']:.3f} shows four times in five (n = {one['n']:,}); "
                f"{WISHED:g} wants {questions_for(one['spread'], WISHED):,} questions. It rests on {one['rests_on']}."
            )
    return lines + list(found["notes"])


def _calls(found: Mapping[str, Any]) -> str:
    judging = f"{format_count(found['judge_calls'], 'call')} of judges"
    if found["calls"] is None:
        return f"calls of the system not known before, {judging}"
    return f"{format_count(found['calls'], 'call')} of the system, {judging}"


def _price(found: Mapping[str, Any]) -> str:
    if found["price_usd"] is None:
        return "price not known, for want of prices per token"
    return f"about {found['price_usd']:.2g} USD, {found['most_usd']:.2g} if every reply is as long as it may be"


def _time(found: Mapping[str, Any]) -> str:
    if found["seconds"] is None:
        return "how long is not known before"
    pace = found["pace"]
    basis = f"measured on {format_count(pace['measured'], 'call')}" if pace["measured"] else "assumed"
    return f"about {found['seconds']:,.0f} s at {pace['width']} calls at once of {pace['seconds']:.2g} s each ({basis})"
