"""Frames to fill: the offline agent's answer of level 4 is sentences of the documents, and a person writes the answer. This
module decides whether the answer counts as written, for every way to accept an item."""

from core.text.words import words

OWN_SHARE = 0.15
"""Least share of an answer's letters that stand in words which are not the frame's."""
OWN_LETTERS = (10, 4)
"""Least letters in those words, each counted once; fewer in Chinese. Less is a stray key and no answer."""
MIN_WORD_SIMILARITY = 70
"""From this likeness on (rapidfuzz's ratio, 0 to 100) a word is a word of the frame with some letters changed."""


def is_filled(answer: str, frame: str, language: str) -> bool:
    """Whether the answer is somebody's own: enough of its words are neither the frame's nor those with letters changed, added
    or left out."""
    from rapidfuzz import fuzz, process

    given = words(answer, language)
    known = set(words(frame, language))
    other = {word for word in given if word not in known}
    if language != "zh":
        other = {
            word
            for word in other
            if process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=MIN_WORD_SIMILARITY) is None
            and not any(len(one) > 3 and (word.startswith(one) or word.endswith(one)) for one in known)
        }
    if sum(map(len, other)) < OWN_LETTERS[language == "zh"]:
        return False
    own = sum(len(word) for word in given if word in other)
    return own >= OWN_SHARE * sum(map(len, given))
