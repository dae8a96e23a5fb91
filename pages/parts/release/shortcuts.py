"""Shortcuts of a release: which of its questions can be answered without understanding, and by which passage or answer."""

import streamlit as st

from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal, find_guest_release
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import budget_field
from pages.parts.ui.say import count_things, escape, shorten, show_note
from workbench import open_workbench
from workbench.evaluate.shortcuts.certificate_report import CertificateReport, FlaggedItem
from workbench.evaluate.shortcuts.certificates import PAGE_SIZE, CertificateRequest

KEY = "release_shortcuts"
MAX_CHARACTERS = 600
"""Maximum number of characters shown of a passage."""


def show(name: str) -> None:
    """Show the form that makes a certificate, the table of the newest one, and the questions that shortcuts answer."""
    _show_form(name)
    certificate = open_workbench().certificates.find(name)
    if certificate is None:
        show_note("Nobody has looked for shortcuts in this release yet.")
        return
    _show_rates(open_workbench().certificates.report(name))
    _show_flagged(name)


def _show_form(name: str) -> None:
    show_feedback(KEY)
    if find_guest_release() is None and not explain_refusal("run systems"):
        with st.container(border=True):
            left, middle, right = st.columns([3, 1.6, 1.6], vertical_alignment="bottom")
            with left:
                agent = agent_picker.show("Agent that answers without any text", f"{KEY}_agent", optional=True)
            budget = budget_field(middle, f"{KEY}_budget")
            request = CertificateRequest(release=name, agents=(agent,) if agent else (), budget=budget)
            with right:
                draw_button("Look for shortcuts", f"{KEY}_start", _start, request, icon="search", is_primary=True)
            st.caption(
                "Tries to answer each question without understanding it: from the passage or sentence with the same "
                "words, from the choices in the question, from its form and, if an agent is chosen, without any text (one "
                "call for each question)."
            )
        for _ in job_card.show_listed():
            pass


def _show_rates(report: CertificateReport) -> None:
    made = report.certificate
    for note in report.notes:
        show_note(note)
    columns = report.table.columns
    show_rows([dict(zip(columns, (cell.text for cell in row), strict=True)) for row in report.table.rows], key=f"{KEY}_rates")
    for note in report.table.notes:
        st.caption(escape(note))
    by = f" by {made.by}" if made.by else ""
    st.caption(
        escape(f"Made {made.at[:16].replace('T', ' ')} UTC{by}; threshold {made.settings['threshold']:g}, seed {made.seed}.")
    )


def _show_flagged(name: str) -> None:
    number = int(st.session_state.get(f"{KEY}_page", 1))
    items, total = open_workbench().certificates.list_flagged(name, number=number)
    if total:
        st.subheader(f"{count_things(total, 'question')} that a shortcut answers", anchor=False)
        st.caption(
            "To leave these questions out of the scores, use the choice on the page Results, or the command "
            "`report` with --without-shortcuts."
        )
    for item in items:
        _show_item(item)
    if total > PAGE_SIZE:
        st.pagination(-(-total // PAGE_SIZE), key=f"{KEY}_page")


def _show_item(item: FlaggedItem) -> None:
    with st.container(border=True, gap="small"):
        st.markdown(f"**{escape(item.question)}**")
        st.caption(escape(f"{item.item} · gold answer: {shorten(item.answer, MAX_CHARACTERS)}"))
        for right in item.right_answers:
            where = f" · {right.title}" if right.title else ""
            st.markdown(f"{escape(right.label + where)}")
            st.text(shorten(" ".join(right.answer.split()), MAX_CHARACTERS))


def _start(request: CertificateRequest) -> None:
    with keep_errors(KEY):
        job_card.start_and_list(open_workbench().certificates.plan(request))
