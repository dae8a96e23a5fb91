"""longest_choice: the longest of the answers to choose from, or the first of several equally long ones. Writers of such
questions often make the right answer the most precise one."""

from collections.abc import Iterator, Sequence

from eval.shortcut import Shortcut, ShortcutAnswer, ShortcutContext, ShortcutQuestion
from eval.shortcuts._choosing import choose


def answer(questions: Sequence[ShortcutQuestion], _context: ShortcutContext) -> Iterator[ShortcutAnswer]:
    """Yield the longest choice of each question."""
    for question in questions:
        yield choose(question, lambda choice: float(len(choice)))


SHORTCUT = Shortcut(
    label="Longest choice",
    about="The longest of the answers to choose from is right.",
    form="answer",
    answer=answer,
)
