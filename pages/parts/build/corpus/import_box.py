"""A benchmark from elsewhere, dropped as a file or a folder: it comes in as a job, shown here to its end."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.corpus.sent import sent
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import trouble
from workbench import opened


def show(key: str = "import") -> str | None:
    """Draw it; returns the state of the import that was begun in this session, None when there is none."""
    labels = opened().uploads.benchmarks()
    turn = st.session_state.get(f"{key}_turn", 0)
    form = st.selectbox(
        "Format", list(labels), index=list(labels).index("jsonl"), format_func=labels.__getitem__, key=f"{key}_form"
    )
    is_folder = st.toggle("A whole folder", key=f"{key}_folder", help="As `export` writes one: manifest, items, documents.")
    files = st.file_uploader(
        "Benchmark",
        accept_multiple_files="directory" if is_folder else True,
        key=f"{key}_files_{turn}_{is_folder}",
        label_visibility="collapsed",
    )
    st.button("Import", key=f"{key}_go", on_click=_import, args=(key, files, form), **kept("import benchmarks", not files))
    if sentence := st.session_state.get(f"{key}_trouble", ""):
        trouble(sentence)
    job = st.session_state.get(f"{key}_job")
    return job_card.show(job) if job else None


def _import(key: str, files: Sequence[Any], form: str) -> None:
    st.session_state[f"{key}_trouble"] = ""
    try:
        job = opened().uploads.import_(sent(files), form)
        jobs.start(opened()).submit(job)
    except BenchError as error:
        st.session_state[f"{key}_trouble"] = str(error)
        return
    st.session_state[f"{key}_job"] = job
    st.session_state[f"{key}_turn"] = st.session_state.get(f"{key}_turn", 0) + 1
