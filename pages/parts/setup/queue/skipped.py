"""The skipped items, shown to leads: their number by reason, and a list from which an item can be opened on the review desk."""

from collections import Counter

import streamlit as st

from core.as_json import as_json
from pages.parts.ui import listing
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.say import escape
from workbench.annotate.queue.skips import Skips

COLUMNS = {
    "question": st.column_config.TextColumn("Question", width=420),
    "person": st.column_config.TextColumn("By", width=90),
    "reason": st.column_config.TextColumn("Why", width=300),
    "at": st.column_config.TextColumn("When (UTC)", width=130),
}


def show(skips: Skips) -> None:
    """Show the skipped items; show nothing if there are none."""
    found = skips.list_skipped()
    if not found:
        return
    st.markdown(f"**Skipped ({len(found):,})**")
    counts = Counter(one.reason for one in found).most_common()
    st.caption(
        escape(
            f"{'; '.join(f'{reason}: {n:,}' for reason, n in counts)}. These items still wait; the person who "
            "skipped an item gets it again when nothing else is free."
        )
    )
    rows = [as_json(one) | {"at": one.at[:16].replace("T", " ")} for one in found]
    place = listing.show(rows, "queue_skipped", COLUMNS)
    if place is not None:
        draw_link("annotate/review", "Open on the review desk", "rate_review", item=found[place].item)
