"""What agents propose: each template with what it would ask, until a person approves it, edits it or turns it down."""

from collections.abc import Callable
from typing import Any

import streamlit as st

import jobs
from agents.kind import needs_no_model
from core.errors import BenchError
from core.tables.world import Tables
from pages.parts.build.templates import preview
from pages.parts.build.templates.form import LANGUAGES
from pages.parts.build.templates.listing import OF
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import put, words
from pages.parts.ui.listing import page_of
from pages.parts.ui.person import person
from pages.parts.ui.say import plain, trouble
from workbench import opened
from workbench.build.templates.templates import TemplateDraft

SIZE = 50


def show(world: Tables) -> None:
    """Draw the box, its jobs and what waits."""
    _box()
    for job in words("job")[:3]:
        try:
            job_card.show(job)
            _refused(job)
        except BenchError as error:
            trouble(str(error))
    waiting = opened().proposals.waiting()
    if not waiting:
        empty(
            "Nothing waits",
            "Have an agent propose templates; each is tried on the tables first, and none is used before a person approves it.",
        )
        return
    start = page_of(len(waiting), "templates_waiting")
    st.caption(f"{len(waiting):,} {'waits' if len(waiting) == 1 else 'wait'} for a person.")
    for draft in waiting[start : start + SIZE]:
        _proposal(draft)


def _box() -> None:
    """Who proposes how many of what."""
    with st.container(border=True, gap="small"):
        agent_at, count_at, language_at, seed_at, budget_at = st.columns([2.4, 1, 1.2, 1, 1.3])
        with agent_at:
            agent = agent_picker.show("Agent", "templates_agent")
        count = count_at.number_input("Templates", 1, 80, 8, 1, key="templates_wanted", persist_state="session")
        language = language_at.selectbox(
            "Language", list(LANGUAGES), format_func=LANGUAGES.__getitem__, key="templates_language", persist_state="session"
        )
        seed = seed_at.number_input("Seed", 0, 2**31 - 1, 0, 1, key="templates_seed", persist_state="session")
        budget = budget_at.number_input(
            "Budget, USD",
            0.0,
            None,
            None,
            0.5,
            format="%.2f",
            key="templates_budget",
            placeholder="none",
            persist_state="session",
        )
        kinds = st.pills(
            "Kinds",
            opened().templates.choices()["kind"],
            selection_mode="multi",
            key="templates_kinds",
            help="None chosen = every kind.",
        )
        if needs_no_model(agent):
            st.caption("The offline agent is no LLM: it makes templates by rules from columns and relations, and they say so.")
        st.button(
            "Propose",
            type="primary",
            icon=":material/lightbulb:",
            key="templates_propose",
            on_click=_plan,
            args=(agent, int(count), list(kinds), str(language), int(seed), budget),
            **kept("draft items", disabled=agent is None),
        )


def _refused(job: str) -> None:
    found = opened().proposals.refused(job)
    if found:
        with st.expander(f"{len(found):,} did not fit", icon=":material/block:"):
            st.dataframe(
                [{"Template": one["text"] or None, "Why": one["why"]} for one in found], hide_index=True, placeholder="–"
            )


def _proposal(draft: TemplateDraft) -> None:
    record: Any = draft.content
    with st.container(border=True, gap="small"):
        st.markdown(f"**{plain(record['text'])}**")
        answer = " ".join(part for part in (record["measure"], record["answer"]) if part) or "invalid question"
        st.caption(
            plain(
                f"{record['id']} · {record['level']} · {record['kind']} · over {record['table']} · answer: {answer}"
                f"{' minus ' + record['minus'] if record['minus'] else ''}"
            )
        )
        st.caption(plain("; ".join(f"{{{name}}} = {slot['path']}, {OF[slot['of']]}" for name, slot in record["slots"].items())))
        if draft.about:
            rules = ", by rules, no LLM" if needs_no_model(draft.about["agent"]) else ""
            st.caption(plain(f"Words by {draft.about['agent']}{rules} · {draft.about['prompt']} · seed {draft.about['seed']}"))
        with st.container(horizontal=True):
            for label, icon, do in _BUTTONS:
                st.button(
                    label,
                    key=f"templates_{label}_{draft.id}",
                    icon=f":material/{icon}:",
                    on_click=do,
                    args=(draft.id,),
                    type="primary" if label == "Approve" else "secondary",
                    **kept("draft items"),
                )
            is_open = st.toggle("Try it", key=f"templates_try_{draft.id}")
        if is_open:
            preview.show(record, draft.id)


def _plan(agent: str, count: int, kinds: list[str], language: str, seed: int, budget: float | None) -> None:
    bench = opened()
    every = bench.templates.choices()["kind"]

    def plan() -> None:
        job = bench.proposals.plan(agent, count, kinds=kinds or every, language=language, seed=seed, budget=budget)
        jobs.start(bench).submit(job)
        put(job=list(dict.fromkeys([job, *words("job")]))[:3])

    _said(plan)


def _approve(id_: str) -> None:
    def approve() -> None:
        card = opened().proposals.approve(person(), id_)
        st.session_state["templates_said"] = f"{card['id']} is a template now."

    _said(approve)


def _edit(id_: str) -> None:
    _said(lambda: put(view="write", draft=opened().proposals.take(person(), id_), job=None))


def _turn_down(id_: str) -> None:
    _said(lambda: opened().proposals.turn_down(id_))


_BUTTONS = (("Approve", "check", _approve), ("Edit", "edit", _edit), ("Turn down", "close", _turn_down))


def _said(do: Callable[[], None]) -> None:
    """Do it; what is wrong is a sentence at the head of the page."""
    try:
        do()
    except BenchError as error:
        st.session_state["templates_trouble"] = str(error)
