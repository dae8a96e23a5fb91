"""All versions of a guideline, newest first, each with what it changed."""

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.ui.heading import show_empty
from pages.parts.ui.say import escape
from workbench.annotate.desk.guidelines import GuidelineCard, GuidelineVersion


def show(card: GuidelineCard) -> None:
    """Show all versions of the guideline, newest first."""
    if not card.versions:
        show_empty("No version yet", "Write the guideline under Edit: the first save becomes version 1.")
    earlier = {v.version: before for before, v in zip((None, *card.versions), card.versions, strict=False)}
    for version in reversed(card.versions):
        _version(card, version, earlier[version.version])


def _version(card: GuidelineCard, version: GuidelineVersion, before: GuidelineVersion | None) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Version {version.version}**", width="content")
            if card.current == version:
                st.badge("counts", icon=":material/check:", color="green")
            st.caption(escape(f"{version.by}, {version.at[:16].replace('T', ' ')} UTC"), width="content")
            st.space("stretch")
            against = f"Changes against version {before.version}" if before else "Its words"
            is_open = st.toggle(against, key=f"guideline_diff_{card.task}_{version.version}")
        if version.note:
            st.text(version.note)
        if not version.text:
            st.caption("This version removed the guideline.")
        if is_open:
            word_diff.show_changes(before.text if before else version.text, version.text)
