"""The result of drafting: the new item on the review desk, or the reason why there is no draft."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.nouns import Item, Verdict
from pages.components.review import desk
from pages.parts.build.draft.live import select_texts
from pages.parts.ui.presses import mark_answered
from pages.parts.ui.say import escape, show_error, show_note, show_success, show_warning
from workbench import open_workbench
from workbench.build.trials.one_draft import DraftState

ENDED = {"cancelled": "Stopped before the draft was done.", "paused": "Paused before the draft was done."}
ICONS = {
    "refuse": ":red[:material/block:]",
    "flag": ":orange[:material/flag:]",
    "not run": ":gray[:material/do_not_disturb_on:]",
    "pass": ":green[:material/check:]",
}
"""Dict from a gate's outcome to its icon, in the order in which verdicts are listed."""


def show_result(draft: DraftState, person: str) -> bool:
    """Show the result of drafting; return True if the person asks for another source passage."""
    if draft.item and draft.state == "drafted":
        return _show_desk(draft.item, person)
    if draft.item:
        _show_refused(draft, draft.item)
    elif draft.state == "none":
        show_note("The agent found nothing worth asking here." + (f" It says: {draft.none}" if draft.none else ""))
    else:
        show_error(draft.message or ENDED.get(draft.state, "There is no draft."))
        if raw := draft.text or "".join(select_texts(draft.parts)[-1:]):
            st.caption("This is the text received before the drafting stopped. No draft was saved.")
            st.code(raw, language=None, wrap_lines=True)
    return False


def _show_desk(item: Item, person: str) -> bool:
    if item.status == "accepted":
        show_success(f"Saved, revision {item.revision}.")
    elif item.status == "discarded":
        show_note("The draft is discarded. The reason is stored with the draft.")
    open_workbench().reviews.holds.hold(item.id, person)
    data = open_workbench().reviews.desk(item.id, person)
    pressed = desk.show(replace(data, next_label="Another context"), key="draft_desk")
    if pressed:
        mark_answered(pressed, item.id)
    if pressed and pressed.to != "next":
        st.rerun()
    return pressed is not None


def _show_refused(draft: DraftState, item: Item) -> None:
    show_warning("A gate refused this draft. The draft is stored with this reason and does not enter the review queue.")
    words = {"Question": item.question, "Answer": "\n".join(item.answers), "Evidence": "\n".join(draft.evidence)}
    with st.container(border=True, gap="small"):
        _show_verdicts(draft.verdicts)
        for label, text in words.items():
            st.caption(label)
            st.text(text or "–")


def _show_verdicts(verdicts: Sequence[Verdict]) -> None:
    """Show the verdicts of the gates: first each gate that the draft did not pass, one per line, then all passed gates in one
    line."""
    passed = []
    for verdict in sorted(verdicts, key=lambda verdict: list(ICONS).index(verdict.outcome)):
        name = verdict.gate.replace("_", " ")
        if verdict.gate == "rag_check":  # the page shows the RAG check elsewhere, and this check never refuses a draft
            continue
        if verdict.outcome == "pass":
            passed.append(name)
        else:
            st.markdown(f"{ICONS[verdict.outcome]} {escape(name.capitalize())}: {escape(verdict.why)}")
    if passed:
        st.markdown(f"{ICONS['pass']} Passed: {escape(', '.join(passed))}")
