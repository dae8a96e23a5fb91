"""Grading in a file: a person downloads the answers of a batch as a table, grades them elsewhere, and uploads the marks."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import guard
from pages.parts.ui.data_table import download
from pages.parts.ui.person import ask_here
from pages.parts.ui.say import escape, show_error, show_success, show_warning
from workbench import open_workbench
from workbench.evaluate.grading.grading_files import ReceivedMarks

MAX_REFUSALS = 10
"""Maximum number of refused rows that are listed after an upload."""


def show(batch: str, who: str) -> None:
    """Show the box with a button that downloads a batch's answers, and a field that uploads their marks."""
    files, state = open_workbench().grading_files, st.session_state
    with st.popover("By file", icon=":material/table:", key="grade_by_file", width="content"):
        st.caption(
            "To grade in a spreadsheet, download the answers: each has a number, and no system is named. A mark is a "
            "word, such as perfect, or a number of CRAG's rubric: 0 missing, 1 incorrect, 2 acceptable, 3 perfect."
        )
        download("Answers as a table", lambda: files.sheet(batch), f"answers-{batch[:8]}.csv", "text/csv", "grade_sheet_file")
        file = st.file_uploader("Marks: CSV, or JSON lines", type=("csv", "tsv", "jsonl"), key="grade_marks_file")
        permission = guard("grade answers", file is None or not who)
        if st.button("Store the marks", key="grade_take", icon=":material/upload:", **permission) and file is not None:
            try:
                state["grade_taken"] = batch, files.take(batch, who, file.getvalue())
            except BenchError as error:
                show_error(str(error))
                return
            st.rerun()
        if not who:
            ask_here("Give your name: it is stored with the marks, unless the file names other people.", "marks")
        received = state.get("grade_taken")
        if received is not None and received[0] == batch:
            _report(received[1])


def _report(marks: ReceivedMarks) -> None:
    """Show how many marks of an uploaded file were stored, and the rows that were refused."""
    more = {"stored before": marks.already, "rows without a mark": marks.blank, "refused": len(marks.refused)}
    show_success("; ".join([f"Marks stored: {marks.stored:,}", *(f"{label}: {n:,}" for label, n in more.items() if n)]) + ".")
    for sentence in marks.refused[:MAX_REFUSALS]:
        show_warning(sentence)
    if len(marks.refused) > MAX_REFUSALS:
        st.caption(escape(f"{len(marks.refused) - MAX_REFUSALS:,} more rows were refused."))
