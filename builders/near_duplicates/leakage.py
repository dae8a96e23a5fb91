"""Measure how much of each source document is still in the corpus, although it should be excluded from retrieval: the share of
its 40-character windows that occur verbatim in the corpus, and its exact and near copies in the corpus. A run of white space
counts as one space.

Each window of the corpus is first looked up in a bit table, which is a fast filter. Only if the bit table may contain a window,
the window is looked up in the sorted list of the sources' windows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from builders.near_duplicates.verbatim import (
    NEAR_COPY_SHARE,
    WINDOW_CHARACTERS,
    blocks,
    collapse_spaces,
    hashes,
    shorten_hashes,
)

SHARES = (0.5, 0.9)
"""Limits (0..1) of the report: for each limit, the report counts the source documents whose share in the corpus is at least the
limit."""
MAX_LISTED_COPIES = 5
"""Maximum number of near copies that the report lists per source, nearest first."""
TABLE_BITS = 26
"""Base-2 logarithm of the number of slots in the hash table of the sources' windows."""


class LeakingDocument(NamedTuple):
    """A document of the corpus that contains a large part of a source."""

    document: str
    share: float
    """Share (0..1) of the source's 40-character windows that occur in this document."""


@dataclass(frozen=True, slots=True)
class SourceLeak:
    """How much of one source document the corpus contains, and which documents of the corpus contain parts of it."""

    source: str
    windows: int
    share: float | None
    """Share (0..1) of the source's 40-character windows that occur in the corpus, or None if the source is shorter than a
    window."""
    exact: tuple[str, ...]
    """Ids of the documents whose text equals the source's."""
    near: tuple[LeakingDocument, ...]
    """Near copies of the source: documents with another text that contain at least NEAR_COPY_SHARE of the source's 40-character
    windows, nearest first."""


def leakage(sources: Mapping[str, str], corpus: Iterable[tuple[str, str]]) -> list[SourceLeak]:
    """Return, for each source in order, how much of the source occurs in the corpus. `sources` is a dict from the id of a
    source document to its text; `corpus` yields the (id, text) of each document of the corpus."""
    import numpy as np

    texts = {name: collapse_spaces(text) for name, text in sources.items()}
    own = {name: hashes(text) for name, text in texts.items()}
    ids = list(own)
    flat = np.concatenate([np.zeros(0, np.uint64), *own.values()])
    owners = np.repeat(np.arange(len(ids)), [len(own[name]) for name in ids])
    unique, places = np.unique(flat, return_inverse=True)
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(len(unique) + 1))
    table = np.zeros(1 << TABLE_BITS, bool)
    table[shorten_hashes(unique, TABLE_BITS)] = True
    is_found = np.zeros(len(unique), bool)
    sizes = np.array([max(1, len(own[name])) for name in ids])
    names_by_text: dict[str, list[str]] = {}
    for name, text in texts.items():
        names_by_text.setdefault(text, []).append(name)
    exact: dict[str, list[str]] = {name: [] for name in ids}
    near: dict[str, list[LeakingDocument]] = {name: [] for name in ids}
    for block in blocks(corpus):
        for document, there in block:
            for name in names_by_text.get(there, ()):
                exact[name].append(document)
        windows = hashes("".join(there for _, there in block))
        ends = np.cumsum([len(there) for _, there in block])
        position = np.flatnonzero(table[shorten_hashes(windows, TABLE_BITS)])
        holder = np.searchsorted(ends, position, side="right")
        inside = position + WINDOW_CHARACTERS <= ends[holder] if len(position) else np.zeros(0, bool)
        position, holder = position[inside], holder[inside]
        at = np.minimum(np.searchsorted(unique, windows[position]), max(len(unique) - 1, 0))
        is_there = unique[at] == windows[position] if len(unique) else np.zeros(len(at), bool)
        pairs = np.unique(holder[is_there] * np.int64(len(unique) or 1) + at[is_there])
        holder, at = np.divmod(pairs, len(unique) or 1)
        is_found[at] = True
        times = starts[at + 1] - starts[at]
        rows = order[np.repeat(starts[at] - np.cumsum(times) + times, times) + np.arange(times.sum())]
        keys, counts = np.unique(np.repeat(holder, times) * np.int64(len(ids) or 1) + owners[rows], return_counts=True)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            (document, there), name = block[key // len(ids)], ids[key % len(ids)]
            share = count / int(sizes[key % len(ids)])
            if share >= NEAR_COPY_SHARE and there != texts[name]:
                near[name].append(LeakingDocument(document, share))
    held = np.bincount(owners, weights=is_found[places], minlength=len(ids)) if len(flat) else np.zeros(len(ids))
    return [
        SourceLeak(
            name,
            len(own[name]),
            float(held[place] / len(own[name])) if len(own[name]) else None,
            tuple(sorted(exact[name])),
            tuple(sorted(near[name], key=lambda copy: (-copy.share, copy.document))),
        )
        for place, name in enumerate(ids)
    ]


def report(leaks: Sequence[SourceLeak], documents: int) -> dict[str, Any]:
    """Return the report on sources in the corpus as JSON: {"window", "near", "documents": number in the corpus, "sources",
    "measured", "mean": share or None, "at_least": {share: number of sources}, "with_exact", "with_near", "leaks": [{"source",
    "windows", "share", "exact", "near"}], most leaked first}."""
    known = [leak.share for leak in leaks if leak.share is not None]
    rows = sorted(leaks, key=lambda leak: (-(leak.share if leak.share is not None else -1.0), leak.source))
    return {
        "window": WINDOW_CHARACTERS,
        "near": NEAR_COPY_SHARE,
        "documents": documents,
        "sources": len(leaks),
        "measured": len(known),
        "mean": sum(known) / len(known) if known else None,
        "at_least": {f"{least:g}": sum(share >= least for share in known) for least in SHARES},
        "with_exact": sum(bool(leak.exact) for leak in leaks),
        "with_near": sum(bool(leak.near) for leak in leaks),
        "leaks": [
            {
                "source": leak.source,
                "windows": leak.windows,
                "share": leak.share,
                "exact": list(leak.exact),
                "near": [copy._asdict() for copy in leak.near[:MAX_LISTED_COPIES]],
            }
            for leak in rows
        ],
    }
