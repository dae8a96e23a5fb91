"""The effect of new queue rules before they apply, and the earlier rules."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.setup.queue.rule_rows import describe_items
from workbench.annotate.queue.queueing import Coverage, QueueRules, RuleChange


def show(change: RuleChange) -> None:
    """Draw the effect of the rules in sentences, one number in each."""
    lines = [f"{_items(n)} will want {_people(then)} instead of {now}." for (now, then), n in change.wanted.items()]
    if change.moved:
        lines.append(f"{_items(change.moved)} will come earlier or later than now.")
    if change.deciding:
        lines.append(f"{change.deciding:,} of them have enough opinions, and these agree: they are decided at once.")
    if change.differing:
        lines.append(
            f"{change.differing:,} of them have enough opinions, but these differ: they wait for somebody to decide between "
            "them."
        )
    st.text("\n".join(lines) or "No waiting item changes; the rules apply to items that come in later.")


def history(versions: Sequence[QueueRules]) -> None:
    """Draw every version of the rules, with its author and time."""
    for rules in versions:
        wants = [
            f"{_people(overlap.wanted)} on {describe_items(overlap.kind)}"
            + (f", {overlap.share:.0%} of each kind" if overlap.share < 1 else "")
            for overlap in rules.overlaps
        ]
        first = [describe_items(kind) for kind in rules.first]
        summary = [
            f"Version {rules.version}, {rules.by}, {rules.at[:16].replace('T', ' ')} UTC",
            *(f"  {want}" for want in wants),
            *(f"  {place}. {entry}" for place, entry in enumerate(first, 1)),
        ]
        st.text("\n".join(summary if wants or first else [*summary, "  one person on each, as they were made"]))


def coverage(lines: Sequence[Coverage]) -> None:
    """Draw one row per level and domain, and one row for all of them."""
    rows = [("none" if line.level is None else str(line.level), line.domain, *line[2:]) for line in lines]
    whole = ("all", "", *(sum(column) for column in zip(*(line[2:] for line in lines), strict=True)))
    names = ("Level", "Domain", "Items", "Wanted by several", "By all of them", "By some", "By several, not required")
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
