"""The list of question sets, fifty at a time; a click opens a set. The page's URL contains the filters and the page number of
the list."""

from typing import Any

import streamlit as st

from pages.parts.annotate.gold_set.list import build_link, show_search, show_table
from pages.parts.evaluate.links import RUN
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, read_number, read_word
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.evaluate.scoring.question_sets import PAGE_SIZE, QuestionSetRow, SetSelection

WHICH_SETS: dict[SetSelection, str] = {"all": "All", "written": "Changed by a person", "left out": "No question answered"}
COLUMNS = [
    {"label": "Question", "align": "left", "width": "18rem"},
    {"label": "Gold answer", "align": "left", "width": "18rem"},
    {"label": "Asks", "width": "4rem", "help": "Number of questions in the set."},
    {
        "label": "Answered",
        "width": "5rem",
        "help": "Number of questions that the gold answer answers; the metric leaves out the other questions.",
    },
    {"label": "By", "align": "left", "width": "9rem"},
]


def show(key: str) -> None:
    """Show the filters and the list of question sets."""
    text, only = read_filter()
    rows, total = open_workbench().question_sets.page(text, only, read_number("page"))
    if not total and not text and only == "all":
        show_empty(
            "No question set yet",
            "Runs scored by rag_quest_eval create question sets: choose this metric and a judge under Full run.",
            RUN,
            "Go to Run",
        )
        return
    left, right, _ = st.columns([2, 2, 3], vertical_alignment="bottom")
    show_search(left, "Search questions, gold answers and question sets", key)
    choose(right, "Which", "only", {str(name): label for name, label in WHICH_SETS.items()}, f"{key}_only", forgets=("page",))
    st.caption(count_things(total, "set") + (f", {PAGE_SIZE} a page" if total > PAGE_SIZE else ""))
    show_table(COLUMNS, [_build_cells(row) for row in rows], total, PAGE_SIZE, "set", key)


def read_filter() -> tuple[str, SetSelection]:
    """Return the searched text and the selection of question sets that the page's URL contains."""
    return read_word("text"), next((name for name in WHICH_SETS if name == read_word("only")), "all")


def _build_cells(row: QuestionSetRow) -> list[dict[str, Any]]:
    version = row.set
    origin = "changed" if version.is_written else "offline agent (no LLM)" if version.is_offline else "judge"
    return [
        build_link(row.question, "question_sets", "set", item=version.item, gold=version.gold),
        {"text": version.answer[:400], "clamp": True},
        {"text": str(len(version.pairs))},
        {"text": str(version.answered), "mark": "" if version.answered else "best"},
        {"text": version.by, "sub": origin},
    ]
