"""Convert nuggets to the rows that a person edits, and read the rows that a person typed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

from core.errors import BenchError
from core.nouns import IMPORTANCES, Span
from eval.scoring.nuggets import MAX_NUGGETS
from store.runs import nugget_sets
from store.runs.nugget_sets import Nugget, NuggetSet

MAX_CHARACTERS = 1_000
"""Maximum number of characters of a nugget (a short fact)."""


class NuggetFields(TypedDict):
    """A nugget as a row that `NuggetStage.save` stores."""

    text: str
    importance: str | None
    """Importance of the nugget: vital or okay; None means vital."""
    evidence: list[list[Any]]
    """The spans that state the fact, each as [document, start, end]."""


def encode_rows(one: NuggetSet | None) -> list[NuggetFields]:
    """Return the nuggets of a set as rows for `NuggetStage.save`; None gives no rows."""
    rows: list[NuggetFields] = nugget_sets.encode_set(one)["nuggets"] if one else []
    return rows


def merge_rows(rows: Sequence[NuggetFields], places: Collection[int]) -> list[NuggetFields]:
    """Return the rows of a nugget set after merging the rows at the positions `places` (from 0) into the first of them. The
    merged row has their texts joined and all their evidence; it is vital if one of them is."""
    chosen = [rows[place] for place in sorted(set(places)) if 0 <= place < len(rows)]
    if len(chosen) < 2:
        return list(rows)
    merged = NuggetFields(
        text=" ".join(text for row in chosen if (text := row["text"].strip())),
        importance="vital" if any(row["importance"] == "vital" for row in chosen) else "okay",
        evidence=list({tuple(span): list(span) for row in chosen for span in row["evidence"]}.values()),
    )
    first = min(places)
    return [merged if place == first else row for place, row in enumerate(rows) if place == first or place not in places]


def read_nuggets(rows: Sequence[Mapping[str, Any]]) -> tuple[Nugget, ...]:
    """Return the nuggets that a person typed, leaving out empty rows. Raises BenchError if there are too many nuggets, or if
    one is invalid."""
    nuggets: dict[str, Nugget] = {}
    for place, row in enumerate(rows, 1):
        if not isinstance(typed := row.get("text") or "", str):
            raise BenchError(f"Row {place} has {typed!r} as its text: put the text in quotation marks.")
        text = " ".join(typed.split())
        importance: Any = row.get("importance") or "vital"
        if not text:
            continue
        if len(text) > MAX_CHARACTERS:
            raise BenchError(f"Row {place} is longer than {MAX_CHARACTERS:,} characters: a nugget is one short fact.")
        if importance not in IMPORTANCES:
            raise BenchError(f"Row {place} has the importance {importance!r}: give vital or okay.")
        if text.lower() in nuggets:
            raise BenchError(f"This nugget is in the set twice: {text}")
        nuggets[text.lower()] = Nugget(text, importance, _read_spans(row.get("evidence") or (), place))
    if len(nuggets) > MAX_NUGGETS:
        raise BenchError(f"{len(nuggets)} nuggets: a set has at most {MAX_NUGGETS}.")
    return tuple(nuggets.values())


def _read_spans(value: object, place: int) -> tuple[Span, ...]:
    """Return the evidence of a row. Raises BenchError if the evidence is not a list of [document, start, end]."""
    try:
        spans = [Span(str(document), int(start), int(end)) for document, start, end in value]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise BenchError(f"Row {place} has evidence that is not a list of [document, start, end]: give such a list.") from None
    return tuple(dict.fromkeys(spans))
