"""Prepares English sentences for building questions: cleans the sentences, removes brackets, and marks headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.english_names import strip_brackets, tidy
from core.text.numbered import Sentence

_HEADING_WORDS = 14


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One English sentence, prepared for building questions."""

    sentence: Sentence
    text: str
    """Text of the sentence without Markdown and with tidy spaces."""
    bare: str
    """Text of the sentence without Markdown and without what stands in brackets."""
    is_heading: bool


def read(sentences: Sequence[Sentence], text: str | None = None) -> list[ReadSentence]:
    """Prepare the sentences of one document for building questions. If `text` (the document's text) is given, short sentences
    on separate lines count as headings; otherwise, short sentences without final punctuation do."""
    clean_sentences = []
    for i, sentence in enumerate(sentences):
        clean = strip_markdown(sentence.text)
        clean_sentences.append(ReadSentence(sentence, tidy(clean), strip_brackets(clean), _is_heading(sentences, i, text)))
    return clean_sentences


def _is_heading(sentences: Sequence[Sentence], i: int, text: str | None) -> bool:
    words = sentences[i].text.strip("# ").split()
    if not words or len(words) > _HEADING_WORDS or i + 1 >= len(sentences) or words[0][0].islower():
        return False
    here, following = sentences[i], sentences[i + 1]
    if text is None:
        return not here.text.rstrip().endswith((".", "!", "?", ":", ";", ",", '"', "”"))
    start, end = here.span.start, here.span.end
    alone = (start == 0 or text[start - 1] == "\n" or text[text.rfind("\n", 0, start) + 1 : start].strip("# ") == "") and (
        end == len(text) or text[end : text.find("\n", end) if "\n" in text[end:] else len(text)].strip() == ""
    )
    opened = i == 0 or text.count("\n", sentences[i - 1].span.end, start) > 1
    close = text.count("\n", end, following.span.start) == 1
    last = here.text.rstrip()[-1]
    ends = last in ":;," or (last in ".!?" and not _MAY_END.search(here.text.rstrip()))
    return alone and opened and (not ends or (close and last in "!?"))


_MAY_END = re.compile(r"\b(?:Jr|Sr|Inc|Ltd|Co|Corp|St|Bros|[A-Z])\.$")
"""Pattern of an abbreviation at the end of a heading, whose full stop does not make the heading a sentence."""


_EMPHASIS = re.compile(r"(?<![\w*_`])(\*\*\*|\*\*|\*|__|_|`)(?=\S)(.+?)(?<=\S)\1(?![\w*_`])", re.DOTALL)
_LINE_MARK = re.compile(r"^\s*(?:#{1,6} +|> +|[-*+] +|\d{1,3}[.)] +)+")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]+\)")


def strip_markdown(text: str) -> str:
    """Remove the Markdown from a text: emphasis, code, links, and the markers of headings, quotations and list items."""
    text = _LINK.sub(r"\1", _LINE_MARK.sub("", text)).strip("| ")
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    return text
