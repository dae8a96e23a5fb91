"""The quick check's form: a release, an agent or none, one system of choice; which questions would be asked and what it will
come to; and Start."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.run import start
from pages.parts.evaluate.run.estimate import bases, counted, figures, price
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.allowed import kept
from pages.parts.ui.grid import level_name
from pages.parts.ui.say import note, plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.evaluate.running.quick_check import CHOSEN, LARGEST, SIZE
from workbench.evaluate.running.run_request import RunRequest


def show(releases: dict[str, int]) -> None:
    """Draw it; `releases` are those there are to run on."""
    choices = opened().runs.choices()
    with st.container(border=True):
        columns = st.columns([3, 3, 3, 1.4, 1.2])
        with columns[0]:
            release = st.selectbox(
                "Release",
                list(releases),
                key="quick_release",
                persist_state="session",
                format_func=lambda name: f"{name} ({releases[name]:,} items)",
            )
        with columns[1]:
            agent = agent_picker.show("Agent", key="quick_agent", optional=True)
        with columns[2]:
            system = st.selectbox(
                "System of choice",
                [name for name, s in choices.systems.items() if s.family not in ("floor", "outside")],
                key="quick_system" if agent else "quick_no_system",
                persist_state="session",
                disabled=agent is None,
                format_func=lambda name: choices.systems[name].label,
                index=0 if agent else None,
                placeholder="needs an agent",
            )
        size = columns[3].number_input("Questions", 1, LARGEST, SIZE, key="quick_size", persist_state="session")
        seed = columns[4].number_input("Seed", 0, 2**31, 0, key="quick_seed", persist_state="session")
        if agent is None:
            note("Without an agent only Echo runs: it gives the question back and searches with bm25: that measures retrieval.")
        try:
            asked = opened().quick_check.runs(release, agent=agent, system=system or CHOSEN, size=int(size), seed=int(seed))
        except BenchError as error:
            trouble(str(error))
            return
        _plan(asked)
        st.button(
            "Start the quick check",
            type="primary",
            icon=":material/play_arrow:",
            key="quick_start",
            on_click=start.begin,
            args=(asked, "check"),
            **kept("run systems"),
        )
        start.show()


def _plan(asked: Sequence[RunRequest]) -> None:
    """What it will come to, or a line until that is known."""
    try:
        found = opened().quick_check.preview(asked)
    except BenchError as error:
        trouble(str(error))
        return
    if found is None:
        waiting(lambda: opened().quick_check.preview(asked, wait=0.0) is not None, "Reckoning what it will come to.")
        return
    figures(found["total"])
    st.caption(plain(" ".join(bases(found["estimates"]))))
    systems = "1 system" if len(asked) == 1 else f"{len(asked)} systems"
    with st.expander(f"What is asked: {len(found['items'])} questions, {systems}"):
        _systems(asked, found["estimates"])
        _items(found["items"])


def _systems(asked: Sequence[RunRequest], estimates: Sequence[dict[str, Any]]) -> None:
    systems = opened().runs.choices().systems
    st.dataframe(
        [
            {
                "System": systems[a.system].label,
                "What it does": systems[a.system].about,
                "Retriever": a.retriever,
                "Calls": counted(e["calls"]),
                "Price": price(e),
            }
            for a, e in zip(asked, estimates, strict=True)
        ],
        hide_index=True,
        placeholder="–",
        height="content",
        column_config={"What it does": st.column_config.TextColumn(width="large")},
    )


def _items(items: Sequence[dict[str, Any]]) -> None:
    st.dataframe(
        [
            {"Level": level_name(i["level"]), "Domain": i["domain"], "Language": i["language"], "Question": i["question"]}
            for i in items
        ],
        hide_index=True,
        height="content",
        column_config={"Question": st.column_config.TextColumn(width="large")},
    )
