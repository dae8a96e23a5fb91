"""What systems may search of a release, and how much of the sources that are left out stands there all the same."""

from typing import Any

import streamlit as st

from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench

MAX_SOURCES = 200
"""Sources listed, the most leaked first."""


def show(name: str, documents: int) -> None:
    """Draw it; counted once per content."""
    left_out, gold_included = open_workbench().release_browser.left_out(name)
    if gold_included:
        show_warning(
            "The sources that answers were taken from are in the retrieval corpus: retrieval can be measured, and a system "
            "that finds a source can copy its answer."
        )
    if not left_out:
        st.caption(f"Systems search all {documents:,} documents.")
        return
    st.caption(
        f"Systems search {documents - left_out:,} of the {documents:,} documents. The other {left_out:,} are sources "
        "that answers were taken from, or their near copies: they stand in the release for audit alone."
    )
    with st.spinner("Looking for the sources in the corpus ..."):
        found = open_workbench().release_browser.leakage(name)
    figures = [("Mean share in the corpus", "–" if found["mean"] is None else f"{found['mean']:.1%}")]
    figures += [(f"At least {float(least):.0%} of it", f"{n:,}") for least, n in found["at_least"].items()]
    figures += [("With an exact copy", f"{found['with_exact']:,}"), ("With a near copy", f"{found['with_near']:,}")]
    for column, (label, value) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(label, value)
    st.caption(
        f"Share of a source's {found['window']}-character windows that stand verbatim in some document; a near copy "
        f"holds {found['near']:.0%} of them by itself."
    )
    rows = [make_row(leak, found["titles"]) for leak in found["leaks"][:MAX_SOURCES]]
    st.dataframe(
        rows,
        hide_index=True,
        height="content" if len(rows) < 12 else 420,
        placeholder="–",
        column_config={
            "Share": st.column_config.NumberColumn("Share", width=80, format="percent"),
            "Source": st.column_config.TextColumn("Source", width=340),
            "Copies": st.column_config.TextColumn("Copies", width=520),
        },
        key="release_leaks",
    )
    if len(found["leaks"]) > MAX_SOURCES:
        st.caption(escape(f"The {MAX_SOURCES} most leaked; `cli.py leakage {name} --json` gives all {len(found['leaks']):,}."))


def make_row(leak: dict[str, Any], titles: dict[str, str]) -> dict[str, Any]:
    """One source as a line of the table."""
    copies = [f"{titles.get(name, name)} (the same text)" for name in leak["exact"]]
    copies += [f"{titles.get(near['document'], near['document'])} ({near['share']:.0%})" for near in leak["near"]]
    return {"Share": leak["share"], "Source": titles.get(leak["source"], leak["source"]), "Copies": ", ".join(copies)}
