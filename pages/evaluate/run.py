"""Run: a system answers a release and is scored. A quick check, a full run with every setting, and the list of runs; with a job
in the address, that run at work."""

import streamlit as st

from pages.parts.evaluate.run import check, form, history, live, quick
from pages.parts.ui.heading import empty, heading
from workbench import opened

VIEWS = {"Quick check": quick.show, "Full run": form.show}

heading("Run", "A system answers the questions of a release and is scored. Everything is stored; nothing is asked twice.")

if job := st.query_params.get("job"):
    live.show(job)
elif ids := st.query_params.get_all("check"):
    check.show(ids)
else:
    view = st.segmented_control(
        "View",
        [*VIEWS, "Runs"],
        default="Quick check",
        required=True,
        key="run_view",
        bind="query-params",
        label_visibility="collapsed",
    )
    releases = opened().runs.releases()
    if view == "Runs":
        history.show()
    elif not releases:
        empty(
            "Nothing to run on yet",
            "A run needs accepted items. Accept some, or import a benchmark.",
            "pages/annotate/review.py",
            "Review items",
        )
    else:
        VIEWS[view](releases)
