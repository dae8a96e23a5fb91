"""What the offline drafters of both languages know of one dated thing that a text tells."""

from typing import NamedTuple


class Event(NamedTuple):
    """Something that happened on a day, a month or a year that the text gives."""

    when: tuple[int, ...]
    """Year, month, day; the month and the day only where they are told."""
    said: str
    """The time as the text writes it."""
    told: str
    """What happened, without its time, as a clause that can be read alone."""
    number: int
    """Number of its sentence, from 1."""
    document: str
    """Id of its document."""
    names: tuple[str, ...]
    """What it is about, the longest first: persons, bodies, works, things; no mere places."""
