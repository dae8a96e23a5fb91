"""Checks on reviewers (qualification, control items, and answers given before seeing the draft): the rules that a lead sets,
and each person's results."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.statistics.statistics import Interval
from pages.parts.annotate.progress import effect_view
from pages.parts.annotate.progress.figures import NO_VALUE, build_heads, format_percent, share_cell
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, format_difference, interval
from pages.parts.ui import grid
from pages.parts.ui.feedback import keep_errors, keep_success, show_feedback
from pages.parts.ui.fields import MAX_SEED
from pages.parts.ui.person import get_person
from pages.parts.ui.say import count_things, escape, show_warning
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.controls.qualification import QualificationState
from workbench.annotate.progress.trust import ControlResults, DraftBias

QUALIFICATION_HEADS = build_heads(dict.fromkeys(("Person", "Round", "Done", "Right", "Needed", ""), ""), ["Person", ""])
BIAS_HEADS = build_heads(
    {
        "Person": "",
        "Like the draft": "Token F1 between people's own answers and the hidden drafts' answers.",
        "Like the accepted": "Token F1 between people's own answers and the accepted answers.",
        "As drafted, blind": "Share of decisions that kept the draft unchanged, for items that the person first answered "
        "without seeing the draft.",
        "As drafted, seen": "Share of decisions that kept the draft unchanged, for items whose draft the person saw from "
        "the start.",
        "Difference": "Share of drafts kept unchanged if the draft was seen from the start, minus the share if it was "
        "hidden at first: the effect of seeing the draft first.",
    },
    ["Person"],
)
BIAS_NOTE = (
    "Decisions since the first blind answer; intervals of 95 %. The seed draws which items are answered blind, so that both "
    "kinds are comparable. Difference: percentage points."
)
CONTROL_NOTE = (
    "Right decisions: an injected error was corrected or its item discarded; an item without an error was accepted. The "
    "first decision on each item counts."
)


def show() -> None:
    """Show the rules, and the tables of qualification, control items and answers given before seeing the draft."""
    stage = open_workbench().progress
    show_rules()
    st.subheader("Qualification", anchor=False)
    show_qualification(open_workbench().reviews.qualification.list_states())
    st.subheader("Control items in the queue", anchor=False)
    results = until_ready(stage.count_control_results, "Counting control items", height=80)
    if results is not None:
        show_control_results(results, "progress_hits", "Nobody has decided on a control item yet.")
    st.subheader("Answered before the draft was seen", anchor=False)
    biases = until_ready(stage.measure_biases, "Comparing people's own answers with drafts", height=80)
    if biases is not None:
        show_biases(biases)
    st.subheader("Effect of drafts on people", anchor=False)
    effects = until_ready(stage.measure_effects, "Comparing decisions with and without a draft", height=80)
    if effects is not None:
        effect_view.show(effects)


def show_rules() -> None:
    """Show the current rules in one line, with the forms that change them."""
    reviews = open_workbench().reviews
    qualification, sampling, blind = reviews.qualification.rule(), reviews.control_sampling.rule(), reviews.blind.rule()
    rules = [
        f"qualification: {qualification.passing} of {qualification.n} right" if qualification.n else "no qualification",
        f"1 item in {sampling.every} is a control item" if sampling.every else "no control items",
        f"{blind.share:.0%} answered blind" if blind.share else "none answered blind",
        *([f"{blind.alone:.0%} answered without a draft"] if blind.alone else []),
    ]
    show_feedback("trust")
    with st.expander(escape(f"Rules: {', '.join(rules)}"), icon=":material/tune:", key="trust_rules"):
        first, second, third = st.columns(3, gap="large")
        with first, st.form("trust_qualification", border=False):
            st.markdown("**Qualification before the first item**")
            n = st.number_input("Items per qualification round (0 = no qualification)", 0, 50, qualification.n, key="trust_n")
            passing = st.number_input("Correct decisions needed to pass", 0, 50, qualification.passing, key="trust_passing")
            if st.form_submit_button("Set qualification"):
                _change_rule(lambda: reviews.qualification.set_rule(int(n), int(passing), get_person()))
        with second, st.form("trust_sampling", border=False):
            st.markdown("**Control items in the queue**")
            every = st.number_input(
                "One control item in this many items (0 = none)", 0, 1000, sampling.every, key="trust_every"
            )
            seed = st.number_input("Seed", 0, MAX_SEED, sampling.seed, key="trust_sampling_seed")
            if st.form_submit_button("Set rate"):
                _change_rule(lambda: reviews.control_sampling.set_rule(int(every), int(seed), get_person()))
        with third, st.form("trust_blind", border=False):
            st.markdown("**Answers given before the draft is seen**")
            share = st.number_input(
                "Percentage of items answered before the draft is seen", 0, 100, round(100 * blind.share), key="trust_share"
            )
            alone = st.number_input(
                "Percentage of items answered without any draft", 0, 100, round(100 * blind.alone), key="trust_alone"
            )
            seed = st.number_input("Seed", 0, MAX_SEED, blind.seed, key="trust_blind_seed")
            if st.form_submit_button("Set share"):
                _change_rule(lambda: reviews.blind.set_rule(share / 100, int(seed), get_person(), alone / 100))
        st.caption(
            "Control items are copies of accepted items with one known error or no error. Item counts, searches and releases "
            "do not include them. Reviewers see how frequent control items are, but not which items are control items."
        )
    if missing := reviews.qualification.count_missing_items():
        show_warning(
            f"Qualification still needs {count_things(missing, 'control item')}, which are copies of accepted items: accept "
            "more items. Until then people begin with real items."
        )


def show_qualification(states: Sequence[QualificationState]) -> None:
    """Show the results of qualification, one row per person, and a box that exempts a person from qualification."""
    if not states:
        st.caption("Nobody has begun a qualification round yet.")
        return
    rows = []
    for state in states:
        texts = (state.person, state.round or DASH, f"{state.done} of {state.n}", state.right, state.passing)
        outcome = {"text": _describe_outcome(state), "mark": "best" if state.has_passed else ""}
        rows.append({"cells": [*grid.cells(*texts), outcome]})
    notes = ["The last round of each person; after a failed round, the person begins another one."]
    paper_table.show(QUALIFICATION_HEADS, rows, "progress_qualification", notes=notes)
    waiting = [state.person for state in states if not state.has_passed and not state.excused_by]
    if waiting:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("Exempt somebody from qualification", waiting, key="trust_excuse", width=300)
            if st.button("Exempt", key="trust_excuse_go", disabled=not get_person()):
                _change_rule(lambda: open_workbench().reviews.qualification.excuse(str(name), get_person()))


def show_control_results(results: Sequence[ControlResults], key: str, if_none: str) -> None:
    """Show the results on control items, one row per person and one column per kind of injected error; if `results` is empty,
    show the caption `if_none`."""
    if not results:
        st.caption(if_none)
        return
    kinds = sorted({kind for row in results for kind in row.by_error})
    rows = [
        {
            "cells": [
                {"text": row.person},
                share_cell(row.share.mean, row.n),
                {"text": _format_interval(row.share), "muted": True},
                *(_count_cell(row.by_error.get(kind)) for kind in kinds),
            ]
        }
        for row in results
    ]
    labels = ("Person", "As expected", "95 % interval", *(kind.capitalize() for kind in kinds))
    paper_table.show(build_heads(dict.fromkeys(labels, ""), ["Person"]), rows, key, notes=[CONTROL_NOTE])


def show_biases(biases: Sequence[DraftBias]) -> None:
    """Show a table of how much seeing the draft changes people's answers, for all people together and then for each person."""
    if not biases:
        st.caption("Nobody has answered a question before seeing its draft yet.")
        return
    rows = []
    for bias in biases:
        name = {"text": bias.person or "all", "mark": "" if bias.person else "best"}
        if bias.few:
            rows.append({"cells": [name, *[{"text": "too few", "muted": True, "help": bias.few}] * 5]})
            continue
        means, shares = (bias.to_draft, bias.to_accepted), (bias.blind, bias.seen)
        difference = _mean_cell(bias.difference, _format_points)
        rows.append({"cells": [name, *map(_mean_cell, means), *map(_share_cell, shares), difference]})
    paper_table.show(BIAS_HEADS, rows, "progress_blind", notes=[BIAS_NOTE])


