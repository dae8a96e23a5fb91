"""Qualification, control items and blind answers: what a lead sets, and what the answers tell of each person."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from core.errors import BenchError
from core.statistics.statistics import Interval
from pages.parts.annotate.progress.figures import percent, things
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH, format_difference, interval
from pages.parts.ui.person import person
from pages.parts.ui.say import caution, plain, trouble
from pages.parts.ui.until_ready import until_ready
from workbench import opened
from workbench.annotate.controls.qualification import QualificationState
from workbench.annotate.progress.progress import Bias, Hits

_TROUBLE, _DONE = "trust_trouble", "trust_done"
QUALIFICATION_COLUMNS = (("Person", "left"), ("Round", ""), ("Done", ""), ("Right", ""), ("Needed", ""), ("", "left"))
BIAS_COLUMNS = (
    ("Person", "left", ""),
    ("Like the draft", "", "Token F1 of own answers with the hidden ones."),
    ("Like the accepted", "", "Token F1 of own answers with the accepted ones."),
    ("As drafted, blind", "", "Decisions that took the draft as it was, after an own answer."),
    ("As drafted, seen", "", "The same, where the draft was in sight from the start."),
    ("Difference", "", "Seen less blind: the effect of seeing the draft first."),
)


def show() -> None:
    """Draw the rules and the three tables."""
    show_rules()
    st.subheader("Qualification", anchor=False)
    show_qualification(opened().reviews.qualification.list_states())
    st.subheader("Control items in the queue", anchor=False)
    hits = until_ready(opened().progress.hits, "Counting control items", height=80)
    if hits is not None:
        show_hits(hits, "progress_hits", "Nobody has decided on a control item yet.")
    st.subheader("Answered before the draft was seen", anchor=False)
    biases = until_ready(opened().progress.biases, "Comparing own answers with drafts", height=80)
    if biases is not None:
        show_biases(biases)


def show_rules() -> None:
    """Draw the current rules, and forms to change them."""
    reviews = opened().reviews
    qualification, sampling, blind = reviews.qualification.rule(), reviews.control_sampling.rule(), reviews.blind.rule()
    rules = [
        f"qualification: {qualification.passing} of {qualification.n} right" if qualification.n else "no qualification",
        f"1 item in {sampling.every} is a control item" if sampling.every else "no control items",
        f"{blind.share:.0%} answered blind" if blind.share else "none answered blind",
    ]
    if sentence := st.session_state.pop(_TROUBLE, ""):
        trouble(sentence)
    if sentence := st.session_state.pop(_DONE, ""):
        st.toast(plain(sentence))
    with st.expander(plain(f"Rules: {', '.join(rules)}"), icon=":material/tune:", key="trust_rules"):
        first, second, third = st.columns(3, gap="large")
        with first, st.form("trust_qualification", border=False):
            st.markdown("**Qualification before the first item**")
            n = st.number_input("Items in a round (0 = no qualification)", 0, 50, qualification.n, key="trust_n")
            passing = st.number_input("Right decisions to pass", 0, 50, qualification.passing, key="trust_passing")
            if st.form_submit_button("Set qualification"):
                _set(lambda: reviews.qualification.set_rule(int(n), int(passing), person()))
        with second, st.form("trust_sampling", border=False):
            st.markdown("**Control items in the queue**")
            every = st.number_input("One item in (0 = none)", 0, 1000, sampling.every, key="trust_every")
            seed = st.number_input("Seed", 0, 2**31 - 1, sampling.seed, key="trust_sampling_seed")
            if st.form_submit_button("Set rate"):
                _set(lambda: reviews.control_sampling.set_rule(int(every), int(seed), person()))
        with third, st.form("trust_blind", border=False):
            st.markdown("**Answered before the draft is seen**")
            share = st.number_input("Per cent of the items", 0, 100, round(100 * blind.share), key="trust_share")
            seed = st.number_input("Seed", 0, 2**31 - 1, blind.seed, key="trust_blind_seed")
            if st.form_submit_button("Set share"):
                _set(lambda: reviews.blind.set_rule(share / 100, int(seed), person()))
        st.caption(
            "Control items are copies of accepted items with one known error, or none. No count of items, no search and no "
            "release includes them. People see the rate on their desk, never which items are control items."
        )
    if missing := reviews.qualification.count_missing_items():
        caution(
            f"Qualification lacks {things(missing, 'control item')}: accept more items to copy. Until then people begin with "
            "real items."
        )


def show_qualification(states: Sequence[QualificationState]) -> None:
    """Draw a row a person, and a way to let somebody through."""
    if not states:
        st.caption("Nobody has begun a qualification round yet.")
        return
    columns = [{"label": label, "align": align} for label, align in QUALIFICATION_COLUMNS]
    rows = [
        {
            "cells": [
                {"text": state.person},
                {"text": str(state.round) if state.round else DASH},
                {"text": f"{state.done} of {state.n}"},
                {"text": str(state.right)},
                {"text": str(state.passing)},
                {"text": _outcome(state), "mark": "best" if state.has_passed else ""},
            ]
        }
        for state in states
    ]
    notes = ["The last round of each person; after a failed round another begins."]
    paper_table.show(columns, rows, "progress_qualification", notes=notes)
    waiting = [state.person for state in states if not state.has_passed and not state.excused_by]
    if waiting:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("Let somebody through without passing", waiting, key="trust_excuse", width=300)
            if st.button("Let through", key="trust_excuse_go", disabled=not person()):
                _set(lambda: opened().reviews.qualification.excuse(str(name), person()))


def show_hits(hits: Sequence[Hits], key: str, if_none: str) -> None:
    """Draw a row a person, a column a kind of injected error; the caption `if_none` where there is no row."""
    if not hits:
        st.caption(if_none)
        return
    kinds = sorted({kind for row in hits for kind in row.by_error})
    columns: list[dict[str, Any]] = [{"label": "Person", "align": "left"}, {"label": "As expected"}, {"label": "95 % interval"}]
    columns += [{"label": kind.capitalize()} for kind in kinds]
    rows = [
        {
            "cells": [
                {"text": row.person},
                percent(row.share.mean, row.n),
                {"text": _ends(row.share), "muted": True},
                *(_count(row.by_error.get(kind)) for kind in kinds),
            ]
        }
        for row in hits
    ]
    note = (
        "An error counts as found when it was corrected or the item discarded; an item without an error, when it was accepted. "
        "The first decision on each counts."
    )
    paper_table.show(columns, rows, key, notes=[note])


def show_biases(biases: Sequence[Bias]) -> None:
    """Draw a row for all, then a row a person."""
    if not biases:
        st.caption("Nobody has answered blind yet.")
        return
    rows = []
    for bias in biases:
        name = {"text": bias.person or "all", "mark": "" if bias.person else "best"}
        if bias.few:
            rows.append({"cells": [name, *[{"text": "too few", "muted": True, "help": bias.few}] * 5]})
            continue
        shares = [_share(bias.blind), _share(bias.seen)]
        rows.append({"cells": [name, _mean(bias.to_draft), _mean(bias.to_accepted), *shares, _mean(bias.difference, _points)]})
    note = (
        "Decisions since the first blind answer; intervals of 95 %. The seed draws which items are answered blind, so that "
        "both kinds are comparable. Difference: percentage points."
    )
    columns = [{"label": label, "align": align, "help": about} for label, align, about in BIAS_COLUMNS]
    paper_table.show(columns, rows, "progress_blind", notes=[note])


def _outcome(state: QualificationState) -> str:
    return "passed" if state.has_passed else f"let through by {state.excused_by}" if state.excused_by else "not passed yet"


def _count(right_of_n: tuple[int, int] | None) -> dict[str, Any]:
    return {"text": DASH, "muted": True} if right_of_n is None else {"text": f"{right_of_n[0]} of {right_of_n[1]}"}


def _ends(share: Interval) -> str:
    return interval(share.low, share.high, lambda value: f"{value:.0%}".replace("%", " %")) or DASH


def _share(share: Interval) -> dict[str, Any]:
    cell = percent(share.mean, share.n)
    return cell if share.mean is None else {**cell, "sub": f"{_ends(share)}\nn={share.n:,}"}


def _mean(value: Interval, print_value: Callable[[float | None], str] = lambda value: f"{value or 0:.2f}") -> dict[str, Any]:
    if value.mean is None:
        return {"text": DASH, "muted": True, "help": value.why}
    ends = interval(value.low, value.high, print_value)
    return {"text": print_value(value.mean), "sub": "\n".join(filter(None, [ends, f"n={value.n:,}"]))}


def _points(value: float | None) -> str:
    """Percentage points."""
    return DASH if value is None else format_difference(100 * value, 0)


def _set(change: Callable[[], int | None]) -> None:
    """Call `change`, and say how many control items there are afterwards, where it returns that."""
    try:
        total = change()
        st.session_state[_DONE] = "Saved." if total is None else f"Saved. There are {things(total, 'control item')}."
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
    st.rerun()
