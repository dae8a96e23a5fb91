"""Who sits at the screen: a name, asked once and kept in the browser. No sign-in: names on a trusted network."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from workbench import actor, open_workbench

COOKIE = "benchwright_person"

_KEEP = st.components.v2.component(
    "benchwright_person",
    html="<span hidden></span>",
    js="""
export default function ({ data }) {
  document.cookie = `benchwright_person=${encodeURIComponent(data.name)}; path=/; max-age=31536000; samesite=strict`
}
""",
)


def get_person() -> str:
    """The name that was given in this browser, as it is written in the workspace; "" when there is none yet."""
    given = str(st.session_state.get("person_name") or read_cookie()).strip()
    return open_workbench().people.spell_name(given) if given else ""


def _at_screen() -> str | None:
    """The same for the thread that draws a page or answers its widgets; None in any other."""
    return None if get_script_run_ctx(suppress_warning=True) is None else get_person()


actor.read_from_screen(_at_screen)


def ask_for_person() -> str:
    """The box for the name, in the sidebar; returns what `person` returns."""
    if "person_name" not in st.session_state:
        st.session_state["person_name"] = read_cookie()
    st.text_input(
        "Your name",
        key="person_name",
        placeholder="kept in this browser",
        max_chars=80,
        help="Stands beside your decisions. There is no sign-in: use it on a trusted network.",
    )
    _KEEP(data={"name": get_person()}, key="person_keep", height=1)
    return get_person()


def ask_here(why: str, place: str = "here") -> None:
    """The same box in the page itself, where a name is needed first; nothing while there is one. `place` tells apart boxes that
    can stand on one page."""
    if get_person():
        return
    key = f"person_name_{place}"
    with st.container(border=True):
        st.text_input("Your name", key=key, placeholder="kept in this browser", max_chars=80, on_change=_keep_name, args=(key,))
        st.caption(why)


def _keep_name(key: str) -> None:
    st.session_state["person_name"] = st.session_state[key]


def read_cookie() -> str:
    """The name that the browser remembers."""
    from urllib.parse import unquote

    return unquote(st.context.cookies.get(COOKIE, ""))
