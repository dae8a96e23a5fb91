"""The form that runs gates: choose items, gates and agents, see the estimate, then start the job."""

import streamlit as st

from agents.kind import needs_no_model
from pages.parts.annotate.find import filters
from pages.parts.annotate.find.list_address import read_address, read_search
from pages.parts.build.draft.estimate import show_figures, show_notes
from pages.parts.setup.agent import agent_picker, batch_files
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import budget_field, count_field, seed_field
from pages.parts.ui.say import count_things, escape
from pages.parts.ui.waiting import ask_anew, find_turn, when_ready
from workbench import open_workbench
from workbench.build.gating.gating import AllFound, GateRequest

LOOK, TICKED = "gates_look", "gates_ticked"


def show() -> None:
    """Show the choice of items, the form of gates and agents, the estimate, and the jobs."""
    chosen = _draw_selection()
    request = _draw_form()
    show_feedback("gates")
    if request is not None:
        if turn := find_turn(LOOK, request, chosen):
            _draw_estimate(request, chosen, turn)
        else:
            draw_button("Estimate", "gates_estimate", ask_anew, LOOK, icon="calculate", is_primary=True)
    for _ in job_card.show_listed():
        pass


def _draw_selection() -> list[str] | AllFound:
    """Show the choice of items, and return the choice: the items ticked on the page Find, or all items that match the
    filters."""
    ticked: list[str] = st.session_state.get(TICKED, [])
    if ticked:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{count_things(len(ticked), 'ticked item')}**", width="content")
            draw_button("Choose by filters instead", "gates_unticked", _untick, type="tertiary")
        return ticked
    find = open_workbench().find
    filters.show(find.choices(), not explain_refusal("see who did what"))
    search, like = read_search(read_address())
    page = when_ready(lambda: find.page(search, like, 1), "Comparing ...")
    if page is None:
        return []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{count_things(page.total, 'item')}**", width="content")
        filters.show_reset()
    return AllFound(search, like)


def _draw_form() -> GateRequest | None:
    """Show the boxes for gates and agents, and return the chosen values, or None while a required value is missing."""
    cards = {card.name: card for card in open_workbench().gating.list_gates()}
    with st.container(border=True, gap="small"):
        gates = st.multiselect(
            "Gates",
            list(cards),
            default=["critic"],
            key="gates_names",
            format_func=lambda name: cards[name].label + ("" if cards[name].asks else " (free)"),
            persist_state="session",
        )
        for name in gates:
            st.caption(escape(f"{cards[name].label}: {cards[name].about}"))
        asking = [cards[name] for name in gates if cards[name].asks]
        if not asking:
            return GateRequest(tuple(gates)) if gates else None
        columns = st.columns([3, 3, 1.2, 1.2, 1.6])
        with columns[0]:
            agent = agent_picker.show("Agent", "gates_agent")
        other = None
        if max(card.judges for card in asking) > 1:
            with columns[1]:
                other = agent_picker.show("Second agent, for Closed book", "gates_other", optional=True)
        samples = count_field(columns[2], "Samples", "gates_samples", 20, 3, help="How many times each question is asked.")
        seed = seed_field(columns[3], "gates_seed", 7)
        budget = budget_field(columns[4], "gates_budget")
    if agent is None:
        st.caption("Choose an agent: LLM gates need an agent.")
        return None
    if needs_no_model(agent):
        st.caption("These gates do not run with the offline agent, because it is not an LLM and agrees with its own drafts.")
    agents = tuple(dict.fromkeys(name for name in (agent, other) if name))
    return GateRequest(tuple(gates), agents, samples, seed, budget)


def _draw_estimate(request: GateRequest, chosen: list[str] | AllFound, turn: str) -> None:
    """Show the estimate of running these gates, and the button that starts the job."""
    estimate = when_ready(
        lambda: open_workbench().gating.preview(request, chosen, turn), "Filling the prompts with some of the items"
    )
    if estimate is None:
        return
    with st.container(border=True, gap="small"):
        items = count_things(estimate.items, "item")
        st.markdown(f"**{items}.** Nothing has been asked yet.")
        if request.llm_gates:
            show_figures(estimate)
        show_notes(estimate)
        with st.container(horizontal=True):
            args = (request, chosen, estimate.mark)
            draw_button(f"Run on {items}", "gates_start", _start, *args, icon="play_arrow", is_primary=True)
            if request.llm_gates:
                draw_button("In a batch", "gates_batch", _start, *args, True, icon="upload_file", help=batch_files.HELP)
            draw_button("Leave it", "gates_leave", _leave)


def _leave() -> None:
    st.session_state.pop(LOOK, None)


def _untick() -> None:
    st.session_state.pop(TICKED, None)
    _leave()


def _start(request: GateRequest, chosen: list[str] | AllFound, mark: str, is_batched: bool = False) -> None:
    _leave()
    with keep_errors("gates"):
        job = open_workbench().gating.plan(request, chosen, mark)
        batch_files.assign(job, is_batched)
        job_card.start_and_list(job)
