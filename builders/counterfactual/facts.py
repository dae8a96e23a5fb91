"""Read a gold answer as a fact with a type, find the fact in texts, draw another fact of the same type, and write the new fact
in place of the old one.

Dates and numbers are compared by value, so that each mention is rewritten in its own form ("22 June 1902" as "4 March 1902",
"1902-06-22" as "1902-03-04"). A date keeps its year, so that a mention of the year alone stays true. Names are compared letter
by letter."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

from builders.absence.answer_search import list_terms
from builders.counterfactual.names import Kind, find_name, find_parts, read_kind, rewrite_part
from builders.drafting.answers import is_unanswerable
from core.nouns import Item
from core.quality.counterfactual import FactType, Obstacle
from core.quality.crag import INVALID_QUESTION
from core.text.figures import DATES, MONTHS, SCALES, Date, find_dates, find_numbers
from core.text.text import normalise_answer
from core.wording.plain_answers import PLAIN_ANSWERS

MIN_FREE_DIGITS = 3
"""Minimum number of digits of a number that needs no unit. A mention of such a number may lack the unit of the answer, or have
a unit if the answer has none; a shorter number needs a unit, and each mention needs the same one."""
MAX_NAME_WORDS, MAX_NAME_CHARACTERS = 6, 12
"""Maximum number of words of a name, and of characters of a unit. A name in other letters than ASCII may have twice as many
characters."""
NEAR_YEARS = 9
"""Maximum number of years between a year and the year that replaces it."""
_YEAR = re.compile(r"(1\d{3}|20\d{2})\s?年?")
_SUFFIX = re.compile(r"(?:st|nd|rd|th)\b")


class Fact(NamedTuple):
    """The fact that a gold answer states. Gold answers that state the same fact get the same new answer."""

    type: FactType
    date: Date | None = None
    value: Fraction | None = None
    unit: str | None = None
    forms: tuple[str, ...] = ()
    """All forms of the name, the displayed one first; empty for a date or number."""
    kind: Kind | None = None
    """What the name stands for, such as a person; None for a date or number."""

    @property
    def key(self) -> tuple[object, ...]:
        """Return a value that two facts share if they are the same fact."""
        return (self.forms[0],) if self.type == "name" else (self.type in ("year", "date"), self.date, self.value, self.unit)


class Mention(NamedTuple):
    """A place in a text that states a fact."""

    start: int
    end: int
    is_whole: bool = True
    """False for a part of the fact (a surname, a month). A part counts as a mention only in a text that also states the whole
    fact."""
    is_longer: bool = False
    """Whether the mention is a part of a longer name."""


def read_fact(item: Item) -> "Fact | Obstacle":
    """Return the fact that all gold answers of the item state, or the reason why the answers cannot be replaced."""
    if not item.answers or is_unanswerable(item) or INVALID_QUESTION in item.answers[0].lower():
        return "unanswerable"
    if item.inputs:
        return "own text"
    if item.task == "template_question":
        return "from a table"
    answers = [answer.strip().rstrip(".。") for answer in item.answers]
    if any(normalise_answer(answer) in PLAIN_ANSWERS for answer in answers):
        return "yes or no"
    read = [_read_answer(answer, item) for answer in answers]
    if obstacle := next((one for one in read if not isinstance(one, Fact)), None):
        return obstacle
    facts = [one for one in read if isinstance(one, Fact)]
    if all(fact.type == "name" for fact in facts):
        return facts[0]._replace(forms=tuple(dict.fromkeys(answers)))
    return facts[0] if len({fact.key for fact in facts}) == 1 else "several facts"


def _read_answer(answer: str, item: Item) -> "Fact | Obstacle":
    if match := _YEAR.fullmatch(answer):
        return Fact("year", date=Date(int(match[1]), None, None))
    for found in find_dates(answer):
        if found.match.span() == (0, len(answer)) and found.date.month:
            return Fact("date", date=found.date)
    if numbers := find_numbers(answer):
        first = numbers[0]
        rest = answer[first.stop :].strip(" -")
        is_whole = len(numbers) == 1 and first.start <= 1 and len(rest.split()) <= 2 and len(rest) <= MAX_NAME_CHARACTERS
        if is_whole and not any(sign.isdigit() or sign.isupper() for sign in rest):
            unit = first.unit
            if unit is None and len(str(int(first.value))) < MIN_FREE_DIGITS:
                return "too short"
            type_: FactType = "percentage" if unit == "%" else "money" if unit in ("$", "€", "£", "¥") else "number"
            return Fact(type_, value=first.value, unit=unit)
    kind = read_kind(answer, item.question, item.language)
    if kind:
        letters = sum(map(str.isalnum, answer))
        is_long = len(answer.split()) > MAX_NAME_WORDS or (not answer.isascii() and letters > 2 * MAX_NAME_CHARACTERS)
        return "long answer" if is_long else "too short" if letters < 3 - (not answer.isascii()) else _name(answer, kind)
    is_long = len(answer.split()) > MAX_NAME_WORDS or (not answer.isascii() and len(answer) > MAX_NAME_CHARACTERS)
    return "long answer" if is_long else "no type"


def _name(answer: str, kind: Kind) -> Fact:
    return Fact("name", forms=(answer,), kind=kind)


def list_wanted(fact: Fact) -> list[frozenset[str]]:
    """Return sets of terms, for `answer_search.find_answers`. A text that states the fact contains all terms of at least one
    set."""
    if fact.date:
        return [frozenset(map(str, parts)) for parts in product(*_list_date_forms(fact.date))]
    forms = fact.forms if fact.value is None else _list_digits(fact.value)
    return list(dict.fromkeys(terms for form in forms if (terms := frozenset(list_terms(form)))))


def _list_date_forms(date: Date) -> Iterator[Sequence[object]]:
    """Yield a list of the ways to write the year, one for the month and one for the day, for the parts of the date that are
    known."""
    if date.year:
        yield [date.year]
    if date.month:
        name = MONTHS[date.month - 1].lower()
        yield list(dict.fromkeys([str(date.month), f"{date.month:02}", name, name[:3], *(["sept"] if date.month == 9 else [])]))
    if date.day:
        yield list(dict.fromkeys([str(date.day), f"{date.day:02}", _write_day("1", date.day, True, False)]))


def _list_digits(value: Fraction) -> Iterator[str]:
    """Yield the ways to write a number in digits, with each scale."""
    for word, scale in {"": 1, **SCALES}.items():
        for has_commas in (False, True):
            if digits := _write_digits(value / scale, has_commas):
                yield f"{digits} {word}" if word.isascii() and len(word) > 2 else digits + word


def _write_digits(value: Fraction, has_commas: bool) -> str:
    """Return the number in digits; "" if it has more than four decimals."""
    if (value * 10**4).denominator != 1:
        return ""
    whole, part = divmod(int(value * 10**4), 10**4)
    tail = f"{part:04}".rstrip("0")
    return (f"{whole:,}" if has_commas else str(whole)) + (f".{tail}" if tail else "")


def find_mentions(fact: Fact, text: str, language: str) -> list[Mention]:
    """Return in order the places where the text states the fact or a part of it; none if no place states the whole fact."""
    if fact.date:
        found = list(_find_date(fact.date, text))
    elif fact.value is not None:
        found = [
            Mention(one.start, one.end)
            for one in find_numbers(text)
            if one.value == fact.value
            and (one.unit == fact.unit or (len(str(int(fact.value))) >= MIN_FREE_DIGITS and not (one.unit and fact.unit)))
        ]
    else:
        found = [Mention(start, end, True, longer) for start, end, longer in find_name(fact.forms, text, language)]
        if found and fact.kind == "person":
            whole = [(one.start, one.end) for one in found]
            found += [Mention(start, end, False, longer) for start, end, longer in find_parts(fact.forms[0], text, whole)]
    return sorted(found) if any(one.is_whole for one in found) else []


def _find_date(date: Date, text: str) -> Iterator[Mention]:
    """Yield the places that state the date or a part of it. A day and month without a year count as the whole date if the text
    has the year elsewhere."""
    every = find_dates(text)
    if date.month is None:
        of_dates = [found.match.span("y") for found in every if found.date.year == date.year]
        yield from (Mention(*span) for span in of_dates if text[slice(*span)].isdigit())
        for one in find_numbers(text):
            is_taken = any(start <= one.start < end for start, end in of_dates)
            if one.value == date.year and text[one.start : one.end].isdigit() and not is_taken:
                yield Mention(one.start, one.end)
        return
    states_year = date.year in {found.date.year for found in every}
    for found in every:
        if found.date.month and date.is_compatible(found.date):
            stated = found.date._replace(year=date.year) if states_year else found.date
            is_whole = all(other is not None for own, other in zip(date, stated, strict=True) if own is not None)
            yield Mention(found.match.start(), _find_end(text, found.match), is_whole)


def _find_end(text: str, match: re.Match[str]) -> int:
    suffix = _SUFFIX.match(text, match.end())
    return suffix.end() if suffix else match.end()


def draw_figure(fact: Fact, random: Random, last_year: int) -> Fact:
    """Return another fact of the same type near the given date or number. A year moves by at most NEAR_YEARS, and not beyond
    `last_year` unless it is later itself. A date gets
    another month, and another day if it has one, in the same year. A number is multiplied by 0.7 to 1.4 and has as many digits
    before the zeros at its end as before; a number with a single such digit may grow by 3 in this digit."""
    if fact.date and fact.date.month is None:
        year = fact.date.year or 0
        near = [year + n for n in range(-NEAR_YEARS, NEAR_YEARS + 1) if n and year + n <= max(year, last_year)]
        return fact._replace(date=Date(random.choice(near), None, None))
    if fact.date:
        own, month, day = fact.date
        other = random.choice([n for n in range(1, 13) if n != month])
        return fact._replace(date=Date(own, other, random.choice([n for n in range(1, 29) if n != day]) if day else None))
    value = fact.value or Fraction(0)
    step = Fraction(1)
    while (value / step).denominator != 1:
        step /= 10
    while value and (value / (step * 10)).denominator == 1:
        step *= 10
    count = int(value / step)
    low, high = max(1, -(-count * 7 // 10)), max(count * 14 // 10, count + 3)
    if fact.unit == "%" and value <= 100:
        high = min(high, int(100 / step))
    counts = range(low, high + 1)
    if len(counts) > 1000:
        counts = range(low, high + 1, len(counts) // 1000)
    options = [n for n in counts if n != count and (n % 10 or count < 10)]
    return fact._replace(value=step * random.choice(options or [count + 1]))


def rewrite(fact: Fact, new: Fact, piece: str) -> str:
    """Return the text of a mention, rewritten to state the new fact in the same form as the old one."""
    if fact.date and new.date:
        return _rewrite_date(piece, fact.date, new.date)
    if new.value is not None:
        [number] = find_numbers(piece)
        digits = piece[number.start :]
        written = re.match(r"[\d,.]*\d", digits)
        assert written is not None
        scale = number.value / Fraction(written[0].replace(",", ""))
        has_commas = "," in written[0] or (scale == 1 and len(str(int(number.value))) < 4)
        return piece[: number.start] + _write_digits(new.value / scale, has_commas) + digits[written.end() :]
    return new.forms[0] if piece in fact.forms else rewrite_part(fact.forms[0], new.forms[0], piece)


def _rewrite_date(piece: str, old: Date, new: Date) -> str:
    if old.month is None:
        return str(new.year)
    match = find_dates(piece)[0].match
    parts = match.groupdict()
    edits = []
    digits = [part for name in "md" if (part := parts.get(name)) and part.isdigit()]
    is_full = match.re is DATES[0] and all(len(part) == 2 for part in digits)
    is_padded = is_full or any(part.startswith("0") for part in digits)
    if parts.get("m"):
        edits.append((*match.span("m"), _write_month(match["m"], new.month or 1, is_padded)))
    if parts.get("d") and new.day:
        start, end = match.span("d")
        suffix = _SUFFIX.match(piece, end)
        edits.append((start, suffix.end() if suffix else end, _write_day(match["d"], new.day, bool(suffix), is_padded)))
    for start, end, text in sorted(edits, reverse=True):
        piece = piece[:start] + text + piece[end:]
    return piece


def _write_month(old: str, month: int, is_padded: bool) -> str:
    if old.isdigit():
        return f"{month:02}" if is_padded else str(month)
    if old[0].isascii():
        name = MONTHS[month - 1]
        return name if old in MONTHS else name[:3] + ("." if old.endswith(".") else "")
    return _write_chinese(month)


def _write_day(old: str, day: int, has_suffix: bool, is_padded: bool) -> str:
    if not old.isdigit():
        return _write_chinese(day)
    suffix = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return (f"{day:02}" if is_padded else str(day)) + (suffix if has_suffix else "")


def _write_chinese(number: int) -> str:
    """Return a number below 100 in Chinese characters."""
    signs = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    head = "" if not tens else "十" if tens == 1 else f"{signs[tens]}十"
    return head + (signs[ones] if ones or not tens else "")


def is_value(fact: Fact) -> bool:
    """Return whether the fact is a date or a number. The answer to another question may have been computed from such a fact."""
    return fact.type != "name"
