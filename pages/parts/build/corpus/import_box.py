"""A benchmark from elsewhere, dropped as a file or a folder: a job imports it."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.build.corpus.uploading import show_upload_job, start_upload, to_uploads
from pages.parts.ui.buttons import draw_button
from workbench import opened


def show(key: str = "import") -> None:
    """Draw the box, and the import that was started in this session."""
    labels = opened().uploads.benchmarks()
    form = st.selectbox(
        "Format", list(labels), index=list(labels).index("jsonl"), format_func=labels.__getitem__, key=f"{key}_form"
    )
    is_folder = st.toggle(
        "A whole folder", key=f"{key}_folder", help="A folder as `export` writes it: manifest, items, documents."
    )
    files = st.file_uploader(
        "Benchmark",
        accept_multiple_files="directory" if is_folder else True,
        key=f"{key}_files_{st.session_state.get(f'{key}_turn', 0)}_{is_folder}",
        label_visibility="collapsed",
    )
    draw_button("Import", f"{key}_go", _import, key, files, form, requires="import benchmarks", disabled=not files)
    show_upload_job(key)


def _import(key: str, files: Sequence[Any], form: str) -> None:
    start_upload(key, lambda: opened().uploads.import_(to_uploads(files), form))
