"""The steps of a trace in order, and their model calls from the ledger (the store of all calls): the messages as sent, the raw
reply, time and price."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.evaluate.results.figures import DASH, money, seconds
from pages.parts.ui import long_text
from pages.parts.ui.say import escape, show_error, show_warning
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


def show_steps(steps: Sequence[StepRecord], key: str, is_open: bool = True) -> None:
    """Show each step of a trace as a line that expands; `is_open` expands the model calls if there are at most four steps."""
    if not steps:
        st.caption("This system records no steps.")
    for number, record in enumerate(steps, 1):
        step = record.step
        time = f" · {seconds(step.seconds)}" if step.seconds is not None else ""
        with st.expander(
            escape(f"{number}. {step.kind}{time}{_describe(record)}"),
            icon=f":material/{ICONS.get(step.kind, 'circle')}:",
            expanded=is_open and step.kind == "call" and len(steps) <= 4,
        ):
            if step.text:
                long_text.show(step.text, f"{key}_step_{number}")
            for rank, (span, title, beginning) in enumerate(record.passages, 1):
                st.caption(escape(f"{rank}. {title or 'not in this workspace'}, {span.start:,} to {span.end:,}"))
                if beginning:
                    st.text(beginning + (" …" if span.end - span.start > len(beginning) else ""))
            if step.call:
                show_call(record.call, step.call, f"{key}_call_{number}")
            elif not step.text and not step.spans:
                st.caption("No details of this step are stored.")


def _describe(record: StepRecord) -> str:
    """Describe a step of a trace in a few words."""
    step = record.step
    words = " ".join(step.text.split())[:80]
    if step.spans and (step.kind == "retrieve" or not words):
        return f" · {len(step.spans)} passages" + (f" · {words}" if words else "")
    if record.call:
        return f" · {record.call.call.prompt.partition('@')[0]}"
    return f" · {words}" if words else ""


def show_call(record: CallRecord | None, id_: str, key: str) -> None:
    """Show one model call from the ledger, or a warning if the ledger does not contain the call."""
    if record is None:
        show_warning(
            f"This workspace's ledger has no call {id_}: the call was made in another workspace, or its row was deleted."
        )
        return
    call, reply = record.call, record.completion
    tokens_in, tokens_out = (reply.tokens_in, reply.tokens_out) if reply else (None, None)
    sent = "nothing was sent" if call.attempts == 0 else f"{_format_count(call.attempts)} sent"
    facts = [
        call.agent,
        call.at[:19].replace("T", " "),
        "reply from the ledger: the call was made before this run" if record.was_stored else "the call was made for this run",
        sent,
        f"{_format_count(tokens_in)} tokens in, {_format_count(tokens_out)} out",
        *([f"{reply.tokens_thinking:,} of them thinking"] if reply and reply.tokens_thinking else []),
        f"USD {money(reply.price if reply else None)}",
        seconds(reply.seconds if reply else None),
        f"waited {seconds(record.queued)} for a free slot",
        *([f"{seconds(reply.retrying)} in retries"] if reply and reply.retrying else []),
        f"finish {(reply.finish if reply else None) or DASH}",
    ]
    st.caption(escape(" · ".join(facts)))
    if call.error:
        show_error(call.error)
    for number, (role, content) in enumerate(record.messages):
        st.caption(f"Sent: {escape(role)}")
        long_text.show(content, f"{key}_{number}", f"{role}.txt")
    if not record.messages:
        st.caption("No messages: this reply was recorded beforehand, and nothing was sent.")
    for sentence in reply.not_taken if reply else ():
        st.caption(f":material/info: {escape(sentence)}")
    if reply is not None and reply.thinking:
        with st.expander("Thinking (not part of the reply)", icon=":material/psychology:"):
            long_text.show(reply.thinking, f"{key}_thinking", "thinking.txt")
    if reply is not None:
        st.caption("Reply")
        long_text.show(reply.text, f"{key}_reply", "reply.txt")
    with st.expander("Request and reply as JSON"):
        for text in filter(None, [record.request, record.raw]):
            st.code(text[: long_text.MAX_CHARACTERS], language="json", wrap_lines=True)
        st.caption(escape(f"Call {call.id}, prompt {call.prompt}"))


def _format_count(value: int | None) -> str:
    return DASH if value is None else f"{value:,}"
