"""Hash every 40-character window of a text, with each run of white space as one space, to find texts that share passages
verbatim.

The 64-bit hash of a window is a polynomial in its characters. The hashes of all windows of a text are computed by six array
products; each product doubles or extends the hashed length. Among a hundred million different windows, the probability that any
two have the same hash is one in a few thousand.
"""

from collections.abc import Iterable, Iterator
from typing import Any

WINDOW_CHARACTERS = 40
"""Length in characters of a window of text that is hashed."""
NEAR_COPY_SHARE = 0.5
"""Least share (0..1) of a text's windows that another text must contain for the text to count as its near copy."""
BASE = 0x9E3779B97F4A7C15
"""Base of the rolling hash of a window; odd, so that every character of the window affects the hash."""
BLOCK_CHARACTERS = 1_000_000
"""Approximate number of characters of text that are hashed in one matrix product."""


def collapse_spaces(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    return " ".join(text.split())


def hashes(text: str) -> Any:
    """Return the hash of each 40-character window of the text, in order; empty if the text is shorter than a window."""
    import numpy as np

    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    if len(signs) < WINDOW_CHARACTERS:
        return np.zeros(0, np.uint64)
    base, size = np.uint64(BASE), 1
    powers = {1: signs + np.uint64(1)}
    factor = {1: base}
    with np.errstate(over="ignore"):
        while size * 2 <= WINDOW_CHARACTERS:
            half = powers[size]
            powers[size * 2] = half[: len(half) - size] * factor[size] + half[size:]
            factor[size * 2] = factor[size] * factor[size]
            size *= 2
        made, length = powers[size], size
        for part in sorted((p for p in powers if p < size), reverse=True):
            if length + part <= WINDOW_CHARACTERS:
                after = powers[part][length:]
                made, length = made[: len(after)] * factor[part] + after[: len(made)], length + part
    return made


def shorten_hashes(windows: Any, bits: int) -> Any:
    """Return each hash shortened to `bits` bits, which depend on all bits of the hash, because the low bits alone are not
    random enough for sampling."""
    import numpy as np

    with np.errstate(over="ignore"):
        return (windows * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(64 - bits)


def blocks(texts: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield the (id, text) documents, with white space collapsed, in lists of about BLOCK_CHARACTERS characters, so that many
    short texts are hashed in one matrix product."""
    block: list[tuple[str, str]] = []
    size = 0
    for document, text in texts:
        block.append((document, collapse_spaces(text)))
        size += len(text)
        if size >= BLOCK_CHARACTERS:
            yield block
            block, size = [], 0
    if block:
        yield block
