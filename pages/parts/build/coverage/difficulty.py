"""How hard items are: bands by level, the rule behind them, and the two-parameter model."""

import streamlit as st

from core.errors import BenchError
from core.quality.difficulty import BANDS
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.allowed import kept
from pages.parts.ui.grid import level_name
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.annotate.finding.difficulty import MIN_SYSTEMS, DifficultyRule, Fit, Spread

SHOWN = 20
"""Items of the model that are listed, the hardest first."""


def show() -> None:
    """Draw it."""
    rule = opened().difficulty.rule()
    found = until_ready(opened().difficulty.spread, "Counting what systems solved", height=160)
    if found is None:
        return
    st.text(sentence(found, rule))
    _bands(found)
    _setting(rule)
    st.subheader("Two-parameter model", anchor=False)
    modelled = until_ready(opened().difficulty.model, "Fitting the model", height=120)
    if modelled is None:
        return
    if modelled.fit is None:
        st.caption(plain(f"None: {modelled.why}"))
        return
    _model(modelled.fit)


def sentence(found: Spread, rule: DifficultyRule) -> str:
    """What the bands rest on."""
    known = sum(n for (_, band), n in found.cells.items() if band)
    open_ = sum(found.cells.values()) - known
    systems = f"{found.fewest}" if found.fewest == found.most else f"{found.fewest} to {found.most}"
    of = f", each by {systems} systems" if known else ""
    panel = ", ".join(rule.systems)
    return (
        f"{known:,} items have a difficulty{of}; {open_:,} have none, because fewer than {MIN_SYSTEMS} systems of the panel "
        f"({panel}) answered them as they are now. Solved: {rule.metric} of {rule.least:g} or more."
    )


def _bands(found: Spread) -> None:
    levels = sorted({level for level, _ in found.cells}, key=lambda level: str(level or "~"))
    most = max((n for (_, band), n in found.cells.items() if band), default=1)
    columns = [*BANDS, None]
    rows = []
    for level in levels:
        cells = [_cell(found.cells.get((level, band), 0), most, band) for band in columns]
        rows.append({"cells": [{"text": level_name(level)}, *cells]})
    heads = [
        {"label": "Level", "align": "left"},
        *(
            {"label": label, "align": "center"}
            for label in ("easy, 80 % or more", "medium, 30 to 80 %", "hard, below 30 %", "undefined")
        ),
    ]
    paper_table.show(heads, rows, "coverage_difficulty", shape="narrow", notes=["Shares of systems that solved an item."])


def _cell(n: int, most: int, band: str | None) -> dict[str, object]:
    if band is None:
        return {"text": f"{n:,}", "muted": True}
    return {"text": f"{n:,}", "heat": n / most} if n else {"text": "", "heat": None}


def _setting(rule: DifficultyRule) -> None:
    with st.expander("What counts as solved", icon=":material/tune:", key="difficulty_rule"):
        names = opened().difficulty.choices()
        columns = st.columns([2, 1, 4], vertical_alignment="bottom")
        metric = columns[0].selectbox("Metric", names["metrics"], names["metrics"].index(rule.metric), key="difficulty_metric")
        least = columns[1].number_input("From", None, None, rule.least, 0.05, key="difficulty_least")
        panel = columns[2].multiselect("Panel", names["systems"], list(rule.systems), key="difficulty_systems")
        st.button(
            "Use this",
            key="difficulty_save",
            on_click=_save,
            args=(DifficultyRule(metric, float(least), tuple(panel)),),
            **kept("set the rules of the work"),
        )
        if sentence := st.session_state.pop("difficulty_trouble", ""):
            trouble(sentence)


def _save(rule: DifficultyRule) -> None:
    try:
        opened().difficulty.set_rule(rule)
    except BenchError as error:
        st.session_state["difficulty_trouble"] = str(error)


def _model(fit: Fit) -> None:
    st.caption(f"{len(fit.abilities)} systems, {len(fit.items):,} items; the {min(SHOWN, len(fit.items))} hardest.")
    hardest = sorted(fit.items.items(), key=lambda pair: -pair[1].difficulty)[:SHOWN]
    rows = [
        {
            "cells": [
                {"text": name},
                {"text": f"{one.difficulty:+.2f}"},
                {"text": f"{one.discrimination:.2f}"},
                {"text": f"{one.n}"},
            ]
        }
        for name, one in hardest
    ]
    heads = [{"label": "Item", "align": "left"}, {"label": "Difficulty b"}, {"label": "Discrimination a"}, {"label": "n"}]
    paper_table.show(heads, rows, "coverage_irt", shape="narrow")
    able = sorted(fit.abilities.items(), key=lambda pair: -pair[1])
    paper_table.show(
        [{"label": "System", "align": "left"}, {"label": "Ability"}],
        [{"cells": [{"text": name.rstrip("/")}, {"text": f"{value:+.2f}"}]} for name, value in able],
        "coverage_abilities",
        shape="narrow",
    )
