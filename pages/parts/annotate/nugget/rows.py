"""The nuggets of an item as rows of its form, which cite the sentences of the evidence by numbers."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.text.numbered import Sentence
from pages.parts.annotate.gold_set.edits import Row
from workbench.evaluate.scoring.nuggets import NuggetFields


def build_rows(rows: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> list[Row]:
    """Convert nuggets with evidence to rows of the form, in which sentence numbers stand for the evidence."""
    numbers = {(one.span.document, one.span.start, one.span.end): number for number, one in enumerate(sentences, 1)}
    built: list[Row] = []
    for row in rows:
        cited = sorted(numbers[tuple(span)] for span in row["evidence"] if tuple(span) in numbers)
        importance = row["importance"] or "vital"
        built.append({"text": row["text"], "importance": importance, "sentences": ", ".join(map(str, cited))})
    return built


def read_rows(rows: Sequence[Row], sentences: Sequence[Sentence]) -> list[NuggetFields]:
    """Convert rows of the form to nuggets with evidence. Raises BenchError if a row names a sentence that does not exist."""
    read: list[NuggetFields] = []
    for place, row in enumerate(rows, 1):
        words = row["sentences"]
        numbers = list(map(int, re.findall(r"\d{1,6}", words)))
        if re.sub(r"[\d\s,;、，]", "", words) or any(not 1 <= number <= len(sentences) for number in numbers):
            raise BenchError(
                f"Row {place} names the sentences {words!r}: give numbers from 1 to {len(sentences)}, separated by commas."
            )
        spans = [sentences[number - 1].span for number in sorted(set(numbers))]
        evidence = [[span.document, span.start, span.end] for span in spans]
        read.append({"text": row["text"], "importance": row["importance"], "evidence": evidence})
    return read


def quote_sentences(words: str, sentences: Sequence[Sentence]) -> str:
    """Return the sentences whose numbers are in the text `words`, as one text; numbers without a sentence are ignored."""
    numbers = sorted(set(map(int, re.findall(r"\d{1,6}", words))))
    cited = [sentences[number - 1] for number in numbers if 1 <= number <= len(sentences)]
    return " … ".join(" ".join(sentence.text.split()) for sentence in cited)
