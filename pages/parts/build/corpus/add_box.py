"""Documents dropped on the page: they come in as a job, and each file and line that could not be taken says why."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.corpus.sent import sent
from pages.parts.ui import job_card
from pages.parts.ui.allowed import kept
from pages.parts.ui.say import plain, trouble
from workbench import opened
from workbench.build.corpus.corpus import Length

LICENCES = (
    "CC0-1.0",
    "CC-BY-4.0",
    "CC-BY-SA-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-SA-4.0",
    "CC-BY-ND-4.0",
    "ODC-By-1.0",
    "ODbL-1.0",
    "MIT",
    "Apache-2.0",
    "GFDL-1.3-or-later",
    "OGL-UK-3.0",
    "public domain",
    "all rights reserved",
)
"""Names by SPDX where there is one; any other can be typed."""
LANGUAGES = {"auto": "Detect", "en": "English", "zh": "Chinese"}
FORMS = {"auto": "By file ending", "lines": "A document a line", "jsonl": "JSON lines"}


def show(key: str = "add") -> str | None:
    """Draw it; returns the state of the job that was begun in this session, None when there is none."""
    uploads, turn = opened().uploads, st.session_state.get(f"{key}_turn", 0)
    files = st.file_uploader(
        f"Files: {' '.join(uploads.endings())}, up to 200 MB each", accept_multiple_files=True, key=f"{key}_files_{turn}"
    )
    domain, language, licence, form = st.columns(4)
    with domain:
        st.selectbox(
            "Domain",
            opened().corpus.domains(),
            index=None,
            accept_new_options=True,
            key=f"{key}_domain",
            placeholder="general, or type one",
            help="A record that names its own domain keeps it.",
        )
    with language:
        st.selectbox("Language", list(LANGUAGES), format_func=LANGUAGES.__getitem__, key=f"{key}_language")
    with licence:
        st.selectbox(
            "Licence",
            licences(),
            index=None,
            accept_new_options=True,
            placeholder="unknown, or type one",
            key=f"{key}_licence",
            help="A release wants one for each document.",
        )
    with form:
        st.selectbox(
            "Format",
            uploads.forms(),
            format_func=FORMS.__getitem__,
            key=f"{key}_form",
            help="JSON lines: text is needed; title, domain, language, origin, licence, published are known.",
        )
    least, most, _ = st.columns([1, 1, 2])
    with least:
        st.number_input(
            "Shortest, characters",
            min_value=1,
            value=None,
            step=1,
            key=f"{key}_least",
            placeholder="any",
            help="A document with fewer is left out.",
        )
    with most:
        st.number_input(
            "Longest, characters",
            min_value=1,
            value=None,
            step=1,
            key=f"{key}_most",
            placeholder="any",
            help="A document with more is left out.",
        )
    st.button("Add", type="primary", key=f"{key}_go", on_click=_add, args=(key, files), **kept("change the corpus", not files))
    if sentence := st.session_state.get(f"{key}_trouble", ""):
        trouble(sentence)
    job = st.session_state.get(f"{key}_job")
    if not job:
        return None
    state = job_card.show(job)
    _came(opened().upkeep.job(job).result or {})
    return state


def licences() -> list[str]:
    """Those that documents have, then the common ones."""
    return list(dict.fromkeys((*opened().corpus.licences(), *LICENCES)))


def _came(result: Mapping[str, Any]) -> None:
    """What became of each file, and of each line that was refused."""
    files, refusals = result.get("files", []), result.get("refusals", [])
    if files:
        st.dataframe(
            [
                {
                    "File": f["name"],
                    "Added": f["added"],
                    "Already there": f["already"],
                    "Refused": f["refused"],
                    **({"Left out": f["left_out"]} if result.get("left_out") else {}),
                }
                for f in files
            ],
            hide_index=True,
            column_config={"File": st.column_config.TextColumn(width="large")},
        )
    for refusal in refusals[:5]:
        where = "" if refusal["where"] in refusal["message"] else f"{refusal['where']}: "
        st.markdown(f":red[:material/block:] {plain(where + refusal['message'])}")
    if len(refusals) > 5:
        with st.expander(f"All {result['refused']:,} refusals"):
            st.dataframe(
                [{"File": r["where"], "Line": r["line"], "Why": r["message"]} for r in refusals],
                hide_index=True,
                column_config={"Why": st.column_config.TextColumn(width="large")},
            )
            if result["refused"] > len(refusals):
                st.caption(f"The first {len(refusals):,} are listed.")


def _add(key: str, files: Sequence[Any]) -> None:
    state = st.session_state
    state[f"{key}_trouble"] = ""
    try:
        job = opened().uploads.add(
            sent(files),
            domain=state[f"{key}_domain"],
            form=state[f"{key}_form"],
            licence=state[f"{key}_licence"],
            language=None if state[f"{key}_language"] == "auto" else state[f"{key}_language"],
            length=Length(state[f"{key}_least"], state[f"{key}_most"]),
        )
        jobs.start(opened()).submit(job)
    except BenchError as error:
        state[f"{key}_trouble"] = str(error)
        return
    state[f"{key}_job"] = job
    state[f"{key}_turn"] = state.get(f"{key}_turn", 0) + 1
