"""Grade: people mark answers without knowing which system gave them; what judges say is held against their marks. The URL holds
the batch and the answer on the screen."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from core.quality.grading import SCHEMES
from pages.components.marking import marking
from pages.parts.annotate.review.keys_help import keys_help
from pages.parts.evaluate.grade import by_file, judges, result, start
from pages.parts.ui import in_url
from pages.parts.ui.allowed import kept, why_not
from pages.parts.ui.heading import empty, heading
from pages.parts.ui.person import ask_here, person
from pages.parts.ui.say import done, note, plain, trouble
from workbench import opened

stage, desk = opened().grading, opened().grading_desk
TROUBLE = "grade_trouble"
VIEWS = {"batches": "Batches", "judges": "Judges"}


def main() -> None:
    """The list and a new batch, one batch, or the judges."""
    heading("Grade", "People mark answers without knowing which system gave them; judges are held against their marks.")
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    chosen = in_url.word("batch")
    every = {one["id"]: one for one in stage.every(chosen)}
    if chosen in every:
        one_batch(every[chosen])
    elif chosen:
        trouble(f"No batch {chosen} in this workspace.")
        st.button("To all batches", icon=":material/arrow_back:", on_click=to_list)
    elif why_not("see gradings"):
        all_of_them(list(every.values()))
    else:
        view = in_url.word("view", "batches", list(VIEWS))
        st.segmented_control(
            "View",
            list(VIEWS),
            key="grade_view",
            format_func=VIEWS.__getitem__,
            required=True,
            label_visibility="collapsed",
            on_change=in_url.held("grade_view", "view", view),
        )
        if view == "judges":
            judges.show()
        else:
            all_of_them(list(every.values()))
    keys_help(marking.KEYS)


def all_of_them(every: list[dict[str, Any]]) -> None:
    """Each with how far it is, and the form for a new one."""
    for one in every:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(name(one))}**", width="content")
            st.badge(state(one), color="gray" if one["closed"] else "blue", width="content")
            st.caption(plain(f"{one['by']}, {one['at'][:16].replace('T', ' ')} UTC"), width="content")
            st.space("stretch")
            st.button(
                "See" if one["closed"] else "Grade",
                key=f"grade_open_{one['id']}",
                on_click=to_batch,
                args=(one["id"],),
                icon=":material/arrow_forward:",
            )
    if why := why_not("begin gradings"):
        note(f"A batch is started by a lead or a researcher. {why}")
        return
    lines = {line.run: line for line in opened().reports.runs() if line.answered}
    if not lines:
        empty(
            "No answers yet",
            "A run asks a system the questions of a release: people grade what it answered.",
            "pages/evaluate/run.py",
            "Run a system",
        )
        return
    st.subheader("A new batch", anchor=False)
    start.show(lines)


def one_batch(one: dict[str, Any]) -> None:
    """The answer on the screen, or what the batch shows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All batches", icon=":material/arrow_back:", on_click=to_list, type="tertiary")
        st.markdown(f"**{plain(name(one))}**", width="content")
        st.badge(state(one), color="gray" if one["closed"] else "blue", width="content")
        st.space("stretch")
        if not one["closed"]:
            if not one["of"]:
                by_file.show(one["id"], person())
            inside(one)
            closing(one)
    if one["closed"]:
        closed(one)
    else:
        on_the_desk(one)


def on_the_desk(one: dict[str, Any]) -> None:
    """The answer that is this person's next."""
    ask_here("Give your name: marks are stored under it, and none can be given without.", "mark")
    who = person()
    at = in_url.word("place") or desk.next(one["id"], who)
    if at is None:
        if one["done"] == one["places"]:
            done("Every answer has its mark. A lead closes the batch to see what it shows.")
        elif one["conflicts"] and one["done"] + one["conflicts"] == one["places"]:
            note(
                f"{one['conflicts']:,} answers are marked differently: somebody who has not graded them decides, or the batch "
                "is closed without them."
            )
        else:
            note("You have graded what is yours. The rest wants other people, or is on their screens now.")
        return
    try:
        data = desk.shown(one["id"], at, who)
    except BenchError as error:
        trouble(str(error))
        in_url.put(place=None)
        return
    in_url.put(place=at)
    st.caption(f"Answer {data['number']:,} of {data['of']:,} · you have graded {data['mine']:,}")
    pressed = marking.show(data, who, str(opened().database.path or "memory"))
    if pressed:
        answer(one["id"], pressed, who)
        st.rerun()


def answer(batch: str, pressed: marking.MarkingEvent, who: str) -> None:
    """Store what was pressed, and go where it leads."""
    try:
        if pressed.what == "undo":
            in_url.put(place=desk.undo(batch, who, pressed.key))
            return
        if pressed.what == "save":
            desk.mark(batch, pressed.place, who, pressed.key, pressed.mark, pressed.comment, pressed.seconds)
        in_url.put(place=desk.next(batch, who, pressed.place))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
        in_url.put(place=desk.next(batch, who, pressed.place))


def inside(one: dict[str, Any]) -> None:
    """For leads: whose answers these are, and who has graded how many."""
    if why_not("see open gradings"):
        return
    with st.popover("Look inside", icon=":material/visibility:", key="grade_inside", width="content"):
        st.caption("This names the systems: whoever has looked no longer grades blind.")
        if st.toggle("Show me", key=f"grade_look_{one['id']}"):
            found = stage.inside(one["id"])
            st.caption(plain("Systems: " + ", ".join(found["systems"])))
            st.caption(plain("Marks: " + (", ".join(f"{who} {n:,}" for who, n in found["people"].items()) or "none yet")))
            if found["given"]:
                st.caption(f"{found['given']:,} failed or empty answers are missing by rule.")


def closing(one: dict[str, Any]) -> None:
    """The button that ends the batch, with what that means."""
    with st.popover("Close and see", icon=":material/lock_open:", key="grade_close_box", width="content"):
        left = one["places"] - one["done"]
        out = f"{left:,} of {one['places']:,} answers have no mark that counts and stay out of every figure. "
        st.caption((out if left else "") + "Systems and figures are told, and nobody can grade these answers any more.")
        st.button(
            "Close the batch",
            key="grade_close",
            type="primary",
            on_click=close,
            args=(one["id"],),
            **kept("begin gradings", not person()),
        )


def close(batch: str) -> None:
    try:
        stage.end(batch, person())
        in_url.put(place=None)
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


def closed(one: dict[str, Any]) -> None:
    if why := why_not("see gradings"):
        note(why)
        return
    result.show(stage.result(one["id"]))
    st.download_button(
        "Marks as JSON lines",
        lambda: stage.lines(one["id"]),
        f"grades-{one['id'][:8]}.jsonl",
        "application/x-ndjson",
        icon=":material/download:",
        key="grade_file",
        on_click="ignore",
    )


def name(one: dict[str, Any]) -> str:
    """What it is about, and nothing of its systems."""
    what = f"verdicts at {one['of']}" if one["of"] else "answers"
    return f"{one['places']:,} {what} on {one['release']}: {SCHEMES[one['scheme']].label}"


def state(one: dict[str, Any]) -> str:
    return (
        "closed"
        if one["closed"]
        else f"{one['done']:,} of {one['places']:,} done" + (f", {one['conflicts']:,} differ" if one["conflicts"] else "")
    )


def to_batch(batch: str) -> None:
    in_url.put(batch=batch, place=None)


def to_list() -> None:
    in_url.put(batch=None, place=None)


main()
