"""The person's opinions that the final decision on an item did not follow: the opinion, the decision, and the reason."""

from datetime import date, datetime, time, timedelta

import streamlit as st

from pages.parts.annotate.adjudicate import word_diff
from pages.parts.ui.say import escape
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.outcomes import OverruledOpinion, WordedOpinion

MAX_DRAWN_ITEMS = 30


def show(name: str, days: int) -> None:
    """Show the person's opinions of the last `days` days that were overruled; show nothing if no item with an opinion of this
    person was decided on in these days."""
    first = datetime.combine(date.today() - timedelta(days - 1), time()).astimezone()
    loading = "Comparing your opinions with the decisions"
    outcomes = until_ready(lambda: open_workbench().progress.sort_outcomes(name, first), loading, height=80)
    if outcomes is None or not (outcomes.agreed or outcomes.changed):
        return
    st.markdown("**Your opinions and the decisions**")
    agreed, changed = outcomes.agreed, len(outcomes.changed)
    same = f"{agreed:,} agreed with the decision, {changed:,} did not"
    st.caption(f"You gave opinions on items that were decided on in these days ({agreed + changed:,}): {same}.")
    for opinion in outcomes.changed[:MAX_DRAWN_ITEMS]:
        _show_opinion(opinion)
    if len(outcomes.changed) > MAX_DRAWN_ITEMS:
        st.caption(f"{len(outcomes.changed) - MAX_DRAWN_ITEMS:,} older opinions are not shown.")


def _show_opinion(opinion: OverruledOpinion) -> None:
    mine, decided = opinion.mine, opinion.became
    with st.container(border=True, gap="small"):
        if mine.decision == decided.decision:
            is_reworded = (mine.question, mine.answer) != (decided.question, decided.answer)
            verb = "accepted in other words" if is_reworded else "accepted with other evidence"
            st.caption(f"You {mine.decision} this item; it was {verb}.")
        else:
            st.caption(f"You {_describe(mine)} this item; it was {_describe(decided)}.")
        shown = decided if decided.decision == "accepted" else mine  # a discarded item has no text to compare with
        word_diff.show(mine.question, shown.question)
        word_diff.show(mine.answer, shown.answer)
        if opinion.is_evidence_other and decided.decision == "accepted":
            st.caption("The evidence differs.")
        if opinion.why:
            st.text(f"Why: {opinion.why}")


def _describe(opinion: WordedOpinion) -> str:
    return f"{opinion.decision} ({escape(opinion.reason)})" if opinion.reason else opinion.decision
