"""Sweeps: runs that differ from a base run in one factor at a time, or in every combination of factors. The page shows an
estimate before a sweep starts and, if the page's URL names a job, the outcome of that job's sweep."""

import streamlit as st

from pages.parts.evaluate.run.boxes import choose_view, say_no_release
from pages.parts.evaluate.sweep import form, outcome
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import replace_address
from pages.parts.ui.job_card import WORDS
from pages.parts.ui.say import escape
from workbench import open_workbench


def list_sweeps() -> None:
    """Show the list of sweeps; a click on a row opens the outcome of its sweep."""
    sweeps = open_workbench().sweeps.list_sweeps()
    if not sweeps:
        show_empty(
            "No sweeps yet",
            "Start a sweep of top-k on a sample: it takes minutes and shows how more passages change the scores.",
        )
    for sweep in sweeps:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                escape(sweep.name),
                key=f"sweep_{sweep.job}",
                type="tertiary",
                icon=":material/tune:",
                on_click=replace_address,
                kwargs={"job": sweep.job},
            )
            done = f"{sweep.done} of {sweep.cells} cells · {WORDS[sweep.state]}"
            st.caption(escape(f"on {sweep.release} · {done} · {sweep.at[:16].replace('T', ' ')}"))


show_heading("Sweeps", "Vary one factor at a time, or all combinations. Stored runs are not repeated.")

if job := st.query_params.get("job"):
    outcome.show(job)
else:
    view = choose_view(["New sweep", "Sweeps"], "sweep_view")
    releases = open_workbench().runs.releases()
    if view == "Sweeps":
        list_sweeps()
    elif not releases:
        say_no_release()
    else:
        form.show(releases)
