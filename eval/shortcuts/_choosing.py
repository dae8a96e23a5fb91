"""Choose one of the answers that a question offers."""

from collections.abc import Callable

from eval.shortcut import ShortcutAnswer, ShortcutQuestion


def choose(question: ShortcutQuestion, rank: Callable[[str], float]) -> ShortcutAnswer:
    """Return the choice with the highest rank (the first of several equal ones), with the chance that a guess is right. A
    question with fewer than two choices has no answer."""
    if len(question.choices) < 2:
        return ShortcutAnswer(None, "the question offers no choices")
    return ShortcutAnswer(max(question.choices, key=rank), chance=1 / len(question.choices))
