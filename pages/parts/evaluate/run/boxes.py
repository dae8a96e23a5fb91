"""Boxes that several forms of runs have. What is chosen in them is kept for the session."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.as_json import Json
from workbench.settings import parse_settings


def release_box(where: Any, releases: Mapping[str, int], key: str) -> str:
    """Draw the choice of a release (name -> number of items); returns it."""
    return str(
        where.selectbox(
            "Release",
            list(releases),
            key=key,
            persist_state="session",
            format_func=lambda name: f"{name} ({releases[name]:,} items)",
        )
    )


def count_box(where: Any, label: str, least: int, most: int, default: int, key: str, help: str | None = None) -> int:
    """Draw a box for a whole number; returns it."""
    return int(where.number_input(label, least, most, default, key=key, persist_state="session", help=help))


def sample_box(where: Any, key: str) -> int | None:
    """Draw the box for the size of a sample; returns None for all items."""
    size = where.number_input(
        "Sample",
        min_value=1,
        value=None,
        step=1,
        placeholder="all items",
        key=key,
        persist_state="session",
        help="Number of items, spread over level, domain and language.",
    )
    return None if size is None else int(size)


def budget_box(where: Any, key: str, help: str | None = None) -> float | None:
    """Draw the box for a budget in US dollars; returns None for no limit."""
    usd: float | None = where.number_input(
        "Budget, USD",
        min_value=0.0,
        value=None,
        placeholder="no limit",
        format="%.4f",
        key=key,
        persist_state="session",
        help=help,
    )
    return usd


def settings_area(key: str, example: str) -> dict[str, Json]:
    """Draw the area for settings written as key=value; returns them. Raises BenchError when one has no key."""
    text = st.text_area(
        "One key=value a line",
        key=key,
        persist_state="session",
        height=90,
        placeholder=example,
        help="As after --set on the command line. These settings override the boxes.",
    )
    return parse_settings(line for line in text.splitlines() if line.strip())
