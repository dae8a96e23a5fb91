"""The form of a quick check: a release, an agent or none, and one further system; below it the questions, the estimate and the
button Start."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.evaluate.run import launch
from pages.parts.evaluate.run.boxes import release_box, select_box
from pages.parts.evaluate.run.estimate import COMPUTING, format_count, format_price, list_bases, show_totals
from pages.parts.setup.agent import agent_picker
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.fields import count_field, seed_field
from pages.parts.ui.grid import level_name
from pages.parts.ui.say import count_things, escape, show_note
from pages.parts.ui.waiting import when_ready
from workbench import open_workbench
from workbench.evaluate.running.quick_check import DEFAULT_QUESTIONS, DEFAULT_SYSTEM, MAX_QUESTIONS
from workbench.evaluate.running.run_request import RunRequest


def show(releases: dict[str, int]) -> None:
    """Show the form of a quick check; `releases` is a dict from name to number of items."""
    systems = open_workbench().runs.choices().systems
    with st.container(border=True):
        columns = st.columns([3, 3, 3, 1.4, 1.2])
        release = release_box(columns[0], releases, "quick_release")
        with columns[1]:
            agent = agent_picker.show("Agent", key="quick_agent", optional=True)
        system = select_box(
            columns[2],
            "System of choice",
            {name: choice.label for name, choice in systems.items() if choice.family not in ("floor", "ceiling", "outside")},
            "quick_system" if agent else "quick_no_system",
            disabled=agent is None,
            index=0 if agent else None,
            placeholder="needs an agent",
        )
        size = count_field(columns[3], "Questions", "quick_size", MAX_QUESTIONS, DEFAULT_QUESTIONS)
        seed = seed_field(columns[4], "quick_seed", 0)
        if agent is None:
            show_note(
                "No agent selected: only the echo system can run. It returns the question unchanged, so the run measures BM25 "
                "retrieval alone."
            )
        with show_errors():
            system = system or DEFAULT_SYSTEM
            requests = open_workbench().quick_check.build_requests(release, agent=agent, system=system, size=size, seed=seed)
            _draw_preview(requests)
            launch.start_button("Start the quick check", "quick_start", launch.begin_runs, requests, "check")
            launch.show()


def _draw_preview(requests: Sequence[RunRequest]) -> None:
    """Show the estimate and the questions of the quick check; while they are computed, show a waiting message."""
    preview = when_ready(lambda: open_workbench().quick_check.preview(requests), COMPUTING)
    if preview is None:
        return
    show_totals(preview.total)
    st.caption(escape(" ".join(list_bases(preview.estimates))))
    systems = open_workbench().runs.choices().systems
    with st.expander(f"Questions and systems: {len(preview.items)} questions, {count_things(len(requests), 'system')}"):
        show_rows(
            [
                {
                    "System": systems[request.system].label,
                    "What it does": systems[request.system].about,
                    "Retriever": request.retriever,
                    "Calls": format_count(estimate.calls),
                    "Price": format_price(estimate),
                }
                for request, estimate in zip(requests, preview.estimates, strict=True)
            ],
            {"What it does": st.column_config.TextColumn(width="large")},
        )
        show_rows(
            [
                {"Level": level_name(item.level), "Domain": item.domain, "Language": item.language, "Question": item.question}
                for item in preview.items
            ],
            {"Question": st.column_config.TextColumn(width="large")},
        )
