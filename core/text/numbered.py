"""Numbered sentences of documents, so that an agent can cite its evidence by number. The text of a cited sentence is cut from
the document, so evidence is always verbatim."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import BenchError
from core.nouns import Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document, as split_sentences cuts it."""

    span: Span
    text: str
    """Text of the sentence in its document, from span.start to span.end."""
    title: str = ""
    """Title of the document that contains the sentence."""


@dataclass(frozen=True, slots=True)
class NumberedSentences:
    """Sentences of documents, numbered from 1. As text, each sentence is a line "[3] ...", with a title line before each
    document."""

    sentences: tuple[Sentence, ...]

    def __len__(self) -> int:
        return len(self.sentences)

    def __str__(self) -> str:
        lines: list[str] = []
        document = None
        for number, sentence in enumerate(self.sentences, 1):
            if sentence.span.document != document:
                document = sentence.span.document
                lines += ["", f"# {sentence.title}"] if lines else [f"# {sentence.title}"]
            lines.append(f"[{number}] {' '.join(sentence.text.split())}")
        return "\n".join(lines)

    def spans(self, numbers: Iterable[int]) -> tuple[Span, ...]:
        """Return the spans of the sentences with these numbers, in order and without duplicates. Raises BenchError for an
        unknown number."""
        cited = sorted(set(numbers))
        if wrong := [n for n in cited if not 1 <= n <= len(self.sentences)]:
            raise BenchError(f"Sentence {wrong[0]} was cited, but only 1 to {len(self.sentences)} were shown.")
        return tuple(self.sentences[n - 1].span for n in cited)


def number_sentences(sentences: Sequence[Sentence]) -> NumberedSentences:
    """Return the sentences as lines with their numbers before them, in the given order."""
    return NumberedSentences(tuple(sentences))
