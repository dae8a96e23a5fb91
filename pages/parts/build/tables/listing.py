"""The tables in use, a row each; one is chosen to be shown."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import columns
from pages.parts.ui.in_url import put, word
from workbench.build.templates.tables import TableCard


def show(cards: Sequence[TableCard]) -> TableCard:
    """Draw the list; returns the chosen table."""
    names = [card.stored.name for card in cards]
    chosen = word("table", names[0], names)
    heads = [
        *columns("Table", "One row is", align="left"),
        *columns("Rows"),
        *columns("Key", "Name", "Time", "Popularity", "Leads to", align="left"),
        {"label": "Items", "help": "Accepted items made from it as it is now."},
    ]
    pressed = paper_table.show(heads, [{"cells": _row(card, chosen)} for card in cards], "tables_list")
    if pressed and pressed in names and pressed != chosen:
        put(table=pressed)
        st.rerun()
    st.subheader(chosen, anchor=False)
    return cards[names.index(chosen)]


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
