"""A table of item counts by domain and level, with sums, for a release or for the items that would become a release."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

MANY_LEVELS = 5
"""Number of columns of levels from which the column of the domains is narrow, so that the sums stay in sight."""
MIN_DOMAIN_PIXELS = 92


def show(cells: Iterable[Mapping[str, Any]], key: str) -> None:
    """Show item counts as a table of domains by levels. Each of `cells` is a dict with "domain", "level" and "items"; an empty
    cell shows a dash."""
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
        column_config={
            "Domain": st.column_config.TextColumn(width=MIN_DOMAIN_PIXELS if len(levels) > MANY_LEVELS else 120),
            **{name: st.column_config.NumberColumn(width=18 + 6 * len(name)) for name in (*levels, "All")},
        },
    )


def level_name(level: Any) -> str:
    """Return the display name of a level of difficulty, such as "Level 2" or "no level"."""
    return "no level" if level is None else f"Level {level}" if isinstance(level, int) else str(level)


def columns(*labels: str, align: str = "") -> list[dict[str, Any]]:
    """Return one column for `paper_table` per label. Columns are aligned right by default; "left" suits text, and "center"
    suits heat maps."""
    return [{"label": label, "align": align} for label in labels]


def cells(*texts: object) -> list[dict[str, Any]]:
    """Return cells for `paper_table` that contain nothing but these texts."""
    return [{"text": str(text)} for text in texts]
