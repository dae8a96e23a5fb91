"""Find pairs of near copies among the documents of a corpus: at least half of the shorter document, counted in windows of 40
characters, occurs in the longer one. Candidate pairs are found by comparing a sample of the windows, and are then compared in
full."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from builders.near_duplicates.verbatim import (
    NEAR_COPY_SHARE,
    WINDOW_CHARACTERS,
    blocks,
    collapse_spaces,
    hashes,
    shorten_hashes,
)

SAMPLE_BITS = 4
"""On average one of 2 ** SAMPLE_BITS windows of a text is sampled: those whose short hash is 0, so that two copies have the
same sample."""
LIKELY_SHARE = 0.6
"""Two documents are compared in full if their samples share this fraction of the near-copy share. The fraction is below 1,
because a small sample misses some windows."""
MAX_WINDOW_DOCUMENTS = 40
"""Maximum number of documents that may share a window; more frequent windows are boilerplate (bylines, legal notices)."""


class NearDuplicatePair(NamedTuple):
    """A pair of documents with nearly the same content."""

    shorter: str
    longer: str
    share: float
    """Share (0..1) of the shorter document's distinct 40-character windows that occur in the longer one."""


def find_near_duplicates(
    documents: Iterable[tuple[str, str]],
    texts: Callable[[list[str]], Iterable[tuple[str, str]]],
) -> list[NearDuplicatePair]:
    """Return the pairs of near duplicates among the (id, text) documents, most similar first; documents that differ only in
    white space have share 1.0. A document shorter than a window is in no pair. `texts` returns the (id, text) pairs for a list
    of ids, when the texts are needed again."""
    import numpy as np

    ids: list[str] = []
    samples, owners = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for block in blocks(documents):
        kept, holder = _sample("".join(text for _, text in block), [len(text) for _, text in block])
        samples.append(kept)
        owners.append(holder + len(ids))
        ids += [name for name, _ in block]
    likely = _find_likely_pairs(np.concatenate(samples), np.concatenate(owners), len(ids))
    wanted = sorted({place for pair in likely for place in pair})
    own = {name: np.unique(hashes(collapse_spaces(text))) for name, text in texts([ids[place] for place in wanted])}
    pairs = [near for a, b in likely if (near := _measure_pair(ids[a], ids[b], own)) is not None]
    return sorted(pairs, key=lambda near: (-near.share, near.shorter, near.longer))


def _sample(text: str, lengths: list[int]) -> Any:
    """Return two arrays: the hashes of the sampled windows, and for each hash the index of the text that contains the
    window."""
    import numpy as np

    windows = hashes(text)
    ends = np.cumsum(lengths)
    at = np.flatnonzero(shorten_hashes(windows, SAMPLE_BITS) == 0)
    holder = np.searchsorted(ends, at, side="right")
    inside = at + WINDOW_CHARACTERS <= ends[holder] if len(at) else np.zeros(0, bool)
    return windows[at[inside]], holder[inside]


def _find_likely_pairs(samples: Any, owners: Any, count: int) -> list[tuple[int, int]]:
    """Return the pairs of documents whose samples have enough in common for a full comparison, as pairs of indices."""
    import numpy as np

    order = np.lexsort((owners, samples))
    samples, owners = samples[order], owners[order]
    first = np.ones(len(samples), bool)
    first[1:] = (samples[1:] != samples[:-1]) | (owners[1:] != owners[:-1])
    samples, owners = samples[first], owners[first]  # each window once per document
    sizes = np.bincount(owners, minlength=count)
    starts = np.flatnonzero(np.concatenate([[True], samples[1:] != samples[:-1]])) if len(samples) else np.zeros(0, np.int64)
    runs = np.diff(np.append(starts, len(samples)))
    pairs = [np.zeros(0, np.int64)]
    for size in np.unique(runs[(runs > 1) & (runs <= MAX_WINDOW_DOCUMENTS)]).tolist():
        rows = owners[starts[runs == size][:, None] + np.arange(size)]
        a, b = np.triu_indices(size, 1)
        pairs.append((rows[:, a].astype(np.int64) * count + rows[:, b]).ravel())
    keys, shared = np.unique(np.concatenate(pairs), return_counts=True)
    left, other = np.divmod(keys, max(count, 1))
    near = shared >= NEAR_COPY_SHARE * LIKELY_SHARE * np.minimum(sizes[left], sizes[other])
    return list(zip(left[near].tolist(), other[near].tolist(), strict=True))


def _measure_pair(a: str, b: str, own: dict[str, Any]) -> NearDuplicatePair | None:
    """Return the two documents as a pair with the exact share they have in common, or None if they are not near duplicates."""
    import numpy as np

    shorter, longer = sorted((a, b), key=lambda name: (len(own[name]), name))
    share = len(np.intersect1d(own[shorter], own[longer], assume_unique=True)) / max(1, len(own[shorter]))
    return NearDuplicatePair(shorter, longer, share) if share >= NEAR_COPY_SHARE else None
