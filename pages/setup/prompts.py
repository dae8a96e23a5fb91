"""Prompts: the texts that are sent to agents. A person can read a prompt, see the prompt filled with the data of an item, save
an edited prompt as a new version, or go back to an earlier version."""

from itertools import groupby

import streamlit as st

from core.errors import BenchError
from pages.components.editor import editor
from pages.parts.setup.prompt import about as prompt_about
from pages.parts.setup.prompt import history as prompt_history
from pages.parts.setup.prompt import preview as prompt_preview
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error, show_note, show_success, show_warning
from workbench import open_workbench
from workbench.setup.prompts import PromptCard

SKILLS = {
    "draft": "Drafting",
    "answer": "Answering",
    "extract": "Extracting",
    "judge": "Judging",
    "rewrite": "Rewriting",
    "workflow": "Working in steps",
}
VIEWS = ("Read", "Preview", "Edit", "History")


def choose(name: str) -> None:
    st.query_params["prompt"] = name


def edit(card: PromptCard, language: str) -> None:
    """Show the editor of the prompt; after a click on its buttons, save the new version, or show the result of checking the
    text."""
    if why := explain_refusal("edit prompts"):
        show_note(why)
        return
    name, said = card.file.name, st.container()
    ask_here("Give your name: it is stored with the version.", "version")
    path = str(open_workbench().database.path or "memory")
    pressed = editor.show("prompt", name, card.text, path, bool(get_person()), label="The prompt file", can_check=True)
    st.caption(
        "A name after a dollar sign is a placeholder; write two dollar signs for a literal one. Leave the names under "
        "“inputs” and “reply” unchanged. A new version is used at once; a planned job keeps its version."
    )
    if pressed is None:
        return
    try:
        if pressed.what == "save":
            open_workbench().prompts.save(name, pressed.text, by=get_person(), note=pressed.note)
            st.session_state["prompt_saved"] = name
            st.rerun()
        checked = open_workbench().prompts.check(name, pressed.text)
    except BenchError as error:
        with said:
            show_error(str(error))
    else:
        with said:
            show_success("The prompt is valid. Nothing is saved yet. The filled prompt is below the box.")
        prompt_preview.show(checked, language)


show_heading("Prompts", "The prompts that agents receive. Each edit is a new version; calls and items record their version.")
lines = open_workbench().prompts.list_prompts()
order = sorted(lines, key=lambda line: (list(SKILLS).index(line.skill), line.name))
names = [line.name for line in order]
chosen = st.query_params.get("prompt", names[0])
chosen = chosen if chosen in names else names[0]
side, main = st.columns([1, 4], gap="large")
with side, st.container(gap=None):
    for skill, group in groupby(order, lambda line: line.skill):
        st.caption(SKILLS[skill])
        for line in group:
            label = line.name.partition("/")[2].replace("_", " ").capitalize() + (f" · v{line.version}" if line.version else "")
            draw_button(
                label, f"prompt_choose_{line.name}", choose, line.name, type="secondary" if line.name == chosen else "tertiary"
            )
with main:
    card = open_workbench().prompts.card(chosen)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(chosen, anchor=False, width="content")
        st.badge(
            f"version {card.current.number} is in use" if card.current else "delivered words",
            color="blue" if card.current else "gray",
        )
    st.text(card.file.purpose)
    if st.session_state.pop("prompt_saved", "") == chosen:
        show_success(
            f"Version {card.current.number} is saved and in use."
            if card.current
            else "This is the text that comes with Benchwright."
        )
    if card.trouble:
        show_warning(f"The current version cannot be used: {card.trouble} Choose another version under History.")
    with st.container(horizontal=True, vertical_alignment="center"):
        view = st.segmented_control(
            "View", VIEWS, default="Read", required=True, key="view", label_visibility="collapsed", bind="query-params"
        )
        language = st.segmented_control(
            "Language",
            list(card.file.prompts),
            default="en",
            required=True,
            key="language",
            label_visibility="collapsed",
            bind="query-params",
        )
    if view == "Read":
        prompt_about.show(card, str(language))
    elif view == "Preview":
        prompt_preview.show(card.file, str(language))
    elif view == "Edit":
        edit(card, str(language))
    else:
        prompt_history.show(card)
