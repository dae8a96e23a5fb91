"""The form for a new prompt trial: the two sides that the trial compares, the estimate, and the button that starts the
trial."""

import streamlit as st

import jobs
from pages.parts.build.draft.choice import ALL
from pages.parts.build.draft.estimate import show_drafts_estimate
from pages.parts.setup.agent import agent_picker
from pages.parts.ui import in_url
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.fields import budget_field, count_field, name_languages, seed_field, select_field
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.waiting import ask_anew, compute_once, find_turn
from workbench import open_workbench
from workbench.build.trials.one_draft import SEED, DraftChoices
from workbench.build.trials.trials import MAX_WINDOWS, TrialPlan, TrialSide

USUAL_WINDOWS = 24
"""Initial number of windows in the form; a trial with fewer windows rarely shows a difference."""
_WISH = "trial_wish"


def show(choices: DraftChoices) -> None:
    """Show the form for a new trial, and its estimate."""
    plan, budget = _draw_form(choices)
    show_feedback("trial")
    if plan is not None and (turn := find_turn(_WISH, plan, budget)):
        _draw_estimate(plan, budget, turn)


def _draw_form(choices: DraftChoices) -> tuple[TrialPlan | None, float | None]:
    with st.container(border=True, gap="small"):
        columns = st.columns([3, 2, 1.5, 1.3, 1.3, 1.6])
        titles = {name: kind.title for name, kind in choices.tasks.items()}
        place = list(titles).index(in_url.read_word("task", next(iter(titles)), list(titles)))
        task = select_field(columns[0], "Task", titles, "trial_task", index=place, persist_state="session")
        domain = columns[1].selectbox("Domain", [ALL, *choices.domains], key="trial_domain", persist_state="session")
        languages = {ALL: ALL, **name_languages(choices.languages)}
        language = select_field(columns[2], "Language", languages, "trial_language", persist_state="session")
        help = "Both sides draft from each window. With fewer than about 20 windows, only large differences show."
        windows = count_field(columns[3], "Windows", "trial_windows", MAX_WINDOWS, USUAL_WINDOWS, help=help)
        help = "The seed decides the order of the windows, and which draft of each pair is on the left."
        seed = seed_field(columns[4], "trial_seed", SEED, help=help)
        help = (
            "For both sides together. The job stops before a call that might exceed it, and can continue with a higher budget."
        )
        budget = budget_field(columns[5], "trial_budget", help=help)
        versions = open_workbench().trials.versions(task)
        sides = []
        for side, column in zip("ab", st.columns(2, gap="large"), strict=True):
            with column:
                st.markdown(f"**Side {side.upper()}**")
                agent = agent_picker.show("Agent", f"trial_agent_{side}")
                key, is_single = f"trial_version_{side}_{task}", len(versions) < 2
                place = 1 if side == "b" and not is_single else 0
                version = select_field(st, "Text of the prompt", versions, key, index=place, disabled=is_single)
                sides.append(TrialSide(agent or "", version))
        if len(versions) < 2:
            st.caption(
                "This task's prompt has only its original version: compare two agents, or edit the prompt on the page Prompts."
            )
        plan = None
        if all(side.agent for side in sides):
            plan = TrialPlan(task, domain, None if language == ALL else language, windows, seed, *sides)
        is_new, is_unready = not find_turn(_WISH, plan, budget), plan is None
        draw_button("Estimate", "trial_estimate", ask_anew, _WISH, icon="calculate", is_primary=is_new, disabled=is_unready)
    return plan, budget


def _draw_estimate(plan: TrialPlan, budget: float | None, turn: str) -> None:
    """Show the estimate of the trial, and the button that starts the trial."""
    bench = open_workbench()
    words = "Filling both prompts with real windows"
    estimate = compute_once(("trial", turn), lambda: bench.trials.estimate(plan, budget), words)
    if estimate is None:
        return
    show_drafts_estimate(estimate)
    who = get_person()
    label, key, icon, may = "Start the trial", "trial_start", "play_arrow", "draft items"
    draw_button(label, key, _start, plan, budget, icon=icon, is_primary=True, requires=may, disabled=not who)
    if not who:
        ask_here("Give your name: it is stored with the trial.", "trial")


def _start(plan: TrialPlan, budget: float | None) -> None:
    with keep_errors("trial"):
        job = open_workbench().trials.start(plan, budget, get_person())
        jobs.start(open_workbench()).submit(job)
        st.session_state.pop(_WISH, None)
        in_url.write_address(trial=str(open_workbench().upkeep.job(job).params["trial"]), new=None)
