"""Frames: the offline agent's answer of level 4 consists of sentences of the documents, and a person writes the answer. This
module decides whether an answer counts as written, for every way to accept an item."""

from core.text.language import find_row
from core.text.words import words

OWN_SHARE = 0.15
"""Least share of an answer's letters in words that the frame does not have."""
OWN_LETTERS = (10, 4)
"""Least letters in those words, each counted once, in scripts with spaces and without; fewer are a stray key."""
MIN_WORD_SIMILARITY = 70
"""Similarity (rapidfuzz's ratio, 0 to 100) from which on a word is a changed word of the frame."""


def is_filled(answer: str, frame: str, language: str) -> bool:
    """Whether a person wrote the answer: enough of its words are neither the frame's nor changed words of the frame."""
    from rapidfuzz import fuzz, process

    answer_words = words(answer, language)
    frame_words = set(words(frame, language))
    own = set(answer_words) - frame_words
    is_spaced = bool(find_row(language).separator)
    if is_spaced:
        own = {
            word
            for word in own
            if process.extractOne(word, frame_words, scorer=fuzz.ratio, score_cutoff=MIN_WORD_SIMILARITY) is None
            and not any(len(other) > 3 and (word.startswith(other) or word.endswith(other)) for other in frame_words)
        }
    if sum(map(len, own)) < OWN_LETTERS[not is_spaced]:
        return False
    return sum(len(word) for word in answer_words if word in own) >= OWN_SHARE * sum(map(len, answer_words))
