"""Which system of the study a view is about, and which of its repeated runs; both are kept in the address."""

import streamlit as st

from pages.parts.ui.in_url import choose
from workbench.evaluate.results.robustness import RobustnessSummary


def show(summary: RobustnessSummary, key: str) -> tuple[str, int]:
    """Draw both choices; returns (the system's name, its run from 0)."""
    runs = {arm.name: len(arm.runs) for arm in summary.arms}
    left, right, _ = st.columns([3, 1.2, 3])
    name = choose(left, "System", "arm", list(runs), f"{key}_arm", forgets=("repeat", "page", "item"))
    if runs[name] == 1:
        return name, 0
    repeats = [str(number) for number in range(1, runs[name] + 1)]
    return name, int(choose(right, "Run", "repeat", repeats, f"{key}_repeat", forgets=("page",))) - 1
