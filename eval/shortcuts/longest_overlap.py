"""longest_overlap: the sentence that shares most words with the question, among the sentences of the passages that BM25 finds
for it (the "most similar sentence" of Sugawara et al. 2018). Stop words do not count; of sentences that share equally many
words, the shortest one is taken."""

from collections.abc import Iterator, Sequence

from core.nouns import Span
from core.text.sentences import split_sentences
from core.text.words import content_words, words
from eval.shortcut import Shortcut, ShortcutAnswer, ShortcutContext, ShortcutQuestion
from eval.shortcuts._no_answer import NO_PASSAGE


def answer(questions: Sequence[ShortcutQuestion], context: ShortcutContext) -> Iterator[ShortcutAnswer]:
    """Yield the sentence with the longest overlap for each question."""
    for question in questions:
        yield _find_sentence(question, context)


def _find_sentence(question: ShortcutQuestion, context: ShortcutContext) -> ShortcutAnswer:
    wanted = frozenset(content_words(question.question, question.language))
    best, most = NO_PASSAGE, (0, 0)
    for hit in context.find(question):
        text = context.read(hit.span)
        for start, end in split_sentences(text, question.language):
            own = words(text[start:end], question.language)
            rank = (len(wanted.intersection(own)), -len(own))
            if rank[0] and rank > most:
                span = Span(hit.span.document, hit.span.start + start, hit.span.start + end)
                best, most = ShortcutAnswer(text[start:end], span=span), rank
    return best


SHORTCUT = Shortcut(
    label="Longest overlap",
    about="The sentence that shares most words with the question contains the answer.",
    form="passage",
    answer=answer,
    needs_corpus=True,
)
