"""The form of a web question. Every change is kept as soon as a box is left."""

from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from core.errors import BenchError
from core.quality import crag
from pages.parts.annotate.crag import labels
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_url import put
from pages.parts.ui.say import caution, plain
from workbench import opened
from workbench.build.drafting.web_questions import WebDraft

TEXTS = ("question", "answer", "alternatives", "answer_url", "query_time")
LABELLED = ("domain", "question_type", "static_or_dynamic")


def show(who: str, draft: WebDraft) -> None:
    """Boxes, labels, what is missing, and the two ways out."""
    key, now = f"web_{draft.id}", draft.content

    def keep() -> None:
        state = st.session_state
        fields = {name: state[f"{key}_{name}"] for name in (*TEXTS, *LABELLED) if state.get(f"{key}_{name}") is not None}
        try:
            opened().web_questions.keep(who, draft.id, fields)
        except BenchError as error:
            state["web_trouble"] = str(error)

    st.text_area("Question", now["question"], key=f"{key}_question", on_change=keep, height=80)
    st.text_area(
        "Answer",
        now["answer"],
        key=f"{key}_answer",
        on_change=keep,
        height=68,
        help="As it is true at the time below. A question that takes something untrue for granted: invalid question.",
    )
    if why := crag.explain_unanswering(now["answer"]):
        caution(f"The answer {why}.")
    st.text_area("Also right, one a line", now["alternatives"], key=f"{key}_alternatives", on_change=keep, height=68)
    st.text_input("Where the answer stands (URL)", now["answer_url"], key=f"{key}_answer_url", on_change=keep)
    left, right = st.columns([1.6, 1], vertical_alignment="bottom")
    left.text_input(
        "Asked at, Pacific time",
        now["query_time"],
        key=f"{key}_query_time",
        on_change=keep,
        placeholder="02/28/2024, 08:35:24 PT",
    )
    right.button("Now", key=f"{key}_now", icon=":material/schedule:", on_click=_now, args=(who, draft.id, key))
    labels.show(now, key, LABELLED, keep)
    lacks = opened().web_questions.list_missing(now)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Hand in",
            type="primary",
            icon=":material/send:",
            key=f"{key}_hand_in",
            on_click=_hand_in,
            args=(who, draft.id),
            **kept("write questions", disabled=bool(lacks)),
        )
        st.button(
            "Throw away", icon=":material/delete:", key=f"{key}_drop", type="tertiary", on_click=_drop, args=(who, draft.id)
        )
    missing = f"Before it is handed in: {'; '.join(lacks)}." if lacks else ""
    st.caption(plain(f"Kept at {draft.saved_at[11:19]} UTC. {missing}"))


def _now(who: str, id_: str, key: str) -> None:
    text = crag.format_query_time(datetime.now(ZoneInfo(crag.ZONE)))
    opened().web_questions.keep(who, id_, {"query_time": text})
    st.session_state[f"{key}_query_time"] = text


def _hand_in(who: str, id_: str) -> None:
    try:
        item = opened().web_questions.hand_in(who, id_)
    except BenchError as error:
        st.session_state["web_trouble"] = str(error)
        return
    put(draft=None)
    where = "waits in Annotate > Two phases for two people's opinions on its labels"
    st.session_state["web_said"] = f"Handed in: “{item.question}” {where}."


def _drop(who: str, id_: str) -> None:
    opened().web_questions.drop(who, id_)
    put(draft=None)
