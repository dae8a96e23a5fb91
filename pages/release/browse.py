"""Releases: what each holds, its statistics, and the files that are carried away."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.review.keys_help import stop
from pages.parts.release import export as release_export
from pages.parts.release import items as release_items
from pages.parts.release import leakage as release_leakage
from pages.parts.release import statistics as release_statistics
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.say import count_things, show_error, show_success
from workbench import open_workbench

show_heading("Releases", "Frozen lists of item revisions. Their content never changes; their hash says so.")
bench = open_workbench()
found = bench.release_browser.list_releases()
if not found:
    show_empty("No release yet", "Freeze what is accepted under a name first.", "pages/release/freeze.py", "Go to Freeze")
    stop()

names = [release.name for release in found]
if "release" not in st.session_state and st.query_params.get("release") in names:
    st.session_state["release"] = st.query_params["release"]
with st.container(horizontal=True, vertical_alignment="bottom"):
    name = st.selectbox("Release", names, key="release", width=320)
    check = st.button("Verify", icon=":material/verified:", help="Holds the workspace still exactly what the manifest names?")
st.query_params["release"] = name
one = found[names.index(name)]
held = " · ".join(
    (count_things(one.items, "item"), count_things(one.variants, "variant"), count_things(one.documents, "document"))
)
st.caption(f"{held} · frozen {one.created[:16].replace('T', ' ')} UTC")
st.code(one.hash, language=None, width="content")
if tables := bench.release_browser.tables(name):
    st.text("Runs ask the tables as they were frozen: " + ", ".join(f"{table.name} ({table.rows:,} rows)" for table in tables))
if check:
    try:
        with st.spinner("Verifying ..."):
            verified = bench.releases.verify(name)
        if verified.ok:
            show_success("Every item, document, table and the manifest have the hashes they had when they were frozen.")
        for problem in verified.problems[:20]:
            show_error(f"{problem.file} {problem.id or ''}: {problem.message}")
    except BenchError as error:
        show_error(str(error))

items, statistics, corpus, files = st.tabs(
    ["Items", "Statistics", "Retrieval corpus", "Export"], key="release_tab", on_change="rerun"
)
if items.open:
    with items:
        release_items.show(name)
if statistics.open:
    with statistics:
        release_statistics.show(name)
if corpus.open:
    with corpus:
        release_leakage.show(name, one.documents)
if files.open:
    with files:
        release_export.show(name)
