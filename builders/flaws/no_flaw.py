"""Nothing is wrong: whoever finds fault with everything is found out."""

from random import Random

from builders.flaw import Answered, Flaw, Ground, Planted
from core.nouns import Item


def plant(item: Item, ground: Ground, random: Random) -> Planted | None:
    return Planted(item, "", "", "Nothing was wrong with this item: it is as it was accepted.")


def is_mended(planted: Planted, before: Item, answered: Answered) -> bool:
    return True


FLAW = Flaw(label="no flaw", where="", expected="Accept it.", plant=plant, is_mended=is_mended)
