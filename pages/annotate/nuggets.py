"""Nuggets: the short facts that a good answer must or may contain, shown as a list of items, or one item at a time for editing.
URL parameters: item=ID for one item; state, task, level, text and page for the list. The button Next also follows the list."""

from pages.parts.annotate.nugget import card
from pages.parts.annotate.nugget import list as nugget_list
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word

KEY = "nuggets"


def main() -> None:
    """Show the nuggets of the item that the page's URL names or, if it names none, the list of items."""
    show_heading(
        "Nuggets",
        "The facts that a good answer must (vital) or may (okay) contain: drafted by an agent, edited here, and used by the "
        "metric nuggets for every system.",
    )
    item = read_word("item")
    if not item:
        nugget_list.show(KEY)
        return
    with show_errors():
        card.show(item, KEY)


main()
