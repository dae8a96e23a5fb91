"""The list of a web question's pages, in order of search rank, with the length of each page's text; a person can move, remove
or add pages."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.parts.ui import plain_text
from pages.parts.ui.feedback import keep_errors, show_errors
from workbench import open_workbench
from workbench.build.drafting.web_questions import WebDraft

FEEDBACK = "web"
ENDINGS = ("html", "htm", "txt", "md")
PAGE_FIELDS = ("page_url", "page_name", "page_snippet", "page_last_modified")


def show(who: str, draft: WebDraft) -> None:
    """Show the list of the draft's web pages, and a form that adds a page."""
    pages, key = draft.content["pages"], f"web_{draft.id}"
    st.subheader(f"Pages ({len(pages)})", anchor=False)
    for place, page in enumerate(pages):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.text(f"{place + 1}. {page['title']}")
                only = "only its snippet, because the page shows no text" if page["why"] else ""
                size = " · ".join(filter(None, [f"{page['characters']:,} characters", only, page.get("note", "")]))
                plain_text.show_caption(f"{size}\n{page['page_url'] or 'no URL'}", f"{key}_about_{place}")
            for name, icon, order in _list_moves(place, len(pages)):
                st.button(
                    "",
                    icon=icon,
                    key=f"{key}_{name}_{place}",
                    help=name,
                    type="tertiary",
                    disabled=order is None,
                    on_click=_arrange,
                    args=(who, draft.id, order or []),
                )
    if not pages:
        st.caption("No pages yet: add the pages that a search found, the best first.")
    with st.form(f"{key}_page", clear_on_submit=True, border=True):
        st.text_input("URL", key=f"{key}_page_url")
        left, right = st.columns(2)
        left.text_input("Title (empty: the page's own title)", key=f"{key}_page_name")
        right.text_input(
            "Last modified (as the page's server reports it)",
            key=f"{key}_page_last_modified",
            placeholder="Tue, 27 Feb 2024 22:55:55 GMT",
        )
        st.text_area("Snippet shown by the search engine", key=f"{key}_page_snippet", height=68)
        st.text_area("HTML or text of the page, pasted here", key=f"{key}_page_html", height=100)
        files = st.file_uploader("Or files", type=ENDINGS, accept_multiple_files=True, key=f"{key}_page_files")
        if st.form_submit_button("Add the page", icon=":material/add:"):
            _add(who, draft.id, key, files)


def _list_moves(place: int, n: int) -> list[tuple[str, str, list[int] | None]]:
    """Return a tuple (name, icon, new order) for each of three actions: move the page at index `place` up, move it down, remove
    it. The new order is a list of page indices, or None if the action is impossible."""
    rest = [other for other in range(n) if other != place]
    up, down = rest[:], rest[:]
    up.insert(place - 1, place)
    down.insert(place + 1, place)
    return [
        ("Up", ":material/arrow_upward:", up if place else None),
        ("Down", ":material/arrow_downward:", down if place < n - 1 else None),
        ("Remove", ":material/close:", rest),
    ]


def _arrange(who: str, id_: str, order: list[int]) -> None:
    with keep_errors(FEEDBACK):
        open_workbench().web_questions.arrange(who, id_, order)


def _add(who: str, id_: str, key: str, files: Sequence[Any]) -> None:
    state = st.session_state
    about = {name: state[f"{key}_{name}"] for name in PAGE_FIELDS}
    pasted = state[f"{key}_page_html"]
    pages = [(file.getvalue(), about) for file in files]
    if pasted.strip() or about["page_snippet"].strip() or not pages:
        pages.insert(0, (pasted, about))
    with show_errors():
        for page, fields in pages:
            open_workbench().web_questions.add_page(who, id_, page, fields)
        st.rerun()
