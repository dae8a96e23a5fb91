"""Numbered sentences: what an agent is shown when it is to cite its evidence. It cites numbers; the text is cut from the
document by us, so that evidence is verbatim by construction (construction.md's rule G1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import BenchError
from core.nouns import Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document, cut where the sentence splitter cut it."""

    span: Span
    text: str
    """The document's text from span.start to span.end."""
    title: str = ""
    """Title of its document."""


@dataclass(frozen=True, slots=True)
class NumberedSentences:
    """Sentences with numbers from 1. As text: one line a sentence, "[3] ...", a line with the title before each document."""

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
        """The spans of those sentences, in order, each once; raises BenchError on a number that was not shown."""
        wanted = sorted(set(numbers))
        wrong = [n for n in wanted if not 1 <= n <= len(self.sentences)]
        if wrong:
            raise BenchError(f"Sentence {wrong[0]} was cited, but only 1 to {len(self.sentences)} were shown.")
        return tuple(self.sentences[n - 1].span for n in wanted)


def number_sentences(sentences: Sequence[Sentence]) -> NumberedSentences:
    """Those sentences, numbered in the given order."""
    return NumberedSentences(tuple(sentences))
