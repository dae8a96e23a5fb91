"""The parts that all lists of gold sets share: the search field, and a table of one page of sets, in which a click opens a set.
The page's URL contains the filters and the page number."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.in_url import keep_in_address, read_word, show_pages, write_address


def show_search(where: Any, label: str, key: str) -> None:
    """Show the search field in the column `where`; the URL parameter `text` contains the searched text."""
    where.text_input(
        label,
        key=f"{key}_text",
        type="search",
        placeholder="Any words",
        on_change=keep_in_address(f"{key}_text", "text", read_word("text"), "page"),
    )


def show_table(
    columns: Sequence[dict[str, Any]], rows: Sequence[Sequence[dict[str, Any]]], total: int, page_size: int, noun: str, key: str
) -> None:
    """Show a table with the cells of one page of a list of `total` rows; `noun` names one row, such as "item"."""
    if not rows:
        past = "This page is past the end of the list: go to an earlier page."
        st.text(past if total else f"No {noun} matches: remove a filter.")
        return
    pressed = paper_table.show(columns, [{"cells": cells} for cells in rows], f"{key}_table", shape="fixed")
    show_pages(total, page_size, f"{key}_page")
    if pressed:
        write_address(**pressed)
        st.rerun()


def build_link(question: str, page: str, what: str, **go: str) -> dict[str, Any]:
    """Return the cell with the question, which opens the item or set (`what`) that the URL parameters `go` name."""
    address = f"/{page}?{'&'.join(f'{name}={value}' for name, value in go.items())}"
    return {"text": question[:400], "clamp": True, "go": go, "href": address, "help": f"open the {what}"}
