"""The way through the items that are decided between opinions: what comes after a press. The place is in the URL."""

import streamlit as st

from pages.parts.ui.presses import PageRequest
from workbench.annotate.reviewing.adjudication import AdjudicationStage
from workbench.annotate.reviewing.reviews import ItemKind


def step(stage: AdjudicationStage, pressed: PageRequest, person: str, kind: ItemKind) -> None:
    """Go where a press leads: the URL names the next item, or none when nothing else waits."""
    at = st.query_params.get("item", pressed.item)
    if pressed.to == "back":
        go(stage.find_previous(person, at) or at)
    elif pressed.to in ("open", "undone"):
        go(pressed.item)
    else:
        go(stage.find_next(person, at, kind) or stage.find_next(person, kind=kind))


def go(item: str | None) -> None:
    """To that item; None = to the first that waits."""
    if item is not None:
        st.query_params["item"] = item
    else:
        st.query_params.pop("item", None)
