"""A small box that sets whether people may decide between opinions if one of the opinions is their own; every change is
recorded."""

import streamlit as st

from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.say import escape
from workbench.annotate.reviewing.adjudication import AdjudicationStage

KEY = "adjudicate_own"


def show(stage: AdjudicationStage, who: str) -> None:
    """Show the box with the rule on deciding between opinions if one of the opinions is one's own."""
    rule = stage.rule()
    with st.popover("Who decides", icon=":material/balance:", type="tertiary", width="content", key="adjudicate_who"):
        show_feedback(KEY)
        st.caption("A person who gave an opinion on an item may decide between the opinions on it only if you allow this here.")
        st.session_state[KEY] = rule.is_on
        st.toggle(
            "Let people decide between opinions when one opinion is their own",
            key=KEY,
            on_change=_set,
            args=(stage, who),
            **guard("set the rules of the work", not who),
        )
        if rule.by:
            verb = "allowed it" if rule.is_on else "ended it"
            st.caption(escape(f"{rule.by} {verb}, {rule.at[:16].replace('T', ' ')} UTC"))


def _set(stage: AdjudicationStage, who: str) -> None:
    with keep_errors(KEY):
        stage.set_rule(bool(st.session_state[KEY]), who)
