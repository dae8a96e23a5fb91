"""What a new trial compares, what it will come to, and its start."""

from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.build.draft.choice import ALL, kind_label
from pages.parts.build.draft.estimate import draft_estimate
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import in_url
from pages.parts.ui.allowed import kept
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import trouble
from pages.parts.ui.waiting import waiting
from workbench import opened
from workbench.build.trials.one_draft import SEED
from workbench.build.trials.trials import MOST, TrialPlan, TrialSide

PAIRS = 24
"""Windows that the form begins with: below, hardly any difference shows."""


def show(choices: dict[str, Any]) -> None:
    """Draw it."""
    plan, budget = _form(choices)
    if sentence := st.session_state.pop("trial_trouble", ""):
        trouble(sentence)
    if plan is not None and st.session_state.get("trial_plan") == (plan, budget):
        _estimated(plan, budget)


def _form(choices: dict[str, Any]) -> tuple[TrialPlan | None, float | None]:
    kinds = {kind["name"]: kind for kind in choices["tasks"]}
    keep: dict[str, Any] = {"persist_state": "session"}
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 2, 1.5, 1.3, 1.3, 1.6])
        wished = in_url.word("task", next(iter(kinds)), list(kinds))
        task = columns[0].selectbox(
            "Task",
            list(kinds),
            index=list(kinds).index(wished),
            key="trial_task",
            format_func=lambda name: kind_label(kinds[name]),
            **keep,
        )
        domain = columns[1].selectbox("Domain", [ALL, *(d["name"] for d in choices["domains"])], key="trial_domain", **keep)
        language = columns[2].selectbox("Language", [ALL, *choices["languages"]], key="trial_language", **keep)
        windows = columns[3].number_input(
            "Windows",
            1,
            MOST,
            PAIRS,
            1,
            key="trial_windows",
            **keep,
            help="Each is drafted on both sides. With fewer than some 20 only large differences show.",
        )
        seed = columns[4].number_input(
            "Seed",
            0,
            2**31 - 1,
            SEED,
            1,
            key="trial_seed",
            **keep,
            help="Orders the windows, and which draft of each stands on the left.",
        )
        budget = columns[5].number_input(
            "Budget, USD",
            0.0,
            None,
            None,
            0.5,
            format="%.2f",
            key="trial_budget",
            **keep,
            placeholder="none",
            help="For both sides together. The job stops before a call that might exceed it, and can go on with more.",
        )
        names = opened().trials.versions(task)
        sides = []
        for side, column in zip("ab", st.columns(2, gap="large"), strict=True):
            with column:
                st.markdown(f"**Side {side.upper()}**")
                agent = agent_picker.show("Agent", f"trial_agent_{side}")
                order = list(names)
                begin = 1 if side == "b" and len(order) > 1 else 0
                version = st.selectbox(
                    "Words of the prompt",
                    order,
                    index=begin,
                    key=f"trial_version_{side}_{task}",
                    format_func=names.__getitem__,
                    disabled=len(order) < 2,
                )
                sides.append(TrialSide(agent or "", version))
        if len(names) < 2:
            st.caption("This task's prompt has the delivered words alone: compare two agents, or edit it on the page Prompts.")
        is_ready = all(side.agent for side in sides)
        plan = (
            TrialPlan(task, domain, None if language == ALL else language, int(windows), int(seed), *sides)
            if is_ready
            else None
        )
        st.button(
            "Estimate",
            key="trial_estimate",
            icon=":material/calculate:",
            disabled=plan is None,
            type="secondary" if st.session_state.get("trial_plan") == (plan, budget) and plan else "primary",
            on_click=_ask,
            args=((plan, budget),),
        )
    return plan, budget


def _ask(order: tuple[TrialPlan | None, float | None]) -> None:
    st.session_state["trial_plan"] = order
    st.session_state.pop("trial_found", None)


def _estimated(plan: TrialPlan, budget: float | None) -> None:
    """The estimate, and Start."""
    found = st.session_state.get("trial_found")
    if found is None:
        key = f"trial:{plan}:{budget}"
        aside = opened().one_draft.aside
        try:
            found = aside.ask(key, lambda: opened().trials.estimate(plan, budget))
        except BenchError as error:
            del st.session_state["trial_plan"]
            trouble(str(error))
            return
        if found is None:
            waiting(lambda: aside.is_ready(key), "Filling both prompts with real windows")
            return
        st.session_state["trial_found"] = found
    draft_estimate(found)
    who = person()
    st.button(
        "Start the trial",
        key="trial_start",
        icon=":material/play_arrow:",
        type="primary",
        on_click=_start,
        args=(plan, budget),
        **kept("draft items", not who),
    )
    if not who:
        ask_here("Give your name: it stands beside the trial.", "trial")


def _start(plan: TrialPlan, budget: float | None) -> None:
    try:
        job = opened().trials.start(plan, budget, person())
    except BenchError as error:
        st.session_state["trial_trouble"] = str(error)
        return
    jobs.start(opened()).submit(job)
    st.session_state.pop("trial_plan", None)
    in_url.put(trial=str(opened().upkeep.job(job).params["trial"]), new=None)
