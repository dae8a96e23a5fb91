"""Prompt trials: two versions of a drafting prompt, or two agents, draft from the same source texts, and people decide on the
drafts without knowing which side made them. The page's URL contains the ids of the trial and of the pair of drafts."""

from collections.abc import Mapping

import streamlit as st

import jobs
from core.as_json import as_json
from core.errors import BenchError
from pages.components.pair import pair
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.build.trial import result, start
from pages.parts.ui import in_url, job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty, show_heading
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error, show_note, show_success
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.build.trials.trials import TrialCard

stage, desk = open_workbench().trials, open_workbench().trial_desk


def main() -> None:
    """Show the trial that the page's URL names or, without one, the list of trials with the form for a new trial."""
    show_heading(
        "Trials",
        (
            "Two versions of a prompt, or two agents, draft from the same source texts; people decide on the drafts without "
            "knowing which side made them."
        ),
    )
    show_feedback("trials")
    trials = {trial.id: trial for trial in stage.list_trials()}
    chosen = in_url.read_word("trial")
    if chosen in trials:
        draw_trial(trials[chosen])
    elif chosen:
        show_error(f"This workspace has no trial {chosen}.")
        draw_button("To all trials", "trial_list", open_trial, None, icon="arrow_back")
    else:
        draw_list(trials)
    keys_help(pair.KEYS)


def draw_list(trials: Mapping[str, TrialCard]) -> None:
    """Show the list of trials with their progress, and the form for a new trial."""
    for trial in trials.values():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            draw_name(trial)
            st.caption(escape(f"{trial.by}, {trial.at[:16].replace('T', ' ')} UTC"), width="content")
            st.space("stretch")
            label, key = "See" if trial.closed else "Decide", f"trial_open_{trial.id}"
            draw_button(label, key, open_trial, trial.id, icon="arrow_forward")
    if why := explain_refusal("draft items"):
        show_note(f"Only a lead can start a trial. {why}")
        return
    choices = open_workbench().one_draft.choices()
    if not choices.domains:
        about = "A trial drafts from documents: add documents, or load the samples."
        show_empty("No documents yet", about, "pages/build/corpus.py", "Corpus")
        return
    st.subheader("A new trial", anchor=False)
    start.show(choices)


def draw_trial(trial: TrialCard) -> None:
    """Show a trial: while it is open, its running drafting job and the next pair of drafts to decide on; once it is closed, its
    result."""
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_button("All trials", "trial_list", open_trial, None, icon="arrow_back", type="tertiary")
        draw_name(trial)
        st.space("stretch")
        if not trial.closed:
            draw_closing(trial)
    if trial.closed:
        if why := explain_refusal("draft items"):
            show_note(why)
        else:
            result.show(stage.result(trial.id))
        return
    job = stage.job(trial.id)
    is_working = job is not None and job_card.load_job(job).state not in ("done", "cancelled")
    if job is not None and is_working:
        job_card.show(job, compact=bool(trial.pairs))
    draw_desk(trial, is_working)


def draw_desk(trial: TrialCard, is_working: bool) -> None:
    """Show the next pair of drafts that this person decides on."""
    ask_here("Give your name: decisions are stored under it, and you cannot decide without a name.", "pair")
    who = get_person()
    key = in_url.read_word("pair") or desk.find_next(trial.id, who)
    if key is None:
        explain_no_pair(trial, is_working)
        return
    try:
        view = desk.open_pair(trial.id, key, who)
    except BenchError as error:
        show_error(str(error))
        in_url.write_address(pair=None)
        return
    in_url.write_address(pair=key)
    by = escape(f" · {view.by} decided on this pair") if view.by else ""
    st.caption(f"Pair {view.number:,} of {view.of:,} · {view.decided:,} decided on{by}")
    pressed = pair.show(as_json(view), who, str(open_workbench().database.path or "memory"))
    if pressed:
        answer(trial.id, pressed, who)
        st.rerun()


def explain_no_pair(trial: TrialCard, is_working: bool) -> None:
    """Explain why this person has no pair of drafts to decide on."""
    if trial.pairs > trial.decided:
        show_note("Other people are looking at the remaining pairs. Come back later, or close the trial.")
    elif is_working:
        if trial.pairs:
            show_note("All pairs so far are decided. More appear as they are drafted.")
        else:
            st.caption("Pairs appear here as they are drafted.")
        draw_in_place(look_again, every=2)(trial.id, trial.pairs)
    elif trial.pairs:
        show_success("Every pair is decided. A lead closes the trial to see its result.")
    else:
        show_note("Neither side drafted a question from any window. Close the trial to see why.")


def answer(trial: str, pressed: pair.PairEvent, who: str) -> None:
    """Store the person's decisions on the pair, and go to the next pair."""
    with keep_errors("trials"):
        if pressed.what == "undo":
            in_url.write_address(pair=desk.undo(trial, who, pressed.key))
            return
        if pressed.what == "save":
            desk.decide(
                trial,
                pressed.pair,
                who,
                pressed.key,
                left=pressed.left,
                right=pressed.right,
                preference=pressed.preference,
                seconds=pressed.seconds,
            )
        in_url.write_address(pair=desk.find_next(trial, who, pressed.pair))


def draw_closing(trial: TrialCard) -> None:
    """Show the button that closes the trial, and explain what closing does."""
    with st.popover("Close and see", icon=":material/lock_open:", key="trial_close_box", width="content"):
        left = trial.pairs - trial.decided
        queued = f"{left:,} of {trial.pairs:,} pairs are not decided on; their drafts go to the review queue. "
        st.caption(
            f"{queued if left else ''}Each draft that was decided on becomes an item with its decision. The page "
            "then shows which side made each draft, and nobody can decide on these pairs any more."
        )
        key, is_unnamed = "trial_close", not get_person()
        draw_button("Close the trial", key, close, trial.id, is_primary=True, requires="draft items", disabled=is_unnamed)


def close(trial: str) -> None:
    """Close the trial, which then shows its result."""
    with keep_errors("trials"):
        job = stage.job(trial)
        if job is not None and jobs.start(open_workbench()).is_at_work(job):
            raise BenchError("The drafting job of this trial is still running: wait until it ends, or pause the job.")
        stage.close_trial(trial, get_person())
        in_url.write_address(pair=None)


def look_again(trial: str, pairs: int) -> None:
    """Redraw the page if the drafting job has added pairs of drafts to the trial."""
    if any(listed.id == trial and listed.pairs > pairs for listed in stage.list_trials()):
        redraw_page()


def draw_name(trial: TrialCard) -> None:
    """Show the task, domain and progress of the trial, without naming the prompts or agents that it compares."""
    where = "every domain" if trial.domain == "all" else trial.domain
    task = name_task(trial.task)
    st.markdown(f"**{escape(f'{task}, {where}, {trial.windows:,} windows')}**", width="content")
    state = "closed" if trial.closed else f"{trial.decided:,} of {trial.pairs:,} pairs decided"
    st.badge(state, color="gray" if trial.closed else "blue", width="content")


def open_trial(trial: str | None) -> None:
    """Open the trial with the id `trial`, or the list of trials if `trial` is None."""
    in_url.write_address(trial=trial, pair=None)


main()
