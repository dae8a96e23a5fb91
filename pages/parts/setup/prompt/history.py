"""All versions of a prompt, newest first, each with its changes. A person can make any version, or the text that comes with
Benchwright, the current one."""

import streamlit as st

from core.errors import BenchError
from pages.parts.annotate.adjudicate import word_diff
from pages.parts.setup.prompt import drafts as prompt_drafts
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_empty
from pages.parts.ui.person import get_person
from pages.parts.ui.say import escape, show_error
from workbench import open_workbench
from workbench.setup.prompts import PromptCard, PromptVersion


def show(card: PromptCard) -> None:
    """Show the versions of the prompt, newest first, and who chose which version."""
    name = card.file.name
    if sentence := st.session_state.pop(f"prompt_trouble_{name}", ""):
        show_error(sentence)
    if not card.versions:
        show_empty(
            "Nobody has edited this prompt yet",
            "Edit the prompt: the first save becomes version 1, and the original text is kept.",
        )
    if name.startswith("draft/"):
        prompt_drafts.show(card)
    calls = open_workbench().prompts.calls(card)
    before = {v.hash: earlier for earlier, v in zip([None, *card.versions], card.versions, strict=False)}
    for version in reversed(card.versions):
        _version(card, version, before[version.hash], calls.get(version.number, 0))
    with st.container(border=True, gap="xsmall"), st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Delivered text**", width="content")
        _show_badge(card.current is None)
        st.caption(_calls(calls.get(None, 0)), width="content")
        st.space("stretch")
        _show_button(card, None)
    if lost := calls.get(0):
        st.caption(f"{lost:,} calls used a text of this prompt that is neither the current text nor a stored version.")
    if card.choices:
        st.markdown("**Who chose which version**")
        numbers = {v.hash: f"version {v.number}" for v in card.versions}
        for choice in reversed(card.choices):
            words = numbers.get(choice.version or "", "the delivered words")
            st.text(f"{choice.at[:16].replace('T', ' ')}  {choice.by}: {words}")


def _version(card: PromptCard, version: PromptVersion, earlier: PromptVersion | None, calls: int) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Version {version.number}**", width="content")
            _show_badge(card.current is not None and card.current.hash == version.hash)
            st.caption(escape(f"{version.by}, {version.at[:16].replace('T', ' ')} UTC · {_calls(calls)}"), width="content")
            st.space("stretch")
            against = f"version {earlier.number}" if earlier else "the delivered words"
            is_open = st.toggle(f"Changes against {against}", key=f"prompt_diff_{card.file.name}_{version.number}")
            _show_button(card, version)
        if version.note:
            st.text(version.note)
        if is_open:
            word_diff.show_changes(earlier.text if earlier else card.delivered, version.text)


def _show_badge(does: bool) -> None:
    if does:
        st.badge("current", icon=":material/check:", color="green")


def _calls(n: int) -> str:
    return f"{n:,} calls" if n != 1 else "1 call"


def _show_button(card: PromptCard, version: PromptVersion | None) -> None:
    """Show the button that makes a version, or the text that comes with Benchwright, the current prompt."""
    stands = card.current is None if version is None else card.current is not None and card.current.hash == version.hash
    number = version.number if version else "delivered"
    draw_button(
        "Use this version" if version else "Back to the delivered text",
        f"prompt_stand_{card.file.name}_{number}",
        _choose_version,
        card.file.name,
        version.hash if version else None,
        requires="edit prompts",
        disabled=stands or not get_person(),
        help=None if get_person() else "Give your name first.",
    )


def _choose_version(name: str, version: str | None) -> None:
    try:
        open_workbench().prompts.choose_version(name, version, by=get_person())
    except BenchError as error:
        st.session_state[f"prompt_trouble_{name}"] = str(error)
