"""Invented prose of any length for benchmarks: sentences of words with a Zipf-like frequency, from a seed."""

import random
from itertools import accumulate

_SYLLABLES = ("ba", "ket", "mor", "lin", "sto", "per", "ade", "vun", "gri", "osh", "tel", "ima", "roc", "das", "fen", "ing")
_SMALL = ("the", "of", "a", "in", "and", "to", "was", "by", "for", "on", "with", "as", "at", "from", "it", "that")


def prose(characters: int, seed: int = 1) -> str:
    """English-like text of at least so many characters, with paragraphs."""
    chance = random.Random(seed)
    invented = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(8_000)]
    vocabulary = [*_SMALL, *invented]
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(vocabulary))))
    pieces: list[str] = []
    length = 0
    while length < characters:
        words = chance.choices(vocabulary, cum_weights=weights, k=chance.randint(8, 30))
        if chance.random() < 0.2:
            words[len(words) // 2] = f"{chance.randint(1, 2_000):,}"
        sentence = " ".join(words).capitalize() + chance.choice((". ", ". ", ". ", "? ", ".\n\n"))
        pieces.append(sentence)
        length += len(sentence)
    return "".join(pieces)
