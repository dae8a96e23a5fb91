"""Export of a release: a zip in one of the formats, with its card, its checks and its scorer."""

import streamlit as st

from core.errors import BenchError
from pages.parts.base_path import find_base
from pages.parts.ui.allowed import guard
from pages.parts.ui.say import show_error, show_success
from workbench import open_workbench

ABOUT = {
    "jsonl": "One record per line: Benchwright's own format, complete.",
    "parquet": "The same records as columns.",
    "csv": "Items for a spreadsheet, one row each; no cell is run as a formula.",
    "huggingface": "A folder that `datasets` loads, with tasks for lm-eval.",
    "beir": "Corpus, queries and relevant documents, for BEIR and MTEB.",
    "hawkbench": "The released layout of HawkBench.",
    "crud_rag": "CRUD-RAG's six tasks and its files of articles.",
    "uhgeval": "UHGEval's rows, with the repaired texts.",
    "squad": "SQuAD's paragraphs with their questions; answers must stand in them.",
    "nq_open": "Questions and gold answers alone, one a line.",
    "triviaqa": "TriviaQA's questions with aliases.",
    "adarague": "AdaRAGUE's table, paragraphs and references in its cells.",
    "reviews": "Every decision and revision, for studies of the work itself.",
}


def show(name: str) -> None:
    """Draw the choice of a format and the download. The same release always gives the same bytes."""
    browser = open_workbench().release_browser
    forms = sorted(browser.list_formats(), key=lambda form: list(ABOUT).index(form) if form in ABOUT else len(ABOUT))
    form = st.radio("Format", forms, captions=[ABOUT.get(form, "") for form in forms], key="export_form")
    splits = browser.splits(name)
    withhold = st.multiselect(
        "Withhold the answers of",
        splits,
        placeholder="no split",
        key="export_withhold",
        width=420,
        help="Answers are replaced by salted hashes; the salt stays in this workspace.",
    )
    if not st.button("Prepare", type="primary", icon=":material/package_2:", key="export_prepare", **guard("export releases")):
        return
    try:
        with st.spinner("Packing ..."):
            made = browser.pack(name, form, withhold)
    except BenchError as error:
        show_error(str(error))
        return
    show_success(f"{made.file}: {made.files} files, {made.bytes / 1e6:.1f} MB.")
    st.caption("SHA-256")
    st.code(made.sha256, language=None)
    st.link_button("Download", f"{find_base()}/bench/export/{made.file}", type="primary", icon=":material/download:")
