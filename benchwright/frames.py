"""Define the columns of every DataFrame that Benchwright returns; docs/reference/python.md describes the same columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS: Mapping[str, Sequence[str]] = {
    "documents": ("id", "title", "domain", "language", "origin", "licence", "published"),
    "items": (
        *("id", "revision", "status", "task", "level", "domain", "language", "question", "answers", "evidence", "labels"),
        *("inputs", "given", "steps", "overlap", "agent", "prompt", "seed", "origin"),
    ),
    "reviews": ("id", "item", "revision", "person", "decision", "reason", "comment", "seconds", "at", "role", "effective"),
    "runs": ("id", "system", "agent", "release", "repetition", "asked", "answered", "failed", "scored", "at"),
    "traces": (
        *("run", "item", "variant", "answer", "retrieved", "calls", "tokens_in", "tokens_out", "tokens_thinking", "seconds"),
        *("queued", "retrying", "stop", "error"),
    ),
    "scores": ("run", "item", "variant", "metric", "version", "value", "why"),
    "cells": ("run", "system", "release", "metric", "mean", "n", "low", "high", "failed", "unscored", "why"),
    "comparisons": (
        *("a", "b", "metric", "n", "difference", "low", "high", "p", "p_corrected", "wins", "ties", "losses"),
        "why",
    ),
    "shortcuts": (
        *("shortcut", "agent", "n", "rate", "low", "high", "chance", "above_chance", "above_low", "above_high", "undecided"),
        "failed",
    ),
    "sweep": ("label", "state", "runs", "metric", "mean", "n", "low", "high", "why"),
    "metrics": ("metric", "mean", "n", "low", "high", "failed", "unscored", "why"),
}
"""Dict from the name of a DataFrame to its columns. After `release`, the frame `cells` also has the columns of the argument
`by`."""
_NUMBERS = frozenset(
    (
        *("overlap", "seconds", "queued", "retrying", "value", "mean", "low", "high", "difference", "p", "p_corrected"),
        *("tokens_in", "tokens_out", "tokens_thinking", "rate", "chance", "above_chance", "above_low", "above_high"),
    )
)
"""Names of the columns of numbers, in which a missing value is NaN; in all other columns it is None."""


def build_frame(name: str, records: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> "DataFrame":
    """Return records as a DataFrame with the given `columns`, or else with those of COLUMNS[name]. A field that is missing in a
    record becomes a missing value."""
    from pandas import DataFrame

    names = COLUMNS[name] if columns is None else columns
    rows = [[record.get(column) for column in names] for record in records]
    frame = DataFrame(rows, columns=list(names), dtype=object)  # pandas would turn None into NaN, and the level 1 into 1.0
    whole = [name for name in names if name not in _NUMBERS and not frame[name].isna().any()]
    inferred = frame.astype({name: "float64" for name in names if name in _NUMBERS})
    return inferred.assign(**{name: frame[name].infer_objects() for name in whole})


def build_items_frame(records: Iterable[Mapping[str, Any]]) -> "DataFrame":
    """Return items (JSON records) as a DataFrame in which the fields of an item's provenance are columns too."""
    return build_frame("items", ({**record, **record["provenance"]} for record in records))
