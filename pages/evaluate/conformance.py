"""Conformance: each metric, what it measures, what it is held equal to and how far it is from that."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.ui.allowed import why_not
from pages.parts.ui.heading import heading
from pages.parts.ui.say import note
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.scoring.conformance import ConformanceRow, MeasuredParities, Parity

ASKED = "conformance_asked"
KINDS = {"computed": "Computed from the texts", "model": "Computed with a model", "judge": "Said by a judge"}
COLUMNS = [
    {"label": "Metric", "align": "left", "width": "8.4rem"},
    {"label": "Apart by", "width": "4.4rem", "help": "The largest difference on the fixed pairs"},
    {"label": "Measures", "align": "left", "width": "13rem"},
    {"label": "Held equal to", "align": "left", "width": "10.5rem"},
    {"label": "Scale", "width": "4.6rem"},
    {"label": "Languages", "width": "5.2rem", "help": "Any other is left unscored."},
    {"label": "Version, settings", "align": "left", "width": "9.5rem"},
]


def main() -> None:
    """The metrics by how their values come about."""
    heading("Conformance", "What each metric measures, and what it was held against.")
    if why := why_not("see runs"):
        note(why)
        return
    stage = opened().conformance
    st.button(
        "Hold them against their libraries",
        key="conformance_measure",
        icon=":material/straighten:",
        on_click=st.session_state.__setitem__,
        args=(ASKED, True),
        help="Scores a few hundred pairs with our metrics and with the libraries that are installed",
    )
    found = None
    if st.session_state.get(ASKED):
        found = until_ready(stage.parity, "Metrics are held against their libraries", height=120)
    lines = stage.lines()
    for kind, label in KINDS.items():
        st.subheader(label, anchor=False)
        show([line for line in lines if line.kind == kind], found, f"conformance_{kind}")
    if found:
        st.caption(f"Measured {found.at} on pairs that are always the same. Values are never times 100.")


def show(lines: Sequence[ConformanceRow], found: MeasuredParities | None, key: str) -> None:
    rows = [{"cells": cells(line, found.of.get(line.name) if found else None)} for line in lines]
    paper_table.show(COLUMNS, rows, key, shape="fixed")


def cells(line: ConformanceRow, parity: Parity | None) -> list[dict[str, object]]:
    """One row."""
    metric, reference = line.metric, line.metric.reference
    order = {True: "higher is better", False: "lower is better", None: "no order"}[metric.higher_is_better]
    settings = "\n".join(f"{name} = {'not set' if value == '' else value}" for name, value in metric.settings.items())
    return [
        {"text": line.name, "sub": order},
        apart(parity),
        {"text": line.about, "clamp": True, "help": line.about},
        {"text": reference or "its own definition", "muted": not reference, "clamp": True, "help": reference},
        {"text": f"{end(metric.low)} … {end(metric.high)}"},
        {"text": ", ".join(metric.languages)},
        {"text": metric.version, "sub": settings, "help": f"--set {line.name}.NAME=VALUE" if settings else ""},
    ]


def apart(parity: Parity | None) -> dict[str, object]:
    if parity is None:
        return {"text": "–", "muted": True}
    if parity.error is None:
        return {"text": "not measured", "muted": True, "help": parity.why}
    return {"text": f"{parity.error:.1g}" if parity.error else "0", "sub": f"{parity.pairs} pairs", "help": parity.library}


def end(of: float | None) -> str:
    return "open" if of is None else f"{of:g}"


main()
