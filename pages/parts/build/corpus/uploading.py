"""Files from the browser become a job, which the box that they were dropped in shows."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

import jobs
from pages.parts.ui import job_card
from pages.parts.ui.feedback import keep_errors, show_feedback
from workbench import open_workbench
from workbench.release.uploads import Upload


def to_uploads(files: Sequence[Any]) -> list[Upload]:
    """Streamlit's uploaded files as uploads, read from their beginning."""
    for file in files:
        file.seek(0)
    return [Upload(file.name, file, file.size) for file in files]


def start_upload(key: str, plan: Callable[[], str]) -> None:
    """Start the job that `plan` returns, and empty the box `key` for the next files."""
    state = st.session_state
    with keep_errors(key):
        state[f"{key}_job"] = job = plan()
        jobs.start(open_workbench()).submit(job)
        state[f"{key}_turn"] = state.get(f"{key}_turn", 0) + 1


def show_upload_job(key: str) -> str | None:
    """Draw why nothing started, and the last job of the box; returns its id."""
    show_feedback(key)
    job: str | None = st.session_state.get(f"{key}_job")
    if job:
        job_card.show(job)
    return job
