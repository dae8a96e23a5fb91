"""The grammar checker LanguageTool: a server at an address, a server that this app starts, or none; with a button that
downloads missing files of LanguageTool, and a test of the checker."""

import streamlit as st

from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.say import escape, show_error, show_success, show_warning
from pages.parts.ui.waiting import ask_anew, find_turn, when_ready
from workbench import open_workbench
from workbench.setup.grammar_checker import DOWNLOAD_MB, HERE, JAVA, MEMORY_MB, NONE, TRIED_QUESTION, CheckerCard

ADDRESS = "address"
WAYS = {ADDRESS: "A server at an address", HERE: "Start one here", NONE: "None"}
MAY = "change agents"
_DOWNLOAD, _TEST = "checker_download", "checker_test"


def show() -> None:
    """Show the choice of the grammar checker, and a test of the chosen checker."""
    card = open_workbench().grammar_checker.load_card()
    show_feedback("checker")
    with st.container(border=True, gap="small"):
        st.caption(
            "LanguageTool checks whether a question whose grammar was broken on purpose (page Vary) contains an error. "
            "It finds half of the real errors in English and almost none in Chinese, so that a question marked "
            '"unverified" may still contain one.'
        )
        way = _choose_way(card)
        if way == ADDRESS:
            _draw_address(card)
        elif way == HERE:
            _draw_local()
        else:
            st.caption("Variants with grammar errors are still made; without a checker each of them is marked as unverified.")
        if card.server != NONE and way == _way_of(card):
            _draw_test(card)


def _way_of(card: CheckerCard) -> str:
    return card.server if card.server in (HERE, NONE) else ADDRESS


def _choose_way(card: CheckerCard) -> str:
    """Show the choice between a server at an address, a local server and no checker, and return the choice; a server at an
    address takes effect only when its address is stored."""
    st.session_state.setdefault("checker_way", _way_of(card))
    refusal = open_workbench().people.explain_refusal(MAY)
    st.radio(
        "Grammar checker",
        list(WAYS),
        key="checker_way",
        format_func=WAYS.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        on_change=_take_way,
        disabled=bool(refusal),
        help=refusal,
    )
    way: str = st.session_state["checker_way"]
    return way


def _draw_address(card: CheckerCard) -> None:
    address = card.server if _way_of(card) == ADDRESS else ""
    st.session_state.setdefault("checker_address", address)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        help = "Questions are sent to this server."
        st.text_input("Address", key="checker_address", placeholder="http://127.0.0.1:8081", width=340, help=help)
        typed = st.session_state["checker_address"].strip().rstrip("/")
        draw_button("Set", "checker_set", _set_address, requires=MAY, disabled=not typed or typed == address)


def _draw_local() -> None:
    turn = find_turn(f"{_DOWNLOAD}_turn")
    is_downloaded = bool(turn) and when_ready(
        lambda: open_workbench().grammar_checker.download(turn), f"Downloading LanguageTool, some {DOWNLOAD_MB} MB"
    )
    card = open_workbench().grammar_checker.load_card()
    if is_downloaded:
        show_success("LanguageTool is downloaded.")
    if card.missing:
        st.caption(escape(card.missing))
        help = f"Downloads some {DOWNLOAD_MB} MB into {card.folder}; LanguageTool runs on Java {JAVA} or later."
        label = f"Download LanguageTool (some {DOWNLOAD_MB} MB)"
        draw_button(label, _DOWNLOAD, ask_anew, f"{_DOWNLOAD}_turn", requires=MAY, icon="download", help=escape(help))
    else:
        state = "It runs." if card.is_running else "LanguageTool starts when it is first needed."
        st.caption(
            escape(f"Files: {card.folder}. {state} LanguageTool takes some {MEMORY_MB} MB of memory and ends with the app.")
        )


def _draw_test(card: CheckerCard) -> None:
    help = f'Checks the question "{TRIED_QUESTION}". The first check may take a minute.'
    draw_button("Test", "checker_try", ask_anew, f"{_TEST}_turn", requires=MAY, icon="network_check", help=help)
    turn = find_turn(f"{_TEST}_turn", card.server)
    if not turn:
        return
    test = when_ready(lambda: open_workbench().grammar_checker.test(turn), "Checking; the first check may take a minute")
    if test is None:
        return
    if test.why:
        show_error(test.why)
    elif not test.rules:
        show_warning(
            f"LanguageTool {test.version or ''} answered in {test.seconds:.1f} s and found no error in: {TRIED_QUESTION}"
        )
    else:
        show_success(f"LanguageTool {test.version or ''} answered in {test.seconds:.1f} s and found {', '.join(test.rules)}.")


def _take_way() -> None:
    """Store the choice of a local server or of no checker at once; a server at an address takes effect only when its address is
    stored."""
    way = st.session_state["checker_way"]
    if way != ADDRESS:
        st.session_state.pop("checker_address", None)
        with keep_errors("checker"):
            open_workbench().grammar_checker.choose(way)


def _set_address() -> None:
    with keep_errors("checker"):
        open_workbench().grammar_checker.choose(st.session_state["checker_address"])
