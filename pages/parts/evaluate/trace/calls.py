"""The steps of a trace in order, and calls as they stand in the ledger: messages as sent, the raw reply, what it took."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.evaluate.results.figures import DASH, money, seconds
from pages.parts.ui import long_text
from pages.parts.ui.say import caution, plain, trouble
from workbench.evaluate.traces.trace_records import CallRecord, StepRecord

ICONS = {
    "thought": "lightbulb",
    "action": "bolt",
    "query": "search",
    "retrieve": "library_books",
    "call": "forum",
    "observation": "visibility",
    "output": "notes",
}


def steps(found: Sequence[StepRecord], key: str, is_open: bool = True) -> None:
    """Each in a line that opens; where they are few, and `is_open`, the calls are open."""
    if not found:
        st.caption("This system tells no steps.")
    for number, step in enumerate(found, 1):
        about = _about(step)
        took = f" · {seconds(step.seconds)}" if step.seconds is not None else ""
        with st.expander(
            plain(f"{number}. {step.kind}{took}{about}"),
            icon=f":material/{ICONS.get(step.kind, 'circle')}:",
            expanded=is_open and step.kind == "call" and len(found) <= 4,
        ):
            if step.text:
                long_text.show(step.text, f"{key}_step_{number}")
            for rank, (span, title, begins) in enumerate(step.spans, 1):
                st.caption(plain(f"{rank}. {title or 'not in this workspace'}, {span.start:,} to {span.end:,}"))
                if begins:
                    st.text(begins + (" …" if span.end - span.start > len(begins) else ""))
            if step.call_id:
                call(step.call, step.call_id, f"{key}_call_{number}")
            elif not step.text and not step.spans:
                st.caption("Nothing was kept of this step.")


def _about(step: StepRecord) -> str:
    """What a step was, in a few words."""
    words = " ".join(step.text.split())[:80]
    if step.spans and (step.kind == "retrieve" or not words):
        return f" · {len(step.spans)} passages" + (f" · {words}" if words else "")
    if step.call:
        return f" · {step.call.prompt.partition('@')[0]}"
    return f" · {words}" if words else ""


def _number(value: int | None) -> str:
    return DASH if value is None else f"{value:,}"


def call(found: CallRecord | None, id_: str, key: str) -> None:
    """One call; one that is gone is said to be gone."""
    if found is None:
        caution(f"The ledger of this workspace has no call {id_}: it was made elsewhere, or its row is gone.")
        return
    tokens = f"{_number(found.tokens_in)} tokens in, {_number(found.tokens_out)} out"
    sent = "nothing was sent" if found.attempts == 0 else f"{_number(found.attempts)} sent"
    source = "from the ledger, before this run" if found.was_there else "made for this run"
    st.caption(
        plain(
            " · ".join(
                [
                    found.agent,
                    found.at[:19].replace("T", " "),
                    source,
                    sent,
                    tokens,
                    f"USD {money(found.price)}",
                    seconds(found.seconds),
                    f"waited {seconds(found.queued)} for a place",
                    *([f"{seconds(found.retrying)} in retries"] if found.retrying else []),
                    f"finish {found.finish or DASH}",
                ]
            )
        )
    )
    if found.error:
        trouble(found.error)
    for number, (role, content) in enumerate(found.messages):
        st.caption(f"Sent: {plain(role)}")
        long_text.show(content, f"{key}_{number}", f"{role}.txt")
    if not found.messages:
        st.caption("No messages: this reply was recorded beforehand, and nothing was sent.")
    if found.reply is not None:
        st.caption("Reply")
        long_text.show(found.reply, f"{key}_reply", "reply.txt")
    with st.expander("Request and reply as JSON"):
        st.code(found.request[: long_text.MOST], language="json", wrap_lines=True)
        if found.raw:
            st.code(found.raw[: long_text.MOST], language="json", wrap_lines=True)
        st.caption(plain(f"Call {found.id}, prompt {found.prompt}"))
