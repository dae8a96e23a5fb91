"""What was found, fifty at a time: rows that are ticked for what is done with many, and a way from each to the desk."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.annotate.find.asked import packed, words
from pages.parts.ui.in_url import keep_in_address, read_number, write_address
from workbench.annotate.finding.finding import PAGE, FoundPage

SHOWN = 500
"""Characters of a question or an answer."""
TALL = 15
"""Rows that stand there without scrolling."""


def show(found: FoundPage, turn: int) -> list[str]:
    """Draw the page and its numbers; returns the ids of the rows that are ticked. Another `turn` unticks them."""
    page = min(read_number("page"), max(1, -(-found.total // PAGE)))
    key = f"find_table_{turn}_{page}_{hash(packed(words()))}"
    rows = found.rows
    columns: dict[str, Any] = {
        "Open": st.column_config.ButtonColumn("", key="find_open", width=60, pinned=True, type="tertiary"),
        "Question": st.column_config.TextColumn(width=225),
        "Answer": st.column_config.TextColumn(width=105),
        "Status": st.column_config.TextColumn(width=80),
        "Level": st.column_config.TextColumn(width=50),
        "Domain": st.column_config.TextColumn(width=75),
        "Task": st.column_config.TextColumn(width=105),
        "Overlap": st.column_config.NumberColumn(width=65, format="%.2f", help="Share of the question's words in its evidence"),
        "Flags": st.column_config.ListColumn(width=90),
        "Agent": st.column_config.TextColumn(width=75),
    }
    if found.alike is not None:
        name = f"Cosine, {found.alike.model}"
        columns = {"Open": columns.pop("Open"), name: st.column_config.NumberColumn(width=130, format="%.3f"), **columns}
    table: Any = st.dataframe(
        [_row(row, found) for row in rows],
        key=key,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        column_config=columns,
        column_order=list(columns),
        placeholder="–",
        height="content" if len(rows) <= TALL else 35 * (TALL + 1) + 2,
    )
    pressed: Any = st.session_state.get("find_open")
    if pressed is not None and int(pressed["row"]) < len(rows):
        open_(rows[int(pressed["row"])]["id"])
    return [rows[place]["id"] for place in table.selection.rows if place < len(rows)]


def pages(found: FoundPage) -> None:
    """The pages' numbers, where there is more than one."""
    count = -(-found.total // PAGE)
    if count > 1:
        st.pagination(count, key="find_page", on_change=keep_in_address("find_page", "page", min(read_number("page"), count)))


def open_(item: str) -> None:
    """To the desk, which walks through what was found."""
    st.switch_page("pages/annotate/review.py", query_params={"item": item, "found": packed(words())})


def like(ticked: Sequence[str]) -> None:
    """The list of what is like the one that is ticked."""
    write_address(like=ticked[0], text=None, page=None)


def _row(row: Mapping[str, Any], found: FoundPage) -> dict[str, Any]:
    told = {
        "Open": "Open",
        "Question": row["question"][:SHOWN],
        "Answer": row["answer"][:SHOWN],
        "Status": row["status"],
        "Level": None if row["level"] is None else str(row["level"]),
        "Domain": row["domain"],
        "Task": row["task"].replace("_", " "),
        "Overlap": row["overlap"],
        "Flags": row["flags"],
        "Agent": row["agent"],
    }
    return told if found.alike is None else told | {f"Cosine, {found.alike.model}": row["cosine"]}
