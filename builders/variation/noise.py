"""Add noise to English questions with nlpaug: misspelt words, neighbouring keys, misread letters. The mode `paper` is nlpaug
unchanged, with its defaults; the mode `protected` changes single words, but no protected words, and leaves all other text
exactly the same. Each variant has its own random generator: the same seed gives the same text in any process and thread."""

import copy
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from hashlib import blake2b
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from builders.variation.perturbation import PerturbationSetting, PerturbedText, VariantMaker, VariationAgent, VariationFailed
from builders.variation.protection import NO_SPANS, ProtectedSpans, ProtectedToken, protect_spans, tokens
from core.load_once import load_once
from core.nouns import Item

MODES = ("protected", "paper")
MAX_RETRIES = 3
"""Maximum number of further attempts if the random noise leaves the text unchanged."""
SHARE, LEAST, MOST = 0.3, 1, 10
"""nlpaug's defaults for the tokens of a text that are changed: share (punctuation marks count, rounded up), minimum and maximum
number."""
MODE = PerturbationSetting(
    "protected",
    "protected changes no names, digits, quotations or words of the answer; paper is nlpaug with its defaults.",
    MODES,
)
_TYPO = re.compile("[A-Za-z]+(?:['-][A-Za-z]+)*")
_QUESTION_WORDS = frozenset(("who", "whom", "whose", "what", "which", "when", "where", "why", "how"))


class WordChange(NamedTuple):
    """A word of the question that noise replaces, with its offsets in the original text."""

    start: int
    end: int
    was: str
    put: str


CHINESE = "benchwright's table"
"""Name of the source of Chinese writing errors, stored with a variant: builders/variation/chinese_slips.py."""
Draw = Callable[[Random, str, ProtectedSpans], str]
"""A function that returns the text with noise, for (random generator, text, protected spans)."""


def seed_random(seed: int, item: str, kind: str) -> Random:
    """Return the random generator for one variant of one item."""
    return Random(blake2b(f"{seed}\0{item}\0{kind}".encode(), digest_size=8).digest())


@contextmanager
def noise(
    kind: str, paper: Draw | None, own: Draw, chinese: Draw | None, settings: Mapping[str, Any]
) -> Iterator[VariantMaker]:
    """Yield the VariantMaker of one kind of noise. `paper` applies nlpaug unchanged, or is None in the mode `protected`; `own`
    changes only unprotected words; `chinese` applies to Chinese text."""
    mode = settings["mode"]

    async def make(item: Item, seed: int, voice: VariationAgent | None) -> PerturbedText:
        if not item.question.strip():
            raise VariationFailed("The item has no question to vary.")
        if item.language != "zh":
            return draw_text(item, seed_random(seed, item.id, kind), mode, paper or own, generator())
        if mode == "paper" or chinese is None:
            raise VariationFailed("nlpaug cannot vary Chinese text: use the mode protected.")
        return draw_text(item, seed_random(seed, item.id, kind), mode, chinese, CHINESE)

    yield make


def draw_text(item: Item, random: Random, mode: str, draw: Draw, made_by: str) -> PerturbedText:
    """Add random noise to the question, in at most 1 + MAX_RETRIES attempts, until the new text differs from the question.
    Raises VariationFailed if no text differs."""
    text = item.question
    kept = NO_SPANS if mode == "paper" else protect_spans(text, item.answers, item.language)
    for attempt in range(1, MAX_RETRIES + 2):
        made = draw(random, text, kept)
        if "".join(made.split()) != "".join(text.split()):
            return PerturbedText(made, made_by, {"mode": mode, "attempts": attempt})
    left = "that is not protected " if mode == "protected" else ""
    raise VariationFailed(
        f"failed_unchanged: after {MAX_RETRIES} retries it is still the question; nothing in it {left}can be changed."
    )


@cache
def generator() -> str:
    """Return the name and version of nlpaug, to store with a variant."""
    return f"nlpaug {version('nlpaug')}"


def count(n: int, least: int = LEAST) -> int:
    """Return how many of `n` tokens are changed by noise, computed in the same way as in nlpaug."""
    return min(MOST, max(least, math.ceil(SHARE * n)))


def choose_tokens(random: Random, among: Sequence[ProtectedToken], n: int) -> list[ProtectedToken]:
    """Choose `n` random tokens from `among`, and return them in the order of the text."""
    return sorted(random.sample(list(among), min(n, len(among))))


def replace_words(text: str, changes: Sequence[WordChange]) -> str:
    """Return the text with these words replaced, and everything else unchanged."""
    for change in sorted(changes, reverse=True):
        text = text[: change.start] + change.put + text[change.end :]
    return text


