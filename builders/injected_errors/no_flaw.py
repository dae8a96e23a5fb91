"""Nothing is wrong: whoever finds fault with everything is found out."""

from random import Random

from builders.injected_error import AcceptedCopy, Flaw, FlawContext, Planted
from core.nouns import Item


def plant(item: Item, ground: FlawContext, random: Random) -> Planted | None:
    return Planted(item, "", "", "Nothing was wrong with this item: it is as it was accepted.")


def is_mended(planted: Planted, before: Item, answered: AcceptedCopy) -> bool:
    return True


FLAW = Flaw(label="no flaw", where="", expected="Accept it.", plant=plant, is_mended=is_mended)
