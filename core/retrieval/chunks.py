"""Cuts documents into chunks for search in one pass; each chunk is a Span. A chunk never exceeds the limit of tokens and, if
possible, ends at the end of a sentence. Without overlap, the chunks joined together are the document."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Span
from core.text.sentences import split_sentences
from core.text.tokens import count_tokens, tokens_before

Count = Callable[[str], int]
Offsets = Callable[[str], Sequence[tuple[int, int]]]

_CLAUSE = re.compile(r"[,;:](?=\s)\s*|[，、；：]\s*")
_WORD_EDGE = re.compile(r"\s+|(?<=[^\W_])(?=[^\w\s])")


def chunk(
    document: Document, max_tokens: int, overlap: int = 0, count: Count | None = None, offsets: Offsets | None = None
) -> list[Span]:
    """Cut the document into spans of at most `max_tokens` tokens, in order. Raises BenchError if `overlap` is not smaller than
    `max_tokens`.

    Each chunk ends at the last sentence end that fits, or at the last clause or word of a longer sentence. White space belongs
    to the chunk before it. Each chunk starts up to `overlap` tokens before the end of the previous chunk, at the start of a
    sentence if possible.

    Tokens are counted by a model's tokenizer (`offsets` returns the (start, end) of each token of a text, in one pass over the
    document), by a counting function (`count`), or else by the estimate of core/text/tokens.py. A single character with more
    than `max_tokens` tokens is still one chunk."""
    if max_tokens < 1 or not 0 <= overlap < max_tokens:
        raise BenchError(
            f"Chunks of {max_tokens} tokens with an overlap of {overlap} cannot be cut: set chunk_tokens to 1 or more and "
            "chunk_overlap to less than chunk_tokens."
        )
    text = document.text
    sentences = split_sentences(text, document.language)
    edges = [start for start, _ in sentences[1:]] + [len(text)]
    if offsets is not None:
        before, too_long = _count_by_offsets(text, offsets, max_tokens)
    elif count is not None:
        before, too_long = _count_by_function(text, document.language, edges, count, max_tokens)
    else:
        before = tokens_before(text, document.language)
        too_long = lambda start, end: count_tokens(text[start:end], document.language) > max_tokens  # noqa: E731
    spans: list[Span] = []
    start = done = 0
    while done < len(text):
        limit = max(int(before.searchsorted(before[start] + max_tokens + 1e-6, side="right")) - 1, start + 1)
        end = _find_cut(text, edges, start, limit)
        while end > start + 1 and too_long(start, end):
            end = _find_cut(text, edges, start, end - 1)
        if end <= done:  # the overlap leaves no room for new text: continue without overlap
            start = done
            continue
        spans.append(Span(document.id, start, end))
        start, done = (_next_chunk_start(text, edges, before, start, end, overlap) if overlap else end), end
    return spans


def _find_cut(text: str, edges: list[int], start: int, limit: int) -> int:
    """Return the last suitable place to cut a chunk, after `start` and not after `limit`."""
    if limit >= len(text):
        return len(text)
    at = bisect_right(edges, limit) - 1
    if at >= 0 and edges[at] > start:
        return edges[at]
    for kind in (_CLAUSE, _WORD_EDGE):
        last = start
        for match in kind.finditer(text, start, limit + 1):
            last = match.end() if match.end() <= limit else last
        if last > start:
            return last
    return limit


def _next_chunk_start(text: str, edges: list[int], before: Any, start: int, end: int, overlap: int) -> int:
    """Return the offset at which the next chunk starts: at the first start of a sentence, else of a word, within the last
    `overlap` tokens of the chunk before."""
    first = max(int(before.searchsorted(before[end] - overlap - 1e-6, side="left")), start + 1)
    at = bisect_right(edges, first - 1)
    if at < len(edges) and edges[at] < end:
        return edges[at]
    match = _WORD_EDGE.search(text, first, end)
    return match.end() if match else min(first, end)


def _count_by_offsets(text: str, offsets: Offsets, max_tokens: int) -> tuple[Any, Callable[[int, int], bool]]:
    """Count the tokens of a text with one pass of the tokenizer. Returns two values: the number of tokens before each code
    point, and a function that checks the length of a chunk. Only nearly full chunks are checked, because some tokenizers count
    the tokens of a passage alone differently from those of the same passage within a longer text."""
    import numpy as np

    starts = np.fromiter((start for start, _ in offsets(text)), np.int64)
    before = np.concatenate([[0.0], np.cumsum(np.bincount(starts, minlength=len(text))[: len(text)])])

    def too_long(start: int, end: int) -> bool:
        return bool(before[end] - before[start] >= max_tokens - 1) and len(offsets(text[start:end])) > max_tokens

    return before, too_long


def _count_by_function(
    text: str, language: str, edges: list[int], count: Count, max_tokens: int
) -> tuple[Any, Callable[[int, int], bool]]:
    """Count the tokens of a text with a counting function instead of a tokenizer. Returns two values: the number of tokens
    before each code point, and a function that checks the length of a chunk. Tokens are counted by sentence and distributed
    within a sentence in proportion to the estimate. The length of every chunk is checked."""
    import numpy as np

    estimate = tokens_before(text, language)
    ends = [0, *edges]
    counts = np.cumsum([0] + [count(text[start:end]) for start, end in pairwise(ends)])
    before = np.interp(estimate, estimate[ends], counts)
    return before, lambda start, end: count(text[start:end]) > max_tokens
