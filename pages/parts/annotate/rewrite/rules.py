"""The rules for rewriting questions: how many people rewrite a question, whether another person reviews every rewrite, and the
consent text that people must agree to first."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.plain_text import show as show_plain_text
from pages.parts.ui.say import show_error
from workbench.annotate.wordings.consent import MAX_CHARACTERS, ConsentText
from workbench.annotate.wordings.rewrites import MAX_REWRITERS, RewriteStage

FEEDBACK = "rewrite_rules"


def show(rewrites: RewriteStage) -> None:
    """Show a button that opens the form with the rules for rewriting, for a person with the permission to set them."""
    if explain_refusal("set the rules of the work"):
        return
    current = rewrites.consent.load_current()
    with st.popover("Rules", icon=":material/tune:", type="tertiary", width="content"), st.form("rewrite_rules", border=False):
        people = st.number_input("People per question", 1, MAX_REWRITERS, rewrites.wanted)
        needs_reader = st.checkbox(
            "A second person reads every rewrite",
            rewrites.needs_second_reader,
            help="If off, a second person reads only rewrites that a check flags: those that contain the answer, copy the "
            "question, or are a fragment of it. The check does not find every form of an answer.",
        )
        version = f"version {current.version}" if current.version else "none yet"
        about = (
            "People read and accept this text before their first rewrite, and again when it changes. If it is empty, "
            "nobody is asked."
        )
        text = st.text_area(f"Consent text ({version})", current.text, height=180, max_chars=MAX_CHARACTERS, help=about)
        if st.form_submit_button("Save", width="stretch"):
            try:
                rewrites.set_wanted(int(people))
                rewrites.set_second_reader(needs_reader)
                rewrites.consent.change(text)
            except BenchError as error:
                show_error(str(error))
            else:
                st.rerun()


def ask(rewrites: RewriteStage, consent: ConsentText, person: str) -> None:
    """Show the consent text with the button that agrees to it; the page shows this in place of the rewrite sheet."""
    with st.container(border=True):
        st.subheader("Before your first rewrite", anchor=False)
        show_plain_text(consent.text, key=f"consent_{consent.version}")
        st.caption(f"Version {consent.version}. Your agreement is recorded under your name with the time.")
        args = (rewrites, consent.version, person)
        st.button("I agree", type="primary", key="rewrite_agree", on_click=_agree, args=args)
    show_feedback(FEEDBACK)


def _agree(rewrites: RewriteStage, version: int, person: str) -> None:
    with keep_errors(FEEDBACK):
        rewrites.consent.agree(person, version)
