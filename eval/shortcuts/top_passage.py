"""top_passage: the passage that BM25 ranks first for the question's words. If this passage contains the answer, the question
can be matched with its answer by words alone."""

from collections.abc import Iterator, Sequence

from eval.shortcut import Shortcut, ShortcutAnswer, ShortcutContext, ShortcutQuestion
from eval.shortcuts._no_answer import NO_PASSAGE


def answer(questions: Sequence[ShortcutQuestion], context: ShortcutContext) -> Iterator[ShortcutAnswer]:
    """Yield the best passage for each question."""
    for question in questions:
        best = next(iter(context.find(question)), None)
        yield NO_PASSAGE if best is None else ShortcutAnswer(context.read(best.span), span=best.span)


SHORTCUT = Shortcut(
    label="Top passage",
    about="The passage that BM25 ranks first for the question contains the answer.",
    form="passage",
    answer=answer,
    needs_corpus=True,
)
