"""Starts jobs that read files uploaded in the browser, and shows each job in its upload box; also shows the box that imports a
benchmark."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

import jobs
from pages.parts.ui import job_card
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import select_field
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.release.hub.hub import PREFIX
from workbench.release.uploads import Upload

LISTED_REFUSALS = 5


def to_uploads(files: Sequence[Any]) -> list[Upload]:
    """Return Streamlit's uploaded files as Upload objects, each positioned at its beginning."""
    for file in files:
        file.seek(0)
    return [Upload(file.name, file, file.size) for file in files]


def start_upload(key: str, plan: Callable[[], str]) -> None:
    """Call `plan`, start the job whose id `plan` returns, and clear the upload box `key` for the next files."""
    state = st.session_state
    with keep_errors(key):
        state[f"{key}_job"] = job = plan()
        jobs.start(open_workbench()).submit(job)
        state[f"{key}_turn"] = state.get(f"{key}_turn", 0) + 1


def show_upload_job(key: str) -> str | None:
    """Show the last job that the upload box `key` started, or the reason why no job started; return the job's id, or None."""
    show_feedback(key)
    job: str | None = st.session_state.get(f"{key}_job")
    if job:
        job_card.show(job)
    return job


def show_refusals(result: Mapping[str, Any]) -> None:
    """Show the reasons why files and lines were refused."""
    refusals = result.get("refusals", [])
    for refusal in refusals[:LISTED_REFUSALS]:
        where = "" if refusal["where"] in refusal["message"] else f"{refusal['where']}: "
        st.markdown(f":red[:material/block:] {escape(where + refusal['message'])}")
    if len(refusals) > LISTED_REFUSALS:
        with st.expander(f"All {result['refused']:,} refused files and lines"):
            rows = [{"File": r["where"], "Line": r["line"], "Why": r["message"]} for r in refusals]
            st.dataframe(rows, hide_index=True, column_config={"Why": st.column_config.TextColumn(width="large")})
            if result["refused"] > len(refusals):
                st.caption(f"Only the first {len(refusals):,} refusals are listed.")


def show_import_box(key: str = "import") -> None:
    """Show the box that imports a benchmark from a file or a folder, and the import that this session started."""
    labels = open_workbench().uploads.benchmarks()
    form = select_field(st, "Format", labels, f"{key}_form", index=list(labels).index("jsonl"))
    is_folder = st.toggle(
        "A whole folder", key=f"{key}_folder", help="A folder that the command `export` wrote: manifest, items, documents."
    )
    files = st.file_uploader(
        "Benchmark",
        accept_multiple_files="directory" if is_folder else True,
        key=f"{key}_files_{st.session_state.get(f'{key}_turn', 0)}_{is_folder}",
        label_visibility="collapsed",
    )
    draw_button("Import", f"{key}_go", _import, key, files, form, requires="import benchmarks", disabled=not files)
    _show_import_job(key)
    _draw_hub_import(key)


def _draw_hub_import(key: str) -> None:
    """Show the form that imports a release from the Hugging Face hub, and the import job that this session started."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        address = st.text_input(
            "From the Hugging Face hub",
            placeholder="owner/name, or owner/name@release",
            key=f"{key}_hub",
            width=320,
            max_chars=400,
            help="A data set that Benchwright published. Without @release, the latest upload of the data set is imported.",
        ).strip()
        draw_button(
            "Import from the hub",
            f"{key}_hub_go",
            _import_from_hub,
            f"{key}_hub",
            icon="cloud_download",
            requires="import benchmarks",
            disabled=not address,
        )
    _show_import_job(f"{key}_hub")


def _show_import_job(key: str) -> None:
    """Show the last import job of the box, and the files and lines that the job refused."""
    if job := show_upload_job(key):
        show_refusals(open_workbench().upkeep.job(job).result or {})


def _import_from_hub(key: str) -> None:
    """Start the job that imports the Hugging Face data set whose name is in the field `key`."""
    address = str(st.session_state[key]).strip()
    start_upload(key, lambda: open_workbench().hub.plan_import(f"{PREFIX}{address.removeprefix(PREFIX)}"))


def _import(key: str, files: Sequence[Any], form: str) -> None:
    start_upload(key, lambda: open_workbench().uploads.import_(to_uploads(files), form))
