"""The batch files of a job that waits for their replies: the price in a batch beside the price of sending the requests now, and
the buttons that send the files, collect the replies, or send the requests now."""

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.setup.batches import BatchFolder, FileState
from workbench.upkeep.upkeep import JobView

HELP = (
    "Asks nothing now: the requests are written into files for the endpoint's Batch API, which is cheaper and takes up to a "
    "day, or for vllm run-batch."
)


def assign(job: str, is_batched: bool) -> None:
    """Set whether a planned job writes its requests into batch files or sends each request directly. Raises BenchError if the
    job cannot be changed."""
    batches = open_workbench().batches
    if is_batched:
        batches.assign_own_folder(job)
    else:
        batches.assign(job, None)


def show(row: JobView) -> None:
    """Show the batch files of a job that waits for their replies."""
    found = open_workbench().batches.find_folder(row.id)
    if found is None:
        return
    st.caption(escape(f"{_describe_waiting(row, found)} Folder: {found.folder}"))
    for file in found.files:
        if file.waiting:
            st.caption(escape(_describe_file(file)))
    with st.container(horizontal=True):
        is_sent = all(file.batch or not file.waiting for file in found.files)
        draw_button(
            "Send the files",
            f"job_{row.id}_send",
            _act,
            row.id,
            found.folder,
            "send",
            icon="upload",
            requires="steer jobs",
            disabled=is_sent,
            help="Sends the batch files to the Batch API of their endpoint.",
        )
        draw_button(
            "Collect replies",
            f"job_{row.id}_collect",
            _act,
            row.id,
            found.folder,
            "collect",
            icon="download",
            requires="steer jobs",
            help="Reads the replies that the endpoint, or vllm run-batch in the folder, has finished, and continues the job.",
        )
        draw_button(
            "Ask now instead",
            f"job_{row.id}_now",
            _act,
            row.id,
            found.folder,
            "now",
            icon="play_arrow",
            requires="steer jobs",
            help="Sends the requests directly, without the batch, at the usual price.",
        )
    if said := st.session_state.get(f"job_{row.id}_batch"):
        st.caption(escape(said))


def _describe_waiting(row: JobView, found: BatchFolder) -> str:
    """Describe in a line how many requests wait; people with the permission to see costs also get both prices."""
    what = "1 request waits" if found.waiting == 1 else f"{found.waiting:,} requests wait"
    if not row.is_open or found.price_usd is None or found.price_now_usd is None:
        return f"{what}."
    return f"{what}: at most {found.price_usd:.4f} USD in a batch, {found.price_now_usd:.4f} USD asked now."


def _describe_file(file: FileState) -> str:
    state = f"batch {file.batch}, {file.status.replace('_', ' ')}" if file.batch else "not sent"
    return f"{file.name}: {file.waiting:,} of {file.requests:,} requests wait; {state}."


def _act(job: str, folder: str, act: str) -> None:
    """Perform the action `act` of one of the buttons, and store its result or error as a message that `show` displays."""
    bench = open_workbench()
    runner = jobs.start(bench)
    said = ""
    try:
        if act == "send":
            bench.batches.submit(folder)
        elif act == "now":
            bench.batches.assign(job, None)
            runner.resume(job)
        else:
            found = bench.batches.collect(folder)
            said = found.describe()
            if found.has_news:
                runner.resume(job)
    except BenchError as error:
        st.session_state[f"job_{job}_trouble"] = str(error)
    st.session_state[f"job_{job}_batch"] = said
