"""A draft while it is made: the agent's words as they come. The drafting is a job; this only watches, so a reload or a closed
tab changes nothing."""

from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.job_card import duration
from pages.parts.ui.say import plain, trouble
from workbench import opened

WORDS = {
    "draft": "The agent drafts",
    "extract": "It picks out what the draft needs",
    "judge": "RAG check: the answer is judged",
    "answer": "RAG check: an answer from five passages",
}
"""Skill of a prompt -> what is being done."""


def draft_live(job: str) -> None:
    """Watch the job; the page is drawn again when it is over. One that no process has in hand goes on."""
    runner = jobs.start(opened())
    if not runner.is_at_work(job) and opened().one_draft.look(job)["state"] == "working":
        runner.submit(job)
    draw_in_place(_watch, every=0.4)(job)


def _watch(job: str) -> None:
    seen = opened().one_draft.look(job)
    if seen["state"] != "working":
        st.rerun()
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/hourglass_top: {_doing(seen)}", width="content")
            st.space("stretch")
            st.caption(f"{plain(seen['agent'])} · {duration(seen['seconds'] or 0)}", width="content")
            st.button(
                "Stop",
                key=f"draft_stop_{job}",
                icon=":material/stop:",
                on_click=_stop,
                args=(job,),
                help="What was answered by then stays in the ledger; nothing half-made is saved.",
            )
        for text in texts(seen["parts"]):
            st.code(text or " ", language=None, wrap_lines=True)
    if sentence := st.session_state.pop("draft_stop_trouble", ""):
        trouble(sentence)


def texts(parts: list[dict[str, Any]]) -> list[str]:
    """What is worth seeing: the draft, and the answer that is coming now when it is another."""
    drafts = [part for part in parts if part["skill"] == "draft"]
    shown = drafts[-1:] + ([parts[-1]] if parts and parts[-1]["skill"] != "draft" else [])
    return [part["text"] for part in shown]


def _doing(seen: dict[str, Any]) -> str:
    if not seen["parts"]:
        return "Waiting for the agent's first words"
    return WORDS.get(seen["parts"][-1]["skill"], "The agent answers")


def _stop(job: str) -> None:
    try:
        jobs.start(opened()).cancel(job)
    except BenchError as error:  # it was over before the press arrived
        st.session_state["draft_stop_trouble"] = str(error)
