"""Frames of level 4: the offline agent's answer consists of sentences from the documents, and a person must write the answer.
For every way to accept an item, this module decides whether the answer counts as written."""

from core.text.language import find_row
from core.text.words import words

OWN_SHARE = 0.15
"""Least share of an answer's letters in words that are not in the frame, 0..1."""
OWN_LETTERS = (10, 4)
"""Least number of letters in these words, each word counted once, in scripts (with, without) spaces; fewer are accidental."""
MIN_WORD_SIMILARITY = 70
"""Similarity (rapidfuzz's ratio, 0 to 100) from which a word counts as a changed word of the frame."""


def is_filled(answer: str, frame: str, language: str) -> bool:
    """Check whether a person wrote the answer: enough of its words are neither in the frame nor changed words of the frame."""
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
