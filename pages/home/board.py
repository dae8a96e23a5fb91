"""The first screen: three ways to begin, and from then on what is there, what is wanted, and what waits."""

from typing import Any

import streamlit as st

from pages.parts import job_card
from pages.parts.allowed import kept, why_not
from pages.parts.corpus import import_box
from pages.parts.heading import heading
from pages.parts.home import fill_board
from pages.parts.home.cell_dialog import cell_dialog
from pages.parts.person import person
from pages.parts.progress import targets_view
from pages.parts.say import done, plain, shortened
from workbench import opened
from workbench.annotate.reviews import Kind

bench = opened()


def begin() -> None:
    """An empty workspace: three ways to fill it, side by side."""
    heading("Welcome to Benchwright", "Build a benchmark for RAG systems from your documents, have people review it, and run "
            "systems on it.")  # fmt: skip
    samples, documents, benchmark = st.columns(3)
    with samples, st.container(border=True, height="stretch"):
        st.subheader("Load the samples", anchor=False)
        st.write("A small invented world: documents of eight domains in English and Chinese, and reviewed items on them.")
        st.button("Load the samples", type="primary", icon=":material/auto_awesome:", on_click=load_samples,
                  **kept("change the corpus"))  # fmt: skip
        st.caption("The quickest way to see every page with something on it. No key and no network needed.")
    with documents, st.container(border=True, height="stretch"):
        st.subheader("Add documents", anchor=False)
        st.write("Your own texts: plain text, Markdown, HTML, PDF, DOCX, or lines of JSON.")
        st.page_link("pages/build/corpus.py", label="Go to the corpus", icon=":material/arrow_forward:")
        st.caption("Then an agent drafts questions on them, and people decide.")
    with benchmark, st.container(border=True, height="stretch"):
        st.subheader("Import a benchmark", anchor=False)
        st.write("Questions and answers that exist already, with their documents.")
        import_box.show()


def load_samples() -> None:
    """The one click, and what it did."""
    bench.corpus.load_samples()
    st.session_state["board_loaded"] = True


def work() -> None:
    """What is there, what is wanted, what waits."""
    heading("Home")
    if st.session_state.pop("board_loaded", False):
        size = bench.corpus.size()
        done(f"The samples are in: {size['documents']:,} documents with reviewed items on them. Look at an item on the review "
             f"page, draft new ones, or run a system on what is accepted.")  # fmt: skip
    if (job := st.session_state.get("import_job")) and job_card.show(job) in ("done", "cancelled"):
        del st.session_state["import_job"]  # it is said once
    board, side = st.columns([3, 1], gap="large")
    with board:
        cells = bench.board.cells()
        st.subheader("Items by domain, task and level", anchor=False)
        pressed = fill_board.show(cells)
        st.caption("Accepted, of the number wanted; +n wait for review. Press a cell to set its number, or to work there.")
        if pressed:
            found = cells["cells"].get((pressed.task, pressed.level), {}).get(pressed.domain, {})
            cell_dialog(pressed, found)
        releases, runs = st.columns(2, gap="large")
        with releases:
            latest_releases()
        with runs:
            latest_runs()
    with side:
        waiting()
        wanted(cells)
        running()
        if not why_not("see costs"):
            month()


def waiting() -> None:
    """What is free for this person, as the pages of the work count it, and words of theirs that were not submitted."""
    st.subheader("Waits for you", anchor=False)
    who = person()
    n = bench.reviews.progress(Kind(), who).left
    if n:
        st.page_link("pages/annotate/review.py", label=f"{n:,} {'item' if n == 1 else 'items'} to review",
                     icon=":material/rate_review:")  # fmt: skip
    between = 0 if why_not("decide between people") else bench.adjudication.waiting(who).left
    if between:
        st.page_link("pages/annotate/adjudicate.py", label=f"{between:,} to decide between people", icon=":material/balance:")
    mine = bench.board.scratch(who)
    for text in mine[:5]:
        st.page_link("pages/annotate/review.py", label=f"Not submitted: {plain(shortened(text['question'], 70))}",
                     icon=":material/edit:", query_params={"item": text["item"]})  # fmt: skip
    if len(mine) > 5:
        st.caption(f"and {len(mine) - 5} more texts of yours that are not submitted")
    if not n and not between and not mine:
        st.caption("Nothing waits for review.")
        if not why_not("draft items"):
            st.page_link("pages/build/draft.py", label="Draft items", icon=":material/edit_note:")


def wanted(cells: dict[str, Any]) -> None:
    """How much of what is wanted is there; nothing without a target."""
    if any(cell.get("target") for row in cells["cells"].values() for cell in row.values()):
        st.subheader("Wanted", anchor=False)
        targets_view.brief()


def running() -> None:
    """Jobs that run or can go on."""
    unfinished = bench.board.unfinished()
    if unfinished:
        st.subheader("Jobs", anchor=False)
        for job in unfinished[:3]:
            job_card.show(job, compact=True)
        st.page_link("pages/setup/jobs.py", label="All jobs", icon=":material/pending_actions:")


def month() -> None:
    """What agents cost this month."""
    st.subheader("Agents this month", anchor=False)
    costs = bench.board.costs()
    if not costs:
        st.caption("No agent was asked yet.")
    for cost in costs[:6]:
        calls = f"{cost['calls']:,} {'call' if cost['calls'] == 1 else 'calls'}"
        st.markdown(f"{plain(cost['agent'])} \n:small[:gray[{calls} · {plain(job_card.money(cost['cost']))}]]")


def latest_releases() -> None:
    """The newest releases."""
    st.subheader("Latest releases", anchor=False)
    found = bench.board.releases()
    for release in found:
        words = plain(f"{release['name']} · {release['created'][:10]}")
        st.page_link("pages/release/browse.py", label=words,
                     icon=":material/inventory_2:", query_params={"release": release["name"]})  # fmt: skip
    if not found:
        st.caption("Nothing is frozen yet.")
        if not why_not("freeze releases"):
            st.page_link("pages/release/freeze.py", label="Freeze a release", icon=":material/ac_unit:")


def latest_runs() -> None:
    """The newest runs."""
    st.subheader("Latest runs", anchor=False)
    found = bench.board.runs()
    for run in found:
        mark = " · offline" if run["is_offline"] else ""
        words = plain(f"{run['system']} on {run['release']} · {run['answered']:,} of {run['asked']:,}{mark}")
        by = f"with {run['agent']}" if run["agent"] else "without an agent"
        st.page_link("pages/evaluate/results.py", label=words, icon=":material/leaderboard:", query_params={"run": run["id"]},
                     help=plain(f"{run['answered']:,} of {run['asked']:,} answered, {by}, {run['created'][:10]}"))  # fmt: skip
    if not found:
        st.caption("No system has run yet.")
        if not why_not("run systems"):
            st.page_link("pages/evaluate/run.py", label="Run a system", icon=":material/play_circle:")


if bench.board.is_empty():
    begin()
else:
    work()
