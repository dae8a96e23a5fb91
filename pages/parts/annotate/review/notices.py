"""Lines over the desk: what the person has to do with the item already, how far they are in qualification, how many items are
control items (never which), and how many wait to be decided between opinions."""

import streamlit as st

from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.annotate.desk.desk_data import DeskData, OwnDecision
from workbench.annotate.reviewing.reviews import ReviewStage

ADJUDICATE = "pages/annotate/adjudicate.py"


def describe_qualification(reviews: ReviewStage, item: str | None, who: str) -> str:
    """How far this person is in qualification, when the item on the desk belongs to it; else ""."""
    if item is None or not who or not reviews.is_in_qualification(item, who):
        return ""
    state = reviews.qualification.load_state(who)
    number = f", round {state.round}" if state.round > 1 else ""
    return f"Qualification{number}: {state.done} of {state.n} done, {state.passing} right needed to pass"


def show_control_rate(reviews: ReviewStage, who: str) -> None:
    """Draw the share of control items; nothing where there are none."""
    every = reviews.control_sampling.rule().every
    if every and who:
        st.caption(f"One item in {every:,} is a control item with a known answer. See your results under Progress, My week.")


def show_disputed_link(who: str) -> None:
    """Draw the way to the items that wait to be decided between opinions, for a person who may decide there."""
    if not who or explain_refusal("decide between people"):
        return
    if left := open_workbench().adjudication.count_disputed(who).left:
        st.page_link(ADJUDICATE, label=f"{left:,} to decide between", icon=":material/balance:", width="content")


def show_own_decision(data: DeskData) -> None:
    """Draw what this person decided, and that all opinions are in; nothing on a draft that is new to them."""
    status, own = data.item.status, data.decision
    if own and own.words:
        st.caption(f"Your opinion: {_describe(own)}. {_describe_missing(own.missing)}")
    elif data.is_disputed:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("All opinions on this item are in, and they differ: somebody decides between them.", width="content")
            if not explain_refusal("decide between people"):
                here = {"item": st.query_params["item"]}
                st.page_link(
                    ADJUDICATE, label="Decide between them", icon=":material/balance:", query_params=here, width="content"
                )
    elif own:
        st.caption(f"You {_describe(own)} this item. Deciding again is a new decision; the old one stays on record.")
    elif status != "drafted":
        st.caption(f"This item is {status} already. What you decide now counts from now on.")


def _describe(own: OwnDecision) -> str:
    reason = f" ({escape(own.reason)})" if own.reason else ""
    return f"{'accepted' if own.decision == 'accept' else 'discarded'}{reason}"


def _describe_missing(missing: int) -> str:
    if not missing:
        return "All opinions are in, and they differ: somebody decides between them."
    return f"It waits for {missing} more; until {'that one is' if missing == 1 else 'those are'} in you can change it."
