"""Sentences of long texts, cut block by block where they are wanted: a window in the middle of three million characters must
not cost a walk over all of them. The blocks of a text are always the same, so its sentences are too."""

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator

from core.nouns import Document, Span
from core.text.text import count_tokens, split_sentences

BLOCK_CHARACTERS = 60_000
"""Code points of a block, about: it ends at a line's or a sentence's end."""
SEAM = 4_000
"""How far before its end a block looks for a good place to end."""
MAX_CACHED_BLOCKS = 400
"""Blocks kept in memory."""
BLOCK_END = re.compile(r"\n\s*\n|\n|[。！？]|[.!?] ")


class SentenceCache:
    """The sentences of documents, kept while they are likely to be wanted again."""

    def __init__(self) -> None:
        self._seams: dict[str, list[int]] = {}
        self._blocks: OrderedDict[tuple[str, int, int], list[tuple[Span, int]]] = OrderedDict()

    def sentences(self, document: Document, start: int, most: int) -> Iterator[tuple[Span, int]]:
        """(sentence, estimated tokens) from the first sentence that begins at or after `start` on; when none begins there, from
        the document's last one. A sentence of more than `most` tokens comes in pieces."""
        seams = self._block_seams(document)
        at = bisect_right(seams, start) - 1
        found = False
        for block in range(at, len(seams) - 1):
            for span, tokens in self._block(document, block, most):
                if span.start >= start:
                    found = True
                    yield span, tokens
        if not found:
            yield from self._block(document, len(seams) - 2, most)[-1:]

    def _block_seams(self, document: Document) -> list[int]:
        """Where blocks begin, and the end of the text."""
        if document.id not in self._seams:
            text, seams = document.text, [0]
            while len(text) - seams[-1] > BLOCK_CHARACTERS + SEAM:
                end = seams[-1] + BLOCK_CHARACTERS
                places = list(BLOCK_END.finditer(text, end - SEAM, end))
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
        found: list[tuple[Span, int]] = []
        for first, last in split_sentences(text, language):
            tokens = count_tokens(text[first:last], language)
            pieces = _pieces(text, first, last, tokens, most) if tokens > most else [(first, last)]
            for a, b in pieces:
                count = tokens if len(pieces) == 1 else count_tokens(text[a:b], language)
                found.append((Span(document.id, begin + a, begin + b), count))
        self._blocks[key] = found
        while len(self._blocks) > MAX_CACHED_BLOCKS:
            self._blocks.popitem(last=False)
        return found


def _pieces(text: str, first: int, last: int, tokens: int, most: int) -> list[tuple[int, int]]:
    """A text without sentence ends, in pieces of at most about `most` tokens, cut at white space where there is some."""
    step = max(1, (last - first) * most // (tokens + 1) * 9 // 10)
    pieces = []
    while last - first > step:
        space = text.rfind(" ", first + step // 2, first + step)
        cut = space if space > first else first + step
        pieces.append((first, cut))
        first = cut + (space > 0 and text[cut : cut + 1] == " ")
    return [(a, b) for a, b in [*pieces, (first, last)] if text[a:b].strip()]
