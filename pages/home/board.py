"""The home page: in an empty workspace, three ways to begin; otherwise the number of items, the targets and the waiting
work."""

import streamlit as st

from pages.parts.annotate.progress import targets_view
from pages.parts.build.corpus.uploading import show_import_box
from pages.parts.home import fill_board, own_work
from pages.parts.home.cell_dialog import cell_dialog
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal, guard
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.heading import show_heading
from pages.parts.ui.say import escape, show_success
from workbench import open_workbench

bench = open_workbench()


def show_start() -> None:
    """Show, side by side, three ways to fill an empty workspace."""
    show_heading(
        "Welcome to Benchwright",
        "Build a benchmark for RAG systems from your documents, have people review it, and run systems on it.",
    )
    samples, documents, benchmark = st.columns(3)
    with samples, st.container(border=True, height="stretch"):
        st.subheader("Load the samples", anchor=False)
        st.write("A small invented world: documents in eight domains in English and Chinese, with reviewed items about them.")
        st.button(
            "Load the samples",
            type="primary",
            icon=":material/auto_awesome:",
            on_click=load_samples,
            **guard("change the corpus"),
        )
        st.caption(
            "The quickest way to try Benchwright: every page of Annotate then has sample work. No key or network is needed."
        )
    with documents, st.container(border=True, height="stretch"):
        st.subheader("Add documents", anchor=False)
        st.write("Documents of your own: plain text, Markdown, HTML, PDF, DOCX, or lines of JSON.")
        st.page_link("pages/build/corpus.py", label="Go to the corpus", icon=":material/arrow_forward:")
        st.caption("Then an agent drafts questions about the documents, and people review the drafts.")
    with benchmark, st.container(border=True, height="stretch"):
        st.subheader("Import a benchmark", anchor=False)
        st.write("An existing benchmark: questions and answers with their documents.")
        show_import_box()


def load_samples() -> None:
    """Load the samples into the workspace; the next run of the page reports the result."""
    bench.sample_work.load()
    st.session_state["board_loaded"] = True


def show_home() -> None:
    """Show the board of items, the person's waiting work and news and, for people with the permission to see releases, the
    targets and jobs."""
    show_heading("Home")
    if st.session_state.pop("board_loaded", False):
        size = bench.corpus.size()
        show_success(
            f"The samples are loaded: {size.documents:,} documents with reviewed items on them, and drafts, variants and a web "
            "question that wait for people. Begin on the page Review, draft new items, or run a system on the accepted items."
        )
    if (job := st.session_state.get("import_job")) and job_card.show(job) in ("done", "cancelled"):
        del st.session_state["import_job"]  # show the message only once
    if explain_refusal("see releases"):  # annotators see their own work first; the board is for viewing
        waits, news, week = st.columns(3, gap="large")
        with waits:
            own_work.show_waiting()
        with news:
            own_work.show_news()
        with week:
            own_work.show_week()
        show_board()
        return
    whole, side = st.columns([3, 1], gap="large")
    with whole:
        show_board()
    with side:
        own_work.show_waiting()
        own_work.show_news()
        show_targets()
        own_work.show_week()
        show_jobs()
        if not explain_refusal("see costs"):
            show_costs()


def show_board() -> None:
    """Show the board with the number of items by domain, task and level, and links to the latest releases and runs."""
    cells = bench.board.cells()
    st.subheader("Items by domain, task and level", anchor=False)
    pressed = fill_board.show(cells)
    click = "open its items" if explain_refusal("set targets") else "set its target or open its items"
    st.caption(f"Accepted items out of the target; +n = items that wait for review. Click a cell to {click}.")
    if pressed:
        cell_dialog(pressed, cells.cell(*pressed))
    if explain_refusal("see releases"):
        return
    releases, runs = st.columns(2, gap="large")
    with releases:
        latest_releases()
    with runs:
        latest_runs()


def show_targets() -> None:
    """Show the progress towards the targets; show nothing if no targets are set."""
    if bench.board.has_targets():
        st.subheader("Wanted", anchor=False)
        targets_view.show_brief()


def show_jobs() -> None:
    """Show the jobs that are running or can be resumed."""
    unfinished = bench.board.list_unfinished_jobs()
    if unfinished:
        st.subheader("Jobs", anchor=False)
        for job in unfinished[:3]:
            job_card.show(job, compact=True)
        st.page_link("pages/setup/jobs.py", label="All jobs", icon=":material/pending_actions:")


def show_costs() -> None:
    """Show what each agent has cost this month."""
    st.subheader("Agents this month", anchor=False)
    costs = bench.board.costs()
    if not costs:
        st.caption("No agent has been used this month.")
    for cost in costs[:6]:
        calls = f"{cost.calls:,} {'call' if cost.calls == 1 else 'calls'}"
        st.markdown(f"{escape(cost.agent)} \n:small[:gray[{calls} · {escape(job_card.format_money(cost.cost))}]]")


def latest_releases() -> None:
    """Show links to the newest releases."""
    st.subheader("Latest releases", anchor=False)
    headers = bench.board.releases()
    for release in headers:
        words = escape(f"{release.name} · {release.created[:10]}")
        draw_link("release/browse", words, "inventory_2", release=release.name)
    if not headers:
        st.caption("No release is frozen yet.")
        if not explain_refusal("freeze releases"):
            st.page_link("pages/release/freeze.py", label="Freeze a release", icon=":material/ac_unit:")


def latest_runs() -> None:
    """Show links to the newest runs."""
    st.subheader("Latest runs", anchor=False)
    runs = bench.board.runs()
    for run in runs:
        mark = " · offline" if run.is_offline else ""
        words = escape(f"{run.system} on {run.release} · {run.answered:,} of {run.asked:,}{mark}")
        by = f"with {run.agent}" if run.agent else "without an agent"
        about = escape(f"{run.answered:,} of {run.asked:,} answered, {by}, {run.created[:10]}")
        draw_link("evaluate/results", words, "leaderboard", about, run=run.id)
    if not runs:
        st.caption("No system has run yet.")
        if not explain_refusal("run systems"):
            st.page_link("pages/evaluate/run.py", label="Run a system", icon=":material/play_circle:")


if bench.board.is_empty():
    show_start()
else:
    show_home()
