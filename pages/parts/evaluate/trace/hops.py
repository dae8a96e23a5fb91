"""A table of the searches of a system that decides by itself when to search: the query, what triggered the search, and the
passages found or the reason why the search was refused. Below the table, a note gives the reason why the system stopped
writing."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH
from pages.parts.ui.say import count_things, shorten
from workbench.evaluate.traces.trace_records import HopRecord, HopsRecord

REFUSALS = {"limit": "refused: no search was left", "repeat": "refused: searched for before"}
ENDS = {
    "answer": "it contained an answer",
    "stop": "the model stopped",
    "length": "the reply was cut by its length limit",
    "nothing_new": "the model wrote nothing more",
    "max_tokens": "max_tokens was reached",
    "max_steps": "max_steps was reached",
    "max_turns": "max_turns was reached",
}
MAX_TITLE_CHARACTERS = 70
MAX_PASSAGES = 5
"""Maximum number of passages listed per search in the table; the steps of the trace list all of them."""
COLUMNS: list[dict[str, Any]] = [
    {"label": "Hop", "align": "center", "width": "3.2rem"},
    {"label": "Searched for", "align": "left", "width": "26%"},
    {"label": "Why", "align": "left", "width": "11rem"},
    {"label": "Passages, best first", "align": "left"},
    {"label": "Calls", "width": "4rem", "help": "Number of model calls from this search to the next one."},
]


def show(record: HopsRecord, key: str) -> None:
    """Show the table of searches, or a note if the system did not search."""
    st.subheader("Searches", anchor=False)
    notes = [_describe_end(record)] if record.ended else []
    if not record.hops:
        st.text(" ".join(["The system did not search.", *notes]))
        return
    notes.insert(0, f"{count_things(record.before, 'call')} before the first search. The passages have the retriever's scores.")
    paper_table.show(COLUMNS, [{"cells": _build_cells(hop)} for hop in record.hops], key, shape="fixed", notes=notes)


def _build_cells(record: HopRecord) -> list[dict[str, Any]]:
    hop = record.hop
    why = _describe_trigger(hop.trigger)
    return [
        {"text": str(hop.number)},
        {"text": hop.query, "clamp": True, "help": hop.query},
        {"text": why, "clamp": True, "help": why},
        _build_passages(record),
        {"text": str(hop.calls)},
    ]


def _build_passages(record: HopRecord) -> dict[str, Any]:
    if blocked := record.hop.blocked:
        return {"text": REFUSALS.get(blocked, blocked), "muted": True}
    if not record.passages:
        return {"text": "nothing was found", "muted": True}
    lines = []
    for rank, (title, score) in enumerate(record.passages, 1):
        name = shorten(title or "not in this workspace", MAX_TITLE_CHARACTERS)
        lines.append(f"{rank}. {DASH if score is None else f'{score:.3g}'}  {name}")
    more = [f"and {len(lines) - MAX_PASSAGES} more"] if len(lines) > MAX_PASSAGES else []
    return {"text": "\n".join([*lines[:MAX_PASSAGES], *more]), "lines": True, "help": "\n".join(lines)}


def _describe_trigger(trigger: Mapping[str, Any]) -> str:
    if "token" in trigger:
        score, threshold = (f"{float(trigger[name]):.3g}" for name in ("score", "threshold"))
        return f"\u201c{str(trigger['token']).strip()}\u201d: {score}, threshold {threshold}"
    if trigger.get("marker") == "first search":
        return "always the first"
    return "asked for" if trigger else DASH


def _describe_end(record: HopsRecord) -> str:
    lost = " No answer could be extracted from what was written." if record.is_extracted is False else ""
    return f"The writing ended because {ENDS.get(record.ended, record.ended)}.{lost}"
