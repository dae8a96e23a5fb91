"""Conversations: a list, or one whole conversation at a time for a decision on all its turns. URL parameters: conversation=ID
for one conversation; state and page for the list."""

from pages.parts.annotate.conversation import card
from pages.parts.annotate.conversation import list as conversation_list
from pages.parts.ui.feedback import show_errors
from pages.parts.ui.heading import show_heading
from pages.parts.ui.in_url import read_word

KEY = "conversations"


def main() -> None:
    """Show the conversation that the page's URL names or, if it names none, the list."""
    show_heading(
        "Conversations",
        "Questions that follow one another: a follow-up refers to the turns before. One decision is on all turns.",
    )
    with show_errors():
        if conversation := read_word("conversation"):
            card.show(conversation, KEY)
        else:
            conversation_list.show(KEY)


main()
