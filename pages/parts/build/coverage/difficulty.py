"""How hard items are: how many items of each level are easy, medium or hard, the rule that decides when a system solved an
item, and a two-parameter model of difficulty."""

import streamlit as st

from core.quality.difficulty import BANDS
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.grid import cells, columns, level_name
from pages.parts.ui.say import escape
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.finding.difficulty import MIN_SYSTEMS, DifficultyRule, DifficultySpread, Fit

MAX_HARDEST = 20
"""Maximum number of the model's items that are listed, hardest first."""


def show() -> None:
    """Show the numbers of easy, medium and hard items, the rule that decides when a system solved an item, and the
    two-parameter model."""
    rule = open_workbench().difficulty.rule()
    spread = until_ready(open_workbench().difficulty.spread, "Counting the items that systems solved", height=160)
    if spread is None:
        return
    st.text(describe_spread(spread, rule))
    _draw_bands(spread)
    _draw_rule(rule)
    st.subheader("Two-parameter model", anchor=False)
    modelled = until_ready(open_workbench().difficulty.model, "Fitting the model", height=120)
    if modelled is None:
        return
    if modelled.fit is None:
        st.caption(escape(f"None: {modelled.why}"))
        return
    _draw_model(modelled.fit)


def describe_spread(spread: DifficultySpread, rule: DifficultyRule) -> str:
    """Return sentences that say how many items have a difficulty, and when an item counts as solved."""
    known = sum(n for (_, band), n in spread.cells.items() if band)
    unknown = sum(spread.cells.values()) - known
    systems = f"{spread.fewest}" if spread.fewest == spread.most else f"{spread.fewest} to {spread.most}"
    each = f", each by {systems} systems" if known else ""
    return (
        f"{known:,} items have a difficulty{each}; {unknown:,} have none, because fewer than {MIN_SYSTEMS} systems of the "
        f"panel ({', '.join(rule.systems)}) answered the items as they are now. Solved: {rule.metric} of {rule.least:g} or "
        "more."
    )


def _draw_bands(spread: DifficultySpread) -> None:
    levels = sorted({level for level, _ in spread.cells}, key=lambda level: str(level or "~"))
    most = max((n for (_, band), n in spread.cells.items() if band), default=1)
    rows = []
    for level in levels:
        counts = [_band_cell(spread.cells.get((level, band), 0), most, band) for band in (*BANDS, None)]
        rows.append({"cells": [{"text": level_name(level)}, *counts]})
    bands = columns("easy, 80 % or more", "medium, 30 to 80 %", "hard, below 30 %", "undefined", align="center")
    notes = ["An item is easy, medium or hard by the share of systems that solved it."]
    paper_table.show([*columns("Level", align="left"), *bands], rows, "coverage_difficulty", shape="narrow", notes=notes)


def _band_cell(n: int, most: int, band: str | None) -> dict[str, object]:
    if band is None:
        return {"text": f"{n:,}", "muted": True}
    return {"text": f"{n:,}", "heat": n / most} if n else {"text": "", "heat": None}


def _draw_rule(rule: DifficultyRule) -> None:
    with st.expander("When an item counts as solved", icon=":material/tune:", key="difficulty_rule"):
        names = open_workbench().difficulty.choices()
        places = st.columns([2, 1, 4], vertical_alignment="bottom")
        metric = places[0].selectbox("Metric", names["metrics"], names["metrics"].index(rule.metric), key="difficulty_metric")
        least = places[1].number_input("From", None, None, rule.least, 0.05, key="difficulty_least")
        panel = places[2].multiselect("Panel", names["systems"], list(rule.systems), key="difficulty_systems")
        changed = DifficultyRule(metric, float(least), tuple(panel))
        draw_button("Use this", "difficulty_save", _save, changed, requires="set the rules of the work")
        show_feedback("difficulty")


def _save(rule: DifficultyRule) -> None:
    with keep_errors("difficulty"):
        open_workbench().difficulty.set_rule(rule)


def _draw_model(fit: Fit) -> None:
    hardest = sorted(fit.items.items(), key=lambda pair: -pair[1].difficulty)[:MAX_HARDEST]
    st.caption(f"{len(fit.abilities)} systems, {len(fit.items):,} items; the table lists the {len(hardest)} hardest.")
    rows = [
        {"cells": cells(name, f"{item.difficulty:+.2f}", f"{item.discrimination:.2f}", f"{item.n}")} for name, item in hardest
    ]
    heads = [*columns("Item", align="left"), *columns("Difficulty b", "Discrimination a", "n")]
    paper_table.show(heads, rows, "coverage_irt", shape="narrow")
    abilities = sorted(fit.abilities.items(), key=lambda pair: -pair[1])
    rows = [{"cells": cells(name.rstrip("/"), f"{value:+.2f}")} for name, value in abilities]
    paper_table.show([*columns("System", align="left"), *columns("Ability")], rows, "coverage_abilities", shape="narrow")
