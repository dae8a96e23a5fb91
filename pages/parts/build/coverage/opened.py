"""One document of the map: its sections, and in each the sentences that are evidence, with the items that use them."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.build.coverage.cells import counted, heads, legend, most_of, share
from pages.parts.evaluate.results import paper_table
from pages.parts.ui import listing
from pages.parts.ui.in_url import put
from pages.parts.ui.say import plain
from workbench.build.corpus.coverage import Map, OpenedDocument, Used

SHOWN = 60
"""Sentences that are listed of one section."""


def show(found: Map, one: OpenedDocument) -> None:
    """Draw it."""
    place = one.row.place
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(plain(place.title or place.id), anchor=False)
        st.space("stretch")
        st.page_link(
            "pages/build/corpus.py",
            label="In the corpus",
            icon=":material/library_books:",
            query_params={"document": place.id},
            width="content",
        )
        st.button("Close", key="coverage_close", icon=":material/close:", on_click=put, kwargs={"document": None})
    by_place = "It has no headings: fifths of equal length, by position."
    kind = "Its own sections, by headings." if one.is_by_headings else by_place
    st.caption(f"{kind} {place.characters:,} characters, {share(1 - place.used / max(1, place.characters))} of them unused.")
    columns = [column for column in found.columns if column in one.row.counts]
    most = most_of([part.counts for part in one.parts])
    start = listing.page_of(len(one.parts), f"coverage_sections_{place.id}")
    shown = one.parts[start : start + listing.PAGE]
    rows = [
        {
            "cells": [
                {"text": part.section.title or _nth(n, one.is_by_headings), "clamp": True},
                {"text": f"{part.section.start:,} to {part.section.end:,}", "whole": True},
                {"text": share(part.unused)},
                *counted(part.counts, columns, most),
            ]
        }
        for n, part in enumerate(shown, start + 1)
    ]
    paper_table.show(
        [{"label": "Section", "align": "left"}, {"label": "Characters"}, {"label": "Unused"}, *heads(columns)],
        rows,
        f"coverage_opened_{place.id}",
        legend=legend(most) if columns else None,
    )
    if not any(part.sentences for part in one.parts):
        st.caption("No sentence of it is evidence.")
    for n, part in enumerate(shown, start + 1):
        if part.sentences:
            name = part.section.title or _nth(n, one.is_by_headings)
            with st.expander(plain(f"{name} ({len(part.sentences)})"), key=f"coverage_part_{place.id}_{n}"):
                _sentences(part.sentences[:SHOWN])
                if len(part.sentences) > SHOWN:
                    st.caption(f"The first {SHOWN} of {len(part.sentences):,} sentences.")


def _sentences(used: Sequence[Used]) -> None:
    for sentence in used:
        with st.container(border=True, gap="small"):
            st.text(sentence.text)
            for item in sentence.items:
                st.page_link(
                    "pages/annotate/review.py",
                    icon=":material/rate_review:",
                    query_params={"item": item.item},
                    label=plain(f"{item.question[:200]} ({item.task.replace('_', ' ')}, {item.status})"),
                )


def _nth(n: int, is_by_headings: bool) -> str:
    return "Before the first heading" if is_by_headings else f"Fifth {n}"
