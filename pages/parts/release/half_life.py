"""Half-life of a release: how many of its answers are still right by newer tables and pages, and by when to refresh it."""

import datetime
from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.quality.half_life import DEFAULT_TOLERANCE
from pages.parts.build.corpus.uploading import to_uploads
from pages.parts.evaluate.results import paper_page
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button, draw_link
from pages.parts.ui.data_table import download, show_rows
from pages.parts.ui.feedback import keep_errors, keep_success, show_errors, show_feedback
from pages.parts.ui.fields import budget_field, select_field
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, escape, show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.half_life.half_life import OUTCOMES, HalfLifeCheck, HalfLifeRequest

KEY = "half_life"
MOST_SHOWN = 200
"""Maximum number of answers of a check that the page lists; downloads have all."""
FORMS = {"csv": ("CSV", "text/csv"), "json": ("JSON", "application/json"), "html": ("HTML", "text/html")}


def show(name: str) -> None:
    """Show the form that makes a check, the curve with the date by which to refresh, and the answers that changed."""
    show_feedback(KEY)
    if not explain_refusal("check half-lives"):
        _show_form(name)
    checks = open_workbench().half_life.list_checks(name)
    if not checks:
        show_note("Nobody has checked yet whether the answers of this release are still right.")
        return
    _show_curve(name)
    _show_answers(name, checks)


def _show_form(name: str) -> None:
    with st.expander("Check the answers by newer tables and pages", icon=":material/update:", key=f"{KEY}_form"):
        st.caption(
            "Questions from templates are asked again of newer copies of their tables (files named like the tables). Questions "
            "on web pages are looked up in newer copies of the same pages: .jsonl with page_url and page_result in each line, "
            "or saved .html files."
        )
        left, right = st.columns(2)
        tables = left.file_uploader("Newer tables", accept_multiple_files=True, key=f"{KEY}_tables")
        pages = right.file_uploader("Newer pages", accept_multiple_files=True, key=f"{KEY}_pages")
        first, second, third, fourth = st.columns([1.3, 3, 1.3, 1.3], vertical_alignment="bottom")
        first.date_input("Day of the newer data", datetime.datetime.now(datetime.UTC).date(), key=f"{KEY}_on")
        with second:
            agent = agent_picker.show("Agent that reads the pages", f"{KEY}_agent", optional=True)
        budget = budget_field(third, f"{KEY}_budget")
        with fourth:
            given, is_empty = (name, agent, budget), not (tables or pages)
            draw_button("Check", f"{KEY}_start", _start, *given, icon="update", is_primary=True, disabled=is_empty)
    for _ in job_card.show_listed():
        pass


def _show_curve(name: str) -> None:
    stage = open_workbench().half_life
    tolerance = st.number_input(
        "Tolerance in % of changed answers", 1, 90, round(100 * DEFAULT_TOLERANCE), key=f"{KEY}_tolerance", width=260
    )
    page = until_ready(lambda: stage.page(name, tolerance / 100), "Fitting the half-life")
    if page is None:
        return
    for sentence in page.notes:
        st.markdown(f"**{escape(sentence)}**")
    for figure in page.figures:
        paper_page.draw_picture(figure.svg, f"half-life-{name}", f"{KEY}_chart")
    paper_page.draw_tables(page.tables, f"{KEY}_table")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download these tables", width="content")
        for form, (label, mime) in FORMS.items():
            write = partial(stage.report, name, tolerance / 100, form)
            download(label, write, f"half-life-{name}.{form}", mime, f"{KEY}_{form}")


def _show_answers(name: str, checks: Sequence[HalfLifeCheck]) -> None:
    st.subheader("Answers of a check", anchor=False)
    labels = {one.id: f"{one.on} · {one.inputs['agent'] or 'by rules'} · {one.id[:6]}" for one in reversed(checks)}
    left, right = st.columns([2, 2], vertical_alignment="bottom")
    chosen = select_field(left, "Check", labels, f"{KEY}_check_{len(checks)}")
    outcome = select_field(right, "Outcome", {**OUTCOMES, "": "all"}, f"{KEY}_outcome", index=1)
    with show_errors():
        page = open_workbench().half_life.load_answers(name, chosen)[1]
        (table,) = page.tables
        rows = [dict(zip(table.columns, (cell.text for cell in row), strict=True)) for row in table.rows]
        kept = [row for row in rows if not outcome or row["outcome"] == OUTCOMES[outcome]]
        if not kept:
            st.caption(f"No answer is {OUTCOMES[outcome] if outcome else 'stored'}.")
        else:
            show_rows(kept[:MOST_SHOWN], key=f"{KEY}_rows")
        if len(kept) > MOST_SHOWN:
            st.caption(f"The first {MOST_SHOWN} of {len(kept):,}; the download has all.")
        with st.container(horizontal=True, vertical_alignment="center"):
            n = sum(row["outcome"] == OUTCOMES["changed"] for row in rows)
            draw_button(
                "Contest the changed answers",
                f"{KEY}_contest",
                _contest,
                name,
                chosen,
                icon="gavel",
                requires="contest items",
                disabled=not n,
                help="Each changed answer becomes a contest that proposes the newer answer; accepted ones become an erratum.",
            )
            draw_link("release/contests", "Contests", "gavel", release=name)
            for form, (label, mime) in FORMS.items():
                write = partial(open_workbench().half_life.render_answers, name, chosen, form)
                download(label, write, f"half-life-{name}-{chosen[:6]}.{form}", mime, f"{KEY}_answers_{form}")


def _start(name: str, agent: str | None, budget: float | None) -> None:
    state = st.session_state  # has a day that was typed just before the press, which the last run of the script did not see
    with keep_errors(KEY):
        tables, pages = (to_uploads(state.get(f"{KEY}_{part}") or ()) for part in ("tables", "pages"))
        request = HalfLifeRequest(
            release=name, at=str(state[f"{KEY}_on"]), tables=tables, pages=pages, agent=agent, budget=budget
        )
        job_card.start_and_list(open_workbench().half_life.plan(request))


def _contest(name: str, check: str) -> None:
    with keep_errors(KEY):
        made = open_workbench().half_life.contest(name, check, get_person())
        gone = f" {count_things(made.gone, 'question')} without an answer now: not contested." if made.gone else ""
        keep_success(KEY, escape(f"{count_things(len(made.contests), 'contest')} of changed answers.{gone}"))
