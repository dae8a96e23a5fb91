"""A table whose columns sort: a press on a head puts the highest first, another the lowest, a third the order it came in. The
address holds it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.in_url import read_word, write_address
from workbench import open_workbench
from workbench.actor import carry_to_thread

T = TypeVar("T")
FORMS = {"csv": "CSV", "json": "JSON"}
LOW = " low"


class SortableColumn(NamedTuple, Generic[T]):
    """One column."""

    label: str
    cell: Callable[[T], dict[str, Any]]
    value: Callable[[T], Any]
    """What it sorts by; None stands last, whichever end is first."""
    about: str = ""
    align: str = ""


def show(columns: Sequence[SortableColumn[T]], lines: Sequence[T], key: str, notes: Sequence[str]) -> None:
    """Draw it."""
    sort = read_word("sort", "", [label for column in columns for label in (column.label, column.label + LOW)])
    chosen = next((column for column in columns if sort and column.label == sort.removesuffix(LOW)), None)
    rows = lines if chosen is None else in_order(lines, chosen.value, lowest=sort.endswith(LOW))
    heads = [{"label": c.label, "align": c.align, "help": c.about, **_press(c.label, sort)} for c in columns]
    pressed = paper_table.show(heads, [{"cells": [c.cell(line) for c in columns]} for line in rows], key, notes=notes)
    if pressed:
        write_address(sort=pressed["sort"])
        st.rerun()


def downloads(what: str, table: Callable[[str], str]) -> None:
    """Files of all of it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Download this", width="content")
        for form, name in FORMS.items():
            file, mime = open_workbench().progress.file_of(what, form)
            st.download_button(
                name,
                carry_to_thread(partial(table, form)),
                file,
                mime,
                icon=":material/download:",
                key=f"progress_{what}_{form}",
                on_click="ignore",
            )


def in_order(lines: Sequence[T], value: Callable[[T], Any], lowest: bool) -> list[T]:
    """Sorted by that value, ties in the order they came in."""
    there = [line for line in lines if value(line) is not None]
    found = sorted(there, key=value, reverse=not lowest)
    return found + [line for line in lines if value(line) is None]


def _press(label: str, sort: str) -> dict[str, Any]:
    if sort == label:
        return {"sorted": "high", "go": {"sort": label + LOW}}
    return {"sorted": "low", "go": {"sort": ""}} if sort == label + LOW else {"sorted": None, "go": {"sort": label}}
