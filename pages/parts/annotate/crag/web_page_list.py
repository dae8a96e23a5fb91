"""The pages of a web question: by rank, with what each became, to be moved or taken away; and the box by which they come in."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.ui import plain_text
from pages.parts.ui.say import show_warning
from workbench import open_workbench
from workbench.build.drafting.web_questions import WebDraft

ENDINGS = ("html", "htm", "txt", "md")


def show(who: str, draft: WebDraft) -> None:
    """Both."""
    pages, key = draft.content["pages"], f"web_{draft.id}"
    st.subheader(f"Pages ({len(pages)})", anchor=False)
    for place, page in enumerate(pages):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None):
                st.text(f"{place + 1}. {page['title']}")
                only = "its snippet alone: the page shows nothing" if page["why"] else ""
                size = " · ".join(filter(None, [f"{page['characters']:,} characters", only, page.get("note", "")]))
                plain_text.show_caption(f"{size}\n{page['page_url'] or 'no URL'}", f"{key}_about_{place}")
            for name, icon, order in _moves(place, len(pages)):
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
        st.caption("None yet: the pages that a search found, the best first.")
    with st.form(f"{key}_page", clear_on_submit=True, border=True):
        st.text_input("URL", key=f"{key}_page_url")
        left, right = st.columns(2)
        left.text_input("Title, else the page's own", key=f"{key}_page_name")
        right.text_input(
            "Last modified, as the server said", key=f"{key}_page_last_modified", placeholder="Tue, 27 Feb 2024 22:55:55 GMT"
        )
        st.text_area("Snippet of the search", key=f"{key}_page_snippet", height=68)
        st.text_area("HTML or text, pasted", key=f"{key}_page_html", height=100)
        files = st.file_uploader("Or files", type=ENDINGS, accept_multiple_files=True, key=f"{key}_page_files")
        if st.form_submit_button("Add the page", icon=":material/add:"):
            _add(who, draft.id, key, files)


def _moves(place: int, n: int) -> list[tuple[str, str, list[int] | None]]:
    """(what it does, its sign, the order that it makes)."""
    rest = [other for other in range(n) if other != place]
    up, down = rest[:], rest[:]
    up.insert(place - 1, place)
    down.insert(place + 1, place)
    return [
        ("Up", ":material/arrow_upward:", up if place else None),
        ("Down", ":material/arrow_downward:", down if place < n - 1 else None),
        ("Take away", ":material/close:", rest),
    ]


def _arrange(who: str, id_: str, order: list[int]) -> None:
    try:
        open_workbench().web_questions.arrange(who, id_, order)
    except BenchError as error:
        st.session_state["web_trouble"] = str(error)


def _add(who: str, id_: str, key: str, files: Sequence[Any]) -> None:
    stage, state = open_workbench().web_questions, st.session_state
    about = {name: state[f"{key}_{name}"] for name in ("page_url", "page_name", "page_snippet", "page_last_modified")}
    pasted = state[f"{key}_page_html"]
    given = [(file.getvalue(), about if about["page_name"] else about | {"page_name": ""}) for file in files]
    if pasted.strip() or about["page_snippet"].strip() or not given:
        given.insert(0, (pasted, about))
    try:
        for page, told in given:
            stage.add_page(who, id_, page, told)
    except BenchError as error:
        show_warning(str(error))
        return
    st.rerun()
