"""Contests: what people say is wrong with items of releases, as a list, or one at a time for a decision. URL parameters:
contest=ID for one contest; release, state and page for the list, which also say what the next contest is."""

from pages.parts.release.contest import card, queue
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word
from pages.parts.ui.say import show_note

KEY = "contests"


def main() -> None:
    """Show the contest that the page's URL names or, if it names none, the list."""
    show_heading(
        "Contests",
        "What people say is wrong with items of a release. Accepted contests correct or withdraw the item in an erratum, a new "
        "release.",
    )
    if why := explain_refusal("see contests"):
        show_note(why)
        return
    with show_errors():
        if contest := read_word("contest"):
            card.show(contest, KEY)
        else:
            queue.show(KEY)


main()
