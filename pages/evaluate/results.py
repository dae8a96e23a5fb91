"""Results: runs side by side. Views: leaderboard by family of systems, heat map of levels by domains, pairwise comparison,
failures, the questions behind a score, the steps at which right answers are lost, answers while the evidence is hidden, answers
read or remembered, answers in two languages, effects of changed labels, and tables as papers print them. All scores come from a
report that is computed once in the background and then cached."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import streamlit as st

from pages.parts.evaluate.links import RUN, TRACES
from pages.parts.evaluate.results import (
    absence_table,
    comparison_plot,
    conversation_table,
    counterfactual_table,
    crosslingual_table,
    failure_table,
    heat_map,
    label_table,
    loss_table,
    moves_table,
    paper_page,
    run_picker,
    score_table,
)
from pages.parts.evaluate.trace import list as trace_list
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_url import choose, keep_in_address, read_word, read_words, switch_view, write_address
from pages.parts.ui.say import escape, show_note, show_warning
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.reports import SpecialView
from workbench.evaluate.results.run_board import RunBoard
from workbench.release.certified import ANY

VIEWS = {
    "leaderboard": "Leaderboard",
    "cells": "Slices",
    "pairs": "Comparison",
    "failures": "Failures",
    "losses": "Lost answers",
    "absence": "Without evidence",
    "conversations": "Conversations",
    "counterfactual": "Memory",
    "crosslingual": "Languages",
    "labels": "Labels or systems",
    "questions": "Questions",
    "paper": "Paper tables",
}
SPECIAL = frozenset(get_args(SpecialView))
"""The views that are there only if they apply to the release of a chosen run, or if the URL names them."""
SLICES = {
    "level,domain": "Levels by domains",
    "task,domain": "Tasks by domains",
    "language,level": "Languages by levels",
    "kind,level": "Kinds of question by levels",
}
EVERY_SCORE = "all"


def show_leaderboard(board: RunBoard) -> None:
    names = [metric.name for metric in board.metrics if metric.name not in score_table.COSTS]
    chosen = [name for name in read_words("column") if name in names] or board.default_metrics()
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    left.multiselect("Columns", names, key="board_columns", on_change=keep_in_address("board_columns", "column", chosen))
    with_costs = read_word("costs") == "1"
    right.toggle(
        "Length, refusals, time and cost", key="board_costs", on_change=keep_in_address("board_costs", "costs", with_costs)
    )
    pressed = score_table.show(board, chosen, with_costs, read_word("sort", among=[*names, *score_table.COSTS]), "board")
    if pressed and "sort" in pressed:
        write_address(sort=pressed["sort"])
        st.rerun()
    if pressed:
        show_questions(run=put_first(pressed["run"]), metric=pressed["metric"], order="low")
    if estimates := [row for row in board.estimates.rows if row[board.estimates.columns.index("metric")].value in chosen]:
        paper_page.draw_tables([replace(board.estimates, rows=estimates)], "estimates")
    paper_page.downloads(ids, board.by, "report")
    moves_table.show(ids, chosen, "moves")


def show_cells(board: RunBoard) -> None:
    names = [metric.name for metric in board.metrics]
    left, middle, right = st.columns([2, 3, 2])
    metric = choose(left, "Score", "metric", names, "cells_metric", default=(board.default_metrics() or names)[0])
    pairs = {f"{a}-{b}": f"{board.names[a]}  \u2212  {board.names[b]}" for a in board.names for b in board.names if a != b}
    chosen = choose(middle, "Run, or difference between two runs", "map", {**board.names, **pairs}, "cells_map")
    choose(right, "Slice", "by", SLICES, "cells_by", default=",".join(board.by))
    if chosen in board.names:
        pressed = heat_map.show(board, chosen, board.metric(metric), "cells")
        first, order = [chosen], "low"
    else:
        a, b = first = chosen.split("-")
        differences = until_ready(
            lambda: open_workbench().reports.differences(a, b, metric, board.by), "Comparing cell by cell"
        )
        if differences is None:
            return
        pressed = heat_map.show_difference(board, differences, metric, (board.names[a], board.names[b]), "cells")
        order = "gain"
    if pressed:
        show_questions(run=put_first(*first), metric=metric, order=order, **pressed)


def show_pairs(board: RunBoard) -> None:
    if len(board.lines) < 2:
        show_note("Choose two runs or more to compare them in pairs on the same questions.")
        return
    measured = list(dict.fromkeys(pair["metric"] for pair in board.comparisons))
    defaults = board.default_metrics()
    usual = next((name for name in defaults if name in measured), EVERY_SCORE)
    options = {EVERY_SCORE: "Every score", **{name: name for name in measured}}
    chosen = choose(st, "Score", "metric", options, "pairs_metric", default=usual, width=420)
    shown = sorted(
        (pair for pair in board.comparisons if chosen in (EVERY_SCORE, pair["metric"])),
        key=lambda pair: (pair["metric"] not in defaults, pair["metric"], not pair["holds"], -abs(pair["difference"])),
    )
    if sentence := comparison_plot.describe_detectable(chosen, board.detectable):
        st.caption(escape(sentence))
    if shown and (pressed := comparison_plot.show(shown, board.names, "pairs")):
        show_questions(run=put_first(*pressed["runs"]), metric=pressed["metric"], order="gain")


def show_failures(board: RunBoard) -> None:
    if not any(line.tally.failed for line in board.lines):
        show_note("No answer of these runs failed.")
        return
    if pressed := failure_table.show(board, board.default_metrics(), "failures"):
        show_questions(run=put_first(pressed["run"]), state=pressed["state"])


def show_labels(board: RunBoard) -> None:
    if pressed := label_table.show(board, "labels"):
        st.switch_page(TRACES, query_params=pressed)


DRAW: dict[str, Callable[[RunBoard], None]] = {
    "leaderboard": show_leaderboard,
    "cells": show_cells,
    "pairs": show_pairs,
    "failures": show_failures,
    "losses": lambda board: loss_table.show(board, "losses"),
    "absence": lambda board: absence_table.show(ids, "absence"),
    "conversations": lambda board: conversation_table.show(ids, "conversations"),
    "counterfactual": lambda board: counterfactual_table.show(ids, "counterfactual"),
    "crosslingual": lambda board: crosslingual_table.show(ids, "crosslingual"),
    "labels": show_labels,
    "paper": lambda board: paper_page.show(ids, board.by, "paper"),
}


def show_view(board: RunBoard, view: str) -> None:
    """Show the chosen view, below the notes on how its scores were computed."""
    if board.warnings:
        show_warning("\n".join(board.warnings))
    if board.notes and view != "paper":
        paper_page.list_notes(board.notes, max_open=2, is_folded=True)
    if not board.metrics:
        show_empty(
            "No scores yet",
            "These runs have answers but no scores. Run them again to score the stored answers; no system is asked again.",
            RUN,
            "Go to Run",
        )
        return
    if len(board.lines) > 1 and view in ("leaderboard", "pairs"):
        st.markdown(f"**{escape(board.summary)}**")
    DRAW[view](board)
    if view not in ("leaderboard", "paper"):  # the leaderboard and paper tables have their own notes
        for sentence in board.footnotes:
            st.caption(f":material/info: {escape(sentence)}")


def choose_shortcuts() -> list[str]:
    """Show a select box that leaves out the questions that a shortcut answers, if a certificate lists these questions. Return a
    list with the name of the chosen shortcut; the list is empty if all questions are kept."""
    counts = open_workbench().reports.count_answered(ids)
    if not counts:
        return []
    options = {"": "All questions"}
    names = {one.shortcut: "a shortcut" if one.shortcut == ANY else one.label.lower() for one in counts}
    options |= {one.shortcut: f"Without the {one.n:,} that {names[one.shortcut]} answers" for one in counts}
    chosen = choose(st, "Questions", "without", options, "without_shortcuts", width=420)
    return [chosen] if chosen else []


def put_first(*first: str) -> list[str]:
    """Return the chosen runs in a new order, with the runs in `first` at the beginning."""
    return [*first, *(id_ for id_ in ids if id_ not in first)]


def show_questions(**values: object) -> None:
    """Show the list of questions behind the score that was clicked."""
    write_address(**dict.fromkeys((*trace_list.FILTER_NAMES, "page")))
    write_address(view="questions", **values)
    st.rerun()


show_heading("Results", "Runs side by side. Each score links to its questions, and each question to its trace.")
ids: list[str] = run_picker.show("results")
if ids:
    special = open_workbench().reports.list_special_views(ids)
    here = {view: label for view, label in VIEWS.items() if view not in SPECIAL or view in special or view == read_word("view")}
    view = switch_view(here, "results_view")
    if view == "questions":
        trace_list.show(ids, {line.run.id: line.name for line in open_workbench().traces.runs(ids)}, "results_list")
    else:
        by = read_word("by", "level,domain", list(SLICES)).split(",")
        without = choose_shortcuts() if view in ("leaderboard", "pairs") else []
        board = until_ready(
            lambda: open_workbench().reports.board(ids, by, without), "Computing means, intervals and comparisons"
        )
        if board is not None:
            show_view(board, view)
