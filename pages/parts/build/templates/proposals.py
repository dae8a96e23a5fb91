"""Question templates that agents propose, each with example questions; a person approves, edits or rejects each template."""

from collections.abc import Callable

import streamlit as st

from agents.kind import needs_no_model
from core.tables.world import Tables
from core.text.language import rows
from pages.parts.build.templates import preview
from pages.parts.build.templates.listing import describe_answer, describe_slots
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.fields import budget_field, count_field, name_languages, seed_field, select_field
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import write_address
from pages.parts.ui.listing import PAGE_ROWS, find_page_start
from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.build.templates.templates import TemplateDraft

MAX_JOBS = 3


def show(world: Tables) -> None:
    """Show the form that asks an agent for proposals, the jobs that the form started, and the proposals that wait for a
    decision."""
    _draw_box()
    for job, _ in job_card.show_listed(MAX_JOBS):
        _draw_refused(job)
    waiting = open_workbench().proposals.list_waiting()
    if not waiting:
        show_empty(
            "Nothing waits",
            "An agent proposes templates. Each template is tried on the tables, and a person approves it before it is used.",
        )
        return
    start = find_page_start(len(waiting), "templates_waiting")
    st.caption(f"{len(waiting):,} {'waits' if len(waiting) == 1 else 'wait'} for a person.")
    for draft in waiting[start : start + PAGE_ROWS]:
        _draw_proposal(draft)


def _draw_box() -> None:
    """Show the form that chooses the agent, and how many templates it proposes."""
    with st.container(border=True, gap="small"):
        columns = st.columns([2.4, 1, 1.2, 1, 1.3])
        with columns[0]:
            agent = agent_picker.show("Agent", "templates_agent")
        count = count_field(columns[1], "Templates", "templates_wanted", 80, 8)
        names = name_languages(list(rows()))
        first = list(names).index("en")
        language = select_field(columns[2], "Language", names, "templates_language", index=first, persist_state="session")
        seed = seed_field(columns[3], "templates_seed", 0)
        budget = budget_field(columns[4], "templates_budget")
        every = open_workbench().templates.choices()["kind"]
        help = "Choose no kind to get templates of every kind."
        kinds = st.pills("Kinds", every, selection_mode="multi", key="templates_kinds", help=help)
        if needs_no_model(agent):
            st.caption(
                "The offline agent is not an LLM: it makes templates by rules from columns and relations, and marks them "
                "as made by rules."
            )
        args, is_unready = (agent, count, list(kinds) or every, language, seed, budget), agent is None
        key, icon, may = "templates_propose", "lightbulb", "draft items"
        draw_button("Propose", key, _plan, *args, icon=icon, is_primary=True, requires=may, disabled=is_unready)


def _draw_refused(job: str) -> None:
    if refused := open_workbench().proposals.list_refused(job):
        with st.expander(f"{len(refused):,} proposals could not be used", icon=":material/block:"):
            rows = [{"Template": proposal.text or None, "Why": proposal.why} for proposal in refused]
            st.dataframe(rows, hide_index=True, placeholder="–")


def _draw_proposal(draft: TemplateDraft) -> None:
    record, about = draft.content, draft.about
    with st.container(border=True, gap="small"):
        st.markdown(f"**{escape(record['text'])}**")
        minus = f" minus {record['minus']}" if record["minus"] else ""
        facts = (record["id"], record["level"], record["kind"], f"over {record['table']}")
        st.caption(escape(" · ".join((*facts, f"answer: {describe_answer(record)}{minus}"))))
        st.caption(escape("; ".join(describe_slots(record))))
        if about:
            rules = ", by rules, no LLM" if needs_no_model(about["agent"]) else ""
            st.caption(escape(f"Proposed by {about['agent']}{rules} · {about['prompt']} · seed {about['seed']}"))
        with st.container(horizontal=True):
            _draw_button(draft, "Approve", "check", _approve)
            _draw_button(draft, "Edit", "edit", _edit)
            _draw_button(draft, "Turn down", "close", _turn_down)
            is_open = st.toggle("Try it", key=f"templates_try_{draft.id}")
        if is_open:
            preview.show(record, draft.id)


def _draw_button(draft: TemplateDraft, label: str, icon: str, decide: Callable[[str], None]) -> None:
    key, is_first = f"templates_{label}_{draft.id}", label == "Approve"
    draw_button(label, key, decide, draft.id, icon=icon, is_primary=is_first, requires="draft items")


def _plan(agent: str, count: int, kinds: list[str], language: str, seed: int, budget: float | None) -> None:
    with keep_errors("templates"):
        job = open_workbench().proposals.plan(agent, count, kinds=kinds, language=language, seed=seed, budget=budget)
        job_card.start_and_list(job, MAX_JOBS)


def _approve(id_: str) -> None:
    with keep_errors("templates"):
        keep_success("templates", f"{open_workbench().proposals.approve(get_person(), id_).id} is a template now.")


def _edit(id_: str) -> None:
    with keep_errors("templates"):
        write_address(view="write", draft=open_workbench().proposals.take(get_person(), id_), job=None)


def _turn_down(id_: str) -> None:
    with keep_errors("templates"):
        open_workbench().proposals.turn_down(id_)
