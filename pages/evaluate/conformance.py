"""Conformance: each metric with its meaning, its reference implementation, and the largest difference from that
implementation."""

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui import grid
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.heading import show_heading
from pages.parts.ui.say import show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.scoring.conformance import ConformanceRow, Parity

IS_REQUESTED = "conformance_asked"
KINDS = {"computed": "Computed from the texts", "model": "Computed with a model", "judge": "Judged by an agent"}
ORDERS = {True: "higher is better", False: "lower is better", None: "no order"}
COLUMNS = [
    {"label": "Metric", "align": "left", "width": "8.4rem"},
    {
        "label": "Difference",
        "width": "4.9rem",
        "help": "Largest difference from the reference implementation on a fixed set of text pairs",
    },
    {"label": "Measures", "align": "left", "width": "13rem"},
    {"label": "Reference", "align": "left", "width": "10.5rem"},
    {"label": "Scale", "width": "4.6rem"},
    {"label": "Languages", "width": "5.2rem", "help": "Answers in other languages are not scored."},
    {"label": "Version, settings", "align": "left", "width": "9.5rem"},
]


def main() -> None:
    """Show the metrics, grouped by how their values are computed, and the button that compares them with the reference
    libraries."""
    show_heading("Conformance", "What each metric measures, and how far its values differ from a reference implementation.")
    if why := explain_refusal("see runs"):
        show_note(why)
        return
    stage = open_workbench().conformance
    st.button(
        "Compare with the reference libraries",
        key="conformance_measure",
        icon=":material/straighten:",
        on_click=st.session_state.__setitem__,
        args=(IS_REQUESTED, True),
        help="Scores a few hundred pairs of texts with Benchwright's metrics and with the installed libraries",
    )
    measured = None
    if st.session_state.get(IS_REQUESTED):
        measured = until_ready(stage.parity, "Comparing metrics with the reference libraries", height=120)
    lines = stage.lines()
    for kind, label in KINDS.items():
        st.subheader(label, anchor=False)
        rows = [
            {"cells": _build_cells(line, measured.of.get(line.name) if measured else None)}
            for line in lines
            if line.kind == kind
        ]
        paper_table.show(COLUMNS, rows, f"conformance_{kind}", shape="fixed")
    if measured:
        st.caption(f"Measured {measured.at} on a fixed set of text pairs. Values are shares from 0 to 1, not percentages.")


def _build_cells(line: ConformanceRow, parity: Parity | None) -> list[dict[str, object]]:
    metric = line.metric
    settings = "\n".join(f"{name} = {'not set' if value == '' else value}" for name, value in metric.settings.items())
    low, high = ("open" if end is None else f"{end:g}" for end in (metric.low, metric.high))
    reference = metric.reference or "its own definition"
    return [
        {"text": line.name, "sub": ORDERS[metric.higher_is_better]},
        _build_difference(parity),
        {"text": line.about, "clamp": True, "help": line.about},
        {"text": reference, "muted": not metric.reference, "clamp": True, "help": metric.reference},
        *grid.cells(f"{low} … {high}", metric.describe_languages()),
        {"text": metric.version, "sub": settings, "help": f"--set {line.name}.NAME=VALUE" if settings else ""},
    ]


def _build_difference(parity: Parity | None) -> dict[str, object]:
    if parity is None:
        return {"text": "–", "muted": True}
    if parity.error is None:
        return {"text": "not measured", "muted": True, "help": parity.why}
    return {"text": f"{parity.error:.1g}" if parity.error else "0", "sub": f"{parity.pairs} pairs", "help": parity.library}


main()
