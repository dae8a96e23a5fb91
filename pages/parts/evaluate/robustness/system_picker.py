"""Which system of the study a view is about, and which of its repeated runs; both stand in the address."""

import streamlit as st

from pages.parts.ui.in_url import held, number, word
from workbench.evaluate.results.robustness import RobustnessSummary


def show(summary: RobustnessSummary, key: str) -> tuple[str, int]:
    """(its name, its run from 0)."""
    runs = {arm.name: arm.runs for arm in summary.arms}
    chosen = word("arm", next(iter(runs)), list(runs))
    left, right, _ = st.columns([3, 1.2, 3])
    left.selectbox(
        "System", list(runs), key=f"{key}_arm", on_change=held(f"{key}_arm", "arm", chosen, "repeat", "page", "item")
    )
    if runs[chosen] == 1:
        return chosen, 0
    repeat = min(number("repeat"), runs[chosen])
    right.selectbox(
        "Run", list(range(1, runs[chosen] + 1)), key=f"{key}_repeat", on_change=held(f"{key}_repeat", "repeat", repeat, "page")
    )
    return chosen, repeat - 1
