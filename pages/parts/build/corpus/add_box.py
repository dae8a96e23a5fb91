"""A box that adds documents: a job reads the dropped files, and the box lists each file and line that could not be read, with
the reason."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.build.corpus.uploading import LISTED_REFUSALS, show_refusals, show_upload_job, start_upload, to_uploads
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.fields import name_languages, select_field
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.build.corpus.corpus import Length

SPDX_NAMES = (
    "CC0-1.0 CC-BY-4.0 CC-BY-SA-4.0 CC-BY-NC-4.0 CC-BY-NC-SA-4.0 CC-BY-ND-4.0 ODC-By-1.0 ODbL-1.0 MIT Apache-2.0 "
    "GFDL-1.3-or-later OGL-UK-3.0"
)
LICENCES = (*SPDX_NAMES.split(), "public domain", "all rights reserved")
"""Common licences to choose from; a person can also type another licence."""
FORMS = {"auto": "By file ending", "lines": "One document per line", "jsonl": "JSON lines"}


def show() -> None:
    """Show the box that adds documents, and the results of the files that this session added."""
    uploads, corpus = open_workbench().uploads, open_workbench().corpus
    files = st.file_uploader(
        f"Files: {' '.join(uploads.endings())}, up to 200 MB each",
        accept_multiple_files=True,
        key=f"add_files_{st.session_state.get('add_turn', 0)}",
    )
    domain, language, licence, form = st.columns(4)
    typed_select(
        domain,
        "Domain",
        corpus.domains(),
        "add_domain",
        "general, or type one",
        "Domain of documents whose record in a file gives no domain.",
    )
    help = "Detect: the language of each text is detected, or “not known” if it is not clear."
    select_field(language, "Language", {"auto": "Detect", **name_languages()}, "add_language", help=help)
    typed_select(
        licence, "Licence", licences(), "add_licence", "unknown, or type one", "A release needs a licence for each document."
    )
    help = "JSON lines: text is required; title, domain, language, origin, licence and published are optional."
    select_field(form, "Format", {name: FORMS[name] for name in uploads.forms()}, "add_form", help=help)
    least, most, _ = st.columns([1, 1, 2])
    for place, label, key, side in ((least, "Shortest", "add_least", "shorter"), (most, "Longest", "add_most", "longer")):
        help = f"Documents that are {side} are left out."
        place.number_input(f"{label}, characters", 1, value=None, step=1, key=key, placeholder="any", help=help)
    draw_button("Add", "add_go", _add, files, is_primary=True, requires="change the corpus", disabled=not files)
    if job := show_upload_job("add"):
        _show_result(open_workbench().upkeep.job(job).result or {})


def typed_select(
    place: Any, label: str, options: Sequence[str], key: str, placeholder: str = "choose, or type one", help: str | None = None
) -> str | None:
    """Show a select box that also accepts a typed value, and return the chosen or typed value, or None if the box is empty."""
    chosen: str | None = place.selectbox(
        label, options, index=None, accept_new_options=True, key=key, placeholder=placeholder, help=help
    )
    return chosen


def licences() -> list[str]:
    """Return the licences of the workspace's documents, followed by common licences."""
    return list(dict.fromkeys((*open_workbench().corpus.licences(), *LICENCES)))


def _show_result(result: Mapping[str, Any]) -> None:
    """Show the result of each added file, the remarks about texts of unclear language, and the lines that were refused."""
    columns = {"name": "File", "added": "Added", "already": "Already there", "refused": "Refused"}
    columns |= {"left_out": "Left out"} if result.get("left_out") else {}
    if files := result.get("files", []):
        rows = [{label: file[name] for name, label in columns.items()} for file in files]
        st.dataframe(rows, hide_index=True, column_config={"File": st.column_config.TextColumn(width="large")})
    for sentence in result.get("unclear", [])[:LISTED_REFUSALS]:
        st.markdown(f":orange[:material/translate:] {escape(sentence)}")
    show_refusals(result)


def _add(files: Sequence[Any]) -> None:
    form = {name: st.session_state[f"add_{name}"] for name in ("domain", "form", "licence", "language", "least", "most")}
    length, language = Length(form.pop("least"), form.pop("most")), form.pop("language")
    start_upload(
        "add",
        lambda: open_workbench().uploads.add(
            to_uploads(files), language=None if language == "auto" else language, length=length, **form
        ),
    )
