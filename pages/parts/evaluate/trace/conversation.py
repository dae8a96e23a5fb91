"""The conversation in the trace of a turn: the turns before with the answers of the run, the messages of a simulated user, and
the rewritten question."""

import streamlit as st

from pages.parts.ui.data_table import show_rows
from pages.parts.ui.say import escape
from workbench import open_workbench


def show(run: str, item: str) -> None:
    """Show what was said in the conversation up to this question, if the question is part of one."""
    heard = open_workbench().conversations.load_turn(run, item)
    if heard is None:
        return
    st.subheader(f"Conversation: turn {heard.turn.number} of {heard.turn.of}", anchor=False)
    st.caption(escape(f"History: {heard.history}. Standalone question: {heard.turn.standalone or 'the question itself'}"))
    if heard.rewritten:
        st.caption(escape(f"Rewritten by the agent: {heard.rewritten}"))
    said = [{"Turn": number, "Question": one.question, "Answer of this run": one.answer or "–"} for number, one in heard.said]
    show_rows(said, {name: st.column_config.TextColumn(width="large") for name in ("Question", "Answer of this run")})
