"""How far people agree on accept or discard, where two of them decided on one item: small, and with what it is worth."""

from typing import Any

import streamlit as st

from core.agreement import Agreement
from pages.parts import paper_table
from pages.parts.progress.figures import things
from pages.parts.results.figures import DASH, interval, mean
from pages.parts.until_ready import until_ready
from workbench import opened


def show() -> None:
    """Draw it."""
    found = until_ready(opened().progress.agreement, "Comparing decisions")
    if found is None:
        return
    alike = f"; on {found.same:,} of them all decided alike" if found.items else ""
    st.text(f"{things(found.items, 'item')} with decisions of two people or more{alike}.")
    rows = [_row("Krippendorff's alpha", "everybody", found.alpha)]
    rows += [_row("Cohen's kappa", f"{a} and {b}", value) for a, b, value in found.pairs]
    columns = [{"label": "Coefficient", "align": "left"}, {"label": "People", "align": "left"}, {"label": "Value"},
               {"label": "95 % interval"}, {"label": "Items"}]  # fmt: skip
    notes = ["1 = perfect, 0 = as by chance, below 0 = worse. Each person's last decision on an item counts; intervals are "
             "bootstrapped over items.",
             "A second decision made after seeing the first is not independent of it: only blind double annotation measures "
             "agreement."]  # fmt: skip
    if found.left_out:
        notes.append(f"{things(found.left_out, 'pair')} with fewer items in common not shown.")
    paper_table.show(columns, rows, "progress_agreement", notes=notes)


def _row(name: str, people: str, value: Agreement) -> dict[str, Any]:
    found = mean(value.value)
    ends = interval(value.low, value.high)
    return {"cells": [
        {"text": name, "whole": True, "sub": value.why}, {"text": people}, {"text": found, "muted": value.value is None},
        {"text": ends or DASH, "muted": not ends, "whole": True}, {"text": f"{value.units:,}"},
    ]}  # fmt: skip
