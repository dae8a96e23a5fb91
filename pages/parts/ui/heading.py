"""The heading of a page, and the placeholder for missing content."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal


def show_heading(title: str, about: str = "") -> None:
    """The page's name, and in one line what is done on it."""
    st.header(title, anchor=False)
    if about:
        st.caption(about)


def show_empty(headline: str, do: str, page: str | None = None, label: str = "", permission: str = "") -> None:
    """An empty page says what is missing, and leads to where that is mended: `page` is a page's path, `label` its link, which
    only those see who may do the `act` there."""
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{headline}**", width="content")
        st.caption(do, width="content")
        if page and not (permission and explain_refusal(permission)):
            st.page_link(page, label=label, icon=":material/arrow_forward:", width="content")
