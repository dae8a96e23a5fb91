"""The box for actions on many items together (bulk actions): a preview, a confirmation and the running job; and a list of
earlier bulk actions, each with a button that undoes the action."""

from collections.abc import Sequence
from uuid import uuid4

import streamlit as st

import jobs
from core.errors import BenchError
from pages.parts.annotate.find.list_address import read_address
from pages.parts.ui import job_card
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.in_url import write_address
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import count_things, escape, show_error, show_warning
from pages.parts.ui.waiting import wait_until
from workbench import open_workbench
from workbench.annotate.finding.bulk import ACTIONS, AllFound, BulkPreview, BulkRecord, BulkRequest, Selection

_PREVIEW, _JOB, FEEDBACK, TURN = "find_look", "find_job", "find", "find_turn"
VERBS = {
    "discard": "Discard",
    "accept": "Accept",
    "take_back": "Take the decisions back on",
    "give": "Give",
    "take_from": "Take back",
    "gates": "Run the gates on",
    "undo": "Undo it for",
}
"""Dict from action name to the label of its button, which the number of items follows."""


def show(ticked: Sequence[str], every: AllFound, total: int, who: str) -> None:
    """Show the box above the list of items: the choice of items and action, the preview of the action, or its running job."""
    show_feedback(FEEDBACK)
    if job := st.session_state.get(_JOB):
        state = job_card.show(job, compact=True)
        if state not in ("queued", "running"):
            with st.container(horizontal=True):
                st.button("Close", key="find_job_close", on_click=_close)
                if _can_be_undone(open_workbench().bulk.load_action(job)):
                    st.button("Undo …", key="find_job_undo", icon=":material/undo:", on_click=_undo, args=(job,))
    elif st.session_state.get(_PREVIEW):
        _show_preview()
    elif total:
        _show_choice(ticked, every, total, who)


def show_earlier() -> None:
    """Show the latest bulk actions, each with a button that lists its items and a button that undoes the action."""
    records = open_workbench().bulk.list_actions()
    if not records:
        return
    with st.expander(f"Earlier bulk actions ({len(records)})", icon=":material/history:", key="find_so_far"):
        for record in records:
            text, listing, undo = st.columns([7, 1.4, 1.2], vertical_alignment="center")
            text.text(_describe(record))
            address = {"bulk": record.job, "page": None}
            listing.button(
                "Show its items", key=f"find_of_{record.job}", type="tertiary", on_click=write_address, kwargs=address
            )
            if _can_be_undone(record):
                undo.button(
                    "Undo …",
                    key=f"find_undo_{record.job}",
                    type="tertiary",
                    icon=":material/undo:",
                    on_click=_undo,
                    args=(record.job,),
                )


def _show_choice(ticked: Sequence[str], every: AllFound, total: int, who: str) -> None:
    """Show the widgets with which a person chooses the items and the action."""
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
                "Action",
                list(ACTIONS),
                index=None,
                key="find_action",
                width=280,
                format_func=ACTIONS.__getitem__,
                placeholder="choose what",
            )
            reason = to = ""
            if action == "discard":
                reason = _choose("Reason", open_workbench().bulk.reasons(), "find_reason", 260, "choose, or write one")
            if action == "give":
                names = [str(name) for name in open_workbench().find.choices()["person"]]
                to = _choose("Person", names, "find_to", 220, "choose, or type a name")
            is_whole = bool(action) and (action != "discard" or bool(reason)) and (action != "give" or bool(to))
            may_look = bool(which and is_whole and who)
            if st.button("Preview", key="find_look_first", icon=":material/preview:", disabled=not may_look):
                selection = list(ticked) if which == "ticked" else every
                _begin(BulkRequest(action or "gates", who, reason.strip(), to.strip()), selection)
                st.rerun()
            about = "Runs any gates, including those that ask an agent, after an estimate."
            if not explain_refusal("run gates") and st.button("Gates …", key="find_gates", icon=":material/rule:", help=about):
                st.session_state["gates_ticked"] = list(ticked) if which == "ticked" else []
                st.switch_page("pages/build/gates.py", query_params=read_address())
        how = "" if which else "Tick rows below, or choose all items found. "
        st.caption(f"{how}Nothing changes before you see a preview.")  # always one line, so that ticks do not move rows
        ask_here("Give your name: bulk actions are recorded under it.", "bulk")


