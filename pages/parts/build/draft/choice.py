"""What is drafted, by whom, from which texts: the choices at the top of the draft page."""

from typing import Any, NamedTuple

import streamlit as st

from pages.parts.build.draft.at import go
from pages.parts.build.draft.searching import searching
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.say import plain
from workbench.build.drafting.sampling import Wish
from workbench.build.trials.one_draft import SEED

ALL = "all"
"""Every domain, every language."""


class DraftChoice(NamedTuple):
    """What was chosen."""

    wish: Wish
    agent: str
    rag_check: bool


def draft_choice(choices: dict[str, Any]) -> DraftChoice | None:
    """Draw the choices; None when no agent is chosen. Another task, domain, language or seed leaves the window on the screen:
    it is not of that kind."""
    kinds = {kind["name"]: kind for kind in choices["tasks"]}
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 3, 2.2, 1.6, 1.2], vertical_alignment="top")
        with columns[0]:
            agent = agent_picker.show("Agent", "draft_agent")
        task = columns[1].selectbox(
            "Task",
            list(kinds),
            key="draft_task",
            format_func=lambda name: kind_label(kinds[name]),
            on_change=go,
            bind="query-params",
            persist_state="session",
        )
        domain = columns[2].selectbox(
            "Domain",
            [ALL, *(d["name"] for d in choices["domains"])],
            key="draft_domain",
            on_change=go,
            bind="query-params",
            persist_state="session",
        )
        language = columns[3].selectbox(
            "Language",
            [ALL, *choices["languages"]],
            key="draft_language",
            on_change=go,
            bind="query-params",
            persist_state="session",
        )
        seed = columns[4].number_input(
            "Seed",
            0,
            2**31 - 1,
            SEED,
            1,
            key="draft_seed",
            on_change=go,
            bind="query-params",
            persist_state="session",
            help="The same seed gives the same windows in the same order.",
        )
        search = searching("draft_search", kinds[task]["searches"], on_change=go, persist_state="session")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain(kinds[task]["definition"]), width="stretch")
            rag_check = st.toggle(
                "RAG check",
                value=True,
                key="draft_rag_check",
                bind="query-params",
                persist_state="session",
                help="Asks what a plain retrieval system would make of the new question: two or three more calls.",
            )
    if not agent:
        return None
    return DraftChoice(Wish(task, domain, None if language == ALL else language, int(seed), search), agent, rag_check)


def kind_label(kind: dict[str, Any]) -> str:
    """A task with its level."""
    return f"L{kind['level']} · {kind['label']}" if kind["level"] else str(kind["label"])
