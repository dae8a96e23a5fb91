"""What is drafted, by which agent, from which texts: the choices at the top of the draft page."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.build.draft.address import open_window
from pages.parts.build.draft.provider_field import provider_field
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.fields import seed_field
from pages.parts.ui.say import plain
from workbench.build.drafting.sampling import WindowRequest
from workbench.build.trials.one_draft import SEED, DraftChoices, DraftTask

ALL = "all"
"""Every domain, every language."""
SESSION_OPTIONS: dict[str, Any] = {"bind": "query-params", "persist_state": "session"}
"""Options of a widget whose value stands in the address and stays with the session."""


class DraftChoice(NamedTuple):
    """What was chosen."""

    request: WindowRequest
    agent: str
    rag_check: bool


def show_choice(choices: DraftChoices) -> DraftChoice | None:
    """Draw the choices; None when no agent is chosen. Another task, domain, language or seed closes the window on the screen:
    it does not belong to them."""
    kinds = choices.tasks
    options: dict[str, Any] = {"on_change": open_window, **SESSION_OPTIONS}
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 3, 2.2, 1.6, 1.2], vertical_alignment="top")
        with columns[0]:
            agent = agent_picker.show("Agent", "draft_agent")
        task = columns[1].selectbox(
            "Task", list(kinds), key="draft_task", format_func=lambda name: kinds[name].title, **options
        )
        domain = columns[2].selectbox("Domain", [ALL, *choices.domains], key="draft_domain", **options)
        language = columns[3].selectbox("Language", [ALL, *choices.languages], key="draft_language", **options)
        help = "The same seed gives the same windows in the same order."
        seed = seed_field(columns[4], "draft_seed", SEED, on_change=open_window, bind="query-params", help=help)
        search = provider_field("draft_search", kinds[task].searches, on_change=open_window, persist_state="session")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(kinds[task].definition), width="stretch")
            help = "Asks what a plain retrieval system would make of the new question: two or three more calls."
            rag_check = st.toggle("RAG check", value=True, key="draft_rag_check", help=help, **SESSION_OPTIONS)
    if not agent:
        return None
    request = WindowRequest(task, domain, None if language == ALL else language, seed, search)
    return DraftChoice(request, agent, rag_check)


def task_field(place: DeltaGenerator, tasks: Mapping[str, DraftTask], key: str, **options: Any) -> list[str]:
    """Draw the choice of several tasks there; returns their names."""
    names = list(tasks)
    chosen: list[str] = place.multiselect(
        "Tasks", names, default=names[:1], key=key, format_func=lambda name: tasks[name].title, **options
    )
    return chosen
