"""The list of items with their nuggets, fifty at a time; a click opens an item. The page's URL contains the filters and the
page number of the list."""

from typing import Any

import streamlit as st

from pages.parts.annotate.gold_set.list import build_link, show_search, show_table
from pages.parts.annotate.nugget import draft_box
from pages.parts.annotate.nugget.address import EVERY, LONG, STATES, read_filter
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import choose, read_number
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.evaluate.scoring.nuggets import PAGE_SIZE, NuggetRow

COLUMNS = [
    {"label": "Question", "align": "left", "width": "17rem"},
    {"label": "Gold answer", "align": "left", "width": "17rem"},
    {"label": "Task", "align": "left", "width": "8rem"},
    {"label": "Nuggets", "width": "4.5rem", "help": "Number of nuggets in the set."},
    {"label": "Vital", "width": "3.5rem", "help": "Number of the nuggets that a good answer must contain."},
    {"label": "By", "align": "left", "width": "8rem"},
]


def show(key: str) -> None:
    """Show the filters, the list of items, and the form that drafts nuggets."""
    bench, only = open_workbench(), read_filter()
    if not bench.nuggets.page()[1]:
        show_empty(
            "No accepted item yet",
            "Nuggets belong to accepted items with a gold answer: review items first.",
            "pages/annotate/review.py",
            "Go to Review",
            "decide on items",
        )
        return
    _show_filters(key)
    counts = bench.nuggets.count_states(only)
    total = sum(counts.values())
    st.caption(
        f"{count_things(total, 'item')}: {counts['none']:,} without nuggets, {counts['drafted']:,} drafted, "
        f"{counts['written']:,} saved by a person"
    )
    draft_box.show(f"{key}_draft", only, counts["none"])
    rows, total = bench.nuggets.page(only, read_number("page"))
    show_table(COLUMNS, [_build_cells(row) for row in rows], total, PAGE_SIZE, "item", key)


def _show_filters(key: str) -> None:
    choices = open_workbench().find.choices()
    left, state, task, level = st.columns([2.4, 1.4, 1.8, 1], vertical_alignment="bottom")
    show_search(left, "Search questions, gold answers and nuggets", key)
    choose(state, "Nuggets", "state", {str(name): label for name, label in STATES.items()}, f"{key}_state", forgets=("page",))
    names = {name: name_task(name) for name in map(str, choices["task"])}
    options = {LONG: "Tasks with long answers", EVERY: "All tasks", **names}
    choose(task, "Task", "task", options, f"{key}_task", forgets=("page",))
    levels = {"": "Any", **{str(value): str(value) for value in choices["level"]}}
    choose(level, "Level", "level", levels, f"{key}_level", forgets=("page",))


def _build_cells(row: NuggetRow) -> list[dict[str, Any]]:
    one = row.set
    cells: list[dict[str, Any]] = [
        build_link(row.question, "nuggets", "item", item=row.item),
        {"text": row.answer[:400], "clamp": True},
        {"text": name_task(row.task), **({"sub": f"level {row.level}"} if row.level is not None else {})},
    ]
    if one is None:
        return [*cells, {"text": "–", "muted": True}, {"text": "–", "muted": True}, {"text": "no nuggets", "muted": True}]
    origin = "saved by a person" if one.is_written else "drafted offline (no LLM)" if one.is_offline else "drafted"
    return [*cells, {"text": str(len(one.nuggets))}, {"text": str(one.vital)}, {"text": one.by, "sub": origin}]
