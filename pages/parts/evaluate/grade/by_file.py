"""A batch by file: its answers as a table to be graded elsewhere, and marks from one."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import kept
from pages.parts.ui.person import ask_here
from pages.parts.ui.say import caution, done, plain, trouble
from workbench import opened
from workbench.evaluate.grading.grading_files import Taken

TOLD = 10
"""Rows that were not taken, told one by one."""


def show(batch: str, who: str) -> None:
    """The box with both."""
    files, state = opened().grading_files, st.session_state
    with st.popover("By file", icon=":material/table:", key="grade_by_file", width="content"):
        st.caption(
            "For grading in a spreadsheet: every answer with its number, and no system. A mark is a word (perfect) or a "
            "figure of CRAG's rubric: 0 missing, 1 incorrect, 2 acceptable, 3 perfect."
        )
        st.download_button(
            "Answers as a table",
            lambda: files.sheet(batch),
            f"answers-{batch[:8]}.csv",
            "text/csv",
            icon=":material/download:",
            key="grade_sheet_file",
            on_click="ignore",
        )
        file = st.file_uploader("Marks: CSV, or JSON lines", type=("csv", "tsv", "jsonl"), key="grade_marks_file")
        if (
            st.button(
                "Take the marks", key="grade_take", icon=":material/upload:", **kept("grade answers", file is None or not who)
            )
            and file is not None
        ):
            try:
                state["grade_taken"] = batch, files.take(batch, who, file.getvalue())
            except BenchError as error:
                trouble(str(error))
                return
            st.rerun()
        if not who:
            ask_here("Give your name: marks stand under it, unless the file names other people.", "marks")
        taken = state.get("grade_taken")
        if taken is not None and taken[0] == batch:
            _told(taken[1])


def _told(taken: Taken) -> None:
    more = {"as before": taken.already, "rows without one": taken.blank, "not taken": len(taken.refused)}
    done("; ".join([f"Marks stored: {taken.stored:,}", *(f"{what}: {n:,}" for what, n in more.items() if n)]) + ".")
    for sentence in taken.refused[:TOLD]:
        caution(sentence)
    if len(taken.refused) > TOLD:
        st.caption(plain(f"And {len(taken.refused) - TOLD:,} more rows were not taken."))
