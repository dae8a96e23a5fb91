"""Frames: answers of the offline agent to level 4 questions that only join sentences of the documents, so that a person must
write the real answer. `is_filled` decides whether a person has written the answer, in whatever way the item is accepted."""

import re
from unicodedata import normalize

from core.text.language import find_row
from core.text.scripts import find_scripts
from core.text.words import simplify_chinese, words

OWN_SHARE = 0.15
"""Minimum share (0 to 1) of an answer's letters that must be in the writer's own words, which are words that the frame does not
contain."""
OWN_LETTERS = (10, 4)
"""Minimum number of letters in the writer's own words, as (for scripts with spaces, for scripts without spaces); fewer letters
may be accidental. A repeated word counts once; without spaces, a repeated letter counts once."""
MAX_COPIED_SHARE = 0.5
"""An answer that repeats at least this share (0 to 1) of the frame's words, in passages of MIN_COPIED_WORDS or more, still
counts as the frame, however much text is added."""
MIN_COPIED_WORDS = 5
MIN_JUDGED_WORDS = 5
"""Minimum number of words, besides passages of the frame, of which one must be a function word of the language ("the", "of"):
letters without meaning have none."""
_UNPRONOUNCEABLE = re.compile(r"^[b-df-hj-np-tv-xz]{3,}$|[b-df-hj-np-tv-xz]{6}|([a-z])\1\1")
"""Pattern of a word in Latin letters without a vowel, with six consonants in a row, or with a letter three times in a row."""
_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
MIN_WORD_SIMILARITY = 70
"""Least similarity (rapidfuzz's ratio, 0 to 100) to a word of the frame at which a word counts as a changed form of that
word."""


def is_filled(answer: str, frame: str, language: str) -> bool:
    """Return whether a person has written the answer: the answer does not repeat half of the frame and does not consist of
    passages of it by half, enough of its words are new, and the rest reads like sentences of the language.

    A word is not new if it is in the frame, if it cannot be pronounced, or if it is a word of the frame that was changed, cut
    into pieces, spelt backwards or written in another script."""
    from rapidfuzz import fuzz, process

    answer_words = words(_remove_accents(simplify_chinese(answer)), language)
    frame_in_order = words(_remove_accents(simplify_chinese(frame)), language)
    copied_from = _find_copied_words(answer_words, frame_in_order)
    copied = _find_copied_words(frame_in_order, answer_words)
    if len(copied_from) >= MAX_COPIED_SHARE * len(frame_in_order) or len(copied) >= MAX_COPIED_SHARE * len(answer_words):
        return False
    frame_words, frame_row, scripts = set(frame_in_order), "".join(frame_in_order), find_scripts(frame)
    frame_letters = set(map("".join, map(sorted, frame_words)))
    own = set(answer_words) - frame_words
    is_spaced, stop_words = bool(find_row(language).separator), find_row(language).stop_words
    if is_spaced:
        written = [word for at, word in enumerate(answer_words) if at not in copied]
        if stop_words and len(written) >= MIN_JUDGED_WORDS and stop_words.isdisjoint(written):
            return False
        own = {
            word
            for word in own
            if word not in frame_row
            and find_scripts(word) <= scripts
            and not _UNPRONOUNCEABLE.search(word)
            and "".join(sorted(word)) not in frame_letters
            and process.extractOne(word, frame_words, scorer=fuzz.ratio, score_cutoff=MIN_WORD_SIMILARITY) is None
            and not any(len(other) > 3 and (word.startswith(other) or word.endswith(other)) for other in frame_words)
        }
    n_letters = sum(map(len, own)) if is_spaced else len(set("".join(own)))
    if n_letters < OWN_LETTERS[not is_spaced]:
        return False
    return sum(len(word) for word in answer_words if word in own) >= OWN_SHARE * sum(map(len, answer_words))


def _find_copied_words(text: list[str], source: list[str]) -> set[int]:
    """Return the positions in `source` of the words that belong to passages of at least MIN_COPIED_WORDS words which are also
    in `text`."""
    n = MIN_COPIED_WORDS
    repeated = {tuple(text[at : at + n]) for at in range(len(text) - n + 1)}
    starts = [at for at in range(len(source) - n + 1) if tuple(source[at : at + n]) in repeated]
    return {at + step for at in starts for step in range(n)}


def _remove_accents(text: str) -> str:
    return normalize("NFC", "".join(letter for letter in normalize("NFKD", text) if letter not in _ACCENTS))
