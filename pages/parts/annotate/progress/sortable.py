"""A table that a click on a column header sorts: the first click puts the highest values first, the second the lowest, and the
third restores the original order. The page's URL contains the order."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st

from pages.parts.annotate.progress.figures import count_cell, share_cell, time_cell
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.in_url import read_word, write_address

T = TypeVar("T")
LOW = " low"


class SortableColumn(NamedTuple, Generic[T]):
    """A column of a sortable table, for rows of type T."""

    label: str
    cell: Callable[[T], dict[str, Any]]
    value: Callable[[T], Any]
    """Callback that returns a row's sort key; rows with the key None come last in both orders."""
    about: str = ""
    align: str = ""


def count_column(label: str, value: Callable[[T], int], about: str = "") -> SortableColumn[T]:
    """Return a column that shows the count `value(row)`."""
    return SortableColumn(label, lambda row: count_cell(value(row)), value, about)


def share_column(label: str, value: Callable[[T], float | None], n: Callable[[T], int], about: str = "") -> SortableColumn[T]:
    """Return a column that shows the share `value(row)`, from 0 to 1, above its denominator `n(row)`."""
    return SortableColumn(label, lambda row: share_cell(value(row), n(row)), value, about)


def time_column(label: str, value: Callable[[T], float | None], n: Callable[[T], int], about: str = "") -> SortableColumn[T]:
    """Return a column that shows the duration `value(row)`, in seconds, above the number of measurements `n(row)`."""
    return SortableColumn(label, lambda row: time_cell(value(row), n(row)), value, about)


def show(columns: Sequence[SortableColumn[T]], rows: Sequence[T], key: str, notes: Sequence[str]) -> None:
    """Show the table in the order that the page's URL contains; a click on a column header changes the order."""
    order = read_word("sort", "", [label for column in columns for label in (column.label, column.label + LOW)])
    chosen = next((column for column in columns if order and column.label == order.removesuffix(LOW)), None)
    if chosen is not None:
        rows = sort_rows(rows, chosen.value, lowest_first=order.endswith(LOW))
    heads = [{"label": c.label, "align": c.align, "help": c.about, **_build_press(c.label, order)} for c in columns]
    pressed = paper_table.show(heads, [{"cells": [c.cell(row) for c in columns]} for row in rows], key, notes=notes)
    if pressed:
        write_address(sort=pressed["sort"])
        st.rerun()


def sort_rows(rows: Sequence[T], value: Callable[[T], Any], lowest_first: bool) -> list[T]:
    """Return the rows sorted by `value`; rows with equal values keep their order."""
    known = sorted((row for row in rows if value(row) is not None), key=value, reverse=not lowest_first)
    return known + [row for row in rows if value(row) is None]


def _build_press(label: str, order: str) -> dict[str, Any]:
    """Return a dict with the present sort direction of a column, and the order that a click on the column's header sets."""
    if order == label:
        return {"sorted": "high", "go": {"sort": label + LOW}}
    return {"sorted": "low", "go": {"sort": ""}} if order == label + LOW else {"sorted": None, "go": {"sort": label}}
