"""The absence twin in the trace of a question: the answer that the system gave while the evidence was hidden, and the hidden
passages."""

import streamlit as st

from pages.parts.ui import long_text
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.say import count_things, escape, show_error
from workbench import open_workbench
from workbench.evaluate.results.absence import TwinPassage


def show(run: str, item: str, key: str) -> None:
    """Show the answer of the run to the item's absence twin, if the run was asked one."""
    twin = open_workbench().absence.twin(run, item)
    if twin is None:
        return
    st.subheader("Absence twin: the same question without the evidence", anchor=False)
    if twin.trace.answer is None:
        show_error(f"Failed ({twin.trace.stop}). {twin.trace.error or 'No reason was stored.'}")
    else:
        long_text.show(twin.trace.answer, f"{key}_answer", is_prose=True)
    st.caption(f"{escape(twin.outcome)}. {count_things(len(twin.hidden), 'passage')} hidden from every search.")
    for label, passages in (("Hidden passages", twin.hidden), ("Passages that the system got instead", twin.passages)):
        with st.expander(f"{label} ({len(passages)})"):
            show_rows([_build_row(passage) for passage in passages], {"Begins": st.column_config.TextColumn(width="large")})


def _build_row(passage: TwinPassage) -> dict[str, str]:
    why = {} if passage.why is None else {"Why": passage.why}
    return why | {"Document": passage.title or passage.span.document, "Begins": passage.beginning}
