"""typical_choice: of the answers to choose from, the answer that shares most words with all other answers (mean token F1).
Writers of such questions often make wrong answers by changing the right one."""

from collections.abc import Iterator, Sequence
from functools import partial

from core.text.text import token_f1
from eval.shortcut import Shortcut, ShortcutAnswer, ShortcutContext, ShortcutQuestion
from eval.shortcuts._choosing import choose


def answer(questions: Sequence[ShortcutQuestion], _context: ShortcutContext) -> Iterator[ShortcutAnswer]:
    """Yield the most typical choice of each question."""
    for question in questions:
        yield choose(question, partial(_measure_typicality, question))


def _measure_typicality(question: ShortcutQuestion, choice: str) -> float:
    """Return the sum of the token F1 of the choice with all choices."""
    return sum(token_f1(choice, other, question.language) for other in question.choices)


SHORTCUT = Shortcut(
    label="Typical choice",
    about="Of the answers to choose from, the one that is most like the others is right.",
    form="answer",
    answer=answer,
)
