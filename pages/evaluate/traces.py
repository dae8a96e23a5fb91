"""Traces: the questions of some runs as a list, or one of them in full. Address: run=ID (several), item=ID, variant=ID, and
what makes up the list that one came from, through which next and back go."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.evaluate.results import run_picker
from pages.parts.evaluate.trace import list as trace_list
from pages.parts.evaluate.trace import view as trace_view
from pages.parts.ui.heading import heading
from pages.parts.ui.in_url import put, word
from pages.parts.ui.say import trouble
from workbench import opened
from workbench.evaluate.traces.traces import ORDERS


def one(ids: list[str], item: str, variant: str | None) -> None:
    """A trace, under its place in the list."""
    stage = opened().traces
    wanted = trace_list.wanted(stage.metrics(ids))
    before, after, place, total = stage.neighbours(ids, wanted, (item, variant))

    def go(asked: tuple[str, str | None] | None) -> None:
        put(item=asked[0] if asked else None, variant=asked[1] if asked else None)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back",
            icon=":material/arrow_back:",
            key=f"back_{item}_{variant}",
            shortcut="K",
            disabled=before is None,
            on_click=go,
            args=(before,),
            help="The question before this one in the list",
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            key=f"next_{item}_{variant}",
            shortcut="J",
            disabled=after is None,
            on_click=go,
            args=(after,),
            help="The next question of the list",
        )
        st.button(
            "List",
            icon=":material/list:",
            key=f"list_{item}_{variant}",
            shortcut="L",
            on_click=go,
            args=(None,),
            help="All questions of these runs",
        )
        where = "Not in the list that this address asks for" if place is None else f"{place:,} of {total:,}"
        st.caption(f"{where}, {ORDERS[wanted.order].lower()}", width="content")
        st.page_link(
            "pages/evaluate/results.py",
            label="Results",
            icon=":material/leaderboard:",
            width="content",
            query_params={"run": ids, "view": "questions", **trace_list.kept()},
        )
    try:
        trace_view.show(ids, item, variant, "trace")
    except BenchError as error:
        trouble(str(error))


heading("Traces", "What a system did at each question: passages, prompts, replies, answer and scores.")
ids = run_picker.show("traces")
if ids and word("item"):
    one(ids, word("item"), word("variant") or None)
elif ids:
    trace_list.show(ids, {line.run: line.name for line in opened().traces.runs(ids)}, "traces_list")
keys_help([("J", "Next question"), ("K", "Question before"), ("L", "Back to the list")])
