"""Shows how much text of the excluded source documents still occurs in the documents of a release that systems search."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.installation import COMMAND
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench

MAX_SOURCES = 200
"""Maximum number of source documents that are listed, those with the largest share first."""


def show(name: str, documents: int) -> None:
    """Show how much text of the excluded source documents occurs in the searched documents; this is computed once per release
    content."""
    left_out, gold_included = open_workbench().release_browser.left_out(name)
    if gold_included:
        show_warning(
            "The retrieval corpus contains the source documents of the answers: retrieval can be measured, but a system "
            "that finds a source can copy its answer."
        )
    if not left_out:
        st.caption(f"Systems search all {documents:,} documents.")
        return
    st.caption(
        f"Systems search {documents - left_out:,} of the {documents:,} documents. The other {left_out:,} documents are "
        "sources of answers, or near copies of such sources: they are in the release for audit only."
    )
    with st.spinner("Looking for the sources in the corpus ..."):
        leakage = open_workbench().release_browser.leakage(name)
    report = leakage.report
    figures = [("Mean share in the corpus", "–" if report["mean"] is None else f"{report['mean']:.1%}")]
    figures += [(f"At least {float(least):.0%} of it", f"{n:,}") for least, n in report["at_least"].items()]
    figures += [("With an exact copy", f"{report['with_exact']:,}"), ("With a near copy", f"{report['with_near']:,}")]
    for column, (label, value) in zip(st.columns(len(figures)), figures, strict=True):
        column.metric(label, value)
    st.caption(
        f"Share of a source's {report['window']}-character windows that occur verbatim in the documents; a near copy contains "
        f"at least {report['near']:.0%} of them."
    )
    rows = [make_row(leak, leakage.titles) for leak in report["leaks"][:MAX_SOURCES]]
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
    if len(report["leaks"]) > MAX_SOURCES:
        st.caption(
            escape(
                f"Only the {MAX_SOURCES} most leaked sources are listed; `{COMMAND} leakage {name} --json` lists all "
                f"{len(report['leaks']):,}."
            )
        )


def make_row(leak: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    """Return the table row of one source document."""
    copies = [f"{titles.get(name, name)} (the same text)" for name in leak["exact"]]
    copies += [f"{titles.get(near['document'], near['document'])} ({near['share']:.0%})" for near in leak["near"]]
    return {"Share": leak["share"], "Source": titles.get(leak["source"], leak["source"]), "Copies": ", ".join(copies)}
