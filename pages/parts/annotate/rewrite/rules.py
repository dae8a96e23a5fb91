"""How rewriting goes in this workspace: how many people a question, and what they agree to first."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.plain_text import show as plain_text
from pages.parts.ui.say import show_error
from workbench.annotate.wordings.consent import Consent
from workbench.annotate.wordings.rewrites import RewriteStage

_TROUBLE = "rewrite_rules_trouble"


def show(rewrites: RewriteStage) -> None:
    """The box behind a button, for who may set them."""
    if explain_refusal("set the rules of the work"):
        return
    standing = rewrites.consent.standing()
    with st.popover("Rules", icon=":material/tune:", type="tertiary", width="content"), st.form("rewrite_rules", border=False):
        people = st.number_input("People a question", 1, 20, rewrites.wanted)
        said = f"version {standing.version}" if standing.version else "none yet"
        about = "Shown to each person before the first rewrite, and again when it changes. Empty asks nobody."
        text = st.text_area(f"Consent text ({said})", standing.text, height=180, max_chars=20_000, help=about)
        if st.form_submit_button("Save", width="stretch"):
            try:
                rewrites.want(int(people))
                rewrites.consent.change(text)
            except BenchError as error:
                show_error(str(error))
            else:
                st.rerun()


def ask(rewrites: RewriteStage, asked: Consent, person: str) -> None:
    """The text to agree to, in the place of the sheet."""
    with st.container(border=True):
        st.subheader("Before your first rewrite", anchor=False)
        plain_text(asked.text, key=f"consent_{asked.version}")
        st.caption(f"Version {asked.version}. Your agreement is recorded under your name with the time.")
        st.button("I agree", type="primary", key="rewrite_agree", on_click=_agree, args=(rewrites, asked.version, person))
    if said := st.session_state.pop(_TROUBLE, ""):
        show_error(said)


def _agree(rewrites: RewriteStage, version: int, person: str) -> None:
    try:
        rewrites.consent.agree(person, version)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
