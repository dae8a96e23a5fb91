"""Split long documents into sentences block by block, and only the blocks that are needed: an excerpt from the middle of a
document of three million characters does not require splitting the whole document. The same text is always split into the same
blocks, and so into the same sentences."""

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator

from core.nouns import Document, Span
from core.text.text import count_tokens, split_sentences

BLOCK_CHARACTERS = 60_000
"""Approximate length of a block of a document in code points; each block ends at the end of a line or sentence."""
SEAM_CHARACTERS = 4_000
"""Number of code points at the end of a block in which the end of a line or sentence is searched for, to end the block
there."""
MAX_CACHED_BLOCKS = 400
"""Maximum number of blocks whose sentences a SentenceCache holds in memory."""
BLOCK_END = re.compile(r"\n\s*\n|\n|[。！？]|[.!?] ")


class SentenceCache:
    """A cache of the sentences of documents. A document is split into sentences block by block, when the sentences are
    needed."""

    def __init__(self) -> None:
        self._seams: dict[str, list[int]] = {}
        self._blocks: OrderedDict[tuple[str, int, int], list[tuple[Span, int]]] = OrderedDict()

    def sentences(self, document: Document, start: int, most: int) -> Iterator[tuple[Span, int]]:
        """Yield pairs (sentence, its estimated number of tokens), beginning with the first sentence that begins at or after
        `start`. If no sentence begins at or after `start`, yield only the last sentence of the document. A sentence of more
        than `most` tokens is split into pieces."""
        seams = self._block_seams(document)
        at = bisect_right(seams, start) - 1
        is_cached = False
        for block in range(at, len(seams) - 1):
            for span, tokens in self._block(document, block, most):
                if span.start >= start:
                    is_cached = True
                    yield span, tokens
        if not is_cached:
            yield from self._block(document, len(seams) - 2, most)[-1:]

    def _block_seams(self, document: Document) -> list[int]:
        """Return the offsets at which the blocks of the document begin, followed by the length of the text."""
        if document.id not in self._seams:
            text, seams = document.text, [0]
            while len(text) - seams[-1] > BLOCK_CHARACTERS + SEAM_CHARACTERS:
                end = seams[-1] + BLOCK_CHARACTERS
                places = list(BLOCK_END.finditer(text, end - SEAM_CHARACTERS, end))
                best = max(places, key=lambda place: (place.group().count("\n"), place.end()), default=None)
                seams.append(best.end() if best else end)
            self._seams[document.id] = [*seams, len(text)]
        return self._seams[document.id]

    def _block(self, document: Document, block: int, most: int) -> list[tuple[Span, int]]:
        key = (document.id, block, most)
        if key in self._blocks:
            self._blocks.move_to_end(key)
            return self._blocks[key]
        begin, end = self._block_seams(document)[block : block + 2]
        text, language = document.text[begin:end], document.language
        spans: list[tuple[Span, int]] = []
        for first, last in split_sentences(text, language):
            tokens = count_tokens(text[first:last], language)
            pieces = _pieces(text, first, last, tokens, most) if tokens > most else [(first, last)]
            for a, b in pieces:
                count = tokens if len(pieces) == 1 else count_tokens(text[a:b], language)
                spans.append((Span(document.id, begin + a, begin + b), count))
        self._blocks[key] = spans
        while len(self._blocks) > MAX_CACHED_BLOCKS:
            self._blocks.popitem(last=False)
        return spans


def _pieces(text: str, first: int, last: int, tokens: int, most: int) -> list[tuple[int, int]]:
    """Split the text between the offsets `first` and `last` into pieces of about `most` tokens, at white space if possible. No
    sentence ends within this text."""
    step = max(1, (last - first) * most // (tokens + 1) * 9 // 10)
    pieces = []
    while last - first > step:
        space = text.rfind(" ", first + step // 2, first + step)
        cut = space if space > first else first + step
        pieces.append((first, cut))
        first = cut + (space > 0 and text[cut : cut + 1] == " ")
    return [(a, b) for a, b in [*pieces, (first, last)] if text[a:b].strip()]
