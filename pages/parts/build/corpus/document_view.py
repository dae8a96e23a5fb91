"""The view in which a person reads one document: its metadata, its text in sections, and the items drafted from it."""

import streamlit as st

from core.errors import BenchError
from pages.components.page_view import page_view
from pages.parts.build.corpus import removal_box
from pages.parts.ui import in_url, plain_text
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import link, write_address
from pages.parts.ui.say import count_things, escape
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.build.corpus.corpus import DocumentRow

STRETCH_CHARACTERS = 20_000
"""Number of characters of the text that are shown at a time, so that a text of five million characters opens quickly."""


def show(document: str) -> None:
    """Show the document's metadata, text and items."""
    link("All documents", ":material/arrow_back:", "document_back")
    try:
        row = open_workbench().corpus.heading(document)
    except BenchError:
        st.header("No such document", anchor=False)
        show_empty(
            "No such document", "The link to this document belongs to another workspace, or a part of the link is missing."
        )
        return
    st.header(escape(row.title), anchor=False)
    text, side = st.columns([5, 3], gap="large")
    with side:
        _draw_facts(row)
        removal_box.show(document, row.removed_at is not None)
        _draw_items(document)
    with text:
        pages = open_workbench().page_view
        view: str | None = "Text"
        if pages.select_paged([document]):
            view = st.segmented_control("View", ("Text", "Pages"), default="Text", label_visibility="collapsed")
        if view == "Pages":
            page_view.show(document, pages.evidence_in(document), f"pages_{document}")
        else:
            _draw_text(document, row.characters)


def _draw_text(document: str, characters: int) -> None:
    pages = -(-characters // STRETCH_CHARACTERS)
    number = min(in_url.read_number("start") // STRETCH_CHARACTERS + 1, pages)  # the URL links to a position in the document
    start = STRETCH_CHARACTERS * (number - 1)
    if pages > 1:
        key = f"stretch_{document}"
        st.session_state[key] = number
        st.pagination(pages, key=key, on_change=lambda: write_address(start=STRETCH_CHARACTERS * (st.session_state[key] - 1)))
        st.caption(f"Characters {start + 1:,} to {min(start + STRETCH_CHARACTERS, characters):,} of {characters:,}")
    plain_text.show(open_workbench().corpus.stretch(document, start, STRETCH_CHARACTERS), f"text_{document}_{number}")


def _draw_facts(row: DocumentRow) -> None:
    facts: dict[str, object] = {
        "Domain": row.domain,
        "Language": row.language,
        "Licence": row.licence or "none",
        "Origin": row.origin,
        "Published": row.published,
        "Characters": f"{row.characters:,}",
        "Tokens, estimated": "not counted" if row.tokens is None else f"{row.tokens:,}",
    }
    meta = [(name, value) for name, value in row.meta.items() if isinstance(value, str | int | float)]
    for name, value in (*facts.items(), *meta):
        if value:
            st.markdown(f":small[:gray[{escape(str(name))}]]  \n{escape(str(value)[:300])}")
    if changes := open_workbench().corpus.changes(row.id):
        with st.expander(count_things(len(changes), "change")):
            for change in changes:
                words = escape(f"{change.field}: {change.old or 'none'} → {change.new or 'none'}")
                who = escape(f"{change.person}, {change.at[:16].replace('T', ' ')}")
                st.markdown(f"{words}  \n:small[:gray[{who}]]")


def _draw_items(document: str) -> None:
    rows = open_workbench().corpus.items_of(document)
    st.markdown(f"**Items on this document**{f' ({len(rows)})' if rows else ''}")
    if not rows:
        st.caption("None yet.")
    for item, question, task, status in rows:
        draw_link(
            "annotate/review",
            escape(question[:90]),
            "rate_review",
            help=escape(f"{question[:500]} ({name_task(task)}, {status})"),
            item=item,
        )
    if len(rows) == 50:
        st.caption("Only the newest 50 items are listed.")
