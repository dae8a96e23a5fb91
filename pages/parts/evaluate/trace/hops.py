"""The searches of a system that decides itself when to search, one a row: what was asked, why, what came back, or why it was
refused; and what ended its writing."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH
from workbench.evaluate.traces.trace_records import HopRecord, HopsRecord

REFUSED = {"limit": "refused: no search was left", "repeat": "refused: searched for before"}
ENDS = {
    "answer": "an answer stood in it",
    "stop": "the model stopped",
    "length": "the reply was cut by its length limit",
    "nothing_new": "the model wrote nothing more",
    "max_tokens": "max_tokens was reached",
    "max_steps": "max_steps was reached",
    "max_turns": "max_turns was reached",
}
TITLE = 70
"""Characters of a document's title in a list of passages."""
LISTED = 5
"""Passages of a search that are listed; the steps have all."""


def show(found: HopsRecord, key: str) -> None:
    """Draw it."""
    st.subheader("Searches", anchor=False)
    notes = [_ended(found)] if found.ended else []
    if not found.hops:
        st.text(f"It did not search. {' '.join(notes)}".strip())
        return
    notes.insert(0, f"{found.before} {_calls(found.before)} before the first search; passages with the retriever's scores.")
    columns = [
        {"label": "Hop", "align": "center", "width": "3.2rem"},
        {"label": "Searched for", "align": "left", "width": "26%"},
        {"label": "Why", "align": "left", "width": "11rem"},
        {"label": "Passages, best first", "align": "left"},
        {"label": "Calls", "width": "4rem", "help": "Calls of a model from this search on to the next one."},
    ]
    paper_table.show(columns, [_row(hop) for hop in found.hops], key, shape="fixed", notes=notes)


def _row(hop: HopRecord) -> dict[str, Any]:
    return {
        "cells": [
            {"text": str(hop.number)},
            {"text": hop.query, "clamp": True, "help": hop.query},
            {"text": _why(hop.trigger), "clamp": True, "help": _why(hop.trigger)},
            _passages(hop),
            {"text": str(hop.calls)},
        ]
    }


def _passages(hop: HopRecord) -> dict[str, Any]:
    if hop.blocked:
        return {"text": REFUSED.get(hop.blocked, hop.blocked), "muted": True}
    if not hop.passages:
        return {"text": "nothing was found", "muted": True}
    lines = [
        f"{rank}. {DASH if score is None else f'{score:.3g}'}  {_short(title or 'not in this workspace')}"
        for rank, (title, score) in enumerate(hop.passages, 1)
    ]
    more = [f"and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
    return {"text": "\n".join([*lines[:LISTED], *more]), "lines": True, "help": "\n".join(lines)}


def _short(title: str) -> str:
    return title if len(title) <= TITLE else f"{title[: TITLE - 1].rstrip()}…"


def _why(trigger: Mapping[str, Any]) -> str:
    """In words."""
    if "token" in trigger:
        score, threshold = (f"{float(trigger[name]):.3g}" for name in ("score", "threshold"))
        return f"\u201c{str(trigger['token']).strip()}\u201d: {score}, threshold {threshold}"
    return {"first search": "always the first"}.get(str(trigger.get("marker", "")), "asked for" if trigger else DASH)


def _ended(found: HopsRecord) -> str:
    why = ENDS.get(found.ended, found.ended)
    lost = " No answer could be taken out of what was written." if found.is_extracted is False else ""
    return f"The writing ended because {why}.{lost}"


def _calls(n: int) -> str:
    return "call" if n == 1 else "calls"
