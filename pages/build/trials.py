"""Prompt trials: two versions of a drafting prompt, or two agents, on the same windows, decided on blind. The URL holds the
trial and the pair on the screen."""

from typing import Any

import streamlit as st

import jobs
from core.errors import BenchError
from pages.components.pair import pair
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.build.trial import result, start
from pages.parts.ui import in_url, job_card
from pages.parts.ui.allowed import kept, why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import done, note, plain, trouble
from workbench import opened

stage, desk = opened().trials, opened().trial_desk
TROUBLE = "trials_trouble"


def main() -> None:
    """The list, a new trial, or one trial."""
    heading(
        "Trials",
        "Two versions of a prompt, or two agents, draft from the same windows; people decide without knowing which is which.",
    )
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    every = {one["id"]: one for one in stage.every()}
    chosen = in_url.word("trial")
    if chosen in every:
        one_trial(every[chosen])
    elif chosen:
        trouble(f"No trial {chosen} in this workspace.")
        st.button("To all trials", icon=":material/arrow_back:", on_click=to_list)
    else:
        all_of_them(list(every.values()))
    keys_help(pair.KEYS)


def all_of_them(every: list[dict[str, Any]]) -> None:
    """Each with how far it is, and the form for a new one."""
    for one in every:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(name(one))}**", width="content")
            st.badge(state(one), color="gray" if one["closed"] else "blue", width="content")
            st.caption(plain(f"{one['by']}, {one['at'][:16].replace('T', ' ')} UTC"), width="content")
            st.space("stretch")
            st.button(
                "See" if one["closed"] else "Decide",
                key=f"trial_open_{one['id']}",
                on_click=to_trial,
                args=(one["id"],),
                icon=":material/arrow_forward:",
            )
    if why := why_not("draft items"):
        note(f"A trial is started by a lead. {why}")
        return
    choices = opened().one_draft.choices()
    if not choices["domains"]:
        empty(
            "No documents yet",
            "A trial drafts from documents: add some, or load the samples.",
            "pages/build/corpus.py",
            "Corpus",
        )
        return
    st.subheader("A new trial", anchor=False)
    start.show(choices)


def one_trial(one: dict[str, Any]) -> None:
    """Its job while it drafts, the pair on the screen, or what it shows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All trials", icon=":material/arrow_back:", on_click=to_list, type="tertiary")
        st.markdown(f"**{plain(name(one))}**", width="content")
        st.badge(state(one), color="gray" if one["closed"] else "blue", width="content")
        st.space("stretch")
        if not one["closed"]:
            closing(one)
    job = stage.job(one["id"])
    is_working = job is not None and job_card.look(job).state not in ("done", "cancelled")
    if job is not None and not one["closed"] and is_working:
        job_card.show(job, compact=bool(one["pairs"]))
    if one["closed"]:
        closed(one)
    else:
        on_the_desk(one, is_working)


def on_the_desk(one: dict[str, Any], is_working: bool) -> None:
    """The pair that is this person's next."""
    ask_here("Give your name: decisions are stored under it, and none can be made without.", "pair")
    who = person()
    at = in_url.word("pair") or desk.next(one["id"], who)
    if at is None:
        if is_working and not one["pairs"]:
            st.caption("Pairs come here as they are drafted.")
            draw_in_place(look_again, every=2)(one["id"])
        elif one["pairs"] > one["decided"]:
            note("Others look at the pairs that are left. Come back later, or close the trial.")
        elif is_working:
            note("All pairs so far are decided on. More come as they are drafted.")
            draw_in_place(look_again, every=2)(one["id"], one["pairs"])
        elif one["pairs"]:
            done("Every pair is decided on. A lead closes the trial to see what it shows.")
        else:
            note("Neither side made a draft of any window. Close the trial to see why.")
        return
    try:
        data = desk.pair(one["id"], at, who)
    except BenchError as error:
        trouble(str(error))
        in_url.put(pair=None)
        return
    in_url.put(pair=at)
    st.caption(
        f"Pair {data['number']:,} of {data['of']:,} · {data['decided']:,} decided on"
        + (plain(f" · {data['by']} decided on this one") if data["by"] else "")
    )
    pressed = pair.show(data, who, str(opened().database.path or "memory"))
    if pressed:
        answer(one["id"], pressed, who)
        st.rerun()


def answer(trial: str, pressed: pair.PairEvent, who: str) -> None:
    """Store what was pressed, and go where it leads."""
    try:
        if pressed.what == "undo":
            in_url.put(pair=desk.undo(trial, who, pressed.key))
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
        in_url.put(pair=desk.next(trial, who, pressed.pair))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def closing(one: dict[str, Any]) -> None:
    """The button that ends the trial, with what that means."""
    with st.popover("Close and see", icon=":material/lock_open:", key="trial_close_box", width="content"):
        left = one["pairs"] - one["decided"]
        queued = f"{left:,} of {one['pairs']:,} pairs are not decided on; their drafts go to the review queue. "
        st.caption(
            (queued if left else "") + "Decided drafts become items with their decisions. Which side was "
            "which is told, and nobody can decide on these pairs any more."
        )
        st.button(
            "Close the trial",
            key="trial_close",
            type="primary",
            on_click=close,
            args=(one["id"],),
            **kept("draft items", not person()),
        )


def close(trial: str) -> None:
    job = stage.job(trial)
    try:
        if job is not None and jobs.start(opened()).is_at_work(job):
            raise BenchError("Its windows are still being drafted: wait for the job, or pause it.")
        stage.close(trial, person())
        in_url.put(pair=None)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def closed(one: dict[str, Any]) -> None:
    if why := why_not("draft items"):
        note(why)
        return
    result.show(stage.result(one["id"]), stage.entered(one["id"]))


def look_again(trial: str, pairs: int = 0) -> None:
    if any(one["id"] == trial and one["pairs"] > pairs for one in stage.every()):
        st.rerun()


def name(one: dict[str, Any]) -> str:
    """What it is about, and nothing of its sides."""
    where = "every domain" if one["domain"] == "all" else one["domain"]
    return f"{one['task'].replace('_', ' ').capitalize()}, {where}, {one['windows']:,} windows"


def state(one: dict[str, Any]) -> str:
    return "closed" if one["closed"] else f"{one['decided']:,} of {one['pairs']:,} pairs decided"


def to_trial(trial: str) -> None:
    in_url.put(trial=trial, pair=None)


def to_list() -> None:
    in_url.put(trial=None, pair=None)


main()
