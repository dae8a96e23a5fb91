"""Characters of writing systems for classes of regular expressions: Chinese characters, scripts without spaces, and combining
marks."""

import re
import unicodedata
from itertools import groupby

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3007"
"""Chinese (Han) characters, for a character class of a regular expression."""
HAN_CHARACTER = re.compile(f"[{HAN}]")
UNSPACED = HAN + "\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Characters of scripts that write no spaces between words: Han, kana, Thai, Lao, Burmese, Khmer; for a character class of a
regular expression."""
_ALIKE_ALPHABETS = {"LATIN", "CYRILLIC", "GREEK"}
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ", "ABESIJKMHOPCTYXaesijopcyxhdqw" + "ABEZHIKMNOPTYXaikvopu"
)
"""Cyrillic and Greek letters to the Latin letters that they look like."""
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL")
UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")


def _list_marks() -> str:
    r"""Return combining marks and joiners as ranges for a character class. Python's \w does not match combining marks, so that
    Hindi words would be split."""
    marks = [code for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code))[0] == "M"]
    runs = [list(run) for _, run in groupby(enumerate(marks), key=lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0][1])}-{chr(run[-1][1])}" for run in runs) + "\u200c\u200d"


MARKS = _list_marks()
"""Combining marks and joiners, for a character class of a regular expression."""


def find_scripts(text: str) -> set[str]:
    """Return the names of the scripts of the text's letters ("LATIN", "CYRILLIC"); all East Asian scripts are named "CJK"."""
    if text.isascii():
        return {"LATIN"} if any(map(str.isalpha, text)) else set()
    letters = unicodedata.normalize("NFKC", text)
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in set(letters) if letter.isalpha()}
    return {"CJK" if script in _EAST_ASIAN else script for script in scripts}


def find_mixed_alphabets(text: str) -> str | None:
    """Return the first word of the text that mixes Latin, Cyrillic or Greek letters, or None if there is no such word. Such a
    word can look exactly like a word in a single alphabet."""
    return next((word for word in text.split() if len(find_scripts(word) & _ALIKE_ALPHABETS) > 1), None)


def fold_look_alikes(text: str) -> str:
    """Return the text with Cyrillic and Greek letters that look like Latin letters replaced by the Latin letters."""
    return text.translate(_LOOK_ALIKES)
