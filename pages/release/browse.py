"""Releases: their items, statistics, and files to download."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review.keys_help import stop
from pages.parts.release import export as release_export
from pages.parts.release import half_life as release_half_life
from pages.parts.release import items as release_items
from pages.parts.release import leakage as release_leakage
from pages.parts.release import shortcuts as release_shortcuts
from pages.parts.release import statistics as release_statistics
from pages.parts.release import tiny as release_tiny
from pages.parts.ui.allowed import find_guest_release
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.say import count_things, show_error, show_success
from workbench import open_workbench

show_heading(
    "Releases", "Frozen lists of items, each in one revision. The content of a release never changes, and its hash proves this."
)
bench = open_workbench()
own = find_guest_release()
headers = bench.release_browser.list_releases() if own is None else [bench.release_browser.find_header(own)]
if not headers:
    show_empty("No release yet", "Freeze the accepted items under a name first.", "pages/release/freeze.py", "Go to Freeze")
    stop()

names = [release.name for release in headers]
if "release" not in st.session_state and st.query_params.get("release") in names:
    st.session_state["release"] = st.query_params["release"]
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = st.selectbox("Release", names, key="release", width=320)
    check = st.button("Verify", icon=":material/verified:", help="Check that the workspace still matches the manifest exactly")
st.query_params["release"] = name
header = headers[names.index(name)]
held = " · ".join(
    (count_things(header.items, "item"), count_things(header.variants, "variant"), count_things(header.documents, "document"))
)
st.caption(f"{held} · frozen {header.created[:16].replace('T', ' ')} UTC")
st.code(header.hash, language=None, width="content")
if tables := bench.release_browser.tables(name):
    st.text(
        "Runs use the tables as they were at the freeze: "
        + ", ".join(f"{table.name} ({table.rows:,} rows)" for table in tables)
    )
if check:
    try:
        with st.spinner("Verifying ..."):
            verified = bench.releases.verify(name)
        if verified.ok:
            show_success("All items, documents and tables, and the manifest, have the same hashes as at the freeze.")
        for problem in verified.problems[:20]:
            show_error(f"{problem.file} {problem.id or ''}: {problem.message}")
    except BenchError as error:
        show_error(str(error))

is_tiny = own is None and bench.tiny.is_tiny(name)
labels = ["Items", "Statistics", "Retrieval corpus", "Shortcuts", "Export"]
labels += ["Half-life"] * (own is None) + ["Wrong decisions"] * is_tiny
items, statistics, corpus, shortcuts, files, *more = st.tabs(labels, key="release_tab", on_change="rerun")
if items.open:
    with items:
        release_items.show(name)
if statistics.open:
    with statistics:
        release_statistics.show(name)
if corpus.open:
    with corpus:
        release_leakage.show(name, header.documents)
if shortcuts.open:
    with shortcuts:
        release_shortcuts.show(name)
if files.open:
    with files:
        release_export.show(name)
for tab, show in zip(more, (release_half_life.show, release_tiny.show_tables_of), strict=False):
    if tab.open:
        with tab:
            show(name)
