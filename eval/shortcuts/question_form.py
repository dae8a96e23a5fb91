"""question_form: the most frequent gold answer of the other questions that begin with the same two words or, if there are none,
with the same first word. If this guess is right, the answer can be guessed from the form of the question, such as "yes" to "Is
...". Of equally frequent answers, the first in alphabetical order is taken. The question's own answer does not count.
Therefore, if two answers are equally frequent, the shortcut guesses the right one less often than by chance."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from core.text.text import normalise_answer
from core.text.words import words
from eval.shortcut import Shortcut, ShortcutAnswer, ShortcutContext, ShortcutQuestion

FIRST_WORDS = (2, 1)
"""Numbers of a question's first words that are compared, in this order: the next number is used only if no other question
begins with the same words."""


def answer(questions: Sequence[ShortcutQuestion], _context: ShortcutContext) -> Iterator[ShortcutAnswer]:
    """Yield the most frequent answer of the other questions of the same form, for each question."""
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    keys = [_list_forms(question) for question in questions]
    golds = [normalise_answer(question.answers[0]) if question.answers else "" for question in questions]
    for forms, gold in zip(keys, golds, strict=True):
        for form in forms:
            counts[form][gold] += bool(gold)
    ranked = {form: sorted(own, key=lambda gold: (-own[gold], gold))[:2] for form, own in counts.items()}
    for forms, gold in zip(keys, golds, strict=True):
        yield next((found for form in forms if (found := _guess(counts[form], ranked[form], gold))), NO_OTHER)


def _list_forms(question: ShortcutQuestion) -> list[tuple[str, ...]]:
    first = words(question.question, question.language)[: max(FIRST_WORDS)]
    return [(question.language, *first[:number]) for number in FIRST_WORDS if len(first) >= number]


def _guess(counts: Counter[str], ranked: Sequence[str], own: str) -> ShortcutAnswer | None:
    """Return the most frequent answer of the other questions, or None if there is none. `counts` also counts the question's own
    answer, which is subtracted. Therefore only the first two answers in the order `ranked` can be the most frequent one."""
    others = sorted(ranked, key=lambda gold: (-(counts[gold] - (gold == own)), gold))
    best = others[0] if others else ""
    return ShortcutAnswer(best) if best and counts[best] - (best == own) > 0 else None


NO_OTHER = ShortcutAnswer(None, "no other question begins with the same word")
SHORTCUT = Shortcut(
    label="Question form",
    about="The most frequent answer of other questions that begin with the same words is right.",
    form="answer",
    answer=answer,
)
