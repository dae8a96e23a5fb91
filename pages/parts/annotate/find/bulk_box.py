"""What is done with many items at once: looked at first, then confirmed, then watched; and the ones that were done, each of
which can be undone as a whole."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.annotate.find.asked import words
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import escape, show_error, show_warning
from pages.parts.ui.waiting import wait_until
from workbench import open_workbench
from workbench.annotate.finding.bulk import ACTIONS, All, BulkPreview, BulkRequest, Chosen

_LOOK, _JOB, _TROUBLE, TURN = "find_look", "find_job", "find_trouble", "find_turn"
VERBS = {
    "discard": "Discard",
    "accept": "Accept",
    "take_back": "Take the decisions back on",
    "give": "Give",
    "take_from": "Take back",
    "gates": "Run the gates on",
    "undo": "Undo it for",
}
"""What the button that does it says, before the number of items."""


def show(ticked: Sequence[str], every: All, total: int, who: str) -> None:
    """The box above the list, and what stands in it: the choice, the look, or the work."""
    if said := st.session_state.pop(_TROUBLE, ""):
        show_error(said)
    if job := st.session_state.get(_JOB):
        state = job_card.show(job, compact=True)
        if state not in ("queued", "running"):
            with st.container(horizontal=True):
                st.button("Close", key="find_job_close", on_click=_close)
                if _can_be_undone(one := open_workbench().bulk.one(job)):
                    st.button("Undo …", key="find_job_undo", icon=":material/undo:", on_click=_undo, args=(one["job"],))
        return
    if st.session_state.get(_LOOK):
        _look()
    elif total:
        _choice(ticked, every, total, who)


def so_far() -> None:
    """The bulk actions of late, with a way to undo each and to see its items."""
    found = open_workbench().bulk.so_far()
    if not found:
        return
    with st.expander(f"Bulk actions of late ({len(found)})", icon=":material/history:", key="find_so_far"):
        for one in found:
            told, show_, undo = st.columns([7, 1.4, 1.2], vertical_alignment="center")
            told.text(_told(one))
            show_.button(
                "Show its items",
                key=f"find_of_{one['job']}",
                type="tertiary",
                on_click=write_address,
                kwargs={"bulk": one["job"], "page": None},
            )
            if _can_be_undone(one):
                undo.button(
                    "Undo …",
                    key=f"find_undo_{one['job']}",
                    type="tertiary",
                    icon=":material/undo:",
                    on_click=_undo,
                    args=(one["job"],),
                )


def _choice(ticked: Sequence[str], every: All, total: int, who: str) -> None:
    """Which items, and what with them."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            which = st.segmented_control(
                "Items",
                ["ticked", "all"] if ticked else ["all"],
                default="ticked" if ticked else None,
                width="content",
                key=f"find_which_{bool(ticked)}",
                format_func=lambda name: f"{len(ticked):,} ticked" if name == "ticked" else f"All {total:,} found",
            )
            action = st.selectbox(
                "Do with them",
                list(ACTIONS),
                index=None,
                key="find_action",
                width=280,
                format_func=lambda name: ACTIONS[name],
                placeholder="choose what",
            )
            reason, to = _reason(action == "discard"), _person(action == "give")
            is_whole = bool(action) and (action != "discard" or bool(reason)) and (action != "give" or bool(to))
            if st.button(
                "Look at it first", key="find_look_first", icon=":material/preview:", disabled=not (which and is_whole and who)
            ):
                chosen = list(ticked) if which == "ticked" else every
                _begin(BulkRequest(action or "gates", who, reason.strip(), to.strip()), chosen)
                st.rerun()
            if not explain_refusal("run gates") and st.button(
                "Gates …",
                key="find_gates",
                icon=":material/rule:",
                help="Those that ask an agent, too: with an estimate first.",
            ):
                st.session_state["gates_ticked"] = list(ticked) if which == "ticked" else []
                st.switch_page("pages/build/gates.py", query_params=words())
        how = "" if which else "Tick rows below, or choose all that were found. "
        st.caption(f"{how}Nothing is done before you have looked at it.")  # always a line, so that no tick moves the rows
        ask_here("Give your name: what is done in bulk stands under it.", "bulk")


def _reason(is_wanted: bool) -> str:
    if not is_wanted:
        return ""
    return (
        st.selectbox(
            "Reason",
            open_workbench().bulk.reasons(),
            index=None,
            key="find_reason",
            width=260,
            accept_new_options=True,
            placeholder="choose, or write one",
        )
        or ""
    )


def _person(is_wanted: bool) -> str:
    if not is_wanted:
        return ""
    return (
        st.selectbox(
            "Person",
            open_workbench().find.choices()["person"],
            index=None,
            key="find_to",
            width=220,
            accept_new_options=True,
            placeholder="choose, or type a name",
        )
        or ""
    )


