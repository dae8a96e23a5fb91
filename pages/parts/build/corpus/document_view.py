"""One document to read: what is known about it, its text a stretch at a time, and the items drafted from it."""

import streamlit as st

from core.errors import BenchError
from pages.components.page_view import page_view
from pages.parts.build.corpus import removal_box
from pages.parts.ui import in_url, plain_text
from pages.parts.ui.heading import empty
from pages.parts.ui.in_url import link, put
from pages.parts.ui.say import plain
from workbench import opened

STRETCH = 20_000
"""Characters shown at a time: a text of five million opens as fast as a note."""


def show(document: str) -> None:
    """Draw it."""
    corpus = opened().corpus
    link("All documents", ":material/arrow_back:", "document_back")
    try:
        head = corpus.heading(document)
    except BenchError:
        st.header("No such document", anchor=False)
        empty("No such document", "The link belongs to another workspace, or part of it is missing.")
        return
    st.header(plain(head.title), anchor=False)
    text, side = st.columns([5, 3], gap="large")
    with side:
        _facts(document)
        removal_box.show(document, head.removed_at is not None)
        _items(document)
    with text:
        pages = opened().page_view
        views = ("Text", "Pages") if pages.has([document]) else ("Text",)
        view = st.segmented_control("View", views, default="Text", label_visibility="collapsed") if len(views) > 1 else "Text"
        if view == "Pages":
            page_view.show(document, pages.evidence_in(document), f"pages_{document}")
        else:
            _text(document, head.characters)


def _text(document: str, characters: int) -> None:
    pages = -(-characters // STRETCH)
    number = min(in_url.number("start") // STRETCH + 1, pages)  # a link to a place in it
    if pages > 1:
        key = f"stretch_{document}"
        st.session_state[key] = number
        st.pagination(pages, key=key, on_change=lambda: put(start=STRETCH * (st.session_state[key] - 1)))
    start = STRETCH * (number - 1)
    if pages > 1:
        st.caption(f"Characters {start + 1:,} to {min(start + STRETCH, characters):,} of {characters:,}")
    plain_text.show(opened().corpus.stretch(document, start, STRETCH), f"text_{document}_{number}")


def _facts(document: str) -> None:
    head = opened().corpus.heading(document)
    tokens = "not counted" if head.tokens is None else f"{head.tokens:,}"
    rows: list[tuple[str, object]] = [
        ("Domain", head.domain),
        ("Language", head.language),
        ("Licence", head.licence or "none"),
        ("Origin", head.origin),
        ("Published", head.published),
        ("Characters", f"{head.characters:,}"),
        ("Tokens, estimated", tokens),
    ]
    rows += [(name, value) for name, value in head.meta.items() if isinstance(value, str | int | float)]
    for name, value in rows:
        if value:
            st.markdown(f":small[:gray[{plain(str(name))}]]  \n{plain(str(value)[:300])}")
    changes = opened().corpus.changes(document)
    if changes:
        with st.expander(f"{len(changes)} {'change' if len(changes) == 1 else 'changes'}"):
            for change in changes:
                words = plain(f"{change['field']}: {change['old'] or 'none'} → {change['new'] or 'none'}")
                who = plain(f"{change['person']}, {change['at'][:16].replace('T', ' ')}")
                st.markdown(f"{words}  \n:small[:gray[{who}]]")


def _items(document: str) -> None:
    found = opened().corpus.items_of(document)
    st.markdown(f"**Items on it**{f' ({len(found)})' if found else ''}")
    if not found:
        st.caption("None yet.")
    for item in found:
        whole = plain(f"{item['question'][:500]} ({item['task'].replace('_', ' ')}, {item['status']})")
        st.page_link(
            "pages/annotate/review.py",
            label=plain(item["question"][:90]),
            icon=":material/rate_review:",
            help=whole,
            query_params={"item": item["id"]},
        )
    if len(found) == 50:
        st.caption("The newest 50.")
