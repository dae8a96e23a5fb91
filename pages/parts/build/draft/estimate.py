"""Shows estimates of work: calls, tokens, price and time, and what these numbers are based on."""

from collections.abc import Callable

import streamlit as st

from pages.parts.ui.job_card import format_duration, format_money
from pages.parts.ui.say import escape
from workbench.build.drafting.call_estimate import WorkEstimate
from workbench.build.drafting.draft_estimate import DraftsEstimate


def show_drafts_estimate(estimate: DraftsEstimate) -> None:
    """Show the estimate of drafting jobs, with one row per job if there are several jobs."""
    jobs = estimate.jobs
    with st.container(border=True, gap="small"):
        show_figures(estimate)
        if len(jobs) > 1 or any(job.is_short for job in jobs):
            st.table(
                {
                    "Task": [escape(job.title) for job in jobs],
                    "Domain": [escape(job.domain) for job in jobs],
                    "Windows": [format_range(*job.windows, format_count) for job in jobs],
                    "Tokens a window": [shorten_number(job.window_tokens) if job.window_tokens else "–" for job in jobs],
                    "Calls a window": [f"{job.calls_each:.1f}".removesuffix(".0") for job in jobs],
                    "Price": [format_range(job.least.price, job.most.price, format_money) for job in jobs],
                    "": ["fewer windows than wanted" if job.is_short else "" for job in jobs],
                }
            )
        show_notes(estimate)


def show_figures(estimate: WorkEstimate) -> None:
    """Show the calls, tokens, price and time of an estimate in a row."""
    figures: tuple[tuple[str, str, Callable[[float], str], str], ...] = (
        ("Calls", "calls", format_count, "–"),
        ("Tokens in", "tokens_in", shorten_number, "–"),
        ("Tokens out", "tokens_out", shorten_number, "–"),
        ("Price", "price", format_money, "price unknown"),
        ("Time", "seconds", format_duration, "time unknown"),
    )
    with st.container(horizontal=True, gap="large"):
        for label, name, words, unknown in figures:
            shown = format_range(getattr(estimate.least, name), getattr(estimate.most, name), words, unknown)
            with st.container(gap=None, width="content"):
                st.caption(label)
                st.markdown(f"**{escape(shown)}**")


def show_notes(estimate: WorkEstimate) -> None:
    """Show sentences on what the numbers of an estimate are based on."""
    st.caption(escape(" ".join(estimate.notes)))


def format_range(least: float | None, most: float | None, words: Callable[[float], str], unknown: str = "–") -> str:
    """Format a range as "least to most", with each end formatted by the function `words`, or as one value if both ends have the
    same text."""
    if least is None or most is None:
        return unknown
    low, high = words(least), words(most)
    return low if low == high else f"{low} to {high}"


def format_count(number: float) -> str:
    """Format a number with separators, such as 12345 as 12,345."""
    return f"{number:,.0f}"


def shorten_number(number: float) -> str:
    """Format a large number briefly, such as 12345 as 12.3k."""
    if number < 1_000:
        return format_count(number)
    return f"{number / 1_000:,.1f}k" if number < 1_000_000 else f"{number / 1_000_000:,.2f}M"
