"""A table of the calls, tokens and cost of every agent, including deleted agents and agents that were used without being
saved."""

import streamlit as st

from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.job_card import format_money
from workbench import open_workbench

_COUNTS = ("Answered", "Tokens in", "Tokens out", "Thinking")


def show() -> None:
    """Show the usage of all agents, which is counted in the background."""
    uses = open_workbench().agent_list.uses()
    if uses is None:
        draw_in_place(_wait, every=0.5)()
        return
    if not uses:
        show_empty("No calls yet", "Every call of every agent is counted here, including test calls.")
        return
    st.dataframe(
        [
            {
                "Agent": use.agent,
                "Endpoint": use.endpoint or None,
                "Answered": use.answered,
                "Failed": ", ".join(f"{n:,} {kind}" for kind, n in use.failed.items()) or "0",
                "Tokens in": use.tokens_in,
                "Tokens out": use.tokens_out,
                "Thinking": use.tokens_thinking,
                "Cost": format_cost(use.cost, use.unpriced),
                "Median": None if use.median is None else f"{use.median:.2f} s",
                "p90": None if use.p90 is None else f"{use.p90:.2f} s",
                "Last asked": use.last[:16].replace("T", " "),
            }
            for use in uses
        ],
        hide_index=True,
        placeholder="–",
        key="agent_usage",
        column_config={name: st.column_config.NumberColumn(format="localized") for name in _COUNTS},
    )
    st.caption("Service seconds of answered calls, without waiting. Tokens out include thinking. Times are UTC.")


def format_cost(usd: float | None, unpriced: int) -> str | None:
    """Format a cost in US dollars; if the price of some calls is unknown, the text states how many. Return None if there is no
    cost to show."""
    if usd is None:
        return "price unknown" if unpriced else None
    return f"{format_money(usd)}, {unpriced:,} of unknown price" if unpriced else format_money(usd)


def _wait() -> None:
    if open_workbench().agent_list.uses() is not None:
        redraw_page()
    st.skeleton(height=120)
