"""How many decisions were made before the current version of a guideline, and a link to the first item with such a decision."""

import streamlit as st

from pages.parts.ui.buttons import draw_link
from workbench.annotate.desk.guidelines import GuidelineCard, name_task


def show(card: GuidelineCard) -> None:
    """Show how many decisions were made under earlier versions of the guideline; show nothing if there are none."""
    if not card.older:
        return
    with st.container(border=True, gap="xsmall"):
        total = sum(row.items for row in card.older)
        st.markdown(
            "**1 decision was made under an earlier version**"
            if total == 1
            else f"**{total:,} decisions were made under an earlier version**"
        )
        for row in card.older:
            with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                without = f", {row.without:,} of them before there was any guideline" if row.without else ""
                st.text(f"{name_task(row.task)}: {row.items:,}{without}", width="content")
                draw_link("annotate/review", "Review the first", "rate_review", item=row.first)
        st.caption("These decisions count until somebody decides again; a new decision records the new version.")
