"""The person at the screen: the person who signed in or, if sign-in is off, a name that the page asks for once and the browser
keeps."""

import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import NotAllowed
from pages.parts.base_path import find_base
from pages.parts.ui.say import escape
from workbench import actor, open_workbench
from workbench.setup.sign_in_session import ENDED, SESSION_HEADER, SignInSession, decode_session, remember_tab
from workbench.setup.sign_in_settings import find_front_page, is_sign_in_on

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
    """Return the name of the signed-in person or, if sign-in is off, the name typed in this browser, in the spelling that the
    workspace uses; "" if there is no name. Raises NotAllowed if the session has ended."""
    if is_sign_in_on():
        return get_session().person
    name = str(st.session_state.get("person_name") or read_cookie()).strip()
    return open_workbench().people.spell_name(name) if name else ""


def get_session() -> SignInSession:
    """Return the sign-in session of this tab, which the sign-in middleware writes into the headers of the tab's websocket.
    Raises NotAllowed if the session has ended."""
    text = st.context.headers.get(SESSION_HEADER, "")
    if not text:  # the browser has disconnected while the script runs
        text = str(st.session_state.get("sign_in_session", ""))
    session = decode_session(text) if text else None
    if session is None or session.has_ended(time.time(), open_workbench().accounts.find_not_before(session.person)):
        raise NotAllowed(ENDED)
    return session


def _at_screen() -> str | None:
    """Return the name of the person at the screen in a thread that shows a page or handles its widgets, or None in any other
    thread."""
    return None if get_script_run_ctx(suppress_warning=True) is None else get_person()


actor.read_from_screen(_at_screen)


def ask_for_person() -> str:
    """Show the box for the person's name in the sidebar, or the name of the signed-in person; return what `get_person`
    returns."""
    if is_sign_in_on():
        return _show_signed_in()
    if "person_name" not in st.session_state:
        st.session_state["person_name"] = read_cookie()
    st.text_input(
        "Your name",
        key="person_name",
        placeholder="kept in this browser",
        max_chars=80,
        help="Your name is stored with your decisions. There is no sign-in: use Benchwright on a trusted network.",
    )
    _KEEP(data={"name": get_person()}, key="person_keep", height=1)
    return get_person()


def _show_signed_in() -> str:
    """Show the name of the signed-in person, the link that signs out, and the link to the server's other workspaces."""
    session, context = get_session(), get_script_run_ctx()
    st.session_state["sign_in_session"] = st.context.headers.get(SESSION_HEADER) or st.session_state.get("sign_in_session")
    if context is not None:
        remember_tab(context.session_id, session.person)
    st.markdown(f"Signed in as **{escape(session.name)}**")
    links = {"Workspaces": find_front_page(find_base()), "Sign out": f"{find_base()}/bench/sign-out"}
    st.html(" · ".join(f'<a href="{path}" style="color: inherit">{label}</a>' for label, path in links.items() if path))
    return session.person


def ask_here(why: str, place: str = "here") -> None:
    """Show the box for the person's name within the page, unless the person has given a name. `place` distinguishes several
    such boxes on one page."""
    if get_person():
        return
    key = f"person_name_{place}"
    with st.container(border=True):
        st.text_input("Your name", key=key, placeholder="kept in this browser", max_chars=80, on_change=_keep_name, args=(key,))
        st.caption(why)


def _keep_name(key: str) -> None:
    st.session_state["person_name"] = st.session_state[key]


def read_cookie() -> str:
    """Return the person's name that this browser stores in a cookie, or ""."""
    from urllib.parse import unquote

    return unquote(st.context.cookies.get(COOKIE, ""))
