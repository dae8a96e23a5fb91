"""The question variants that were added, removed or given another status between two releases, each with its word-by-word
changes against the original question."""

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.release.items import describe_origin
from pages.parts.ui import listing
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.release.comparing import ChangedVariants

SAID = {"added": "Added", "removed": "Removed", "reviewed": "With another status"}


def show(changed: ChangedVariants) -> None:
    """Show the added, removed and otherwise changed variants, fifty at a time."""
    every = [(change, id_) for change in SAID for id_ in getattr(changed, change)]
    start = listing.find_page_start(len(every), "compare_page_variants")
    shown = every[start : start + listing.PAGE_ROWS]
    pairs = {pair.variant.id: pair for pair in open_workbench().variants.list_pairs([id_ for _, id_ in shown])}
    for change, id_ in shown:
        pair = pairs[id_]
        with st.container(border=True, gap="small"):
            st.caption(escape(f"{SAID[change]}: {describe_origin(pair.variant)}"))
            word_diff.show(pair.original, pair.variant.text)
