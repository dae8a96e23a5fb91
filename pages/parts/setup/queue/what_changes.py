"""What new queue rules would change, shown before a lead applies them; and the earlier versions of the rules."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.setup.queue.rule_rows import describe_items
from workbench.annotate.queue.queueing import Coverage, QueueRules, RuleChange


def show(change: RuleChange) -> None:
    """Show sentences on what the new rules would change; each sentence contains the number of items that it is about."""
    lines = [f"{_items(n)} will need {_people(then)} instead of {now}." for (now, then), n in change.wanted.items()]
    if change.moved:
        lines.append(f"{_items(change.moved)} will come earlier or later in the queue than now.")
    if change.deciding:
        lines.append(
            f"{change.deciding:,} of these items already have enough equal opinions: this change decides on them immediately."
        )
    if change.differing:
        lines.append(
            f"{change.differing:,} of these items have enough opinions, but the opinions differ: the items then wait for "
            "somebody to decide between them."
        )
    st.text("\n".join(lines) or "No waiting item changes; the rules apply to items that come in later.")


def history(versions: Sequence[QueueRules]) -> None:
    """Show all versions of the queue rules, each with its author and time."""
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
        st.text("\n".join(summary if wants or first else [*summary, "  one reviewer per item, the oldest items first"]))


def coverage(lines: Sequence[Coverage]) -> None:
    """Show a table of how many items were reviewed by several people, by level and domain, with a row for all items."""
    rows = [("none" if line.level is None else str(line.level), line.domain, *line[2:]) for line in lines]
    whole = ("all", "", *(sum(column) for column in zip(*(line[2:] for line in lines), strict=True)))
    names = (
        "Level",
        "Domain",
        "Items",
        "Several people needed",
        "Reviewed by all needed",
        "Reviewed by some",
        "By several, though not needed",
    )
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
