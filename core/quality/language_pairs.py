"""Define language pairs: two items that ask the same in two languages, each with its own question, answers, evidence and
documents."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

PairSource = Literal["imported", "translated", "by hand"]
"""How a pair came about: imported = two files have the same id; translated = an agent translated the item; by hand = a person
named both items."""
Misfit = Literal["same language", "other task", "other level", "other figures", "not accepted", "second twin"]
"""Reason why two items cannot be a pair. other figures: the gold answers state other numbers or dates; not accepted: one of the
items is not in the release; second twin: the item has another twin in the same language."""


class LanguagePair(NamedTuple):
    """An item and its twin in another language."""

    item: str
    twin: str
    source: PairSource
    made_by: str = ""
    """The file, the agent or the person that the pair comes from."""

    def record(self) -> dict[str, Any]:
        """Return the pair as JSON values."""
        return self._asdict()


def pair_from_record(record: Mapping[str, Any]) -> LanguagePair:
    """Return the pair that a release's manifest states."""
    return LanguagePair(record["item"], record["twin"], record["source"], record.get("made_by", ""))
