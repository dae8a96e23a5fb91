"""What was decided otherwise than the person thought, on items that several were wanted on: theirs, what it became, and why."""

from datetime import date, datetime, time, timedelta

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.ui.say import escape
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.outcomes import OverruledOpinion, WordedOpinion

MOST = 30
"""Items drawn."""


def show(name: str, days: int) -> None:
    """Draw those of the last days; nothing where no opinion of theirs came to a decision."""
    first = datetime.combine(date.today() - timedelta(days - 1), time()).astimezone()
    found = until_ready(
        lambda: open_workbench().progress.outcomes(name, first), "Looking what became of your opinions", height=80
    )
    if found is None or not (found.agreed or found.changed):
        return
    st.markdown("**Your opinions beside others'**")
    st.caption(
        f"Of {found.agreed + len(found.changed):,} that were decided in these days {found.agreed:,} came to the same as "
        f"the decision, {len(found.changed):,} did not."
    )
    for one in found.changed[:MOST]:
        _one(one)
    if len(found.changed) > MOST:
        st.caption(f"{len(found.changed) - MOST:,} older ones are not shown.")


def _one(one: OverruledOpinion) -> None:
    with st.container(border=True, gap="small"):
        if one.mine.decision == one.became.decision:
            verb = "accepted in other words" if _words(one.mine) != _words(one.became) else "accepted with other evidence"
            st.caption(f"You {one.mine.decision} it; it was {verb}.")
        else:
            st.caption(f"You {_told(one.mine)} it; it was {_told(one.became)}.")
        became = one.became if one.became.decision == "accepted" else one.mine  # what is discarded has no words to compare with
        word_diff.show(one.mine.question, became.question)
        word_diff.show(one.mine.answer, became.answer)
        if one.is_evidence_other and one.became.decision == "accepted":
            st.caption("The evidence is not the same.")
        if one.why:
            st.text(f"Why: {one.why}")


def _words(said: WordedOpinion) -> tuple[str, str]:
    return said.question, said.answer


def _told(said: WordedOpinion) -> str:
    return f"{said.decision} ({escape(said.reason)})" if said.reason else said.decision
