"""Sweeps: runs that differ from a base in one factor at a time, or in every combination; their estimate, and, with a job in the
address, their outcome."""

import streamlit as st

from pages.parts.evaluate.sweep import form, history, outcome
from pages.parts.ui.heading import empty, heading
from workbench import opened

heading("Sweeps", "Vary one factor at a time, or all combinations. A run that is stored already is not asked again.")

if job := st.query_params.get("job"):
    outcome.show(job)
else:
    view = st.segmented_control(
        "View",
        ["New sweep", "Sweeps"],
        default="New sweep",
        required=True,
        key="sweep_view",
        bind="query-params",
        label_visibility="collapsed",
    )
    releases = opened().runs.releases()
    if view == "Sweeps":
        history.show()
    elif not releases:
        empty(
            "Nothing to run on yet",
            "A run needs accepted items. Accept some, or import a benchmark.",
            "pages/annotate/review.py",
            "Review items",
        )
    else:
        form.show(releases)
