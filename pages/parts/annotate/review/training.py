"""What is told over the desk of practice and of planted items: how far one is, and the rate; never which items are planted."""

import streamlit as st

from workbench.annotate.reviewing.reviews import ReviewStage


def practising(reviews: ReviewStage, item: str | None, who: str) -> str:
    """Where this person stands, when the item on the desk is one to practise on; else ""."""
    if item is None or not who or not reviews.practises(item, who):
        return ""
    standing = reviews.practice.standing(who)
    number = f", round {standing.round}" if standing.round > 1 else ""
    return f"Practice{number}: {standing.done} of {standing.n} done; {standing.passing} right ones are needed"


def rate(reviews: ReviewStage, who: str) -> None:
    """The rate at which items are planted; nothing where none are."""
    every = reviews.mixing.rule().every
    if every and who:
        st.caption(f"One item in {every:,} is planted and has a known answer. How you did on those: Progress, My week.")