def _choose(label: str, options: Sequence[str], key: str, width: int, placeholder: str) -> str:
    chosen = st.selectbox(label, options, index=None, key=key, width=width, accept_new_options=True, placeholder=placeholder)
    return chosen or ""


def _show_preview() -> None:
    """Show what the chosen action would change, and the button that starts it."""
    request, selection, turn = st.session_state[_PREVIEW]
    try:
        preview = open_workbench().bulk.preview(request, selection, turn).value
    except BenchError as error:
        show_error(str(error))
        st.button("Close", key="find_look_close", on_click=_close)
        return
    with st.container(border=True):
        if preview is None:
            wait_until(lambda: open_workbench().bulk.preview(request, selection, turn).is_ready, "Checking every item ...")
            return
        name = "Undo" if request.action == "undo" else ACTIONS[request.action]
        changes = f"{preview.will:,} of {preview.total:,} items would change"
        st.markdown(f"**{escape(name)}: {changes}.** Nothing has changed yet.")
        _show_numbers(preview)
        with st.container(horizontal=True, vertical_alignment="center"):
            to = f" to {escape(request.to)}" if request.action == "give" else ""
            st.button(
                f"{VERBS[request.action]} {count_things(preview.will, 'item')}{to}",
                key="find_do",
                type="primary",
                disabled=not preview.will,
                on_click=_start,
                args=(request, selection, preview.mark),
            )
            st.button("Cancel", key="find_leave", on_click=_close)


def _show_numbers(preview: BulkPreview) -> None:
    request = preview.request
    lines = [f"Reason: {request.reason}"] if request.reason else []
    lines += [f"The items then wait for {request.to} only."] if request.to else []
    for name, counts in preview.kinds.items():
        if counts:
            by = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
            lines.append(f"{name.capitalize()}: {', '.join(f'{value} ({n:,})' for value, n in by)}")
    if preview.left_out:
        lines.append(f"Left out: {sum(group.n for group in preview.left_out):,}")
        lines += [
            f"  {group.n:,} {group.why} ({', '.join(group.items)}{', …' if group.n > len(group.items) else ''})"
            for group in preview.left_out
        ]
    st.text("\n".join(lines))
    if preview.opinions:
        show_warning(
            f"{preview.opinions:,} of these items need several reviewers: the action adds one opinion, by {request.person}."
        )
    if preview.sample:
        rows = [
            {
                "Question": item.question,
                "Status": item.status,
                "Domain": item.domain,
                "Level": None if item.level is None else str(item.level),
            }
            for item in preview.sample
        ]
        show_rows(rows, {"Question": st.column_config.TextColumn(width="large")})
        if preview.will > len(preview.sample):
            st.caption(f"The first {len(preview.sample)} of the {preview.will:,} items are listed.")


def _can_be_undone(record: BulkRecord) -> bool:
    is_over = record.state not in ("queued", "running")
    return record.request.action not in ("undo", "gates") and is_over and record.undone < record.changed


def _describe(record: BulkRecord) -> str:
    """Describe a bulk action in one line: its name, the person, the time, and how many items it changed and left out."""
    request = record.request
    name = f"Undo of {request.of}" if request.action == "undo" else ACTIONS[request.action]
    more = f" to {request.to}" if request.to else f": {request.reason}" if request.reason else ""
    at = record.at[:16].replace("T", " ")
    line = f"{name}{more}: {record.changed:,} of {record.total:,} items, {request.person}, {at} UTC"
    line += "" if record.state == "done" else f", {job_card.WORDS[record.state].lower()}"
    if record.undone:
        line += ", undone" if record.undone == record.changed else f", {record.undone:,} undone"
    left = ", ".join(f"{n:,} {why}" for why, n in record.left_out.items())
    return f"{line}\n  left out: {left}" if left else line


def _begin(request: BulkRequest, selection: Selection) -> None:
    st.session_state[_PREVIEW] = (request, selection, uuid4().hex)


def _undo(job: str) -> None:
    st.session_state.pop(_JOB, None)
    _begin(BulkRequest("undo", get_person(), of=job), ())


def _start(request: BulkRequest, selection: Selection, mark: str) -> None:
    st.session_state.pop(_PREVIEW, None)
    bench = open_workbench()
    with keep_errors(FEEDBACK):
        job = bench.bulk.plan(request, selection, mark)
        jobs.start(bench).submit(job)
        st.session_state[_JOB] = job
        st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def _close() -> None:
    st.session_state.pop(_PREVIEW, None)
    st.session_state.pop(_JOB, None)
