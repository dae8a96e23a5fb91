"""Whether people may decide between opinions of which one is theirs, in a small box over the desk; each switch is on record."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import guard
from pages.parts.ui.say import escape, show_error
from workbench.annotate.reviewing.adjudication import AdjudicationStage

_IS_ON, _TROUBLE = "adjudicate_own", "adjudicate_own_trouble"


def show(stage: AdjudicationStage, who: str) -> None:
    """Draw the box."""
    switch = stage.switch()
    with st.popover("Who decides", icon=":material/balance:", type="tertiary", width="content", key="adjudicate_who"):
        if said := st.session_state.pop(_TROUBLE, ""):
            show_error(said)
        st.caption(
            "Whoever gave an opinion on an item does not decide between the opinions on it. Where nobody else can, let them."
        )
        st.session_state[_IS_ON] = switch.is_on
        st.toggle(
            "Let people decide between opinions of which one is theirs",
            key=_IS_ON,
            on_change=_set,
            args=(stage, who),
            **guard("set the rules of the work", not who),
        )
        if switch.by:
            verb = "let them" if switch.is_on else "ended it"
            st.caption(escape(f"{switch.by} {verb}, {switch.at[:16].replace('T', ' ')} UTC"))


def _set(stage: AdjudicationStage, who: str) -> None:
    try:
        stage.let_own(bool(st.session_state[_IS_ON]), who)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
