"""Check whether two items in two languages ask the same: the same task and level, and gold answers that state the same numbers
and dates. Words are not compared, because a name may be spelled in another script."""

from core.nouns import Item
from core.quality.language_pairs import Misfit
from core.text.figures import figures, list_missing_figures
from core.text.language import may_match


def find_misfit(item: Item, twin: Item) -> Misfit | None:
    """Return why the two items are no pair, or None if nothing speaks against it. The languages `und` and any other language
    count as the same, because the two may be."""
    if may_match(item.language, twin.language):
        return "same language"
    if item.task != twin.task:
        return "other task"
    if item.level != twin.level:
        return "other level"
    return None if have_same_figures(item.answers, twin.answers) else "other figures"


def have_same_figures(answers: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether an answer and one of the others state the same numbers, units and dates by value ("1,200" and "一千二百");
    two answers without figures do."""
    return any(
        not list_missing_figures(answer, other) and not list_missing_figures(other, answer)
        for answer in answers
        for other in others
    )


def states_figures(item: Item) -> bool:
    """Return whether a gold answer of the item states a number or a date, so that `find_misfit` compares a value."""
    found = [figures(answer) for answer in item.answers]
    return any(one.numbers or one.dates for one in found)
