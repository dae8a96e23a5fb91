"""The question sets there are, fifty at a time; a press on one opens it. Filters and page stand in the address."""

from typing import Any

import streamlit as st

from pages.parts.evaluate.question_set import card
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import held, number, put, word
from workbench import opened
from workbench.evaluate.scoring.question_sets import PAGE, QuestionSetRow, SetSelection

ONLY: dict[SetSelection, str] = {
    "all": "All",
    "written": "Changed by a person",
    "left out": "Nothing that the gold answer tells",
}
COLUMNS = [
    {"label": "Question", "align": "left", "width": "18rem"},
    {"label": "Gold answer", "align": "left", "width": "18rem"},
    {"label": "Asks", "width": "4rem", "help": "Questions of the set."},
    {"label": "Told", "width": "4rem", "help": "Questions that the gold answer answers: the others are not counted."},
    {"label": "By", "align": "left", "width": "9rem"},
]


def show(key: str) -> None:
    """Draw the list."""
    card.forget()
    text = word("text")
    only: SetSelection = next((name for name in ONLY if name == word("only")), "all")
    page = number("page")
    rows, total = opened().question_sets.page(text, only, page)
    if not total and not text and only == "all":
        empty(
            "No question set yet",
            "A run that is scored by rag_quest_eval makes them: name the metric and a judge under Full run.",
            "pages/evaluate/run.py",
            "Go to Run",
        )
        return
    left, right, _ = st.columns([2, 2, 3], vertical_alignment="bottom")
    left.text_input(
        "In question, gold answer or set",
        key=f"{key}_text",
        type="search",
        placeholder="Any words",
        on_change=held(f"{key}_text", "text", text, "page"),
    )
    right.selectbox(
        "Which",
        list(ONLY),
        key=f"{key}_only",
        format_func=lambda name: ONLY[name],
        on_change=held(f"{key}_only", "only", only, "page"),
    )
    st.caption(f"{total:,} {'set' if total == 1 else 'sets'}" + (f", {PAGE} a page" if total > PAGE else ""))
    if not rows:
        st.text("Nothing here: take a filter away." if total == 0 else "There is no such page.")
        return
    pressed = paper_table.show(COLUMNS, [_line(row) for row in rows], f"{key}_table", shape="fixed")
    pages = -(-total // PAGE)
    if pages > 1:
        st.pagination(pages, key=f"{key}_page", on_change=held(f"{key}_page", "page", min(page, pages)))
    if pressed:
        put(**pressed)
        st.rerun()


def _line(row: QuestionSetRow) -> dict[str, Any]:
    one = row.set
    go = {"item": one.item, "gold": one.gold}
    made = "changed" if one.is_written else "offline agent (no LLM)" if one.is_offline else "judge"
    return {
        "cells": [
            {
                "text": row.question[:400],
                "clamp": True,
                "go": go,
                "href": f"/question_sets?item={one.item}&gold={one.gold}",
                "help": "open the set",
            },
            {"text": one.answer[:400], "clamp": True},
            {"text": str(len(one.pairs))},
            {"text": str(one.answered), "mark": "" if one.answered else "best"},
            {"text": one.by, "sub": made},
        ]
    }
