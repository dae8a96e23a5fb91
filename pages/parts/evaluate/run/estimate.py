"""The estimate of what a run costs: a row of numbers, and sentences on what each number is based on."""

from collections.abc import Sequence

import streamlit as st

from core.statistics.effects import questions_for
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.job_card import format_duration, format_money
from pages.parts.ui.say import escape, show_note, show_warning
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.evaluate.running.run_estimate import DetectableDifference, EstimateTotals, RunEstimate
from workbench.evaluate.running.run_request import RunRequest

COMPUTING = "Computing the estimate."
DEFAULT_DIFFERENCE = 0.05
"""Initial value of the difference in scores in the planner of sample sizes."""


def show(request: RunRequest) -> None:
    """Show the estimate of one run; while it is computed, show a waiting message, and if the run cannot start, the reason."""
    estimate = when_ready(lambda: open_workbench().runs.estimate(request), COMPUTING)
    if estimate is None:
        return
    show_totals(estimate)
    st.caption(escape(" ".join(list_bases([estimate]))))
    if stored := estimate.stored:
        show_note(f"Run {stored.run} has the same configuration: its {stored.traces:,} stored answers are used again.")
    for sentence in estimate.notes:
        show_warning(sentence)
    if estimate.detectable:
        _draw_detectable(estimate.detectable)


def show_totals(totals: EstimateTotals) -> None:
    """Show the numbers of questions, calls and tokens, the price and the time of a run; an unknown value is a dash."""
    cells = {
        "Questions": format_count(totals.questions),
        "Calls": format_count(totals.all_calls),
        "Tokens in": format_count(totals.tokens_in),
        "Tokens out": format_count(totals.tokens_out),
        "Price": format_price(totals),
        "Time": "–" if totals.seconds is None else f"about {format_duration(max(totals.seconds, 1))}",
    }
    with st.container(horizontal=True, gap="large"):
        for label, value in cells.items():
            st.metric(label, value, width="content")


def format_price(totals: EstimateTotals) -> str:
    """Format a price in US dollars: "free" for a run without calls, or a dash if the number of calls is unknown."""
    return "–" if totals.all_calls is None else format_money(totals.price_usd) if totals.all_calls else "free"


def format_count(value: float | None) -> str:
    """Format a count, with k or M for thousands and millions, or a dash for None."""
    if value is None:
        return "–"
    return f"{value / 1e6:,.1f} M" if value >= 1e6 else f"{value / 1e3:,.1f} k" if value >= 10_000 else f"{value:,.0f}"


def list_bases(estimates: Sequence[RunEstimate]) -> list[str]:
    """Return sentences that say what the numbers of the estimates are based on."""
    asking = [estimate for estimate in estimates if estimate.calls]
    if not asking:
        is_free = all(estimate.calls == 0 for estimate in estimates)
        return ["No call is made: nothing is sent and nothing is paid."] if is_free else []
    last = asking[-1]
    basis = (
        f"measured on the agent's last {last.pace.measured} calls"
        if last.pace.measured
        else "assumed, because the agent has not answered yet"
    )
    bases = [
        f"Tokens are counted in the real prompts of {last.sampled} questions with real passages; replies by {last.replies}.",
        f"Time: {max(last.pace.seconds, 0.01):.2g} s per call ({basis}), {last.pace.width} calls at once.",
    ]
    most = [estimate.most_usd for estimate in asking]
    total = sum(usd for usd in most if usd is not None)
    if None not in most and total > 0:
        bases.append(f"At most {format_money(total)} if every reply is as long as allowed.")
    return bases


def _draw_detectable(differences: Sequence[DetectableDifference]) -> None:
    """Show, for each metric, the smallest difference between two systems that these questions can show."""
    with st.expander("Smallest differences that these questions can show"):
        st.caption("The smallest difference between two systems that a test at the 5 % level finds with a power of 80 %.")
        wished = st.number_input(
            "Difference to detect",
            0.001,
            1.0,
            DEFAULT_DIFFERENCE,
            0.01,
            format="%.3f",
            key="run_wished",
            persist_state="session",
            width=240,
        )
        wanted = f"Questions for {wished:g}"
        show_rows(
            [
                {
                    "Metric": detectable.metric,
                    "Difference": detectable.difference,
                    "Questions": detectable.n,
                    wanted: questions_for(detectable.spread, wished),
                    "Rests on": detectable.rests_on,
                }
                for detectable in differences
            ],
            {
                "Difference": st.column_config.NumberColumn(format="%.2f", width="small"),
                "Questions": st.column_config.NumberColumn(width="small"),
                wanted: st.column_config.NumberColumn(width="small", format="localized"),
                "Rests on": st.column_config.TextColumn(width="large"),
            },
        )
