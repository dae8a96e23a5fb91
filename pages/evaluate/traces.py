"""Traces: the questions of the chosen runs as a list, or the traces of one question. URL parameters: run=ID (several), item=ID,
variant=ID, and the filters of the list; the buttons Next and Back go through the filtered list."""

import streamlit as st

from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.evaluate.links import link_results
from pages.parts.evaluate.results import run_picker
from pages.parts.evaluate.trace import list as trace_list
from pages.parts.evaluate.trace import view as trace_view
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word, write_address
from workbench import open_workbench
from workbench.evaluate.traces.traces import ORDERS

Question = tuple[str, str | None]
"""A question of a run: (item id, variant id or None)."""


def show_trace(ids: list[str], item: str, variant: str | None) -> None:
    """Show the traces of one question, below the question's position in the list and the buttons Back and Next."""
    stage = open_workbench().traces
    wanted = trace_list.read_filter(stage.metrics(ids))
    before, after, place, total = stage.neighbours(ids, wanted, (item, variant))
    with st.container(horizontal=True, vertical_alignment="center"):
        _go_button("Back", "arrow_back", "K", (item, variant), before, "The previous question of the list", before is None)
        _go_button("Next", "arrow_forward", "J", (item, variant), after, "The next question of the list", after is None)
        _go_button("List", "list", "L", (item, variant), None, "All questions of these runs")
        where = "This question is not in the filtered list" if place is None else f"{place:,} of {total:,}"
        st.caption(f"{where}, {ORDERS[wanted.order].lower()}", width="content")
        link_results(ids, "Results", view="questions", **trace_list.list_query())
    with show_errors():
        trace_view.show(ids, item, variant, "trace")


def _go_button(label: str, icon: str, key: str, now: Question, to: Question | None, help: str, disabled: bool = False) -> None:
    item, variant = to or (None, None)
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"{label.lower()}_{now[0]}_{now[1]}",
        shortcut=key,
        disabled=disabled,
        on_click=write_address,
        kwargs={"item": item, "variant": variant},
        help=help,
    )


show_heading("Traces", "What a system did for each question: passages, prompts, replies, answer and scores.")
ids = run_picker.show("traces")
if ids and read_word("item"):
    show_trace(ids, read_word("item"), read_word("variant") or None)
elif ids:
    trace_list.show(ids, {line.run.id: line.name for line in open_workbench().traces.runs(ids)}, "traces_list")
keys_help([("J", "Next question"), ("K", "Question before"), ("L", "Back to the list")])
