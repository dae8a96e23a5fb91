"""Find the language pairs that a release freezes: pairs of items that ask the same in two languages. Both items stay in the
release if a check refuses the pair."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from builders.parallel.alignment import find_misfit, states_figures
from core.as_json import Json
from core.nouns import Item
from core.quality.language_pairs import LanguagePair, Misfit
from store.engine.database import Database
from store.items import language_pairs


class FrozenPairs(NamedTuple):
    """The language pairs of a release that is being frozen."""

    pairs: Sequence[LanguagePair]
    left_out: Mapping[Misfit, int]
    """Dict from the reason why pairs are left out to their number."""
    by_value: int
    """Number of the pairs whose gold answers state a number or date, which is the same on both sides; the words of the other
    gold answers are not compared."""

    @property
    def manifest(self) -> dict[str, Json]:
        """The pairs as the manifest states them; empty if there are none. The reasons are not in it."""
        return {"pairs": [pair.record() for pair in self.pairs]} if self.pairs else {}


def find_frozen_pairs(database: Database, members: Sequence[Item]) -> FrozenPairs:
    """Return the pairs whose two items are among the members and fit together, and count the others by reason."""
    held = {item.id: item for item in members}
    kept: list[LanguagePair] = []
    left_out: Counter[Misfit] = Counter()
    taken: set[tuple[str, str]] = set()
    for pair in language_pairs.load(database, held):
        item, twin = held.get(pair.item), held.get(pair.twin)
        why: Misfit | None = "not accepted" if item is None or twin is None else find_misfit(item, twin)
        if why is None and item and twin:
            sides = {(item.id, twin.language), (twin.id, item.language)}
            why = "second twin" if sides & taken else None
            taken |= sides
        if why:
            left_out[why] += 1
        else:
            kept.append(pair)
    return FrozenPairs(kept, dict(sorted(left_out.items())), sum(states_figures(held[pair.item]) for pair in kept))
