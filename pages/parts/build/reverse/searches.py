"""The searches for other documents with which one item was made: each query with the documents found, in the provider's order,
and for each document whether it was kept or dropped, why, and its scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.ui.say import escape

HIT_FIELDS = {
    "Kept": "kept",
    "Score": "score",
    "In source": "containment",
    "Cosine": "cosine",
    "Document": "title",
    "Why": "why",
}
"""Dict from column of the table to the field of a search result."""
COLUMNS = {
    "Kept": st.column_config.CheckboxColumn(width=55),
    "Score": st.column_config.NumberColumn(
        width=70, format="%.2f", help="The search provider's own score; some providers return ranks only."
    ),
    "In source": st.column_config.NumberColumn(
        width=85, format="percent", help="Share of the found document's 5-grams that occur in the source document"
    ),
    "Cosine": st.column_config.NumberColumn(
        width=70, format="%.3f", help="Cosine similarity to the source document, by the embedding model"
    ),
    "Document": st.column_config.TextColumn(width=260),
    "Why": st.column_config.TextColumn(width=380),
}


def show(searches: Sequence[Mapping[str, Any]], key: str) -> None:
    """Show the searches, each below its query; the first one is expanded."""
    for number, step in enumerate(searches):
        hits = step.get("hits") or []
        kept = sum(bool(hit["kept"]) for hit in hits)
        label = escape(f"{kept} kept, {len(hits) - kept} dropped: {step['query'][:90]}")
        with st.expander(label, expanded=number == 0, key=f"{key}_{number}"):
            st.text(step["query"])
            st.caption(escape(describe_limits(step)))
            if not hits:
                st.caption("This search found nothing.")
                continue
            rows = [{column: hit[field] for column, field in HIT_FIELDS.items()} for hit in hits]
            key_of_table = f"{key}_hits_{number}"
            st.dataframe(rows, key=key_of_table, hide_index=True, column_config=COLUMNS, height="content", placeholder="–")


def describe_limits(step: Mapping[str, Any]) -> str:
    """Return a line that names the search provider, and the similarity to the source document from which a found document is
    dropped."""
    limit = step.get("limits") or {}
    cosine = limit.get("cosine")
    by_model = f"or a cosine above {cosine:.3f} by {limit['model']}" if cosine is not None else f"no cosine: {limit.get('why')}"
    return (
        f"Search provider {step['provider']}. A found document is dropped if the source document contains "
        f"{limit.get('containment', 0):.0%} of its 5-grams; {by_model}."
    )
