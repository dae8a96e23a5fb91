"""What other rules of the queue would change, before they hold; and the rules that held before."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.setup.queue.rule_rows import describe_items
from workbench.annotate.queue.queueing import Coverage, QueueRules, RuleChange


def show(change: RuleChange) -> None:
    """In sentences, a number each."""
    lines = [f"{_items(n)} will want {_people(then)} instead of {now}." for (now, then), n in change.wanted.items()]
    if change.moved:
        lines.append(f"{_items(change.moved)} will come earlier or later than now.")
    if change.deciding:
        lines.append(f"On {change.deciding:,} of them the opinions that are in are enough and agree: they are decided at once.")
    if change.differing:
        lines.append(
            f"On {change.differing:,} of them the opinions that are in are enough and differ: they wait to be adjudicated."
        )
    st.text("\n".join(lines) or "Nothing that waits changes; what comes in later does.")


def history(found: Sequence[QueueRules]) -> None:
    """Every version with who set it and when."""
    for rules in found:
        wants = [
            f"{_people(one.wanted)} on {describe_items(one.kind)}"
            + (f", {one.share:.0%} of each kind" if one.share < 1 else "")
            for one in rules.overlaps
        ]
        first = [describe_items(kind) for kind in rules.first]
        told = [
            f"Version {rules.version}, {rules.by}, {rules.at[:16].replace('T', ' ')} UTC",
            *(f"  {one}" for one in wants),
            *(f"  {place}. {one}" for place, one in enumerate(first, 1)),
        ]
        st.text("\n".join(told if wants or first else [*told, "  one person on each, as they were made"]))


def coverage(found: Sequence[Coverage]) -> None:
    """A row a level and domain, and one of all of these."""
    rows = [("none" if one.level is None else str(one.level), one.domain, *one[2:]) for one in found]
    whole = ("all", "", *(sum(column) for column in zip(*(one[2:] for one in found), strict=True)))
    names = ("Level", "Domain", "Items", "Wanted by several", "By all of them", "By some", "By several, unasked")
    st.dataframe(
        [dict(zip(names, row, strict=True)) for row in (*rows, whole)],
        hide_index=True,
        height="content",
        key="queue_coverage",
        column_config={name: st.column_config.NumberColumn(format="localized") for name in names[2:]},
    )


def _items(n: int) -> str:
    return f"{n:,} {'item' if n == 1 else 'items'}"


def _people(n: int) -> str:
    return "one person" if n == 1 else f"{n} people"
