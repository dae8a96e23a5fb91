"""Results: runs side by side. Leaderboard by family, levels by domains, comparison in pairs, failures, the questions behind any
figure, where answers are lost, what labels moved, and the papers' own tables. Every figure is the report's; it is made once in
the background and kept."""

from collections.abc import Callable

import streamlit as st

from pages.parts.evaluate.results import (
    comparison_plot,
    failure_table,
    heat_map,
    label_table,
    loss_table,
    paper_page,
    run_picker,
    score_table,
)
from pages.parts.evaluate.trace import list as trace_list
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_url import held, put, word, words
from pages.parts.ui.say import caution, note, plain
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.results.run_board import RunBoard

VIEWS = {
    "leaderboard": "Leaderboard",
    "cells": "Levels and domains",
    "pairs": "Comparison",
    "failures": "Failures",
    "losses": "Where answers are lost",
    "labels": "Labels or systems",
    "questions": "Questions",
    "paper": "Tables for a paper",
}
SLICES = {
    "level,domain": "Levels by domains",
    "task,domain": "Tasks by domains",
    "language,level": "Languages by levels",
    "kind,level": "Kinds of question by levels",
}


def leaderboard(board: RunBoard) -> None:
    names = [m.name for m in board.metrics if m.name not in score_table.COSTS]
    chosen = [name for name in words("column") if name in names] or board.default_metrics()
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    left.multiselect("Columns", names, key="board_columns", on_change=held("board_columns", "column", chosen))
    with_costs = word("costs") == "1"
    right.toggle("Length, refusals, time and cost", key="board_costs", on_change=held("board_costs", "costs", with_costs))
    pressed = score_table.show(board, chosen, with_costs, word("sort", among=[*names, *score_table.COSTS]), "board")
    if pressed and "sort" in pressed:
        put(sort=pressed["sort"])
        st.rerun()
    if pressed:
        to_questions(run=others(pressed["run"]), metric=pressed["metric"], order="low")
    paper_page.downloads(ids, board.by, "report")


def cells(board: RunBoard) -> None:
    maps = {line.run: line.name for line in board.lines}
    pairs = {f"{a}-{b}": f"{maps[a]}  \u2212  {maps[b]}" for a in maps for b in maps if a != b}
    names = [m.name for m in board.metrics]
    metric = word("metric", (board.default_metrics() or names)[0], names)
    left, middle, right = st.columns([2, 3, 2])
    left.selectbox("Score", names, key="cells_metric", on_change=held("cells_metric", "metric", metric))
    chosen = word("map", next(iter(maps)), [*maps, *pairs])
    middle.selectbox(
        "Run, or the difference of two",
        [*maps, *pairs],
        key="cells_map",
        format_func=lambda name: maps.get(name) or pairs[name],
        on_change=held("cells_map", "map", chosen),
    )
    right.selectbox(
        "Slice",
        list(SLICES),
        key="cells_by",
        format_func=lambda name: SLICES[name],
        on_change=held("cells_by", "by", ",".join(board.by)),
    )
    if chosen in maps:
        pressed = heat_map.show(board, chosen, board.metric(metric), "cells")
        first, order = [chosen], "low"
    else:
        a, b = chosen.split("-")
        found = until_ready(lambda: opened().reports.differences(a, b, metric, board.by), "Comparing cell by cell")
        if found is None:
            return
        pressed = heat_map.show_difference(board, found, metric, (maps[a], maps[b]), "cells")
        first, order = [a, b], "gain"
    if pressed:
        to_questions(run=others(*first), metric=metric, order=order, **pressed)


def pairs(board: RunBoard) -> None:
    if len(board.lines) < 2:
        note("Choose two runs or more to compare them in pairs on the same questions.")
        return
    measured = list(dict.fromkeys(one["metric"] for one in board.comparisons))
    all_ = "all"
    usual = next((name for name in board.default_metrics() if name in measured), all_)
    chosen = word("metric", usual, [all_, *measured])
    st.selectbox(
        "Score",
        [all_, *measured],
        key="pairs_metric",
        width=420,
        format_func=lambda name: "Every score" if name == all_ else name,
        on_change=held("pairs_metric", "metric", chosen),
    )
    shown = sorted(
        (one for one in board.comparisons if chosen in (all_, one["metric"])),
        key=lambda one: (
            one["metric"] not in board.default_metrics(),
            one["metric"],
            not one["holds"],
            -abs(one["difference"]),
        ),
    )
    if seen := comparison_plot.visible(chosen, board.detectable):
        st.caption(plain(seen))
    if not shown:
        return
    pressed = comparison_plot.show(shown, board.names, "pairs")
    if pressed:
        to_questions(run=others(*pressed["runs"]), metric=pressed["metric"], order="gain")


def failures(board: RunBoard) -> None:
    if not any(line.failed for line in board.lines):
        note("No answer of these runs failed.")
        return
    pressed = failure_table.show(board, board.default_metrics(), "failures")
    if pressed:
        to_questions(run=others(pressed["run"]), state=pressed["state"])


def losses(board: RunBoard) -> None:
    loss_table.show(board, "losses")


def labels(board: RunBoard) -> None:
    pressed = label_table.show(board, "labels")
    if pressed:
        st.switch_page("pages/evaluate/traces.py", query_params=pressed)


def others(*first: str) -> list[str]:
    """The runs chosen, those first."""
    return [*first, *(id_ for id_ in ids if id_ not in first)]


def figures(board: RunBoard, view: str) -> None:
    """One view, under what must be known before it."""
    if board.warnings:
        caution("\n".join(board.warnings))
    if board.notes and view != "paper":
        with st.expander(f"Before you read the figures ({len(board.notes)})", expanded=len(board.notes) < 3):
            for sentence in board.notes:
                st.text(sentence)
    if not board.metrics:
        empty(
            "No scores yet",
            "These runs have answers and no scores: the same run again scores them, asking no system.",
            "pages/evaluate/run.py",
            "Go to Run",
        )
        return
    if len(board.lines) > 1 and view in ("leaderboard", "pairs"):
        st.markdown(f"**{plain(board.summary)}**")
    drawn: dict[str, Callable[[RunBoard], None]] = {
        "leaderboard": leaderboard,
        "cells": cells,
        "pairs": pairs,
        "failures": failures,
        "losses": losses,
        "labels": labels,
        "paper": paper,
    }
    drawn[view](board)


def paper(board: RunBoard) -> None:
    paper_page.show(ids, board.by, "paper")


def to_questions(**values: object) -> None:
    """Show the questions behind a figure."""
    put(**dict.fromkeys((*trace_list.KEPT, "page")))
    put(view="questions", **values)
    st.rerun()


heading("Results", "Runs side by side. Every figure leads to its questions, and every question to its trace.")
ids = run_picker.show("results")
if ids:
    view = word("view", "leaderboard", list(VIEWS))
    st.segmented_control(
        "View",
        list(VIEWS),
        key="results_view",
        format_func=lambda name: VIEWS[name],
        required=True,
        label_visibility="collapsed",
        on_change=held("results_view", "view", view),
    )
    if view == "questions":
        trace_list.show(ids, {line.run: line.name for line in opened().traces.runs(ids)}, "results_list")
    else:
        by = word("by", "level,domain", list(SLICES)).split(",")
        board = until_ready(lambda: opened().reports.board(ids, by), "Computing means, intervals and comparisons")
        if board is not None:
            figures(board, view)
