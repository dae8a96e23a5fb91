"""Question sets: the questions that the metric rag_quest_eval asks about each gold answer, shown as a list, or one question set
at a time for editing. URL parameters: item=ID and gold=HASH for one set; text, only and page for the list. The button Next also
follows the list."""

from pages.parts.evaluate.question_set import card
from pages.parts.evaluate.question_set import list as set_list
from pages.parts.ui.allowed import explain_refusal
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word
from pages.parts.ui.say import show_note


def main() -> None:
    """Show the set of questions that the page's URL names or, if it names none, the list of sets."""
    show_heading(
        "Question sets",
        "The questions that rag_quest_eval asks about each gold answer: generated once, the same for every system, and "
        "editable here.",
    )
    if why := explain_refusal("see runs"):
        show_note(why)
        return
    item, gold = read_word("item"), read_word("gold")
    if not item:
        set_list.show("question_sets")
        return
    with show_errors():
        card.show(item, gold, "question_set")


main()
