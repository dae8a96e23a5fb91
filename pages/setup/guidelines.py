"""Guidelines for annotators, shown beside an item: one guideline for all tasks, and one guideline per task. Each edit makes a
new version, and each decision records the version that was current when the decision was made."""

import streamlit as st

from core.errors import BenchError
from pages.components.editor import editor
from pages.parts.setup.guideline import history as guideline_history
from pages.parts.setup.guideline import older as guideline_older
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error, show_note, show_success
from workbench import open_workbench
from workbench.annotate.desk.guidelines import EVERY_TASK, GuidelineCard, GuidelineLine, name_task

VIEWS = ("Read", "Edit", "History")


def choose(task: str) -> None:
    if task == EVERY_TASK:
        st.query_params.pop("task", None)
    else:
        st.query_params["task"] = task


def edit(card: GuidelineCard) -> None:
    """Show the editor of the guideline; after a click on Save, store the new version or show the error."""
    if why := explain_refusal("write guidelines"):
        show_note(why)
        return
    said = st.container()
    ask_here("Give your name: it is stored with the version.", "version")
    path = str(open_workbench().database.path or "memory")
    pressed = editor.show(
        "guideline", card.task or "*", card.text, path, bool(get_person()), label="The guideline", is_prose=True
    )
    st.caption(
        "Write Markdown: headings, lists, bold, links. Picture files are scaled to at most 1,000 pixels in width and "
        "stored in the text: none is loaded from the web, and HTML is shown as text. Save an empty box to remove the "
        "guideline."
    )
    if pressed is None:
        return
    try:
        open_workbench().guidelines.save(card.task, pressed.text, by=get_person(), note=pressed.note)
    except BenchError as error:
        with said:
            show_error(str(error))
    else:
        st.session_state["guideline_saved"] = card.task
        st.rerun()


def label(line: GuidelineLine) -> str:
    """Return the text of the button for a guideline."""
    return escape(name_task(line.task)) + (f" · v{line.version}" if line.version else "")


show_heading(
    "Guidelines",
    "What annotators read beside an item: the text for all tasks, then the text for the item's task. All texts share one "
    "sequence of version numbers, and each decision is stored with the newest number at that time.",
)
lines = open_workbench().guidelines.list_lines()
chosen = st.query_params.get("task", EVERY_TASK)
chosen = chosen if chosen in {line.task for line in lines} else EVERY_TASK
side, main = st.columns([1, 4], gap="large")
with side, st.container(gap=None):
    for line in lines:
        draw_button(
            label(line),
            f"guideline_choose_{line.task}",
            choose,
            line.task,
            type="secondary" if line.task == chosen else "tertiary",
        )
with main:
    card = open_workbench().guidelines.card(chosen)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(escape(name_task(chosen)), anchor=False, width="content")
        st.badge(
            f"version {card.current.version}" if card.current else "nothing written",
            color="blue" if card.current else "gray",
        )
    if st.session_state.pop("guideline_saved", None) == chosen and card.current:
        show_success(f"Version {card.current.version} is saved and applies from now on.")
    guideline_older.show(card)
    view = st.segmented_control(
        "View", VIEWS, default="Read", required=True, key="view", label_visibility="collapsed", bind="query-params"
    )
    if view == "Edit":
        edit(card)
    elif view == "History":
        guideline_history.show(card)
    elif card.text:
        st.html(card.html)  # safe HTML from core/text/markdown.py, without HTML of the text
    else:
        show_empty("No guideline yet", "Write the guideline under Edit: it then appears beside every item of this kind.")
