"""Which items, which gates, whom they ask: the estimate first, then the job."""

from typing import Any
from uuid import uuid4

import streamlit as st

import jobs
from agents.kind import needs_no_model
from core.errors import BenchError
from pages.parts.annotate.find import filters
from pages.parts.annotate.find.asked import read, words
from pages.parts.build.draft.estimate import figure, short
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.allowed import why_not
from pages.parts.ui.in_url import put
from pages.parts.ui.job_card import duration, money
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.gating.gating import All, GateRequest

LOOK, TROUBLE, TICKED = "gates_look", "gates_trouble", "gates_ticked"


def show() -> None:
    """Draw it."""
    chosen = _chosen()
    wanted = _form()
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    look = st.session_state.get(LOOK)
    if look and wanted == look[0]:
        _estimated(*look)
    elif wanted is not None:
        st.button(
            "Estimate",
            key="gates_estimate",
            icon=":material/calculate:",
            type="primary",
            on_click=_begin,
            args=(wanted, chosen),
        )
    _jobs()


def _chosen() -> list[str] | All:
    """The items that were ticked on the page Find, or all that the filters leave."""
    ticked: list[str] = st.session_state.get(TICKED, [])
    if ticked:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{len(ticked):,} ticked {'item' if len(ticked) == 1 else 'items'}**", width="content")
            st.button("Choose by filters instead", key="gates_unticked", type="tertiary", on_click=_untick)
        return ticked
    find = opened().find
    filters.show(find.choices(), not why_not("see who did what"))
    search, like = read(words())
    try:
        found = find.page(search, like, 1)
    except BenchError as error:
        trouble(str(error))
        return []
    if found.value is None:
        waiting(lambda: find.page(search, like, 1).is_ready, "Comparing ...")
        return []
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{found.value.total:,} {'item' if found.value.total == 1 else 'items'}**", width="content")
        filters.reset()
    return All(search, like)


def _form() -> GateRequest | None:
    """What is to be run; None while it is not whole."""
    every = {one["name"]: one for one in opened().gating.choices()}
    kept: dict[str, Any] = {"persist_state": "session"}
    with st.container(border=True, gap="small"):
        gates = st.multiselect(
            "Gates", list(every), default=["critic"], key="gates_names", format_func=lambda name: _name(every[name]), **kept
        )
        for name in gates:
            st.caption(plain(f"{every[name]['label']}: {every[name]['about']}"))
        asking = [every[name] for name in gates if every[name]["asks"]]
        if not asking:
            return GateRequest(tuple(gates)) if gates else None
        most = max(one["judges"] for one in asking)
        columns = st.columns([3, 3, 1.2, 1.2, 1.6])
        with columns[0]:
            agent = agent_picker.show("Agent", "gates_agent")
        other = None
        with columns[1]:
            if most > 1:
                other = agent_picker.show("Second agent, for Closed book", "gates_other", optional=True)
        samples = columns[2].number_input(
            "Samples", 1, 20, 3, 1, key="gates_samples", **kept, help="How often each question is put to an agent."
        )
        seed = columns[3].number_input("Seed", 0, 2**31 - 1, 7, 1, key="gates_seed", **kept)
        budget = columns[4].number_input(
            "Budget, USD",
            0.0,
            None,
            None,
            0.5,
            format="%.2f",
            key="gates_budget",
            placeholder="none",
            **kept,
            help="The job stops before a call that might exceed it, and can go on with more.",
        )
    if agent is None:
        st.caption("Choose an agent: a gate that asks needs one.")
        return None
    if needs_no_model(agent):
        st.caption("The offline agent is no LLM and agrees with its own drafts: these gates would not run.")
    agents = tuple(dict.fromkeys(name for name in (agent, other) if name))
    return GateRequest(tuple(gates), agents, int(samples), int(seed), budget)


def _estimated(wanted: GateRequest, chosen: list[str] | All, turn: str) -> None:
    """What it will come to, and the button that begins it."""
    stage = opened().gating
    try:
        found = stage.preview(wanted, chosen, turn).value
    except BenchError as error:
        st.session_state.pop(LOOK)
        trouble(str(error))
        return
    if found is None:
        waiting(lambda: stage.preview(wanted, chosen, turn).is_ready, "Filling the prompts with some of the items")
        return
    with st.container(border=True, gap="small"):
        items = f"{found['items']:,} {'item' if found['items'] == 1 else 'items'}"
        st.markdown(f"**{items}.** Nothing has been asked yet.")
        if wanted.asked:
            with st.container(horizontal=True, gap="large"):
                figure("Calls", found["calls"], lambda n: f"{n:,.0f}")
                figure("Tokens in", found["tokens_in"], short)
                figure("Tokens out", found["tokens_out"], short)
                figure("Price", found["price"], money, "price unknown")
                figure("Time", found["seconds"], duration, "time unknown")
        st.caption(plain(" ".join(found["rests"])))
        with st.container(horizontal=True):
            st.button(
                f"Run on {items}",
                key="gates_start",
                type="primary",
                icon=":material/play_arrow:",
                on_click=_start,
                args=(wanted, chosen, found["mark"]),
            )
            st.button("Leave it", key="gates_leave", on_click=_leave)


def _jobs() -> None:
    """The jobs that this page began; any tab with this address shows them."""
    for job in st.query_params.get_all("job")[:6]:
        try:
            job_card.show(job)
        except BenchError as error:
            trouble(str(error))


def _name(gate: dict[str, Any]) -> str:
    return str(gate["label"]) if gate["asks"] else f"{gate['label']} (free)"


def _begin(wanted: GateRequest, chosen: list[str] | All) -> None:
    st.session_state[LOOK] = (wanted, chosen, uuid4().hex)


def _leave() -> None:
    st.session_state.pop(LOOK, None)


def _untick() -> None:
    st.session_state.pop(TICKED, None)
    _leave()


def _start(wanted: GateRequest, chosen: list[str] | All, mark: str) -> None:
    bench = opened()
    _leave()
    try:
        job = bench.gating.plan(wanted, chosen, mark)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
        return
    jobs.start(bench).submit(job)
    put(job=[job, *st.query_params.get_all("job")][:6])
