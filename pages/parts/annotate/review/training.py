"""Lines over the desk: how far a person is in qualification, and how many items are control items; never which ones."""

import streamlit as st

from workbench.annotate.reviewing.reviews import ReviewStage


def describe_qualification(reviews: ReviewStage, item: str | None, who: str) -> str:
    """How far this person is in qualification, when the item on the desk belongs to it; else ""."""
    if item is None or not who or not reviews.is_in_qualification(item, who):
        return ""
    standing = reviews.qualification.load_state(who)
    number = f", round {standing.round}" if standing.round > 1 else ""
    return f"Qualification{number}: {standing.done} of {standing.n} done, {standing.passing} right needed to pass"


def show_rate(reviews: ReviewStage, who: str) -> None:
    """Draw the share of control items; nothing where there are none."""
    every = reviews.control_sampling.rule().every
    if every and who:
        st.caption(f"One item in {every:,} is a control item with a known answer. See your results under Progress, My week.")
