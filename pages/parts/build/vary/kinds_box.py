"""The kinds to choose from, with what each does and whether it asks an agent; and the address of the verifier of grammar."""

from collections.abc import Mapping

import streamlit as st

from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_url import put, words
from pages.parts.ui.say import plain
from workbench import opened
from workbench.build.varying.varying import KindCard

GROUPS = {
    "Noise": ("spelling", "keyboard", "ocr"),
    "Grammar": ("grammar",),
    "Style": ("formality", "readability"),
    "Sentence type": ("declarative", "imperative"),
}
LANGUAGES = {"en": "English", "zh": "Chinese"}


def show(cards: Mapping[str, KindCard]) -> tuple[str, ...]:
    """Draw the kinds; returns those that are ticked."""
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, "Other": tuple(name for name in cards if name not in grouped)}
    chosen = [name for name in words("kind") if name in cards] or ([] if "kinds" in st.query_params else ["spelling"])
    with st.container(border=True, gap="small"):
        groups = {group: names for group, names in groups.items() if names}
        for column, (group, names) in zip(st.columns(len(groups)), groups.items(), strict=True):
            column.markdown(f"**{group}**")
            for name in names:
                card = cards[name]
                st.session_state[f"vary_kind_{name}"] = name in chosen
                missing = (f"Not for {LANGUAGES.get(language, language)}." for language in card.missing)
                about = " ".join((card.about, "Asks an agent." if card.asks else "Free.", *missing))
                with column.container(gap=None):
                    st.checkbox(card.label, key=f"vary_kind_{name}", on_change=_tick, args=(tuple(cards),))
                    st.caption(plain(about))
    return tuple(name for name in cards if name in chosen)


def show_verifier() -> None:
    """Draw the address of the LanguageTool server that errors of grammar are checked by."""
    show_feedback("vary_server")
    server = opened().vary.server()
    if "vary_server" not in st.session_state:
        st.session_state["vary_server"] = server
    with st.container(horizontal=True, vertical_alignment="bottom"):
        help = "Errors of grammar are checked there: questions are sent to it."
        st.text_input("LanguageTool server", key="vary_server", placeholder="http://127.0.0.1:8081", width=340, help=help)
        may, is_set = "set the rules of the work", st.session_state["vary_server"].strip() == server
        draw_button("Set", "vary_server_set", _set_server, requires=may, disabled=is_set)
    if not server:
        st.caption("Without a server, or a local LanguageTool, errors of grammar are made and say unverified.")


def _tick(names: tuple[str, ...]) -> None:
    ticked = [name for name in names if st.session_state[f"vary_kind_{name}"]]
    put(kind=ticked, kinds=None if ticked else "none")


def _set_server() -> None:
    with keep_errors("vary_server"):
        opened().vary.set_server(st.session_state["vary_server"])
