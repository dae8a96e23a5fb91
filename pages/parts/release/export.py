"""Export of a release: a zip file in one of several formats, with its card and the programs that verify and score it; or a data
set on the Hugging Face hub."""

from collections.abc import Sequence

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.base_path import find_base
from pages.parts.ui import job_card
from pages.parts.ui.allowed import find_guest_release, guard
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.say import show_error, show_success
from workbench import open_workbench

ABOUT = {
    "jsonl": "One record per line, with all data of the release: Benchwright's own format.",
    "parquet": "Benchwright's own format with the records as columns (Parquet).",
    "csv": "One row per item, for a spreadsheet; spreadsheets run no cell as a formula.",
    "huggingface": "A folder that `datasets` loads, with tasks for lm-eval.",
    "beir": "Corpus, queries and relevant documents, for BEIR and MTEB.",
    "hawkbench": "The released layout of HawkBench.",
    "crud_rag": "CRUD-RAG's six tasks and its files of articles.",
    "uhgeval": "UHGEval's rows, with the repaired texts.",
    "squad": "SQuAD's paragraphs with their questions; each answer must occur in its paragraph.",
    "nq_open": "Only questions and gold answers, one per line.",
    "triviaqa": "TriviaQA's questions with aliases.",
    "adarague": "AdaRAGUE's table, paragraphs and references in its cells.",
    "crag": "CRAG's questions with the pages that a search returned.",
    "reviews": "Every decision and revision, for studies of how people annotate.",
}


def show(name: str) -> None:
    """Show the choice of a file format, and beside that choice the download and the form for the Hugging Face hub. The same
    release and choices always give the same file, byte for byte."""
    browser = open_workbench().release_browser
    forms = sorted(browser.list_formats(), key=lambda form: list(ABOUT).index(form) if form in ABOUT else len(ABOUT))
    left, right = st.columns([3, 2], gap="large")
    with left:
        form = st.radio("Format", forms, captions=[ABOUT.get(form, "") for form in forms], key="export_form")
    with right:
        splits = browser.splits(name)
        withhold = st.multiselect(
            "Withhold the answers of",
            splits,
            placeholder="no split",
            key="export_withhold",
            width=420,
            help="Answers are replaced by salted hashes; the salt stays in this workspace.",
        )
        if open_workbench().sealed_boards.is_board(name):
            st.caption(
                "The release is sealed: in place of its gold answers an export has commitments, which opened.jsonl opens."
            )
        if st.button("Prepare", type="primary", icon=":material/package_2:", key="export_prepare", **guard("export releases")):
            _show_packed(name, form, withhold)
        st.caption(
            "An export in any format also has a card (README.md), two files with metadata (croissant.json and "
            "ro-crate-metadata.json), and programs that verify the files and score answers."
        )
        if find_guest_release() is None:
            _show_hub(name, withhold)


def _show_packed(name: str, form: str, withhold: Sequence[str]) -> None:
    """Pack the release as a zip file, and show a link that downloads the file."""
    try:
        with st.spinner("Packing ..."):
            made = open_workbench().release_browser.pack(name, form, withhold)
    except BenchError as error:
        show_error(str(error))
        return
    show_success(f"{made.file}: {made.files} files, {made.bytes / 1e6:.1f} MB.")
    st.caption("SHA-256")
    st.code(made.sha256, language=None)
    st.link_button("Download", f"{find_base()}/bench/export/{made.file}", type="primary", icon=":material/download:")


def _show_hub(name: str, withhold: Sequence[str]) -> None:
    """Show the form that publishes the release as a data set on the Hugging Face hub, and the job that this session started."""
    hub = open_workbench().hub
    is_signed_in = hub.is_signed_in()
    st.subheader("Hugging Face hub", anchor=False)
    st.caption(
        f"Publishes the Hugging Face folder as a data set with the tag {name}, without the answers of the splits that are "
        "withheld above."
        if is_signed_in
        else (
            "To publish releases as data sets, start the app with a write token of the Hugging Face hub in the variable "
            "HF_TOKEN."
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        repo = st.text_input(
            "Data set", placeholder="owner/name", key="export_hub", width=320, max_chars=200, disabled=not is_signed_in
        )
        public = st.checkbox("Public", key="export_public", help="Everybody may see the data set", disabled=not is_signed_in)
        draw_button(
            "Publish",
            "export_publish",
            _publish,
            name,
            f"hub:{repo.strip()}",
            withhold,
            public,
            icon="cloud_upload",
            requires="publish releases",
            disabled=not (is_signed_in and repo.strip()),
        )
    show_feedback("export_publish")
    if job := st.session_state.get("export_publish_job"):
        job_card.show(job)
        if url := (open_workbench().upkeep.job(job).result or {}).get("url"):
            st.link_button("Open on the hub", str(url), icon=":material/open_in_new:")


def _publish(name: str, to: str, withhold: Sequence[str], public: bool) -> None:
    """Start the job that publishes the release on the Hugging Face hub."""
    with keep_errors("export_publish"):
        job = open_workbench().hub.plan_publishing(name, to, withhold=withhold, public=public)
        jobs.start(open_workbench()).submit(job)
        st.session_state["export_publish_job"] = job
