"""What each person decided."""

import streamlit as st

from pages.parts import paper_table
from pages.parts.heading import empty
from pages.parts.progress.figures import duration, number, percent, timed
from pages.parts.until_ready import until_ready
from workbench import opened

SHOWN = 3
"""Reasons that stand in a row; the others are counted, and named when one points there."""
COLUMNS = (
    ("Person", "left", ""), ("Decisions", "", "Those on items that stand."),
    ("As drafted", "", "Accepted without a change of question or answer, of all decisions."),
    ("Edited", "", "Accepted with a question or answer of one's own."),
    ("Characters edited", "", "Characters put in, taken out or changed between the drafts' questions and answers and theirs."),
    ("Discarded", "", ""), ("Why", "left", "Reasons of the discards."),
    ("Median time", "", "Active time of a decision, over the timed ones."),
    ("Active", "", "Active time of the timed decisions together."),
)  # fmt: skip


def show() -> None:
    """Draw it."""
    found = until_ready(opened().progress.people, "Comparing edits with their drafts")
    if found is None:
        return
    if not found:
        empty("Nobody decided yet", "Who decides on an item stands here.", "pages/annotate/review.py", "Go to Review")
        return
    rows = []
    for one in found:
        why = [f"{reason or 'no reason'} {n:,}" for reason, n in one.reasons]
        more = f", and {len(why) - SHOWN} more" if len(why) > SHOWN else ""
        rows.append({"cells": [
            {"text": one.name}, number(one.decisions), percent(one.unchanged_share, one.decisions), number(one.edited),
            number(one.characters), number(one.discarded),
            {"text": ", ".join(why[:SHOWN]) + more, "muted": True, "help": ", ".join(why)},
            timed(one.median, one.measured), {"text": duration(one.active), "whole": True},
        ]})  # fmt: skip
    columns = [{"label": name, "align": align, "help": about} for name, align, about in COLUMNS]
    paper_table.show(columns, rows, "progress_people", notes=[
        "Decisions that were undone are in no figure. An edit is compared with the draft, whoever edited in between.",
    ])  # fmt: skip
    st.caption("A short time or many edits say nothing about quality alone: levels and domains are not equally hard.")
