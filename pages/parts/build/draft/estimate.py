"""An estimate of drafting jobs: what they will ask, cost and take, and what the figures rest on."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.parts.build.draft.choice import kind_label
from pages.parts.ui.job_card import duration, money
from pages.parts.ui.say import plain

Between = Sequence[float | None]


def draft_estimate(found: dict[str, Any]) -> None:
    """Draw it."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, gap="large"):
            figure("Calls", found["calls"], lambda n: f"{n:,.0f}")
            figure("Tokens in", found["tokens_in"], short)
            figure("Tokens out", found["tokens_out"], short)
            figure("Price", found["price"], money, "price unknown")
            figure("Time", found["seconds"], duration, "time unknown")
        if len(found["jobs"]) > 1 or any(row["is_short"] for row in found["jobs"]):
            st.table(
                {
                    "Task": [plain(kind_label(row)) for row in found["jobs"]],
                    "Domain": [plain(row["domain"]) for row in found["jobs"]],
                    "Windows": [between(row["windows"], lambda n: f"{n:,.0f}") for row in found["jobs"]],
                    "Tokens a window": [short(row["window_tokens"]) if row["window_tokens"] else "–" for row in found["jobs"]],
                    "Calls a window": [f"{row['calls_each']:.1f}".removesuffix(".0") for row in found["jobs"]],
                    "Price": [between(row["price"], money, "–") for row in found["jobs"]],
                    "": ["fewer windows than wanted" if row["is_short"] else "" for row in found["jobs"]],
                }
            )
        st.caption(plain(" ".join(found["rests"])))


def figure(label: str, values: Between, words: Callable[[float], str], unknown: str = "–") -> None:
    """One figure with its name."""
    with st.container(gap=None, width="content"):
        st.caption(label)
        st.markdown(f"**{plain(between(values, words, unknown))}**")


def between(values: Between, words: Callable[[float], str], unknown: str = "–") -> str:
    """ "least to most", or one figure when they read the same; what nobody knows is said."""
    least, most = values
    if least is None or most is None:
        return unknown
    low, high = words(least), words(most)
    return low if low == high else f"{low} to {high}"


def short(number: float) -> str:
    """12,345 as 12.3k."""
    if number < 1_000:
        return f"{number:,.0f}"
    return f"{number / 1_000:,.1f}k" if number < 1_000_000 else f"{number / 1_000_000:,.2f}M"
