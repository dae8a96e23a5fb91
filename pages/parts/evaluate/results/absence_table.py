"""Tables on absence twins: the runs' answers while all evidence of a question was hidden, beside their answers with the
evidence."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.results import paper_page
from pages.parts.ui.data_table import download
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.absence import NOTES
from workbench.evaluate.results.tables_of_runs import TablesOfRuns


def show(ids: Sequence[str], key: str) -> None:
    """Show the tables, and buttons that download them; runs on a release without absence twins get a note."""
    show_tables(open_workbench().absence, NOTES, "Comparing answers with and without evidence", ids, key)


def show_tables(stage: TablesOfRuns, notes: Sequence[str], meanwhile: str, ids: Sequence[str], key: str) -> None:
    """Show the stage's tables of these runs with buttons that download them, and the `notes` folded. For tiny releases, `ids`
    are releases. Without a table, show a sentence that says so. `meanwhile` is shown while the tables are computed."""
    try:
        page = until_ready(lambda: stage.page(ids), meanwhile)
    except BenchError as error:
        show_note(str(error))
        return
    if page is None:
        return
    for sentence in page.notes:
        if sentence not in notes:
            show_note(sentence)
    paper_page.draw_tables(page.tables, key)
    paper_page.list_notes(notes, max_open=0, is_folded=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download these tables", width="content")
        for form, label in (paper_page.FORMS | {"markdown": "Markdown"}).items():
            name, mime = stage.file(ids, form)
            download(label, partial(stage.report, ids, form), name, mime, f"{key}_{form}")
