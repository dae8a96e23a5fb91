"""What a new trial compares, what it will come to, and its start."""

from uuid import uuid4

import streamlit as st

import jobs
from pages.parts.build.draft.background import compute_once
from pages.parts.build.draft.choice import ALL
from pages.parts.build.draft.estimate import show_drafts_estimate
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import in_url
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import budget_field, count_field, seed_field
from pages.parts.ui.person import ask_here, person
from workbench import opened
from workbench.build.trials.one_draft import SEED, DraftChoices
from workbench.build.trials.trials import MAX_WINDOWS, TrialPlan, TrialSide

USUAL_WINDOWS = 24
"""Windows that the form begins with: below, hardly any difference shows."""
_WISH = "trial_wish"
"""Where the session holds (plan, budget, the id of the press) of the estimate on the screen."""


def show(choices: DraftChoices) -> None:
    """Draw the form and the estimate."""
    plan, budget = _draw_form(choices)
    show_feedback("trial")
    wish = st.session_state.get(_WISH, (None, None, ""))
    if plan is not None and wish[:2] == (plan, budget):
        _draw_estimate(*wish)


def _draw_form(choices: DraftChoices) -> tuple[TrialPlan | None, float | None]:
    kinds = choices.tasks
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 2, 1.5, 1.3, 1.3, 1.6])
        task = columns[0].selectbox(
            "Task",
            list(kinds),
            index=list(kinds).index(in_url.word("task", next(iter(kinds)), list(kinds))),
            key="trial_task",
            format_func=lambda name: kinds[name].title,
            persist_state="session",
        )
        domain = columns[1].selectbox("Domain", [ALL, *choices.domains], key="trial_domain", persist_state="session")
        languages = [ALL, *choices.languages]
        language = columns[2].selectbox("Language", languages, key="trial_language", persist_state="session")
        help = "Each is drafted on both sides. With fewer than some 20 only large differences show."
        windows = count_field(columns[3], "Windows", "trial_windows", MAX_WINDOWS, USUAL_WINDOWS, help=help)
        help = "Orders the windows, and which draft of each stands on the left."
        seed = seed_field(columns[4], "trial_seed", SEED, help=help)
        help = (
            "For both sides together. The job stops before a call that might exceed it, and can continue with a higher budget."
        )
        budget = budget_field(columns[5], "trial_budget", help=help)
        names = opened().trials.versions(task)
        versions = list(names)
        sides = []
        for side, column in zip("ab", st.columns(2, gap="large"), strict=True):
            with column:
                st.markdown(f"**Side {side.upper()}**")
                agent = agent_picker.show("Agent", f"trial_agent_{side}")
                version = st.selectbox(
                    "Words of the prompt",
                    versions,
                    index=1 if side == "b" and len(versions) > 1 else 0,
                    key=f"trial_version_{side}_{task}",
                    format_func=names.__getitem__,
                    disabled=len(versions) < 2,
                )
                sides.append(TrialSide(agent or "", version))
        if len(versions) < 2:
            st.caption("This task's prompt has the delivered words alone: compare two agents, or edit it on the page Prompts.")
        plan = None
        if all(side.agent for side in sides):
            plan = TrialPlan(task, domain, None if language == ALL else language, windows, seed, *sides)
        is_estimated = plan is not None and st.session_state.get(_WISH, ())[:2] == (plan, budget)
        is_new, is_unready = not is_estimated, plan is None
        draw_button("Estimate", "trial_estimate", _ask, plan, budget, icon="calculate", is_primary=is_new, disabled=is_unready)
    return plan, budget


def _ask(plan: TrialPlan, budget: float | None) -> None:
    st.session_state[_WISH] = (plan, budget, uuid4().hex)


def _draw_estimate(plan: TrialPlan, budget: float | None, turn: str) -> None:
    """The estimate, and Start."""
    bench = opened()
    words = "Filling both prompts with real windows"
    estimate = compute_once(("trial", turn), lambda: bench.trials.estimate(plan, budget), words)
    if estimate is None:
        return
    show_drafts_estimate(estimate)
    who = person()
    label, key, icon, may = "Start the trial", "trial_start", "play_arrow", "draft items"
    draw_button(label, key, _start, plan, budget, icon=icon, is_primary=True, requires=may, disabled=not who)
    if not who:
        ask_here("Give your name: it stands beside the trial.", "trial")


def _start(plan: TrialPlan, budget: float | None) -> None:
    with keep_errors("trial"):
        job = opened().trials.start(plan, budget, person())
        jobs.start(opened()).submit(job)
        st.session_state.pop(_WISH, None)
        in_url.put(trial=str(opened().upkeep.job(job).params["trial"]), new=None)
