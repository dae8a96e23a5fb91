"""What the person on the review page has to do with the item already, in a line over the desk. Of others it tells nothing but
that all opinions are in."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.say import escape


def show(data: Mapping[str, Any]) -> None:
    """Draw the line; nothing on a draft that is new to them."""
    status, own = data["item"]["status"], data["decision"]
    if own and "words" in own:
        st.caption(f"Your opinion: {_said(own)}. {_waits(own['missing'])}")
    elif data["is_disputed"]:
        _disputed()
    elif own:
        st.caption(f"You {_said(own)} this item. Deciding again is a new decision; the old one stays on record.")
    elif status != "drafted":
        st.caption(f"This item is {status} already. What you decide now counts from now on.")


def _said(own: Mapping[str, Any]) -> str:
    why = f" ({escape(own['reason'])})" if own["reason"] else ""
    return f"{'accepted' if own['decision'] == 'accept' else 'discarded'}{why}"


def _waits(missing: int) -> str:
    if not missing:
        return "All opinions are in, and they differ: somebody decides between them."
    return f"It waits for {missing} more; until {'that one is' if missing == 1 else 'those are'} in you can change it."


def _disputed() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("All opinions on this item are in, and they differ: it waits to be decided between them.", width="content")
        if not explain_refusal("decide between people"):
            st.page_link(
                "pages/annotate/adjudicate.py",
                label="Decide between them",
                icon=":material/balance:",
                query_params={"item": st.query_params["item"]},
                width="content",
            )
