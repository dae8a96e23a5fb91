"""One document on the coverage map: its sections, and in each section the sentences that serve as evidence, with the items that
use them."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.build.coverage.cells import count_cells, count_columns, find_highest, legend, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import listing
from pages.parts.ui.buttons import draw_button, draw_link
from pages.parts.ui.grid import columns
from pages.parts.ui.in_url import write_address
from pages.parts.ui.say import escape
from workbench.annotate.desk.guidelines import name_task
from workbench.build.corpus.coverage import CoverageMap, EvidenceSentence, OpenedDocument

MAX_SENTENCES = 60
"""Maximum number of sentences listed for one section."""


def show(coverage: CoverageMap, document: OpenedDocument) -> None:
    """Show the document with its sections, and the sentences that items use as evidence."""
    use = document.row.use
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escape(use.title or use.id), anchor=False)
        st.space("stretch")
        draw_link("build/corpus", "In the corpus", "library_books", document=use.id)
        draw_button("Close", "coverage_close", lambda: write_address(document=None), icon="close")
    kind = (
        "Sections of the document, by its headings."
        if document.is_by_headings
        else "The document has no headings, so it is divided into five parts of equal length."
    )
    st.caption(f"{kind} {use.characters:,} characters, {share(document.row.unused)} of them unused.")
    kinds = [column for column in coverage.columns if column in document.row.counts]
    most = find_highest([part.counts for part in document.parts])
    start = listing.find_page_start(len(document.parts), f"coverage_sections_{use.id}")
    unnamed = "Before the first heading" if document.is_by_headings else "Fifth {n}"
    shown = [
        (part.section.title or unnamed.format(n=n), part)
        for n, part in enumerate(document.parts[start : start + listing.PAGE_ROWS], start + 1)
    ]
    rows = [
        {
            "cells": [
                {"text": name, "clamp": True},
                {"text": f"{part.section.start:,} to {part.section.end:,}", "whole": True},
                {"text": share(part.unused)},
                *count_cells(part.counts, kinds, most),
            ]
        }
        for name, part in shown
    ]
    paper_table.show(
        [*columns("Section", align="left"), *columns("Characters", "Unused"), *count_columns(kinds)],
        rows,
        f"coverage_opened_{use.id}",
        legend=legend(most) if kinds else None,
    )
    if not any(part.sentences for part in document.parts):
        st.caption("No sentence of this section is evidence.")
    for n, (name, part) in enumerate(shown, start + 1):
        if part.sentences:
            with st.expander(escape(f"{name} ({len(part.sentences)})"), key=f"coverage_part_{use.id}_{n}"):
                _draw_sentences(part.sentences[:MAX_SENTENCES])
                if len(part.sentences) > MAX_SENTENCES:
                    st.caption(f"Only the first {MAX_SENTENCES} of {len(part.sentences):,} sentences are listed.")


def _draw_sentences(sentences: Sequence[EvidenceSentence]) -> None:
    for sentence in sentences:
        with st.container(border=True, gap="small"):
            st.text(sentence.text)
            for item in sentence.items:
                draw_link(
                    "annotate/review",
                    escape(f"{item.question[:200]} ({name_task(item.task)}, {item.status})"),
                    "rate_review",
                    item=item.item,
                )
