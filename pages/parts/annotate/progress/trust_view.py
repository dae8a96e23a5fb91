"""Practice, planted items and blind answers: what a lead sets, and what it tells of each person."""

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
from workbench.annotate.controls.practice import PracticeStanding
from workbench.annotate.progress.progress import Bias, Hits

_TROUBLE, _DONE = "trust_trouble", "trust_done"


def show() -> None:
    """Draw it; a figure of one person stands beside what it rests on."""
    rules()
    st.subheader("Practice", anchor=False)
    practice(opened().reviews.practice.everyone())
    st.subheader("Planted items in the queue", anchor=False)
    found = until_ready(opened().progress.hits, "Counting planted items", height=80)
    if found is not None:
        planted(found, "progress_hits", "No planted item was decided on yet.")
    st.subheader("Answered before the draft was seen", anchor=False)
    told = until_ready(opened().progress.biases, "Comparing own answers with drafts", height=80)
    if told is not None:
        blind(told)


def rules() -> None:
    """What is set, and boxes to set it."""
    reviews = opened().reviews
    practice, mixing, share = reviews.practice.rule(), reviews.mixing.rule(), reviews.blind.rule()
    told = [
        f"practice: {practice.passing} of {practice.n} right" if practice.n else "no practice",
        f"1 item in {mixing.every} planted" if mixing.every else "none planted",
        f"{share.share:.0%} answered blind" if share.share else "none answered blind",
    ]
    if said := st.session_state.pop(_TROUBLE, ""):
        trouble(said)
    if said := st.session_state.pop(_DONE, ""):
        st.toast(plain(said))
    with st.expander(plain(f"Rules: {', '.join(told)}"), icon=":material/tune:", key="trust_rules"):
        first, second, third = st.columns(3, gap="large")
        with first, st.form("trust_practice", border=False):
            st.markdown("**Practice before the first item**")
            n = st.number_input("Items in a round (0 = no practice)", 0, 50, practice.n, key="trust_n")
            passing = st.number_input("Right ones that pass", 0, 50, practice.passing, key="trust_passing")
            if st.form_submit_button("Set practice"):
                _set(lambda: reviews.practice.set_rule(int(n), int(passing), person()))
        with second, st.form("trust_mixing", border=False):
            st.markdown("**Planted items in the queue**")
            every = st.number_input("One item in so many (0 = none)", 0, 1000, mixing.every, key="trust_every")
            seed = st.number_input("Seed", 0, 2**31 - 1, mixing.seed, key="trust_mixing_seed")
            if st.form_submit_button("Set rate"):
                _set(lambda: reviews.mixing.set_rule(int(every), int(seed), person()))
        with third, st.form("trust_blind", border=False):
            st.markdown("**Answered before the draft is seen**")
            of = st.number_input("Per cent of the items", 0, 100, round(100 * share.share), key="trust_share")
            seed = st.number_input("Seed", 0, 2**31 - 1, share.seed, key="trust_blind_seed")
            if st.form_submit_button("Set share"):
                _set(lambda: reviews.blind.set_rule(of / 100, int(seed), person()))
        st.caption(
            "Planted items are copies of accepted ones with one known flaw, or none. They are in no count of items, no "
            "search and no release. People see the rate on their desk, never which items are planted."
        )
    if lack := reviews.practice.lack():
        caution(
            f"Practice lacks {things(lack, 'planted item')}. Until enough items are accepted to plant in, people begin "
            f"with real ones."
        )


def practice(found: Sequence[PracticeStanding]) -> None:
    """A row a person, and a way past it."""
    if not found:
        st.caption("Nobody has practised yet.")
        return
    columns = [
        {"label": label, "align": align}
        for label, align in (("Person", "left"), ("Round", ""), ("Done", ""), ("Right", ""), ("Needed", ""), ("", "left"))
    ]
    rows = [
        {
            "cells": [
                {"text": one.person},
                {"text": str(one.round) if one.round else DASH},
                {"text": f"{one.done} of {one.n}"},
                {"text": str(one.right)},
                {"text": str(one.passing)},
                {"text": _outcome(one), "mark": "best" if one.has_passed else ""},
            ]
        }
        for one in found
    ]
    notes = ["The last round of each person; a failed one is followed by another."]
    paper_table.show(columns, rows, "progress_practice", notes=notes)
    waiting = [one.person for one in found if not one.has_passed and not one.excused_by]
    if waiting:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox("Let somebody through without passing", waiting, key="trust_excuse", width=300)
            if st.button("Let through", key="trust_excuse_go", disabled=not person()):
                _set(lambda: opened().reviews.practice.excuse(str(name), person()))


