"""What moved because of an erratum: under a leaderboard of runs on errata, a table for the chosen metric and each erratum."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.results import paper_page
from pages.parts.ui.data_table import download
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench


def show(ids: Sequence[str], metrics: Sequence[str], key: str) -> None:
    """Show what moved by these metrics for each erratum among the releases of the runs; show nothing if there is none."""
    stage = open_workbench().errata
    for name in stage.list_errata(ids):
        place = f"{key}_{name}"
        try:
            page = until_ready(partial(stage.page, name, tuple(metrics)), "Comparing with the corrected release")
        except BenchError as error:
            show_note(str(error))
            continue
        if page is None:
            continue
        st.subheader(page.title, anchor=False)
        paper_page.draw_tables(page.tables, place)
        paper_page.list_notes(page.notes, max_open=0, is_folded=True)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Download what moved", width="content")
            for form, label in paper_page.FORMS.items():
                file, mime = stage.file(name, form)
                download(label, partial(stage.report, name, form), file, mime, f"{place}_{form}")
