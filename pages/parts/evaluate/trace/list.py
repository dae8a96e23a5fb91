"""Questions of some runs, fifty at a time, with how each run fared: filters, order and place stand in the address; a press
opens the trace."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, level, mean, signed
from pages.parts.ui.in_url import held, number, put, word
from pages.parts.ui.say import plain
from workbench import opened
from workbench.evaluate.traces.traces import ORDERS, PAGE, STATES, TraceFilter

FILTERS = ("level", "domain", "language")
KEPT = ("metric", "level", "domain", "language", "task", "kind", "state", "below", "text", "order")
"""Names in the address that make up one list."""


def wanted(metrics: Sequence[str]) -> TraceFilter:
    """The list that the address asks for."""
    below = word("below")
    where = {name: None if word(name) == "none" else word(name) for name in (*FILTERS, "task", "kind") if word(name)}
    return TraceFilter(
        metric=word("metric", metrics[0] if metrics else "", metrics),
        where=where,
        state=next((name for name in STATES if name == word("state")), "all"),
        below=_number(below),
        text=word("text"),
        order=next((name for name in ORDERS if name == word("order")), "release"),
    )


def kept() -> dict[str, str]:
    """What makes up the list, for the address of a trace."""
    return {name: word(name) for name in KEPT if word(name)}


def show(ids: Sequence[str], names: Mapping[str, str], key: str) -> None:
    """Draw the list of those runs."""
    stage = opened().traces
    metrics = stage.metrics(ids)
    _filters(ids, metrics, key)
    chosen = wanted(metrics)
    page = number("page")
    rows, total = stage.page(ids, chosen, page)
    st.caption(f"{total:,} {'question' if total == 1 else 'questions'}" + (f", {PAGE} a page" if total > PAGE else ""))
    if not rows:
        st.text("Nothing here: take a filter away, or choose another run." if total == 0 else "There is no such page.")
        return
    lines = [_row(row, fared, ids) for row, fared in rows]
    pressed = paper_table.show(
        _columns(ids, names),
        lines,
        f"{key}_table",
        shape="fixed",
        notes=[
            f"The small figure under an answer is its {chosen.metric}." if chosen.metric else "These runs have no scores.",
        ],
    )
    pages = -(-total // PAGE)
    if pages > 1:
        st.pagination(pages, key=f"{key}_page", on_change=held(f"{key}_page", "page", min(page, pages)))
    if pressed:
        st.switch_page("pages/evaluate/traces.py", query_params={"run": list(ids), **kept(), **pressed})


def _filters(ids: Sequence[str], metrics: Sequence[str], key: str) -> None:
    """A line of filters, each written into the address."""
    found = opened().traces.facets(ids)
    orders: list[str] = [name for name in ORDERS if len(ids) > 1 or name not in ("gain", "loss")]
    order_labels = {str(name): label for name, label in ORDERS.items()}
    state_labels = {str(name): label for name, label in STATES.items()}
    columns = st.columns([2, 2, 1, 1.3, 1.4, 1.1, 1.8], vertical_alignment="bottom")

    def choice(place: int, label: str, name: str, options: Sequence[str], shown: Any) -> None:
        default = options[0] if options else ""
        columns[place].selectbox(
            label,
            options,
            key=f"{key}_{name}",
            format_func=shown,
            on_change=held(f"{key}_{name}", name, word(name, default, options), "page"),
        )

    choice(0, "Score", "metric", metrics, str)
    choice(1, "Order", "order", orders, lambda name: order_labels[name])
    for place, name in enumerate(FILTERS[:2], 2):
        options = ["", *("none" if value is None else value for value in found[name])]
        choice(
            place,
            name.capitalize(),
            name,
            options,
            lambda value, name=name: "All" if value == "" else level(value) if name == "level" else value,
        )
    choice(4, "State", "state", list(state_labels), lambda name: state_labels[name])
    columns[5].number_input(
        "Score below",
        key=f"{key}_below",
        step=0.1,
        placeholder="any",
        on_change=held(f"{key}_below", "below", _number(word("below")), "page"),
    )
    columns[6].text_input(
        "In question or answer",
        key=f"{key}_text",
        type="search",
        placeholder="Any words",
        on_change=held(f"{key}_text", "text", word("text"), "page"),
    )
    others = {name: word(name) for name in ("language", "task", "kind") if word(name)}
    if others:
        st.button(
            plain("Only " + ", ".join(f"{name} {value}" for name, value in others.items())),
            icon=":material/close:",
            key=f"{key}_others",
            on_click=lambda: put(**dict.fromkeys(others)),
        )


def _columns(ids: Sequence[str], names: Mapping[str, str]) -> list[dict[str, Any]]:
    columns: list[dict[str, Any]] = [
        {"label": "Question", "align": "left", "width": "14rem"},
        {"label": "Level", "align": "center", "width": "4rem"},
        {"label": "Domain", "align": "left", "width": "6rem"},
    ]
    columns += [{"label": "Difference", "width": "5.5rem", "help": "First run less second."}] if len(ids) > 1 else []
    return columns + [{"label": names[run], "align": "left", "width": "11rem"} for run in ids]


def _row(row: Any, fared: Mapping[str, Any], ids: Sequence[str]) -> dict[str, Any]:
    go = {"item": row.item, **({"variant": row.variant} if row.variant else {})}
    kind = "" if row.kind == "original" else row.kind
    href = "/traces?" + "&".join([*(f"run={run}" for run in ids), *(f"{name}={value}" for name, value in go.items())])
    cells: list[dict[str, Any]] = [
        {"text": row.question[:400], "clamp": True, "go": go, "href": href, "sub": kind, "help": "open the trace"},
        {"text": level(row.level)},
        {"text": row.domain},
    ]
    if len(ids) > 1:
        first, second = (fared[run].value if run in fared else None for run in ids[:2])
        cells.append({"text": DASH if first is None or second is None else signed(first - second)})
    return {"cells": [*cells, *(_answer(fared.get(run)) for run in ids)]}


def _answer(one: Any) -> dict[str, Any]:
    """The answer's beginning over its score, or why there is none."""
    if one is None:
        return {"text": "not asked in this run", "muted": True}
    if one.answer is None:
        return {"text": f"failed: {one.stop}", "muted": True, "sub": DASH, "help": "a failure has no score"}
    is_empty = not one.answer.strip()
    answer = "(empty answer)" if is_empty else one.answer + (" …" if one.characters > len(one.answer) else "")
    score = mean(one.value) if one.value is not None else f"{DASH} {one.why}"
    return {"text": answer, "clamp": True, "muted": is_empty, "sub": score}


def _number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
