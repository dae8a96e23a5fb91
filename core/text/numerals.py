"""Converts number words to numbers: English ("twenty-five", "third", "two million") and Chinese ("三千二百", "两点五")."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple


class NumeralSigns(NamedTuple):
    """The characters in which Chinese numerals are written."""

    digits: str
    all: str


CHINESE = NumeralSigns(digits="〇零一二三四五六七八九", all="〇零一二两三四五六七八九十百千万亿点")
DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
STEPS = {"十": 10, "百": 100, "千": 1000}

UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen"""
ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
RANKS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth"""
ONES = {word: n for n, word in enumerate(UNITS.split())}
TENS = {word: 10 * n for n, word in enumerate(ROUND.split(), 2)}
ORDINALS = {word: n for n, word in enumerate(RANKS.split(), 1)} | {f"{word[:-1]}ieth": n for word, n in TENS.items()}
BIG_NUMBERS = {"hundred": 100, "dozen": 12, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
CARDINAL = "|".join(sorted([*ONES, *TENS, *BIG_NUMBERS], key=len, reverse=True))
ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
RUN = re.compile(
    rf"\b(?:(?:{CARDINAL})(?:s?(?: and |[ -])(?:{CARDINAL})){{0,40}}"
    rf"(?:(?<=ty|ed|nd|on)(?: and |[ -])(?:{ORDINAL}))?|{ORDINAL})\b",
    re.IGNORECASE,
)
"""Pattern of number words that belong together. An ordinal ends such a group, but only after a round number: "twenty-first" is
one number, "first three" and "three first prizes" contain two numbers each."""
NO_NUMBER = re.compile(r"\b(?:no|any|some|every|this|that|which|each|the|not|only|at|a|per) $", re.IGNORECASE)
"""Pattern of phrases in which "one", "first" or "second" is not a number ("no one", "at first", "a second")."""


def chinese_number(text: str) -> Fraction | None:
    """Return the value of a Chinese numeral, or None if the text is not one ("点", "万点")."""
    whole, point, tail = text.partition("点")
    value = _read_chinese_integer(whole)
    if value is None or (point and (not tail or not set(tail) <= set(DIGITS))):
        return None
    return value + Fraction(int("".join(str(DIGITS[sign]) for sign in tail)), 10 ** len(tail)) if point else value


def english_number(text: str) -> Fraction | None:
    """Return the value of English number words, or None if the text is anything else."""
    match = RUN.fullmatch(text.strip())
    return _english(match.group()) if match else None


def english_numbers(text: str) -> Iterator[tuple[Fraction, int, int]]:
    """Yield the number words in a text, each as (value, start, end), but leave out phrases such as "no one" and "at first"."""
    for match in RUN.finditer(text):
        word, before, after = match.group().lower(), text[: match.start()][-8:], text[match.end() :]
        if word in ("one", "first", "second") and (
            (word != "first" and NO_NUMBER.search(before))
            or re.match(r" (?:of all|another|by one|or more|hand)\b", after)
            or re.search(r"\bat $", before, re.IGNORECASE)
        ):
            continue
        value = _english(match.group())
        if value is not None:
            yield value, match.start(), match.end()


def _read_chinese_integer(text: str) -> Fraction | None:
    if not text:
        return None
    if set(text) <= set(DIGITS):
        return Fraction(int("".join(str(DIGITS[sign]) for sign in text)))
    total = section = 0
    digit: int | None = None
    last_step = 1
    for sign in text:
        if sign in DIGITS:
            digit, last_step = DIGITS[sign], 1 if sign in "零〇" else last_step
        elif sign in STEPS:
            section += (1 if digit in (None, 0) else digit or 0) * STEPS[sign]
            digit, last_step = None, STEPS[sign]
        else:
            scale = 10**4 if sign == "万" else 10**8
            section += digit or 0
            if not section and not total:
                section = 1
            total = (total + section) * scale if scale == 10**8 and total else total + section * scale
            section, digit, last_step = 0, None, scale
    tail = (digit or 0) * (last_step // 10 if last_step >= 100 and text[-1] in DIGITS and "零" not in text[-2:-1] else 1)
    return Fraction(total + section + tail)


def _english(text: str) -> Fraction | None:
    total = part = 0
    for word in re.split(r"[ -]+", text.lower()):
        word = word if word in BIG_NUMBERS or word in ONES or word in TENS or word in ORDINALS else word.removesuffix("s")
        if word in ONES or word in TENS or word in ORDINALS:
            part += ONES.get(word, TENS.get(word, ORDINALS.get(word, 0)))
        elif word in ("hundred", "dozen"):
            part = max(part, 1) * BIG_NUMBERS[word]
        elif word in BIG_NUMBERS:
            total, part = total + max(part, 1) * BIG_NUMBERS[word], 0
    return Fraction(total + part)
