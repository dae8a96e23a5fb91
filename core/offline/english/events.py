"""Dated events in English text: a sentence with one date, that names somebody or something and tells what became of it. What
could not be read alone is left out."""

import re
from collections.abc import Iterator

from core.numbered import Numbered
from core.offline.english.names import DATE, MONTH, NAME, has_balanced_marks, names, plain, unmarked
from core.offline.english.words import IRREGULAR, MONTHS, PLACE
from core.offline.event import Event

FEWEST, MOST = 5, 30
"""Words of an event's clause."""
_ORDER = {name: place for place, name in enumerate(MONTHS.split("|"), 1)}
_IN = r"(?:,? (?:on|in)(?: the (?:evening|morning|night|afternoon) of)? |^(?:On|In) )"
_LEANS = re.compile(
    r"^(?:It|He|She|They|His|Her|Its|Their|This|These|That|Those|There|Here|But|And|Or|So|Also|However|Then|Later|After|Before|"
    r"When|While|Since|Until|As|If|Although|Though|Because|By|From|During|We|I|You|Our|My|Both|Each|Another|Such|One|Nor)\b|"
    r"\b(?:we|our|I|my|you|your|this|these|that year|then|ago|yesterday|today|earlier|later|former|latter|said|says|"
    r"according|which|same|same year)\b|[;:?!\"“”()\[\]|]"
)
_FINITE = frozenset(IRREGULAR) | {"was", "were"}


def events(sentences: Numbered) -> Iterator[Event]:
    """The events of the sentences, in their order."""
    for number, sentence in enumerate(sentences.sentences, 1):
        text = plain(unmarked(" ".join(sentence.text.split())))
        found = list(DATE.finditer(text))
        if len(found) != 1 or not text.endswith(".") or not has_balanced_marks(text):
            continue
        date = found[0]
        clause = _without(text, date)
        if clause and _stands_alone(clause):
            about = tuple(_names(clause))
            lowered = clause if NAME.match(clause) and any(clause.startswith(n.text) for n in names("x " + clause)) else (
                clause[0].lower() + clause[1:]
            )
            yield Event(_when(date[0]), date[0], lowered, number, sentence.span.document, about)


def _without(text: str, date: re.Match[str]) -> str:
    """The sentence without its date and full stop; empty where the date is no mere time of it."""
    before, after = text[: date.start()], text[date.end() :].removesuffix(".")
    opening = re.search(_IN + "$", before)
    if opening is None or not re.match(r",? |$|,", after):
        return ""
    before = before[: opening.start()]
    after = after.lstrip(", ") if not before else after
    clause = f"{before}{after}".strip(" ,")
    return clause[:1].upper() + clause[1:] if clause else ""


def _stands_alone(clause: str) -> bool:
    many = len(clause.split())
    told = {word.strip(",").lower() for word in clause.split()}
    tells = bool(told & _FINITE) or any(len(word) > 4 and word.endswith("ed") for word in told)
    return FEWEST <= many <= MOST and not _LEANS.search(clause) and not re.search(r"\d{4}", clause) and tells


def _names(clause: str) -> list[str]:
    found = dict.fromkeys(name.text for name in names(clause) if len(name.text) > 3)
    kept = [name for name in found if not (PLACE.search(name) and " " not in name) and len(name.split()) < 7]
    return sorted(kept, key=lambda name: (-len(name), clause.find(name)))


def _when(said: str) -> tuple[int, ...]:
    year = re.search(r"\d{4}", said)
    month = next((place for name, place in _ORDER.items() if name in said), 0)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", said)
    assert year is not None
    return (int(year[0]), *((month,) if month else ()), *((int(day[0]),) if month and day and not MONTH.match(said) else ()))
