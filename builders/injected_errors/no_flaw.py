"""Copy an item without injecting an error: a control item without errors shows which reviewers reject everything."""

from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext
from core.nouns import Item


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    return InjectedCopy(item, "", "", "Nothing was wrong with this item: it is as it was accepted.")


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    return True


INJECTED_ERROR = InjectedError(label="no error", where="", expected="Accept it.", inject=inject, is_mended=is_mended)
