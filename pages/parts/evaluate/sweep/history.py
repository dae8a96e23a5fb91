"""The list of sweeps, newest first."""

import streamlit as st

from pages.parts.ui.heading import empty
from pages.parts.ui.job_card import WORDS
from pages.parts.ui.say import plain
from workbench import opened


def show() -> None:
    """Draw the list; each sweep leads to its outcome."""
    sweeps = opened().sweeps.list_sweeps()
    if not sweeps:
        empty("No sweeps yet", "Start a sweep of top-k on a sample: it takes minutes and shows what more passages bring.")
    for sweep in sweeps:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                plain(sweep.name),
                key=f"sweep_{sweep.job}",
                type="tertiary",
                icon=":material/tune:",
                on_click=st.query_params.from_dict,
                args=({"job": sweep.job},),
            )
            done = f"{sweep.done} of {sweep.cells} cells · {WORDS[sweep.state]}"
            st.caption(plain(f"on {sweep.release} · {done} · {sweep.at[:16].replace('T', ' ')}"))