def _describe_outcome(state: QualificationState) -> str:
    return "passed" if state.has_passed else f"exempted by {state.excused_by}" if state.excused_by else "not passed yet"


def _count_cell(right_of_n: tuple[int, int] | None) -> dict[str, Any]:
    return {**NO_VALUE} if right_of_n is None else {"text": f"{right_of_n[0]} of {right_of_n[1]}"}


def _format_interval(share: Interval) -> str:
    return interval(share.low, share.high, format_percent) or DASH


def _share_cell(share: Interval) -> dict[str, Any]:
    cell = share_cell(share.mean, share.n)
    return cell if share.mean is None else {**cell, "sub": f"{_format_interval(share)}\nn={share.n:,}"}


def _mean_cell(value: Interval, print_value: Callable[[float], str] = lambda value: f"{value:.2f}") -> dict[str, Any]:
    if value.mean is None:
        return {**NO_VALUE, "help": value.why}
    ends = interval(value.low, value.high, print_value)
    return {"text": print_value(value.mean), "sub": "\n".join(filter(None, [ends, f"n={value.n:,}"]))}


def _format_points(value: float) -> str:
    """Format a difference of two shares in percentage points."""
    return format_difference(100 * value, 0)


def _change_rule(change: Callable[[], int | None]) -> None:
    """Call the function `change`, and report its success or error; a number that `change` returns is the new number of control
    items."""
    with keep_errors("trust"):
        total = change()
        keep_success("trust", "Saved." if total is None else f"Saved. There are {count_things(total, 'control item')}.")
    st.rerun()
