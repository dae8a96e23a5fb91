"""Hash every window of 40 characters of a text, with white space as one space, to find texts that share words verbatim.

A window's 64-bit hash is a polynomial, made by doubling: six products per text, whatever the window. Two of a hundred million
windows that differ share one once in some thousand looks.
"""

from collections.abc import Iterable, Iterator
from typing import Any

WINDOW_CHARACTERS = 40
"""Length of a window in characters."""
NEAR_COPY_SHARE = 0.5
"""Least share of a text's windows in another text at which the text is a near copy, 0..1."""
BASE = 0x9E3779B97F4A7C15
"""Base of the rolling hash, odd so that each character of a window affects the hash."""
BLOCK_CHARACTERS = 1_000_000
"""Length of a block in characters."""


def collapse_spaces(text: str) -> str:
    """Return the text with each run of white space replaced by one space."""
    return " ".join(text.split())


def hashes(text: str) -> Any:
    """Return the hash of each window of the text, in order; empty if the text is shorter than a window."""
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
    """Shorten each hash to that many bits, which depend on all of its bits, because the low bits of a polynomial are a poor
    sample."""
    import numpy as np

    with np.errstate(over="ignore"):
        return (windows * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(64 - bits)


def blocks(texts: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield documents with collapsed white space in blocks of about BLOCK characters, so that many short texts are processed in
    one matrix product."""
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
