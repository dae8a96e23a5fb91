"""Counts by domain and level, with their sums: the distribution of a release, or of items that would become one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st


def show(cells: Iterable[Mapping[str, Any]], key: str) -> None:
    """Draw {"domain", "level", "items"} as a table: one row per domain, one column per level. An empty cell is a dash."""
    counts: Counter[tuple[str, str]] = Counter()
    for cell in cells:
        counts[str(cell["domain"]), level_name(cell["level"])] += cell["items"]
    levels = sorted({level for _, level in counts})
    domains = sorted({domain for domain, _ in counts})
    rows = [{"Domain": d, **{v: counts.get((d, v)) for v in levels}, "All": sum(counts[d, v] for v in levels)} for d in domains]
    rows.append({"Domain": "all", **{v: sum(counts[d, v] for d in domains) for v in levels}, "All": sum(counts.values())})
    st.dataframe(
        rows,
        key=key,
        hide_index=True,
        height="content",
        placeholder="–",
        column_config={"Domain": st.column_config.TextColumn(width=120)},
    )


def level_name(level: Any) -> str:
    """Return the display name of a level."""
    return "no level" if level is None else f"Level {level}" if isinstance(level, int) else str(level)


def columns(*labels: str, align: str = "") -> list[dict[str, Any]]:
    """Return columns of a paper table; numbers are aligned right (the default), words "left", heat maps "center"."""
    return [{"label": label, "align": align} for label in labels]


def cells(*texts: object) -> list[dict[str, Any]]:
    """Return cells of a paper table that contain only text."""
    return [{"text": str(text)} for text in texts]
