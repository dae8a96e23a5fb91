"""Compares the names of the program's users; names that differ only in case or spaces belong to the same person."""

import re
import unicodedata

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Pattern of characters that cannot be stored in files: NUL and lone surrogates (halves of characters)."""

_BLANKS = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"), " ")
"""Characters that look like a space on the screen, although Unicode counts them as letters or symbols."""
_INVISIBLE_LETTERS = frozenset("\u034f\u17b4\u17b5") | {
    chr(code) for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)) for code in range(first, last + 1)
}
"""Characters that are invisible on the screen, although Unicode counts them as letters, marks or symbols."""


def fold_name(name: str) -> str:
    """Return a person's name in a uniform case and Unicode form, with single spaces and without invisible characters, so that
    equal names can be found."""
    letters = unicodedata.normalize("NFKC", name.translate(_BLANKS)).casefold()
    return " ".join("".join(filter(_is_visible, letters)).split())


def _is_visible(character: str) -> bool:
    if character.isascii():
        return character.isprintable() or character.isspace() or character == "\0"  # a name with NUL is refused, not folded
    return unicodedata.category(character) not in ("Cc", "Cf") and character not in _INVISIBLE_LETTERS


def is_same_person(a: str, b: str) -> bool:
    return fold_name(a) == fold_name(b)
