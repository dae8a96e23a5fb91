"""Preprocessed English sentences: tidied, without brackets, and marked if they are headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.text.english_names import strip_brackets, tidy
from core.text.numbered import Sentence

_HEADING_WORDS = 14


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One preprocessed sentence."""

    sentence: Sentence
    text: str
    """Tidied text."""
    bare: str
    """Tidied text without brackets."""
    is_heading: bool


def read(sentences: Sequence[Sentence], text: str | None = None) -> list[ReadSentence]:
    """Return the preprocessed sentences of one document. With the document's text, headings are separate lines; without it,
    short sentences without a full stop."""
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
"""Abbreviations; a heading that ends in an abbreviation's full stop is not a sentence."""


_EMPHASIS = re.compile(r"(?<![\w*_`])(\*\*\*|\*\*|\*|__|_|`)(?=\S)(.+?)(?<=\S)\1(?![\w*_`])", re.DOTALL)
_LINE_MARK = re.compile(r"^\s*(?:#{1,6} +|> +|[-*+] +|\d{1,3}[.)] +)+")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\([^()\s]+\)")


def strip_markdown(text: str) -> str:
    """Return the text without Markdown: emphasis, code, links, and markers of headings, quotations and list items."""
    text = _LINK.sub(r"\1", _LINE_MARK.sub("", text)).strip("| ")
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    return text
