"""The form in which a person writes a web question. Every change is stored as soon as the person leaves a box."""

from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import streamlit as st

from core.quality import crag
from pages.parts.annotate.crag import labels
from pages.parts.ui.allowed import guard
from pages.parts.ui.feedback import keep_errors, keep_success
from pages.parts.ui.in_url import write_address
from pages.parts.ui.say import escape, show_warning
from workbench import open_workbench
from workbench.build.drafting.web_questions import WebDraft

FEEDBACK = "web"
TEXTS = ("question", "answer", "alternatives", "answer_url", "query_time")
LABELS = ("domain", "question_type", "static_or_dynamic")


def show(who: str, draft: WebDraft) -> None:
    """Show the boxes and labels of the draft, a list of what is still missing, and the buttons that submit or discard the
    question."""
    key, content = f"web_{draft.id}", draft.content
    keep = partial(_keep, who, draft.id, key)
    st.text_area("Question", content["question"], key=f"{key}_question", on_change=keep, height=80)
    about = (
        "The answer that is true at the time given below. If the question assumes something untrue, write: invalid question."
    )
    st.text_area("Answer", content["answer"], key=f"{key}_answer", on_change=keep, height=68, help=about)
    if why := crag.explain_unanswering(content["answer"]):
        show_warning(f"The answer {why}.")
    st.text_area(
        "Other right answers, one per line", content["alternatives"], key=f"{key}_alternatives", on_change=keep, height=68
    )
    st.text_input("Page with the answer (URL)", content["answer_url"], key=f"{key}_answer_url", on_change=keep)
    left, right = st.columns([1.6, 1], vertical_alignment="bottom")
    left.text_input(
        "Time of the question (Pacific time)",
        content["query_time"],
        key=f"{key}_query_time",
        on_change=keep,
        placeholder="02/28/2024, 08:35:24 PT",
    )
    args = (who, draft.id, key)
    right.button("Now", key=f"{key}_now", icon=":material/schedule:", on_click=_set_current_time, args=args)
    labels.show(content, key, LABELS, keep)
    missing = open_workbench().web_questions.list_missing(content)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Hand in",
            type="primary",
            icon=":material/send:",
            key=f"{key}_hand_in",
            on_click=_hand_in,
            args=(who, draft.id),
            **guard("write questions", disabled=bool(missing)),
        )
        icon = ":material/delete:"
        st.button("Throw away", icon=icon, key=f"{key}_drop", type="tertiary", on_click=_drop, args=(who, draft.id))
    sentence = f"Still missing before you can submit the question: {'; '.join(missing)}." if missing else ""
    st.caption(escape(f"Saved at {draft.saved_at[11:19]} UTC. {sentence}"))


def _keep(who: str, id_: str, key: str) -> None:
    state = st.session_state
    fields = {name: state[f"{key}_{name}"] for name in (*TEXTS, *LABELS) if state.get(f"{key}_{name}") is not None}
    with keep_errors(FEEDBACK):
        open_workbench().web_questions.keep(who, id_, fields)


def _set_current_time(who: str, id_: str, key: str) -> None:
    text = crag.format_query_time(datetime.now(ZoneInfo(crag.ZONE)))
    open_workbench().web_questions.keep(who, id_, {"query_time": text})
    st.session_state[f"{key}_query_time"] = text


def _hand_in(who: str, id_: str) -> None:
    with keep_errors(FEEDBACK):
        item = open_workbench().web_questions.hand_in(who, id_)
        write_address(draft=None)
        where = "waits in Annotate > Two phases for two people's opinions on its labels"
        keep_success(FEEDBACK, f"Handed in: “{item.question}” {where}.")


def _drop(who: str, id_: str) -> None:
    open_workbench().web_questions.drop(who, id_)
    write_address(draft=None)