def _look() -> None:
    """What would be changed, and the one button that does it."""
    asked, chosen, turn = st.session_state[_LOOK]
    try:
        found = open_workbench().bulk.preview(asked, chosen, turn)
    except BenchError as error:
        show_error(str(error))
        st.button("Close", key="find_look_close", on_click=_close)
        return
    with st.container(border=True):
        preview = found.value
        if preview is None:
            wait_until(lambda: open_workbench().bulk.preview(asked, chosen, turn).is_ready, "Looking at every item ...")
            return
        name = "Undo" if asked.action == "undo" else ACTIONS[asked.action]
        st.markdown(
            f"**{escape(name)}: {preview.will:,} of {preview.total:,} items would be changed.** Nothing has been changed yet."
        )
        _numbers(preview)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                _verb(asked, preview.will),
                key="find_do",
                type="primary",
                disabled=not preview.will,
                on_click=_do,
                args=(asked, chosen, preview.mark),
            )
            st.button("Leave it", key="find_leave", on_click=_close)


def _numbers(preview: BulkPreview) -> None:
    asked = preview.asked
    lines = [f"Reason: {asked.reason}"] if asked.reason else []
    lines += [f"They are {asked.to}'s next, and nobody else gets them."] if asked.to else []
    for name, counts in preview.kinds.items():
        if counts:
            by = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            lines.append(f"{name.capitalize()}: {', '.join(f'{value} ({n:,})' for value, n in by)}")
    if preview.left_out:
        lines.append(f"Left out: {sum(left.n for left in preview.left_out):,}")
        lines += [
            f"  {left.n:,} {left.why} ({', '.join(left.items)}{', …' if left.n > len(left.items) else ''})"
            for left in preview.left_out
        ]
    st.text("\n".join(lines))
    if preview.opinions:
        show_warning(f"On {preview.opinions:,} of them several people are wanted: there it is one opinion, {asked.person}'s.")
    if preview.sample:
        st.dataframe(
            [
                {
                    "Question": one["question"][:500],
                    "Status": one["status"],
                    "Domain": one["domain"],
                    "Level": None if one["level"] is None else str(one["level"]),
                }
                for one in preview.sample
            ],
            hide_index=True,
            height="content",
            column_config={"Question": st.column_config.TextColumn(width="large")},
        )
        if preview.will > len(preview.sample):
            st.caption(f"The first {len(preview.sample)} of {preview.will:,}.")


def _can_be_undone(one: dict[str, Any]) -> bool:
    asked: BulkRequest = one["asked"]
    is_over = one["state"] not in ("queued", "running")
    return asked.action not in ("undo", "gates") and is_over and one["undone"] < one["changed"]


def _told(one: dict[str, Any]) -> str:
    """A bulk action in one line, and what it left out."""
    asked: BulkRequest = one["asked"]
    what = f"Undo of {asked.of}" if asked.action == "undo" else ACTIONS[asked.action]
    more = f" to {asked.to}" if asked.to else f": {asked.reason}" if asked.reason else ""
    at = one["at"][:16].replace("T", " ")
    left = ", ".join(f"{n:,} {why}" for why, n in one["left_out"].items())
    undone = ", undone" if 0 < one["undone"] == one["changed"] else f", {one['undone']:,} undone" if one["undone"] else ""
    state = "" if one["state"] == "done" else f", {job_card.WORDS[one['state']].lower()}"
    return f"{what}{more}: {one['changed']:,} of {one['total']:,} items, {asked.person}, {at} UTC{state}{undone}" + (
        f"\n  left out: {left}" if left else ""
    )


def _verb(asked: BulkRequest, n: int) -> str:
    things = f"{n:,} {'item' if n == 1 else 'items'}"
    return f"{VERBS[asked.action]} {things}" + (f" to {escape(asked.to)}" if asked.action == "give" else "")


def _begin(asked: BulkRequest, chosen: Chosen) -> None:
    st.session_state[_LOOK] = (asked, chosen, uuid4().hex)


def _undo(job: str) -> None:
    st.session_state.pop(_JOB, None)
    _begin(BulkRequest("undo", get_person(), of=job), ())


def _do(asked: BulkRequest, chosen: Chosen, mark: str) -> None:
    st.session_state.pop(_LOOK, None)
    bench = open_workbench()
    try:
        job = bench.bulk.plan(asked, chosen, mark)
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
        return
    jobs.start(bench).submit(job)
    st.session_state[_JOB] = job
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def _close() -> None:
    st.session_state.pop(_LOOK, None)
    st.session_state.pop(_JOB, None)
