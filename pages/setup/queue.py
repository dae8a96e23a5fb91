"""Queue: how many people review which items, which items come first, and for how long an item stays reserved for one person.
The page shows the effect of a change before the change is applied, and records every change."""

import streamlit as st

from core.errors import BenchError
from pages.parts.setup.queue import rule_rows, skipped, what_changes
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.buttons import draw_button
from pages.parts.ui.heading import show_heading
from pages.parts.ui.person import ask_here, get_person
from pages.parts.ui.say import show_error, show_note, show_success
from workbench import open_workbench
from workbench.annotate.queue.holds import MAX_MINUTES, MIN_MINUTES
from workbench.annotate.queue.queueing import QueueRules

DONE, TROUBLE, MINUTES = "queue_done", "queue_trouble", "queue_minutes"
bench = open_workbench()


def main() -> None:
    """Show the queue rules, the effect of the person's unapplied changes, and how many items already have as many reviewers as
    the current rules require."""
    show_heading("Queue", "The number of reviewers per item, the order of the queue, and how long items stay reserved.")
    why = explain_refusal("set the rules of the work")
    if why:
        show_note(why)
    for key, say in ((DONE, show_success), (TROUBLE, show_error)):
        if sentence := st.session_state.pop(key, ""):
            say(sentence)
    now = bench.queue.rules()
    rules = rule_rows.draft(now)
    rule_rows.show(bench.queue.choices(), not why)
    if (list(rules.overlaps), list(rules.first), rules.seed) != (list(now.overlaps), list(now.first), now.seed):
        show_change(rules)
    elif rules.version != now.version:
        rule_rows.forget()
        st.rerun()
    st.session_state[MINUTES] = bench.reviews.holds.minutes
    st.number_input(
        "Minutes until an idle reservation ends",
        MIN_MINUTES,
        MAX_MINUTES,
        key=MINUTES,
        on_change=set_minutes,
        width=300,
        disabled=bool(why),
    )
    lines = [line for line in bench.queue.coverage() if line.several or line.beyond]
    if lines:
        st.markdown("**Reviewed by several people**")
        st.caption("Items that need several reviewers, by the number of people who reviewed them.")
        what_changes.coverage(lines)
    if not explain_refusal("see who did what"):
        skipped.show(bench.reviews.skips)
    if history := bench.queue.history():
        with st.expander(f"Versions ({len(history)})", icon=":material/history:", key="queue_history"):
            what_changes.history(history)


def show_change(rules: QueueRules) -> None:
    """Show the effect of the changed queue rules, and the button that applies them."""
    with st.container(border=True):
        try:
            change = bench.queue.preview(rules)
        except BenchError as error:
            show_error(str(error))
            return
        st.markdown("**What this would change.** Nothing has been changed yet.")
        what_changes.show(change)
        with st.container(horizontal=True):
            draw_button("Apply", "queue_put", put, rules, is_primary=True, disabled=not get_person())
            draw_button("Discard changes", "queue_leave", rule_rows.forget)
        if not get_person():
            ask_here("Give your name: the rules are stored under it.", "rules")


def put(rules: QueueRules) -> None:
    try:
        n = bench.queue.set_rules(rules, get_person())
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
    else:
        st.session_state[DONE] = f"The new rules apply now; {n:,} {'item' if n == 1 else 'items'} that wait changed."
        rule_rows.forget()


def set_minutes() -> None:
    try:
        bench.reviews.holds.set_minutes(int(st.session_state[MINUTES]))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)


main()
