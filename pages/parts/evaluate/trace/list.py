"""The list of questions of the chosen runs, fifty at a time, with every run's outcome. The page's URL contains the filters,
order and page number; a click on a question opens its trace."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import TRACES, question_of, trace_address
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, format_difference, level, mean
from pages.parts.ui import grid
from pages.parts.ui.in_url import choose, keep_in_address, read_number, read_word, show_pages, write_address
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.evaluate.traces.traces import ORDERS, PAGE_SIZE, STATES, TraceFilter, TraceListRow, TraceOutcome

FACETS = ("level", "domain", "language", "task", "kind")
FILTER_NAMES = ("metric", *FACETS, "state", "below", "text", "order")
"""Names of the URL parameters that describe the list."""


def read_filter(metrics: Sequence[str]) -> TraceFilter:
    """Return the filter of the list of traces from the page's URL."""
    return TraceFilter(
        metric=read_word("metric", metrics[0] if metrics else "", metrics),
        where={name: None if read_word(name) == "none" else read_word(name) for name in FACETS if read_word(name)},
        state=next((name for name in STATES if name == read_word("state")), "all"),
        below=_read_number(read_word("below")),
        text=read_word("text"),
        order=next((name for name in ORDERS if name == read_word("order")), "release"),
    )


def list_query() -> dict[str, str]:
    """Return the list's filters as URL parameters, for the link to a trace."""
    return {name: read_word(name) for name in FILTER_NAMES if read_word(name)}


def show(ids: Sequence[str], names: Mapping[str, str], key: str) -> None:
    """Show the list of questions of these runs; `names` is a dict from run id to name."""
    stage = open_workbench().traces
    metrics = stage.metrics(ids)
    _draw_filters(ids, metrics, key)
    wanted = read_filter(metrics)
    rows, total = stage.page(ids, wanted, read_number("page"))
    st.caption(count_things(total, "question") + (f", {PAGE_SIZE} a page" if total > PAGE_SIZE else ""))
    if not rows:
        st.text(
            "No question matches: remove a filter, or choose another run."
            if total == 0
            else "This page is past the end of the list: go to an earlier page."
        )
        return
    note = (
        (f"The small number under an answer is its score by {wanted.metric}.")
        if wanted.metric
        else "These runs have no scores."
    )
    lines = [{"cells": _build_cells(row, outcomes, ids)} for row, outcomes in rows]
    pressed = paper_table.show(_list_columns(ids, names), lines, f"{key}_table", shape="fixed", notes=[note])
    show_pages(total, PAGE_SIZE, f"{key}_page")
    if pressed:
        st.switch_page(TRACES, query_params={"run": list(ids), **list_query(), **pressed})


def _draw_filters(ids: Sequence[str], metrics: Sequence[str], key: str) -> None:
    """Show the filters of the list in a line; the page's URL contains their values."""
    facets = open_workbench().traces.facets(ids)
    columns = st.columns([2, 2, 1, 1.3, 1.4, 1.1, 1.8], vertical_alignment="bottom")
    orders = {str(name): label for name, label in ORDERS.items() if len(ids) > 1 or name not in ("gain", "loss")}
    levels = {"": "All", **{value or "none": level(value) for value in facets["level"]}}
    domains = {"": "All", **{value or "none": value or "none" for value in facets["domain"]}}
    choices: list[tuple[str, str, Sequence[str] | Mapping[str, str]]] = [
        ("Score", "metric", metrics),
        ("Order", "order", orders),
        ("Level", "level", levels),
        ("Domain", "domain", domains),
        ("State", "state", {str(name): label for name, label in STATES.items()}),
    ]
    for column, (label, name, options) in zip(columns, choices, strict=False):
        choose(column, label, name, options, f"{key}_{name}", forgets=("page",))
    columns[5].number_input(
        "Score below",
        key=f"{key}_below",
        step=0.1,
        placeholder="any",
        on_change=keep_in_address(f"{key}_below", "below", _read_number(read_word("below")), "page"),
    )
    columns[6].text_input(
        "Search questions and answers",
        key=f"{key}_text",
        type="search",
        placeholder="Any words",
        on_change=keep_in_address(f"{key}_text", "text", read_word("text"), "page"),
    )
    others = {name: read_word(name) for name in ("language", "task", "kind") if read_word(name)}
    if others:
        st.button(
            escape("Only " + ", ".join(f"{name} {value}" for name, value in others.items())),
            icon=":material/close:",
            key=f"{key}_others",
            on_click=lambda: write_address(**dict.fromkeys(others)),
        )


def _list_columns(ids: Sequence[str], names: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"label": "Question", "align": "left", "width": "14rem"},
        {"label": "Level", "align": "center", "width": "4rem"},
        {"label": "Domain", "align": "left", "width": "6rem"},
        *([{"label": "Difference", "width": "5.5rem", "help": "First run minus second run."}] if len(ids) > 1 else []),
        *({"label": names[run], "align": "left", "width": "11rem"} for run in ids),
    ]


def _build_cells(row: TraceListRow, outcomes: Mapping[str, TraceOutcome], ids: Sequence[str]) -> list[dict[str, Any]]:
    question = {"go": question_of(row.item, row.variant), "href": trace_address(ids, row.item, row.variant)}
    kind = "" if row.kind == "original" else row.kind
    cells: list[dict[str, Any]] = [
        {"text": row.question[:400], "clamp": True, **question, "sub": kind, "help": "open the trace"},
        *grid.cells(level(row.level), row.domain),
    ]
    if len(ids) > 1:
        first, second = (outcomes[run].value if run in outcomes else None for run in ids[:2])
        cells.append({"text": DASH if first is None or second is None else format_difference(first - second)})
    return [*cells, *(_build_answer(outcomes.get(run)) for run in ids)]


def _build_answer(outcome: TraceOutcome | None) -> dict[str, Any]:
    """Build the cell for a run's outcome: the beginning of the answer above its score, or the reason why the answer is
    missing."""
    if outcome is None:
        return {"text": "not asked in this run", "muted": True}
    if outcome.answer is None:
        return {"text": f"failed: {outcome.stop}", "muted": True, "sub": DASH, "help": "a failure has no score"}
    is_empty = not outcome.answer.strip()
    text = "(empty answer)" if is_empty else outcome.answer + (" …" if outcome.characters > len(outcome.answer) else "")
    score = mean(outcome.value) if outcome.value is not None else f"{DASH} {outcome.why}"
    return {"text": text, "clamp": True, "muted": is_empty, "sub": score}


def _read_number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
