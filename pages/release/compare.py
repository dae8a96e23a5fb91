"""Compare: the items that differ between two releases, with what changed in each item."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.annotate.review.keys_help import stop
from pages.parts.release import changed_variants
from pages.parts.ui import listing
from pages.parts.ui.grid import level_name
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench

show_heading("Compare", "The items that were added, removed or changed from one release to another.")
bench = open_workbench()
names = [release.name for release in reversed(bench.release_browser.list_releases())]
if len(names) < 2:
    show_empty(
        "Two releases are needed",
        f"There {'is one release' if names else 'is none'} so far; freeze another release.",
        "pages/release/freeze.py",
        "Go to Freeze",
    )
    stop()

for key, place in (("a", -2), ("b", -1)):
    if f"compare_{key}" not in st.session_state:
        asked = st.query_params.get(key)
        st.session_state[f"compare_{key}"] = asked if asked in names else names[place]
with st.container(horizontal=True, vertical_alignment="bottom"):
    a = st.selectbox("From", names, key="compare_a", width=280)
    b = st.selectbox("To", names, key="compare_b", width=280)
st.query_params["a"], st.query_params["b"] = a, b

try:
    with st.spinner("Comparing ..."):
        diff = bench.releases.diff(a, b)
except BenchError as error:
    show_error(str(error))
    stop()
if diff.a.hash == diff.b.hash:
    show_empty("The same content", "Both releases have the same hash.")
    stop()

kinds = ("added", "removed", "edited", "relabelled")
for column, kind in zip(st.columns(5), kinds, strict=False):
    column.metric(kind.capitalize(), len(getattr(diff, kind)))
documents, variants = diff.documents, diff.variants
st.caption(
    f"Documents: {len(documents.added)} added, {len(documents.removed)} removed. Variants: {len(variants.added)} added, "
    f"{len(variants.removed)} removed, {len(variants.reviewed)} with another status."
    + (f" Items with other nuggets: {len(diff.nuggets)}." if diff.nuggets else "")
    + (f" Items with another absence twin: {len(diff.twins)}." if diff.twins else "")
    + (f" Items with another twin in another language: {len(diff.language_pairs)}." if diff.language_pairs else "")
    + (f" {b} is an erratum of {a}: contests were accepted on {len(diff.contests)} items." if diff.contests else "")
)
has_changed_variants = bool(variants.added or variants.removed or variants.reviewed)
ways = [*(kind for kind in kinds if getattr(diff, kind)), *(["variants"] if has_changed_variants else [])]
chosen = st.segmented_control(
    "Show",
    ways,
    key="compare_kind",
    format_func=str.capitalize,
    default=next((k for k in ("edited", *ways) if k in ways), None),
    required=True,
)
if chosen is None:
    stop()
kind = chosen
if kind == "variants":
    changed_variants.show(variants)
    stop()
total = len(getattr(diff, kind))
start = listing.find_page_start(total, f"compare_page_{kind}")
shown = getattr(diff, kind)[start : start + listing.PAGE_ROWS]
if kind == "edited":
    for change in shown:
        with st.container(border=True):
            contested = f" · contest {', '.join(diff.contests[change.id])}" if change.id in diff.contests else ""
            revisions = " to ".join(map(str, dict.fromkeys(change.revisions)))
            st.caption(escape(f"{change.id} · revision {revisions}{contested}"))
            word_diff.show(*change.question)
            word_diff.show(*("\n".join(answers) for answers in change.answers))
            if change.evidence_changed:
                st.caption("The evidence changed too.")
elif kind == "relabelled":
    st.dataframe(
        [
            {
                "Item": c.id,
                "Split": " to ".join(dict.fromkeys(c.split)),
                "Domain": " to ".join(dict.fromkeys(c.domain)),
                "Level": " to ".join(dict.fromkeys(map(level_name, c.level))),
            }
            for c in shown
        ],
        hide_index=True,
        height="content",
    )
else:
    side = b if kind == "added" else a
    items = [bench.release_browser.item(side, id_).item for id_ in shown]
    st.dataframe(
        [
            {
                "Item": i.id,
                "Level": level_name(i.level),
                "Domain": i.domain,
                "Question": i.question,
                "Answer": i.answers[0] if i.answers else None,
            }
            for i in items
        ],
        hide_index=True,
        height="content",
    )
