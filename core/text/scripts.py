"""Writing systems: Chinese characters, and the language of a text, English or Chinese."""

import re
from typing import Literal

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3007"
"""Han characters, for a character class of a regular expression."""
HAN_CHARACTER = re.compile(f"[{HAN}]")
_CJK = re.compile(f"[{HAN}\u3040-\u30ff]")
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE_CHARACTERS = 20_000
"""Characters from the beginning, and as many from the middle, that decide the language."""


def detect_language(text: str) -> Literal["en", "zh"]:
    """zh when the text has at least as many Chinese characters as words of other scripts, else en; en when it has neither."""
    if len(text) > 2 * _SAMPLE_CHARACTERS:
        middle = len(text) // 2
        text = text[:_SAMPLE_CHARACTERS] + " " + text[middle : middle + _SAMPLE_CHARACTERS]
    characters = len(_CJK.findall(text))
    if characters == 0:
        return "en"
    return "zh" if characters >= len(_WORD.findall(_CJK.sub(" ", text))) else "en"
