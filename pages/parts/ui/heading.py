"""The heading of a page, and the box that an empty page shows."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal


def show_heading(title: str, about: str = "") -> None:
    """Show the title of the page and, in one line, what the page is for."""
    st.header(title, anchor=False)
    if about:
        st.caption(about)


def show_empty(headline: str, do: str, page: str | None = None, label: str = "", permission: str = "") -> None:
    """Show the box of an empty page: what is missing, what to do about it and, for a person with the `permission`, a link to
    the page `page` on which the person can do that, with the text `label`."""
    with st.container(border=True, horizontal_alignment="center", gap="small"):
        st.markdown(f"**{headline}**", width="content")
        st.caption(do, width="content")
        if page and not (permission and explain_refusal(permission)):
            st.page_link(page, label=label, icon=":material/arrow_forward:", width="content")
