"""The box that freezes the accepted contests of a release as an erratum, with a link to the scores that the erratum changed."""

from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.parts.ui import job_card
from pages.parts.ui.allowed import guard
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import budget_field
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench


def show(release: str, key: str) -> None:
    """Show what an erratum of the release would change, and the form that freezes it."""
    st.subheader("Erratum", anchor=False)
    show_feedback(key)
    try:
        preview = open_workbench().errata.preview(release)
    except BenchError:  # the release working has no erratum
        return
    n = len(preview.corrected) + len(preview.withdrawn)
    if n:
        st.text(
            f"{count_things(len(preview.corrected), 'item')} of {release} would be corrected, {len(preview.withdrawn)} "
            f"withdrawn. Its {count_things(preview.runs, 'run')} would be scored again from the stored answers."
        )
    else:
        st.caption(escape(f"No accepted contest changes {release}."))
    left, middle, right = st.columns([2, 1.4, 1.6], vertical_alignment="bottom")
    name = left.text_input("Name", key=f"{key}_name", max_chars=64, placeholder=f"for example {release}.1")
    budget = budget_field(middle, f"{key}_budget", help="Judges score answers to changed items again; they stop at this cost.")
    right.button(
        "Freeze erratum",
        key=f"{key}_freeze",
        icon=":material/ac_unit:",
        on_click=partial(_freeze, key, name, release, budget),
        **guard("freeze releases", not n or not name.strip()),
    )
    for job, state in job_card.show_listed():
        if state == "done" and (erratum := open_workbench().errata.find_of_job(job)):
            draw_link("evaluate/results", f"What moved because of {escape(erratum)}", "leaderboard", release=erratum)


def _freeze(key: str, name: str, release: str, budget: float | None) -> None:
    with keep_errors(key):
        frozen = open_workbench().errata.freeze(name.strip(), release, budget)
        made = frozen.erratum
        changed = f"{count_things(len(made.corrected), 'item')} corrected, {len(made.withdrawn)} withdrawn"
        keeps = (
            f" {count_things(len(made.contradicted), 'corrected answer')} from tables that the erratum keeps and that give the "
            "old answers: for systems that read these tables, freeze a new release with newer tables instead."
            if made.contradicted
            else ""
        )
        keep_success(key, f"{made.release} is frozen: {changed}. Hash {made.hash}.{keeps}")
        if frozen.job:
            job_card.start_and_list(frozen.job)