def in_a_word(
    random: Random, text: str, kept: ProtectedSpans, table: Mapping[str, Sequence[str]], shortest: int, least: int
) -> str:
    """Return the text with letters of some words replaced by other letters. The table, a dict from letter to other letters,
    determines the possible replacements. Only words of at least `shortest` letters are changed, in at least `least` letters if
    possible."""
    every = tokens(text)
    able = [
        t
        for t in every
        if len(t.text) >= shortest
        and t.text[0].isalnum()
        and not kept.is_touched(t.start, t.end)
        and any(letter in table for letter in t.text)
    ]
    changes = []
    for token in choose_tokens(random, able, count(len(every))):
        places = [place for place, letter in enumerate(token.text) if letter in table]
        letters = list(token.text)
        for place in sorted(random.sample(places, min(len(places), count(len(letters), least)))):
            letters[place] = random.choice(table[letters[place]])
        changes.append(WordChange(token.start, token.end, token.text, "".join(letters)))
    return replace_words(text, changes)


def misspell_words(random: Random, text: str, kept: ProtectedSpans) -> str:
    """Return the text with some words replaced by misspellings from nlpaug's dictionary. Entries that are not English words
    ("[[th", "5the", "é") are left out, and so are replacements of one question word by another."""
    every = tokens(text)
    able = [
        (token, among)
        for token in every
        if token.text[0].isalnum() and not kept.is_touched(token.start, token.end) and (among := typos(token.text))
    ]
    picked = random.sample(range(len(able)), min(len(able), count(len(every))))
    changes = []
    for token, among in (able[place] for place in sorted(picked)):
        put = random.choice(among)
        if token.start == every[0].start and token.text[0].isupper() and put.islower():
            put = put.capitalize()
        changes.append(WordChange(token.start, token.end, token.text, put))
    return replace_words(text, changes)


class SpellingDictionary:
    """A sorted copy of nlpaug's spelling dictionary (57,690 words), with the attribute names of nlpaug's own class."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self.dict = words

    def predict(self, word: str) -> Sequence[str] | None:
        return self.dict.get(word)


@load_once()
def spellings() -> SpellingDictionary:
    """Return nlpaug's dictionary, read from its file with every list sorted. nlpaug's own order differs from process to
    process, and importing it would import nltk and torch."""
    package = find_spec("nlpaug")
    assert package is not None and package.origin is not None
    misspellings: dict[str, set[str]] = {}
    with (Path(package.origin).parent / "res" / "word" / "spelling" / "spelling_en.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, *slips = line.removesuffix("\n").split(" ")
            misspellings.setdefault(word, set()).update(slips)
            for slip in slips:
                misspellings.setdefault(slip, set()).add(word)
    return SpellingDictionary({word: sorted(slips) for word, slips in misspellings.items()})


@lru_cache(maxsize=100_000)
def typos(word: str) -> Sequence[str]:
    """Return the misspellings of a word that the mode `protected` may use."""
    is_asking, candidates = word.lower() in _QUESTION_WORDS, spellings().dict.get(word, ())
    return [
        candidate
        for candidate in candidates
        if candidate != word and _TYPO.fullmatch(candidate) and not (is_asking and candidate.lower() in _QUESTION_WORDS)
    ]


@cache
def keys() -> Mapping[str, Sequence[str]]:
    """Return a dict from key to its neighbours on nlpaug's English keyboard, in lower and upper case."""
    from nlpaug.model.char import Keyboard
    from nlpaug.util import LibraryUtil

    board = Keyboard(model_path=str(Path(LibraryUtil.get_res_dir(), "char", "keyboard", "en.json")))
    return {key: sorted(near) for key, near in board.model.items() if near}


@cache
def neighbours() -> Mapping[str, Sequence[str]]:
    """Return a dict from key to its neighbours, like `keys` but without entries of more than one character (nlpaug has " t" for
    "u")."""
    return {
        key: letters
        for key, near in keys().items()
        if (letters := [letter for letter in near if len(letter) == 1 and letter.strip()])
    }


@cache
def misreadings() -> Mapping[str, Sequence[str]]:
    """Return a dict from letter to the letters with which nlpaug's scanner table confuses it, in both directions."""
    from nlpaug.model.char import Ocr
    from nlpaug.util import LibraryUtil, ReadUtil

    table = Ocr(ReadUtil.read_json(str(Path(LibraryUtil.get_res_dir(), "char", "ocr", "en.json"))))
    return {letter: sorted(signs) for letter, signs in table.model.items() if signs}


def by_nlpaug(name: str) -> Draw:
    """Return a function that applies nlpaug's augmenter `name` (SpellingAug, KeyboardAug or OcrAug) with its defaults."""
    return partial(_augment_text, _augmenter(name))


def _augment_text(augmenter: Any, random: Random, text: str, kept: ProtectedSpans) -> str:
    own = copy.copy(augmenter)
    own.sample = lambda among, n=None: random.sample(among, n)  # nlpaug would use the random generator that all threads share
    augmented = own.augment(text)
    return str(augmented[0]) if augmented else text


@load_once(4)
def _augmenter(name: str) -> Any:
    if name == "SpellingAug":
        from nlpaug.augmenter.word import SpellingAug  # takes seconds, because it imports all of nlpaug

        augmenter = SpellingAug()
        augmenter.model = spellings()
        return augmenter
    from nlpaug.augmenter import char

    augmenter = getattr(char, name)()
    augmenter.model = copy.copy(augmenter.model)
    augmenter.model.model = dict(keys() if name == "KeyboardAug" else misreadings())
    return augmenter
