"""Analyses: systems compared on one season (a fixed set of questions), as in the paper R-Eval. Views: response types with their
answers, matching against a reference system, deployment, the best of several systems, leaderboard, and the task registry. URL
parameters: run=ID (several), view, and in some views threshold, whole, cell, of, type, item, variant, reference."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.analyses import answer_list, type_bars
from pages.parts.evaluate.links import link_traces
from pages.parts.evaluate.results import paper_page, run_picker
from pages.parts.evaluate.trace import work
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import choose, keep_in_address, read_number, read_word, switch_view, write_address
from pages.parts.ui.say import count_things, show_note
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.evaluate.results.analyses import MIN_MATCHING_REWARD, PAGE_SIZE, TYPES, ResponseType, TypeBoard, find_cell

VIEWS = {
    "types": "Response types",
    "matching": "Matching",
    "deployment": "Deployment",
    "best": "Best of several",
    "places": "Leaderboard",
    "tasks": "Tasks",
}
ALL = "All questions"
MAX_CHARACTERS = 4_000
"""Maximum length in characters of a displayed question or answer."""


def read_threshold() -> float:
    """Return the lowest reward at which an answer counts as a match, from the page's URL or, if the URL has no valid value,
    from R-Eval's published code."""
    try:
        threshold = float(read_word("threshold", str(MIN_MATCHING_REWARD)))
    except ValueError:
        return MIN_MATCHING_REWARD
    return threshold if 0.01 <= threshold <= 1 else MIN_MATCHING_REWARD


def show_types() -> None:
    """Show a stacked bar of response types for each system, and below the bars the answers of the segment that was clicked."""
    threshold, whole = read_threshold(), read_word("whole") == "1"
    left, middle, right = st.columns([1.1, 1.4, 2.2], vertical_alignment="bottom")
    left.number_input(
        "Lowest reward at which an answer counts as a match",
        0.01,
        1.0,
        step=0.05,
        key="types_threshold",
        help=f"R-Eval's published code uses {MIN_MATCHING_REWARD:g} here, which is a lenient value.",
        on_change=keep_in_address("types_threshold", "threshold", threshold, "page", "item", "variant"),
    )
    right.toggle(
        "Also look for the answer in the system's own text",
        key="types_whole",
        help="R-Eval's code does this. The system's text contains its answer, so a right answer then always counts as found.",
        on_change=keep_in_address("types_whole", "whole", whole, "page", "item", "variant"),
    )
    full = until_ready(lambda: open_workbench().analyses.types(ids, threshold, whole), "Reading every answer")
    if full is None:
        return
    labels = [ALL, *(cell.label for cell in full.cells)]
    cell = find_cell(full.cells, choose(middle, "Questions", "cell", labels, "types_cell", forgets=("page", "item")))
    board = (
        full if cell is None else until_ready(lambda: open_workbench().analyses.types(ids, threshold, whole, cell), "Counting")
    )
    if board is None:
        return
    run, kind = read_word("of"), read_word("type")
    if pressed := type_bars.show(board.lines, (run, kind), "types_bars"):
        write_address(**pressed, item=None, variant=None, page=None)
        st.rerun()
    settings = {**({"threshold": threshold} if threshold != MIN_MATCHING_REWARD else {}), **({"whole": True} if whole else {})}
    with st.expander("Response types as a table, by level, and as files to download"):
        paper_page.show_one(ids, (), "types_paper", "r_eval_fig5", with_tables=True, settings=settings)
    open_type = next((name for name in TYPES if name == kind), None)
    if run in ids and open_type:
        show_answers(board, run, open_type, threshold, whole)


def show_answers(board: TypeBoard, run: str, kind: ResponseType, threshold: float, whole: bool) -> None:
    """Show the list of one system's answers that have one response type, or one of these answers in full."""
    name = next(line.name for line in board.lines if line.run == run)
    st.subheader(f"{kind}: {TYPES[kind].lower()}", anchor=False)
    if item := read_word("item"):
        show_answer(run, item, read_word("variant") or None, threshold, whole)
        return
    cell, page = find_cell(board.cells, read_word("cell")), read_number("page")
    listing = until_ready(
        lambda: open_workbench().analyses.answers(run, kind, threshold, whole, cell, page), "Collecting its answers"
    )
    if listing is None:
        return
    answers, total = listing
    if not total:
        st.text(f"No answer of {name} has this type.")
        return
    st.text(f"{count_things(total, 'answer')} of {name}" + (f", {PAGE_SIZE} a page" if total > PAGE_SIZE else ""))
    if pressed := answer_list.show(answers, total, run, "types_answers"):
        write_address(**pressed)
        st.rerun()


def show_answer(run: str, item: str, variant: str | None, threshold: float, whole: bool) -> None:
    """Show one answer, and mark the gold answer where it occurs in the text that the system read."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "All answers of this type",
            icon=":material/arrow_back:",
            key="types_back",
            on_click=lambda: write_address(item=None, variant=None),
        )
        link_traces([run], "The whole trace", item=item, variant=variant or "")
    view = open_workbench().traces.view([run], item, variant)
    answer = view.answers[0].trace.answer
    st.caption("Question")
    st.text(view.question[:MAX_CHARACTERS])
    st.caption("Answer")
    st.text("The system failed and gave no answer." if answer is None else answer[:MAX_CHARACTERS].strip() or "(empty answer)")
    record = open_workbench().traces.work(run, item, variant, threshold, whole)
    if record is None:
        show_note("This system does not record the passages that it read.")
        return
    work.show(record, f"types_work_{run}_{item}_{variant}")


def show_matching() -> None:
    """Show the mean reward of each system, and its ratio to the mean reward of a reference system."""
    names = {line.run.id: line.name for line in open_workbench().traces.runs(ids)}
    reference = choose(
        st,
        "Reference",
        "reference",
        {run: names[run] for run in ids},
        "matching_reference",
        width=420,
        help="Each system's mean reward is divided by the mean reward of this system on the questions that both answered.",
    )
    settings: dict[str, Any] = {} if reference == ids[0] else {"reference": reference}
    paper_page.show_one(ids, (), "matching_ratio", "r_eval_fig4", settings=settings)
    st.subheader("Mean reward by workflow", anchor=False)
    paper_page.show_one(ids, (), "matching_plain", "r_eval_fig3", with_notes=False)


def show_paper(preset: str) -> None:
    paper_page.show_one(ids, (), f"{preset}_paper", preset, with_tables=True)


DRAW: dict[str, Callable[[], None]] = {
    "types": show_types,
    "matching": show_matching,
    "deployment": partial(show_paper, "r_eval_fig6"),
    "best": partial(show_paper, "r_eval_oracle"),
    "places": partial(show_paper, "r_eval_table3"),
}
show_heading("Analyses", "The answer types and the costs of agents and other systems on one season, a fixed set of questions.")
view = switch_view(VIEWS, "analyses_view", "item")
if view == "tasks":
    paper_page.show_one((), (), "tasks_paper", "r_eval_table1", with_tables=True)
else:
    ids = run_picker.show("analyses")
    if ids and (why := open_workbench().analyses.why_not(ids)):
        show_note(why)
    elif ids:
        try:
            DRAW[view]()
        except BenchError as error:
            show_note(str(error))
