"""Births and deaths from the bracket behind a person's name: "(25 November 1871 in Oslo – 18 February 1933)"."""

import re
from typing import NamedTuple

from core.offline.english.topics import Reading
from core.offline.english.words import MONTHS, UPPER


class Life(NamedTuple):
    """What the bracket says; empty where it says nothing."""

    born: str = ""
    """A whole day, as it stands there."""
    birthplace: str = ""
    died: str = ""
    deathplace: str = ""


_DAY = rf"\d{{1,2}} (?:{MONTHS}) \d{{4}}|(?:{MONTHS}) \d{{1,2}}, ?\d{{4}}"
_UNSURE = re.compile(r"\b(?:or|circa|about|before|after|baptised|bapt|fl|reign\w*|ruled|between|served)\b|\bc\.|\?")
"""Its dates are not plain dates of birth and death."""
_DIED = re.compile(r"\b(?:died|d\.)|†")
_PLACE = re.compile(rf"(?:{_DAY}),? in ([{UPPER}][^;()–\d]{{2,40}}?)(?:,? (?:died|d\.).*)?$")


def life(reading: Reading) -> Life:
    """What the first sentence about a person says in its bracket; all empty for any other sentence."""
    topic = reading.topic
    if reading.place != 1 or topic is None or topic.kind != "person":
        return Life()
    bracket = re.search(r"\(([^()]*\d{4}[^()]*)\)", reading.text[: len(topic.title) + 200])
    if not bracket or _UNSURE.search(bracket[1]):
        return Life()
    halves = re.split(r"\s*[–—]\s*|\s-\s", bracket[1])
    if len(halves) > 2:
        return Life()
    if len(halves) == 1 and _DIED.match(halves[0].strip()):
        halves = ["", halves[0]]
    first, last = halves[0].strip(), halves[1].strip() if len(halves) == 2 else ""
    if _DIED.match(first):
        return Life()
    return Life(_found(_DAY, first), _placed(first), _found(_DAY, last), _placed(last))


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[0] if match else ""


def _placed(text: str) -> str:
    match = _PLACE.search(text)
    return match[1] if match else ""
