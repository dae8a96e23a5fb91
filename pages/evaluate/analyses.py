"""Analyses: the systems of one season as R-Eval lays them side by side. Response types with the answers behind them, matching
against a reference, deployment, the best of several, places, and the task registry. Address: run=ID (several), view, and in it
threshold, whole, cell, of, type, item, variant, reference."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.analyses import answer_list, type_bars
from pages.parts.evaluate.results import paper_page, run_picker
from pages.parts.evaluate.trace import work
from pages.parts.ui.heading import heading
from pages.parts.ui.in_url import held, number, put, word
from pages.parts.ui.say import note
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.evaluate.results.analyses import PAGE, THRESHOLD, TYPES, ResponseType, TypeBoard, cell_named

VIEWS = {
    "types": "Response types",
    "matching": "Matching",
    "deployment": "Deployment",
    "best": "Best of several",
    "places": "Leaderboard",
    "tasks": "Tasks",
}
ALL = "All questions"


def threshold() -> float:
    """Of the address; the published code's where it holds none."""
    try:
        found = float(word("threshold", str(THRESHOLD)))
    except ValueError:
        return THRESHOLD
    return found if 0.01 <= found <= 1 else THRESHOLD


def types() -> None:
    """The bars, and under them the answers of the part that was pressed."""
    least, whole = threshold(), word("whole") == "1"
    left, middle, right = st.columns([1.1, 1.4, 2.2], vertical_alignment="bottom")
    left.number_input(
        "An answer matches from a reward of",
        0.01,
        1.0,
        step=0.05,
        key="types_threshold",
        help=f"R-Eval's code takes {THRESHOLD:g}, which is lenient.",
        on_change=held("types_threshold", "threshold", least, "page", "item", "variant"),
    )
    right.toggle(
        "Look for the answer in all that a system wrote, too",
        key="types_whole",
        help="As R-Eval's code does; then a right answer is always found, for the system wrote it.",
        on_change=held("types_whole", "whole", whole, "page", "item", "variant"),
    )
    every = until_ready(lambda: opened().analyses.types(ids, least, whole), "Reading every answer")
    if every is None:
        return
    labels = [ALL, *(cell.label for cell in every.cells)]
    chosen = word("cell", ALL, labels)
    middle.selectbox("Questions", labels, key="types_cell", on_change=held("types_cell", "cell", chosen, "page", "item"))
    cell = cell_named(every.cells, chosen)
    board = every if cell is None else until_ready(lambda: opened().analyses.types(ids, least, whole, cell), "Counting")
    if board is None:
        return
    at = (word("of"), word("type"))
    if pressed := type_bars.show(board.lines, at, "types_bars"):
        put(**pressed, item=None, variant=None, page=None)
        st.rerun()
    settings = {**({"threshold": least} if least != THRESHOLD else {}), **({"whole": True} if whole else {})}
    with st.expander("As a table, by level, and as files"):
        paper_page.show_one(ids, (), "types_paper", "r_eval_fig5", with_tables=True, settings=settings)
    if at[0] in ids and at[1] in TYPES:
        behind(board, at, least, whole)


def behind(board: TypeBoard, at: tuple[str, Any], least: float, whole: bool) -> None:
    """The answers of one part of a bar, or one of them."""
    run, kind = at
    of: ResponseType = kind
    name = next(line.name for line in board.lines if line.run == run)
    st.subheader(f"{kind}: {TYPES[of].lower()}", anchor=False)
    if item := word("item"):
        one(run, item, word("variant") or None, least, whole)
        return
    cell = cell_named(board.cells, word("cell"))
    page = number("page")
    found = until_ready(lambda: opened().analyses.answers(run, of, least, whole, cell, page), "Collecting its answers")
    if found is None:
        return
    answers, total = found
    if not total:
        st.text(f"No answer of {name} is of this type.")
        return
    st.text(f"{total:,} {'answer' if total == 1 else 'answers'} of {name}" + (f", {PAGE} a page" if total > PAGE else ""))
    if pressed := answer_list.show(answers, total, run, "types_answers"):
        put(**pressed)
        st.rerun()


def one(run: str, item: str, variant: str | None, least: float, whole: bool) -> None:
    """One answer, with where the gold answer stands in what the system saw."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "All of this type", icon=":material/arrow_back:", key="types_back", on_click=lambda: put(item=None, variant=None)
        )
        query = {"run": [run], "item": item, **({"variant": variant} if variant else {})}
        st.page_link(
            "pages/evaluate/traces.py",
            label="The whole trace",
            icon=":material/account_tree:",
            width="content",
            query_params=query,
        )
    view = opened().traces.view([run], item, variant)
    st.caption("Question")
    st.text(view.question[:4_000])
    st.caption("Answer")
    said = view.traces[0].answer
    st.text("failed: it has none" if said is None else said[:4_000] if said.strip() else "(empty answer)")
    found = opened().traces.work(run, item, variant, least, whole)
    if found is None:
        note("This system tells nothing of what it saw.")
        return
    work.show(found, f"types_work_{run}_{item}_{variant}")


def matching() -> None:
    lines = {line.run: line.name for line in opened().traces.runs(ids)}
    reference = word("reference", ids[0], ids)
    st.selectbox(
        "Reference",
        ids,
        key="matching_reference",
        format_func=lambda run: lines[run],
        width=420,
        help="Every system's mean reward is divided by this one's, on the questions that both answered.",
        on_change=held("matching_reference", "reference", reference),
    )
    settings = {} if reference == ids[0] else {"reference": reference}
    paper_page.show_one(ids, (), "matching_ratio", "r_eval_fig4", settings=settings)
    st.subheader("As it is, by workflow", anchor=False)
    paper_page.show_one(ids, (), "matching_plain", "r_eval_fig3", with_notes=False)


def paper(preset: str) -> None:
    paper_page.show_one(ids, (), f"{preset}_paper", preset, with_tables=True)


drawn: dict[str, Callable[[], None]] = {
    "types": types,
    "matching": matching,
    "deployment": partial(paper, "r_eval_fig6"),
    "best": partial(paper, "r_eval_oracle"),
    "places": partial(paper, "r_eval_table3"),
}
heading("Analyses", "Agents and other systems of one season: what becomes of their answers, and what they take.")
view = word("view", "types", list(VIEWS))
st.segmented_control(
    "View",
    list(VIEWS),
    key="analyses_view",
    format_func=lambda name: VIEWS[name],
    required=True,
    label_visibility="collapsed",
    on_change=held("analyses_view", "view", view, "item"),
)
if view == "tasks":
    paper_page.show_one((), (), "tasks_paper", "r_eval_table1", with_tables=True)
else:
    ids = run_picker.show("analyses")
    if ids and (why := opened().analyses.why_not(ids)):
        note(why)
    elif ids:
        try:
            drawn[view]()
        except BenchError as error:
            note(str(error))
