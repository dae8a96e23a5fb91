"""The list of tables in use, with one row per table, and a paged view of the rows of the chosen table."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.listing import PAGE_ROWS
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.build.templates.tables import TableCard


def choose_table(cards: Sequence[TableCard]) -> TableCard:
    """Show the list of tables, and return the chosen one."""
    names = [card.stored.name for card in cards]
    chosen = read_word("table", names[0], names)
    heads = [
        *columns("Table", "One row is", align="left"),
        *columns("Rows"),
        *columns("Key", "Name", "Time", "Popularity", "Leads to", align="left"),
        {"label": "Items", "help": "Number of accepted items made from the table's current snapshot."},
    ]
    pressed = paper_table.show(heads, [{"cells": _row(card, chosen)} for card in cards], "tables_list")
    if pressed and pressed in names and pressed != chosen:
        write_address(table=pressed)
        st.rerun()
    st.subheader(chosen, anchor=False)
    return cards[names.index(chosen)]


def show_rows(card: TableCard) -> None:
    """Show one page of the rows of the chosen table."""
    table = card.stored
    key, pages = f"tables_rows_{table.hash}", -(-table.rows // PAGE_ROWS)
    rows = open_workbench().tables.rows(table.name, PAGE_ROWS, PAGE_ROWS * (st.session_state.get(key, 1) - 1))
    shown = [{name: list(cell) if isinstance(cell, tuple) else cell for name, cell in row.items()} for row in rows]
    whole = st.column_config.NumberColumn(format="%d")
    st.dataframe(
        shown,
        hide_index=True,
        height=460 if len(rows) > 11 else "auto",
        placeholder="–",
        column_config={name: whole for name, kind in table.spec.columns.items() if kind == "integer"},
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        file = f" · from {table.origin}" if table.origin else ""
        st.text(f"{count_things(table.rows, 'row')}{file} · {table.hash}")
        st.space("stretch")
        if pages > 1:
            st.pagination(pages, key=key)


def _row(card: TableCard, chosen: str) -> list[dict[str, Any]]:
    name, spec = card.stored.name, card.stored.spec
    others = ", ".join(dict.fromkeys(relation.to for relation in spec.relations))
    return [
        {"text": name, "go": name, "href": f"?table={name}", "mark": "best" if name == chosen else ""},
        {"text": spec.entity or "a link"},
        {"text": f"{card.stored.rows:,}"},
        *({"text": text or "–", "muted": not text} for text in (spec.key, spec.label, spec.time, spec.popularity, others)),
        {"text": f"{card.accepted_from:,}"},
    ]
