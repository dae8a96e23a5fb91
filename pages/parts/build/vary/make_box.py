"""Which items, which kinds, with what: tried on three items, then made as a job."""

from typing import Any
from uuid import uuid4

import streamlit as st

import jobs
from agents.kind import needs_no_model
from core.errors import BenchError
from pages.parts.build.draft.estimate import figure, short
from pages.parts.build.vary import kinds_box, selection
from pages.parts.build.vary.preview import show as show_preview
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import job_card
from pages.parts.ui.in_url import link, put, words
from pages.parts.ui.job_card import duration, money
from pages.parts.ui.say import plain, trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.varying.varying import Vary

TRIED, TROUBLE = "vary_tried", "vary_trouble"
MODES = {"protected": "Protect names, figures, quotations and the answer's words", "paper": "nlpaug as it comes"}


def show() -> None:
    """Draw it."""
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    chosen = selection.show()
    kinds = kinds_box.show()
    wanted = _with(chosen, kinds)
    if wanted is not None:
        _start(wanted)
    for job in words("job")[:6]:
        try:
            if job_card.show(job) == "done":
                link("See what was made", ":material/list:", f"vary_made_{job}", view="made")
        except BenchError as error:
            trouble(str(error))


def _with(chosen: selection.Selection, kinds: tuple[str, ...]) -> Vary | None:
    """The whole wish; None while something is missing."""
    if not kinds:
        st.caption("Choose a kind.")
        return None
    every = {one["name"]: one for one in opened().vary.choices()}
    asking = [name for name in kinds if every[name]["asks"]]
    kept: dict[str, Any] = {"persist_state": "session"}
    settings: dict[str, Any] = {}
    agent, budget = None, None
    with st.container(border=True, gap="small"):
        columns = st.columns([4, 3, 1.2, 1.6], vertical_alignment="top")
        noise = [name for name in kinds if "mode" in every[name]["settings"]]
        with columns[0]:
            if noise:
                mode = st.radio("Noise", list(MODES), key="vary_mode", format_func=MODES.__getitem__, **kept)
                settings |= {f"{name}.mode": mode for name in noise if mode != "protected"}
        with columns[1]:
            if asking:
                agent = agent_picker.show("Agent", "vary_agent")
        seed = columns[2].number_input(
            "Seed", 0, 2**31 - 1, 0, 1, key="vary_seed", help="The same seed gives the same noise.", **kept
        )
        if asking:
            budget = columns[3].number_input(
                "Budget, USD",
                0.0,
                None,
                None,
                0.5,
                format="%.2f",
                key="vary_budget",
                placeholder="none",
                **kept,
                help="The job stops before a call that might exceed it, and can go on with more.",
            )
        if "grammar" in kinds:
            kinds_box.verifier()
    if asking and agent is None:
        st.caption("Choose an agent: a kind that asks needs one.")
        return None
    if needs_no_model(agent):
        st.caption("The offline agent is no LLM: it rewords by plain rules, and what it makes says so.")
    return Vary(kinds=kinds, agent=agent, seed=int(seed), budget=budget, settings=settings, **chosen._asdict())


def _start(wanted: Vary) -> None:
    """What it comes to, the try and the job."""
    stage = opened().vary
    try:
        turn = f"{stage.server()} {stage.count(wanted)['items']}"
        working = stage.estimate(wanted, turn)
    except BenchError as error:
        st.caption(plain(str(error)))
        return
    found = working.value
    if found is None:
        waiting(lambda: stage.estimate(wanted, turn).is_ready, "Filling the prompts with some of the items")
        return
    with st.container(border=True, gap="small"):
        st.markdown(
            f"**{found['items']:,} {'item' if found['items'] == 1 else 'items'} in {len(wanted.kinds)} "
            f"{'kind' if len(wanted.kinds) == 1 else 'kinds'}: {found['variants']:,} variants at most.**"
        )
        if wanted.asking:
            with st.container(horizontal=True, gap="large"):
                figure("Calls", found["calls"], lambda n: f"{n:,.0f}")
                figure("Tokens in", found["tokens_in"], short)
                figure("Tokens out", found["tokens_out"], short)
                figure("Price", found["price"], money, "price unknown")
                figure("Time", found["seconds"], duration, "time unknown")
        st.caption(plain(" ".join(found["rests"])))
        with st.container(horizontal=True):
            st.button(
                "Try on 3 items",
                key="vary_try",
                icon=":material/visibility:",
                on_click=_try,
                args=(wanted,),
                help="Shows what comes out; nothing is stored. An agent is asked, and the job does not ask it again.",
            )
            st.button(
                f"Make {found['variants']:,} variants",
                key="vary_start",
                type="primary",
                icon=":material/play_arrow:",
                on_click=_plan,
                args=(wanted,),
            )
    tried = st.session_state.get(TRIED)
    if tried and tried[0] == wanted:
        show_preview(wanted, tried[1])


def _try(wanted: Vary) -> None:
    st.session_state[TRIED] = (wanted, uuid4().hex)


def _plan(wanted: Vary) -> None:
    bench = opened()
    st.session_state.pop(TRIED, None)
    try:
        job = bench.vary.plan(wanted)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
        return
    jobs.start(bench).submit(job)
    put(job=list(dict.fromkeys([job, *words("job")]))[:6])
