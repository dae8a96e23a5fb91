"""Figures in English or Chinese text: numbers with units, and dates, in a normal form, so that "1,200", "１２００" and
"一千二百" are the same number and "3 March 1987" and "1987年3月3日" the same day. The results are deterministic, and no model
is used."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from core.text.numerals import CHINESE, chinese_number, english_numbers

YEAR = "January February March April May June July August September October November December"
MONTHS = tuple(YEAR.split())
MONTH = "|".join(f"{m}|{m[:3]}\\.?" for m in MONTHS) + "|Sept\\.?"
DATES = (
    re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(
        rf"(?P<y>\d{{4}}|[{CHINESE.digits}]{{4}})年(?:(?P<m>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})月(?:份)?"
        r"(?:(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?)?"
    ),
    re.compile(r"(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月(?:(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{MONTH})(?!\w)(?:,? (?P<y>\d{{4}})\b)?"),
    re.compile(rf"\b(?P<m>{MONTH}) (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (?P<y>\d{{4}})\b)?"),
    re.compile(rf"\b(?P<m>{MONTH})(?: of|,)? (?P<y>\d{{4}})\b"),
)
SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "k": 1000,
    "million": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
    "百": 100,
    "千": 1000,
    "万": 10**4,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
    "万亿": 10**12,
}
UNITS = {
    "%": r"%|percent(?:age points?)?|per ?cent|个?百分点",
    "km": r"km|kilomet(?:er|re)s?|公里|千米",
    "m": r"met(?:er|re)s?|米|m",
    "cm": r"cm|centimet(?:er|re)s?|厘米",
    "mm": r"mm|millimet(?:er|re)s?|毫米",
    "mile": r"miles?|英里",
    "ft": r"ft|foot|feet|英尺",
    "km2": r"km2|square kilomet(?:er|re)s?|平方公里|平方千米",
    "m2": r"m2|square met(?:er|re)s?|平方米|平米",
    "ha": r"ha|hectares?|公顷",
    "acre": r"acres?|英亩",
    "mu": r"亩",
    "kg": r"kg|kilograms?|kilos?|公斤|千克",
    "t": r"tonnes?|tons?|吨",
    "g": r"g|grams?|克",
    "l": r"lit(?:er|re)s?|公升|升",
    "second": r"seconds?|秒",
    "minute": r"minutes?|分钟",
    "hour": r"hours?|个?小时",
    "day": r"days?|天",
    "week": r"weeks?|周|个?星期",
    "month": r"months?|个月",
    "year": r"years?|年",
    "century": r"centur(?:y|ies)|世纪",
    "$": r"(?:US )?dollars?|USD|美元",
    "€": r"euros?|EUR|欧元",
    "£": r"pounds?|GBP|英镑",
    "¥": r"yuan|RMB|CNY|元(?!月|旦|年|素)|块钱",
    "people": r"people|persons?|人(?!民)",
    "°C": r"°C|degrees Celsius|摄氏度",
}
UNIT = re.compile("|".join(rf"(?P<u{n}>{words})(?![A-Za-z])" for n, words in enumerate(UNITS.values())), re.IGNORECASE)
NUMBER = re.compile(
    r"(?P<money>[$€£¥])?\s?(?<![A-Za-z0-9.])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<tail>st|nd|rd|th|s)?(?!\d)"
    r"(?:[ -]?[余多来]?(?P<scale>hundred|thousand|million|billion|trillion|bn|万亿|百万|千万|百|千|万|亿"
    r"|(?<=\d)[kKm](?![A-Za-z0-9²])))?"
)
CHINESE_NUMBER = re.compile(
    rf"百分之(?P<percent>[{CHINESE.all}]+|\d+(?:\.\d+)?)"
    rf"|(?P<under>[{CHINESE.all}]+)分之(?P<over>[{CHINESE.all}]+)"
    rf"|(?P<order>第)?(?P<run>[{CHINESE.all}]+)(?P<measure>[个名位人家座条件本部年月日天次倍所间项届章元米吨亩分秒])?"
)
SMALL_TALK = frozenset(["一", "十", "百", "千", "万", "亿", "两", "千万", "百万", "万一", "一一"])
"""Chinese numerals that are often part of other words ("一直", "千万"); they count as numbers only after 第 or before a measure
word."""


class Date(NamedTuple):
    """A date as day, month and year; each is None if the text does not state it."""

    year: int | None
    month: int | None
    day: int | None

    def is_compatible(self, other: "Date") -> bool:
        """Return whether two dates can be the same; a missing part (day, month or year) of one date matches any value in the
        other."""
        return all(a is None or b is None or a == b for a, b in zip(self, other, strict=True))


@dataclass(slots=True)
class Figures:
    """The numbers and dates that a text contains."""

    numbers: dict[Fraction, set[str | None]] = field(default_factory=dict)
    """Dict from number to the units with which it occurs; None = without a unit. A percentage is a number with the unit %."""
    dates: list[Date] = field(default_factory=list)

    def add(self, value: Fraction | int, unit: str | None = None) -> None:
        self.numbers.setdefault(Fraction(value), set()).add(unit)


def figures(text: str) -> Figures:
    """Return all numbers and dates of a text."""
    all_figures = Figures()
    text = normalize("NFKC", text).replace("−", "-")
    for pattern in DATES:
        text = pattern.sub(lambda match: _take_date(match, all_figures), text)
    text = CHINESE_NUMBER.sub(lambda match: _take_chinese(match, all_figures), text)
    text = NUMBER.sub(lambda match: _take_digits(match, all_figures), text)
    for value, start, end in english_numbers(text):
        if value != 1 or end - start > 3:
            all_figures.add(value, _find_unit(text, end)[0])
    return all_figures


_read_figures = lru_cache(maxsize=8)(figures)  # several claims are checked against one text


class FoundDate(NamedTuple):
    """A date in a text, with the match of the pattern in DATES that found it."""

    date: Date
    match: re.Match[str]


class FoundNumber(NamedTuple):
    """A number in digits in a text."""

    value: Fraction
    """The value, with the scale ("1.2 million" is 1,200,000)."""
    unit: str | None
    start: int
    """Where the digits begin; a sign of money may stand before them."""
    end: int
    """Where the number ends with its scale, before its unit."""
    stop: int
    """Where the unit ends."""


def find_dates(text: str) -> list[FoundDate]:
    """Return the dates of a text with their places; where patterns overlap, the first one in DATES counts."""
    found: list[FoundDate] = []
    for pattern in DATES:
        for match in pattern.finditer(text):
            date = _read_date(match)
            if date and not any(match.start() < one.match.end() and one.match.start() < match.end() for one in found):
                found.append(FoundDate(date, match))
    return found


def find_numbers(text: str) -> list[FoundNumber]:
    """Return the numbers in digits of a text with their places, also those that are parts of dates."""
    found = []
    for match in NUMBER.finditer(text):
        value, unit = _read_digits(match)
        is_metres = match["scale"] == "m" and not match["money"]
        end = match.end() - is_metres
        found.append(FoundNumber(value, unit, match.start("digits"), end, max(end, _find_unit(text, end)[1])))
    return found


def list_missing_figures(claimed: str, evidence: str) -> list[str]:
    """Return the numbers, units and dates of `claimed` that `evidence` does not contain, as text that a person can search
    for."""
    claims, known = figures(claimed), _read_figures(evidence)
    missing = [_format_date(date) for date in claims.dates if not _has_date(known, date)]
    known_units = {unit for units in known.numbers.values() for unit in units}
    for value, units in claims.numbers.items():
        if value not in known.numbers:
            if not any(value in (date.year, date.month, date.day) for date in claims.dates):
                missing.append(_format_number(value))
            continue
        own = known.numbers[value]
        wrong = [
            unit for unit in units if unit is not None and unit not in own and (None not in own or unit not in known_units)
        ]
        missing += [f"{_format_number(value)} {unit}" for unit in wrong]
    return missing


def missing_words(claimed: str, evidence: str) -> list[str]:
    """Return the numbers and dates of `claimed` that `evidence` does not contain, in the wording and order of `claimed` where
    possible."""
    missing = list_missing_figures(claimed, evidence)
    matches = [match for pattern in (*DATES, CHINESE_NUMBER, NUMBER) for match in pattern.finditer(claimed)]
    places = [(match.end() - len(match.group().lstrip()), match.end()) for match in matches]
    places += [(start, end) for _, start, end in english_numbers(claimed)]
    located: set[str] = set()
    words: list[str] = []
    past = 0
    for start, stop in sorted(places, key=lambda place: (place[0], -place[1])):
        end = _find_unit(claimed, stop)[1]
        own = set(list_missing_figures(claimed[start:end], evidence)) & set(missing)
        if start >= past and own:
            words.append(claimed[start:end])
            located |= own
        past = max(past, stop)
    return [*words, *(figure for figure in missing if figure not in located)]


def _has_date(evidence: Figures, date: Date) -> bool:
    """Return whether the evidence contains a matching date; the year may occur separately as a number ("In 1987, on 3 May")."""
    for other in evidence.dates:
        if date.is_compatible(other):
            lacks_year = date.year is not None and other.year is None
            lacks_rest = (date.month is not None and other.month is None) or (date.day is not None and other.day is None)
            if not lacks_rest and (not lacks_year or Fraction(date.year or 0) in evidence.numbers):
                return True
    return date.month is None and Fraction(date.year or 0) in evidence.numbers


def _read_date(match: re.Match[str]) -> Date | None:
    """Return the date of a match, or None if its month or day is none."""
    parts = match.groupdict()
    date = Date(*(_read_part(parts.get(name)) for name in "ymd"))
    return None if (date.month or 1) > 12 or (date.day or 1) > 31 else date


def _take_date(match: re.Match[str], all_figures: Figures) -> str:
    date = _read_date(match)
    if date is None:
        return match.group()
    all_figures.dates.append(date)
    for value in (date.year, date.day):
        if value is not None:
            all_figures.add(value)
    return " # "


def _read_part(word: str | None) -> int | None:
    if word is None:
        return None
    if word.isdigit():
        return int(word)
    for number, month in enumerate(MONTHS, 1):
        if word.startswith(month[:3]):
            return number
    value = chinese_number(word)
    return None if value is None else int(value)


def _take_digits(match: re.Match[str], all_figures: Figures) -> str:
    all_figures.add(*_read_digits(match))
    return " # "


def _read_digits(match: re.Match[str]) -> tuple[Fraction, str | None]:
    """Return the value and the unit of a match of NUMBER."""
    value = Fraction(match["digits"].replace(",", ""))
    scale, money = match["scale"], match["money"]
    is_metres = scale == "m" and not money
    if scale and not is_metres:
        value *= SCALES[scale.lower()]
    return value, money or (None if match["tail"] else _find_unit(match.string, match.end() - is_metres)[0])


def _take_chinese(match: re.Match[str], all_figures: Figures) -> str:
    if match["percent"]:
        value = Fraction(match["percent"]) if match["percent"][0].isdigit() else chinese_number(match["percent"])
        unit: str | None = "%"
    elif match["under"]:
        under, over = chinese_number(match["under"]), chinese_number(match["over"])
        value, unit = (over / under if under and over is not None else None), None
    else:
        run = match["run"]
        before = match.string[: match.start()][-3:]
        if not match["order"] and re.search(r"[\d.][余多来]?\s?$|[数几好上成]$", before):
            return match.group()  # the scale after a number in digits (12万, 50余万); 数万 is not a number
        if run in SMALL_TALK and not (match["order"] or match["measure"]):
            return match.group()
        value, unit = chinese_number(run), None if match["order"] else _find_unit(match.string, match.end("run"))[0]
    if value is None:
        return match.group()
    all_figures.add(value, unit)
    return " # "


def _find_unit(text: str, at: int) -> tuple[str | None, int]:
    """Return the unit that directly follows a number ending at `at`, and the end of the unit; (None, at) if there is no
    unit."""
    rest = text[at : at + 24]
    match = UNIT.match(rest.lstrip(" -"))
    if match is None or match.lastgroup is None:
        return None, at
    return list(UNITS)[int(match.lastgroup[1:])], at + len(rest) - len(rest.lstrip(" -")) + match.end()


def _format_number(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):g}"


def _format_date(date: Date) -> str:
    return "-".join("?" if part is None else f"{part:02}" for part in date)
