"""The part of the page Draft that drafts one item at a time: sample a document excerpt (window), read the excerpt, have an
agent draft a question, read the draft, then save the draft or generate another one."""

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.draft.choice import DraftChoice, load_address, open_window, show_choice
from pages.parts.build.draft.live import watch_draft
from pages.parts.build.draft.result import show_result
from pages.parts.build.draft.window_view import list_facts, show_window, title_window
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_errors, show_feedback
from pages.parts.ui.job_card import format_duration
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error
from pages.parts.ui.waiting import ask_anew, compute_once, find_turn, wait_until
from workbench import open_workbench
from workbench.background_cache import RunningWork
from workbench.build.drafting.sampling import WindowRequest
from workbench.build.trials.one_draft import DraftChoices, DraftState

_SAMPLING = "draft_asks"
"""Session key of (request, agent, window on the screen, id of the click) during the search for the next window."""


def show_one_draft(choices: DraftChoices) -> None:
    """Show the choices, the buttons, and the current document excerpt (window) or draft."""
    choice = show_choice(choices)
    address = load_address()
    draft = None
    if address["job"]:
        with show_errors():
            draft = open_workbench().one_draft.look(address["job"])
    if choice is None:
        return
    who = get_person()
    _draw_buttons(choice, address["window"], draft, who)
    show_feedback("draft")
    if turn := find_turn(_SAMPLING, choice.request, choice.agent, address["window"]):
        _sample(choice.request, choice.agent, address["window"], turn)
    elif draft:
        _draw_draft(draft, choice, address["window"], who)
    elif address["window"]:
        _draw_window(choice.request, choice.agent, address["window"], is_open=True)
    else:
        st.caption(
            "Sample a context to see the text that a question would be drafted from. Nothing is sent before you press Generate."
        )


def _draw_draft(draft: DraftState, choice: DraftChoice, window: str, who: str) -> None:
    if draft.state == "working":
        watch_draft(draft.job)
    elif draft.item is None or draft.state != "drafted":
        show_result(draft, who)
    _draw_window(draft.request, draft.agent, draft.window, is_open=False)
    if draft.state == "drafted":
        ask_here("Give your name: decisions are stored under it, and you cannot decide without a name.", "desk")
        if show_result(draft, who):
            ask_anew(_SAMPLING)
            st.rerun()


def _draw_buttons(choice: DraftChoice, window: str, draft: DraftState | None, who: str) -> None:
    """Show the buttons for the next steps, which act on the current document excerpt (window) or draft."""
    is_working = draft is not None and draft.state == "working"
    is_next = not window or (draft is not None and draft.item is not None)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        label, key = "Another context" if window else "Sample context", f"draft_sample_{window}"
        draw_button(label, key, ask_anew, _SAMPLING, icon="casino", is_primary=is_next, disabled=is_working)
        if window and draft is None:
            draw_button("Generate", f"draft_generate_{window}", _generate, choice, window, icon="auto_awesome", is_primary=True)
        if draft and not is_working:
            _draw_repeat(draft, who)
            took = f"{draft.agent} took {format_duration(draft.seconds)}" if draft.seconds is not None else ""
            again = f"asked again: {draft.reason}" if draft.reason else ""
            st.caption(escape(" · ".join(filter(None, (took, again)))))


def _sample(request: WindowRequest, agent: str, after: str, turn: str) -> None:
    """Look for a document excerpt (window) that meets the request; the next run of the page shows the excerpt."""
    stage = open_workbench().one_draft

    def ask() -> RunningWork[str]:
        return stage.run_in_background(("sample", turn), lambda: stage.sample(request, agent, after))

    try:
        key = ask().value
    except BenchError as error:
        del st.session_state[_SAMPLING]
        show_error(str(error))
        return
    if key is None:
        wait_until(lambda: ask().is_ready, "Looking for a document excerpt")
        return
    del st.session_state[_SAMPLING]
    open_window(key)
    st.rerun()


def _generate(choice: DraftChoice, window: str) -> None:
    with keep_errors("draft"):
        _start(window, open_workbench().one_draft.plan(choice.request, choice.agent, window, rag_check=choice.rag_check))


def _draw_repeat(draft: DraftState, who: str) -> None:
    """Show the buttons that draft again from the same document excerpt; show no button if the draft is saved."""
    if draft.item is None:
        draw_button("Generate again", f"anew_{draft.job}", _plan_again, draft, icon="refresh", is_primary=True)
    if (draft.item and draft.item.status != "accepted") or draft.state == "none":
        with st.popover("Regenerate", icon=":material/refresh:", key=f"again_{draft.job}", width="content"):
            _draw_reason(draft, who)


def _draw_reason(draft: DraftState, who: str) -> None:
    job = draft.job
    st.caption("The reason is added to the prompt and stored with the discarded draft. The same excerpt is drafted again.")
    reasons = open_workbench().one_draft.choices().reasons
    st.pills("Why another draft?", reasons, key=f"why_{job}", format_func=str.capitalize, disabled=not who)
    st.text_input("Or give a reason in your own words", key=f"words_{job}", max_chars=500, disabled=not who)
    draw_button("Discard and regenerate", f"regenerate_{job}", _regenerate, draft, who, is_primary=True, disabled=not who)
    if not who:
        ask_here("Give your name: it is stored with the discarded draft.", f"again_{job}")


def _regenerate(draft: DraftState, who: str) -> None:
    typed, chosen = st.session_state.get(f"words_{draft.job}"), st.session_state.get(f"why_{draft.job}")
    with keep_errors("draft"):
        _start(draft.window, open_workbench().one_draft.regenerate(draft.job, who, str(typed or chosen or "")))


def _plan_again(draft: DraftState) -> None:
    with keep_errors("draft"):
        _start(draft.window, open_workbench().one_draft.plan_again(draft.job))


def _start(window: str, job: str) -> None:
    """Start the drafting job unless it has finished, and make the page show the job."""
    if open_workbench().one_draft.look(job).state == "working":
        jobs.start(open_workbench()).submit(job)
    open_window(window, job)


def _draw_window(request: WindowRequest, agent: str, key: str, is_open: bool) -> None:
    """Show the document excerpt (window), expanded if `is_open` is set."""
    stage = open_workbench().one_draft
    if stage.has_window(key):
        window = stage.window(request, agent, key)
    else:
        work = ("window", request, agent, key, open_workbench().corpus.size().documents)
        cut = compute_once(work, lambda: stage.window(request, agent, key), "Reading the context from its documents")
        if cut is None:
            return
        window = cut
    label = "Context" if is_open else f"Context · {' · '.join([title_window(window), *map(escape, list_facts(window))])}"
    with st.expander(label, expanded=is_open, icon=":material/article:", key=f"draft_window_{key}_{is_open}"):
        show_window(window)
