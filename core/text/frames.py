"""Frames: answers of the offline agent to level-4 questions, which only put sentences of the documents together, so that a
person must write the answer. Whichever way an item is accepted, this module decides whether a person has written it."""

from core.text.language import find_row
from core.text.words import simplify_chinese, words

OWN_SHARE = 0.15
"""Share (0 to 1) of an answer's letters that must be in words of its writer's own, which are not in the frame."""
OWN_LETTERS = (10, 4)
"""Number of letters that the writer's own words must have in scripts (with, without) spaces; fewer may be accidental. A
repeated word counts once; without spaces, a repeated letter counts once."""
MIN_WORD_SIMILARITY = 70
"""Similarity (rapidfuzz's ratio, 0 to 100) to a word of the frame from which a word counts as that word, changed."""


def is_filled(answer: str, frame: str, language: str) -> bool:
    """Return whether a person has written the answer: enough of its words are neither in the frame nor words of the frame
    that were changed, spelt backwards or written in the other Chinese script."""
    from rapidfuzz import fuzz, process

    answer_words = words(simplify_chinese(answer), language)
    frame_words = set(words(simplify_chinese(frame), language))
    frame_letters = set(map("".join, map(sorted, frame_words)))
    own = set(answer_words) - frame_words
    is_spaced = bool(find_row(language).separator)
    if is_spaced:
        own = {
            word
            for word in own
            if "".join(sorted(word)) not in frame_letters
            and process.extractOne(word, frame_words, scorer=fuzz.ratio, score_cutoff=MIN_WORD_SIMILARITY) is None
            and not any(len(other) > 3 and (word.startswith(other) or word.endswith(other)) for other in frame_words)
        }
    n_letters = sum(map(len, own)) if is_spaced else len(set("".join(own)))
    if n_letters < OWN_LETTERS[not is_spaced]:
        return False
    return sum(len(word) for word in answer_words if word in own) >= OWN_SHARE * sum(map(len, answer_words))
