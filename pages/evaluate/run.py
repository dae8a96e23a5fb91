"""Run: a system answers a release and is scored. The page has a quick check, a full run with every setting, and the list of
runs; if the page's URL names a job, the page shows that job's run."""

import streamlit as st

from pages.parts.evaluate.run import check, form, history, live, quick
from pages.parts.evaluate.run.boxes import choose_view, say_no_release
from pages.parts.ui.heading import show_heading
from workbench import open_workbench

VIEWS = {"Quick check": quick.show, "Full run": form.show}

show_heading("Run", "A system answers the questions of a release and is scored. Stored answers are never requested again.")

if job := st.query_params.get("job"):
    live.show(job)
elif ids := st.query_params.get_all("check"):
    check.show(ids)
else:
    view = choose_view([*VIEWS, "Runs"], "run_view")
    releases = open_workbench().runs.releases()
    if view == "Runs":
        history.show()
    elif not releases:
        say_no_release()
    else:
        VIEWS[view](releases)
