"""The heading of a page, and the placeholder for missing content."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal


def show_heading(title: str, about: str = "") -> None:
    """Draw the page's name, and the page's purpose in one line."""
    st.header(title, anchor=False)
    if about:
        st.caption(about)


def show_empty(headline: str, do: str, page: str | None = None, label: str = "", permission: str = "") -> None:
    """Draw a sentence on what an empty page lacks, and a link to the page where a person can add it: `page` is a page's path,
    `label` the text of the link, which only people with the `permission` see."""
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{headline}**", width="content")
        st.caption(do, width="content")
        if page and not (permission and explain_refusal(permission)):
            st.page_link(page, label=label, icon=":material/arrow_forward:", width="content")
