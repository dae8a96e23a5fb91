"""The variants that came or went between two releases, each beside the question that it was made of."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.records import variant_record
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.release.items import describe_origin
from pages.parts.ui import listing
from pages.parts.ui.say import escape
from workbench import open_workbench

SAID = {"added": "Added", "removed": "Removed", "reviewed": "With another status"}


def show(changed: Mapping[str, Sequence[str]]) -> None:
    """Draw them, fifty at a time."""
    every = [(what, id_) for what in SAID for id_ in changed[what]]
    start = listing.find_page_start(len(every), "compare_page_variants")
    shown = every[start : start + listing.PAGE_ROWS]
    pairs = {pair.variant.id: pair for pair in open_workbench().variants.list_pairs([id_ for _, id_ in shown])}
    for what, id_ in shown:
        pair = pairs[id_]
        with st.container(border=True, gap="small"):
            st.caption(escape(f"{SAID[what]}: {describe_origin(variant_record(pair.variant))}"))
            word_diff.show(pair.original, pair.variant.text)
