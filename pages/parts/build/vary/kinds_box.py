"""The kinds to choose from, with what each does and whom it asks; and the address of the verifier of grammar."""

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.allowed import kept
from pages.parts.ui.in_url import put, words
from pages.parts.ui.say import plain, trouble
from workbench import opened

GROUPS = {
    "Noise": ("spelling", "keyboard", "ocr"),
    "Grammar": ("grammar",),
    "Style": ("formality", "readability"),
    "Sentence type": ("declarative", "imperative"),
}
LANGUAGES = {"en": "English", "zh": "Chinese"}
TROUBLE = "vary_server_trouble"


def show() -> tuple[str, ...]:
    """Draw them; returns those that are ticked."""
    every = {one["name"]: one for one in opened().vary.choices()}
    groups = {**GROUPS, "Other": tuple(name for name in every if not any(name in names for names in GROUPS.values()))}
    chosen = [name for name in words("kind") if name in every] or ([] if "kinds" in st.query_params else ["spelling"])
    with st.container(border=True, gap="small"):
        groups = {group: names for group, names in groups.items() if names}
        for column, (group, names) in zip(st.columns(len(groups)), groups.items(), strict=True):
            column.markdown(f"**{group}**")
            for name in names:
                one = every[name]
                st.session_state[f"vary_kind_{name}"] = name in chosen
                told = [one["about"], "Asks an agent." if one["asks"] else "Free."]
                told += [f"Not for {LANGUAGES.get(language, language)}." for language in one["missing"]]
                with column.container(gap=None):
                    st.checkbox(one["label"], key=f"vary_kind_{name}", on_change=_ticked, args=(tuple(every),))
                    st.caption(plain(" ".join(told)))
    return tuple(name for name in every if name in chosen)


def verifier() -> None:
    """The LanguageTool server that errors of grammar are looked at by."""
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    stage = opened().vary
    if "vary_server" not in st.session_state:
        st.session_state["vary_server"] = stage.server()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "LanguageTool server",
            key="vary_server",
            placeholder="http://127.0.0.1:8081",
            width=340,
            help="Errors of grammar are looked at there: questions are sent to it.",
        )
        st.button(
            "Set",
            key="vary_server_set",
            on_click=_set,
            **kept("set the rules of the work", st.session_state["vary_server"].strip() == stage.server()),
        )
    if not stage.server():
        st.caption("Without a server, or a local LanguageTool, errors of grammar are made and say unverified.")


def _ticked(names: tuple[str, ...]) -> None:
    ticked = [name for name in names if st.session_state[f"vary_kind_{name}"]]
    put(kind=ticked, kinds=None if ticked else "none")


def _set() -> None:
    try:
        opened().vary.set_server(st.session_state["vary_server"])
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
