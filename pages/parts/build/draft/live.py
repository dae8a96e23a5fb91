"""A draft in progress: the agent's text as it arrives. A job does the drafting and this module only shows it, so a reload or a
closed tab does not disturb the draft."""

from collections.abc import Sequence

import streamlit as st

import jobs
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.job_card import format_duration
from pages.parts.ui.say import escape
from workbench import open_workbench
from workbench.build.trials.live_draft import AnswerPart

WORK = {
    "draft": "The agent drafts",
    "extract": "The agent picks out what the draft needs",
    "judge": "RAG check: the answer is judged",
    "answer": "RAG check: an answer from five passages",
}
"""Dict from the prompt's skill to the description of what the agent is doing."""


def watch_draft(job: str) -> None:
    """Show the agent's text as it arrives, and redraw the page when the draft is finished. Start the drafting job if no process
    runs the job."""
    runner = jobs.start(open_workbench())
    if not runner.is_at_work(job) and open_workbench().one_draft.look(job).state == "working":
        runner.submit(job)
    draw_in_place(_draw, every=0.4)(job)


def _draw(job: str) -> None:
    draft = open_workbench().one_draft.look(job)
    if draft.state != "working":
        redraw_page()
    work = "Waiting for the agent's first words"
    if draft.parts:
        work = WORK.get(draft.parts[-1].prompt.skill, "The agent answers")
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/hourglass_top: {work}", width="content")
            st.space("stretch")
            st.caption(f"{escape(draft.agent)} · {format_duration(draft.seconds or 0)}", width="content")
            help = "Finished replies stay in the ledger; an unfinished reply is not saved."
            draw_button("Stop", f"draft_stop_{job}", _stop, job, icon="stop", help=help)
        for text in select_texts(draft.parts):
            st.code(text or " ", language=None, wrap_lines=True)
    show_feedback("draft_stop")


def select_texts(parts: Sequence[AnswerPart]) -> list[str]:
    """Return the texts to show: the latest draft and, if the agent is now writing another text, that text."""
    drafts = [part for part in parts if part.prompt.skill == "draft"]
    last = [parts[-1]] if parts and parts[-1].prompt.skill != "draft" else []
    return [part.text for part in (*drafts[-1:], *last)]


def _stop(job: str) -> None:
    with keep_errors("draft_stop"):  # the draft may be finished before this request arrives
        jobs.start(open_workbench()).cancel(job)
