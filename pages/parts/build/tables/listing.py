"""The tables in use, a row each; one is chosen to be looked at."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.in_url import put, word


def show(cards: Sequence[Mapping[str, Any]]) -> str:
    """Draw the list; returns the name of the chosen one."""
    names = [card["name"] for card in cards]
    chosen = word("table", names[0], names)
    columns = [
        {"label": "Table", "align": "left"},
        {"label": "One row is", "align": "left"},
        {"label": "Rows"},
        {"label": "Key", "align": "left"},
        {"label": "Name", "align": "left"},
        {"label": "Time", "align": "left"},
        {"label": "Popularity", "align": "left"},
        {"label": "Leads to", "align": "left"},
        {"label": "Items", "help": "Accepted items made from it as it is now."},
    ]
    rows = []
    for card in cards:
        mark = "best" if card["name"] == chosen else ""
        to = dict.fromkeys(relation["to"] for relation in card["relations"])
        told = [card["key"], card["label"], card["time"], card["popularity"]]
        rows.append(
            {
                "cells": [
                    {"text": card["name"], "go": card["name"], "href": f"?table={card['name']}", "mark": mark},
                    {"text": card["entity"] or "a link"},
                    {"text": f"{card['rows']:,}"},
                    *({"text": column or "–", "muted": not column} for column in told),
                    {"text": ", ".join(to) or "–", "muted": not to},
                    {"text": f"{card['accepted_from']:,}"},
                ]
            }
        )
    pressed = paper_table.show(columns, rows, "tables_list")
    if pressed and pressed in names and pressed != chosen:
        put(table=pressed)
        st.rerun()
    st.subheader(chosen, anchor=False)
    return chosen