def planted(found: Sequence[Hits], key: str, none: str) -> None:
    """A row a person, a column a kind of flaw."""
    if not found:
        st.caption(none)
        return
    kinds = sorted({kind for one in found for kind in one.by_flaw})
    columns: list[dict[str, Any]] = [{"label": "Person", "align": "left"}, {"label": "As expected"}, {"label": "95 % interval"}]
    columns += [{"label": kind.capitalize()} for kind in kinds]
    rows = [
        {
            "cells": [
                {"text": one.person},
                percent(one.share.mean, one.n),
                {"text": _ends(one.share), "muted": True},
                *(_count(one.by_flaw.get(kind)) for kind in kinds),
            ]
        }
        for one in found
    ]
    paper_table.show(
        columns,
        rows,
        key,
        notes=[
            "A flaw counts as found when it was mended, or the item discarded; an item without one when it was "
            "accepted. The first "
            "decision on each counts.",
        ],
    )


def blind(found: Sequence[Bias]) -> None:
    """A row for all, then a row a person."""
    if not found:
        st.caption("Nobody answered blind yet.")
        return
    columns = [
        {"label": "Person", "align": "left"},
        {"label": "Like the draft", "help": "Token F1 of own answers with the hidden ones."},
        {"label": "Like the accepted", "help": "Token F1 of own answers with those that were accepted."},
        {"label": "As drafted, blind", "help": "Decisions that took the draft as it was, after an own answer."},
        {"label": "As drafted, seen", "help": "The same where the draft was seen at once."},
        {"label": "Difference", "help": "Seen less blind: what seeing the draft first adds."},
    ]
    rows = []
    for one in found:
        name = {"text": one.person or "all", "mark": "" if one.person else "best"}
        if one.few:
            rows.append({"cells": [name, *({"text": "too few", "muted": True, "help": one.few} for _ in range(5))]})
            continue
        rows.append(
            {
                "cells": [
                    name,
                    _mean(one.to_draft),
                    _mean(one.to_accepted),
                    _share(one.blind),
                    _share(one.seen),
                    _mean(one.difference, _points),
                ]
            }
        )
    paper_table.show(
        columns,
        rows,
        "progress_blind",
        notes=[
            "Decisions since the first blind answer; intervals of 95 %. Which items are answered blind is drawn "
            "by the seed, so "
            "that both kinds are alike. Difference: percentage points.",
        ],
    )


def _outcome(one: PracticeStanding) -> str:
    return "passed" if one.has_passed else f"let through by {one.excused_by}" if one.excused_by else "practises"


def _count(found: tuple[int, int] | None) -> dict[str, Any]:
    return {"text": DASH, "muted": True} if found is None else {"text": f"{found[0]} of {found[1]}"}


def _ends(found: Interval) -> str:
    return interval(found.low, found.high, lambda value: f"{value:.0%}".replace("%", " %")) or DASH


def _share(found: Interval) -> dict[str, Any]:
    cell = percent(found.mean, found.n)
    return cell if found.mean is None else {**cell, "sub": f"{_ends(found)}\nn={found.n:,}"}


def _mean(found: Interval, printed: Callable[[float | None], str] = lambda value: f"{value or 0:.2f}") -> dict[str, Any]:
    if found.mean is None:
        return {"text": DASH, "muted": True, "help": found.why}
    ends = interval(found.low, found.high, printed)
    return {"text": printed(found.mean), "sub": "\n".join(filter(None, [ends, f"n={found.n:,}"]))}


def _points(value: float | None) -> str:
    """Percentage points."""
    return DASH if value is None else format_difference(100 * value, 0)


def _set(act: Callable[[], int | None]) -> None:
    """Act, and say how many planted items there are then."""
    try:
        stock = act()
        st.session_state[_DONE] = "Set." if stock is None else f"Set. There are {things(stock, 'planted item')}."
    except BenchError as error:
        st.session_state[_TROUBLE] = str(error)
    st.rerun()
