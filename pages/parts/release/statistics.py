"""The statistics of a release: counts, lengths, and how many of the questions' words occur in their evidence."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts.build.coverage import levels as level_table
from pages.parts.ui import grid
from pages.parts.ui.grid import level_name
from workbench import open_workbench

OVERLAP = "Share of a question's content words that occur in its evidence: a high share is easy for a search by words."
LENGTHS = ("context", "question", "answer")


def show(name: str) -> None:
    """Show the statistics of the release, which are computed once per release content."""
    with st.spinner("Counting ..."):
        statistics = open_workbench().release_browser.statistics(name)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Items", anchor=False)
        grid.show([r for r in statistics.rows if "all" not in (r["domain"], r["level"])], "statistics_grid")
        st.subheader(
            "Mean lengths in tokens",
            anchor=False,
            help="Estimated number of tokens; context = the documents that belong to an item",
        )
        st.dataframe(
            [make_row(row) for row in statistics.rows if row["domain"] == "all"],
            hide_index=True,
            height="content",
            placeholder="–",
        )
    with right:
        st.subheader("Question words found in the evidence", anchor=False, help=OVERLAP)
        st.bar_chart(
            [{"share": describe_share(row), "items": row["items"]} for row in statistics.overlap],
            x="share",
            y="items",
            x_label="share of words",
            y_label="items",
            height=240,
            sort=False,
        )
        labels = {"Splits": statistics.splits, "Origin": statistics.origins, "Drafted by": statistics.agents}
        for label, counts in labels.items():
            if counts:
                st.caption(label)
                st.text(", ".join(f"{name} {n}" for name, n in counts.items()))

    if statistics.levels.items:
        st.subheader("Measured level compared with declared level", anchor=False)
        st.text(level_table.describe_agreement(statistics.levels))
        level_table.show_table(statistics.levels, "statistics_levels", has_links=False)


def make_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table row of a level: its number of items and its mean lengths in tokens."""
    level = "all" if row["level"] == "all" else level_name(row["level"])
    shown: dict[str, Any] = {"Level": level, "Items": row["items"]}
    for name in LENGTHS:
        mean = row[f"{name}_tokens"]["mean"]
        shown[name.capitalize()] = None if mean is None else round(mean, 1)
    return shown


def describe_share(row: Mapping[str, Any]) -> str:
    """Describe a bin of the overlap histogram by its range of shares, such as "0.2 to 0.4", or "none" for items without a
    share."""
    return "none" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f}"
