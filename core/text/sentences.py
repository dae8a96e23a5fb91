"""Splits text of any language into sentences with offsets, in linear time and without a model."""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from core.text.language import Language, find_row
from core.text.scripts import UNSPACED_CHARACTER

MAX_SENTENCE_CHARACTERS = 1_000
"""Maximum number of characters of a sentence. Longer "sentences" (tables, lists without full stops) are cut at the last comma
or space before this limit."""

_CLOSERS = "\"'”’」』】）)］\\]｝}»"
_ALWAYS_END = "。！？｡；؟۔।॥።"
"""Full-width, Arabic, Urdu, Devanagari and Ethiopic punctuation marks that always end a sentence."""
_ENDS = f".!?…;{_ALWAYS_END}"
_MARKS = re.compile(rf"(?<![{_ENDS}])([{_ENDS}]++)([{_CLOSERS}]*+(?:\[\d{{1,3}}\])*+)")
"""Pattern of punctuation marks that may end a sentence, with the closing quotes, brackets and footnote numbers after them."""
_FULL_WIDTH = frozenset(_ALWAYS_END)

_OPENERS = "\"'“‘「『（([{《«¿¡*_-–—"
_LIST_ITEM = re.compile(
    r"\s*(?:[-*•·●▪◦‣–—]\s|#{1,6}\s|\(?\d{1,3}[.)、]|\(?[a-zA-Z][.)]\s|[（(]?[一二三四五六七八九十]{1,3}[)）、]|>|\|)"
)
_LINE_NUMBER = re.compile(r"\s*[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})$")
_LAST_WORD = re.compile(r"(?<![^\s\"“”‘(（\[])[^\s\"“”‘(（\[]*$")
_SENTENCE_END = re.compile(rf"[{_ENDS}:：][{_CLOSERS}]*\s*$")
_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
_ORDINAL = re.compile(r"\d{1,2}")
_NUMBER = re.compile(r"\d|[IVXLC]{2,}\b")
_OPENING_WORD = re.compile(r"[A-Za-z]+")
_SOFT_CUT = re.compile(r"[，、；：،]|\s+")


def _split_words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEVER_FINAL_ABBREVIATIONS = _split_words(
    "mr mrs ms messrs dr prof rev fr gen col lt sgt capt cmdr adm maj gov sen rep hon pres supt e.g i.e eg ie cf vs viz approx "
    "ca"
)
"""Abbreviations that never end a sentence, in lower case and without their last full stop."""
_BEFORE_NUMBERS = _split_words(
    "no nos fig figs eq eqs sec ch vol vols pp p para art jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Words that are abbreviations only if a number follows: "no. 5", but "He said no. Then he left."."""
_MAYBE = _split_words(
    "inc ltd corp co llc plc bros jr sr etc al st mt ft ed eds dept univ assn est ave blvd rd bldg esq ph.d m.d b.a m.a"
)
"""Abbreviations that end a sentence only if the next word typically opens a sentence."""
_BEFORE_NAMES = frozenset(("st", "mt", "ft"))
"""Abbreviations, taken from `_MAYBE`, that usually come before a name, even if a line ends between abbreviation and name."""
_STARTERS = _split_words(
    "the this that these those it its he his she her they their we our you your i in on at by for from with when while after "
    "before since until although though however but and so yet if as there here what who which where why how one some many "
    "most each every all both no not another a an during under over despite because then thus therefore meanwhile later"
)


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return the (start, end) offsets of each sentence of the text, in order, without white space around it.

    A blank line ends a sentence. A line end also ends a sentence, unless the line is wrapped: a long line without a full stop
    that continues below (the minimum length is shorter in scripts without spaces), or one that ends in an abbreviation. Each
    sentence contains a letter or digit. `language` selects additional abbreviations."""
    sentences: list[tuple[int, int]] = []
    row = find_row(language)
    for start, end in _split_blocks(text, 40 if row.separator else 20, row.abbreviations):
        for part_start, part_end in pairwise((start, *_find_sentence_ends(text, start, end, row), end)):
            sentences.extend(_trim_sentence(text, part_start, part_end))
    return sentences


def list_sentences(text: str, language: str) -> list[str]:
    """Return the sentences of the text, without the white space between them."""
    return [text[start:end] for start, end in split_sentences(text, language)]


def ends_in_abbreviation(line: str, below: str, more: Collection[str] = ()) -> bool:
    """Return whether a line of at least three words ends in an abbreviation after which the sentence continues in the next
    line: "founded by St." above "Olaf". `more` contains further abbreviations that never end a sentence."""
    words = line.split()
    if len(words) < 3 or not words[-1].endswith("."):
        return False
    word = words[-1][:-1].lstrip(_OPENERS).lower()
    if word in _NEVER_FINAL_ABBREVIATIONS or word in more:
        return True
    opener = _OPENING_WORD.match(below.lstrip())
    return word in _BEFORE_NAMES and opener is not None and opener[0][0].isupper() and opener[0].lower() not in _STARTERS


def _split_blocks(text: str, shortest_wrapped: int, abbreviations: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of the blocks of a text, whose boundaries no sentence crosses: paragraphs of wrapped lines, and
    single lines."""
    at = 0
    paragraph: list[tuple[int, str]] = []
    for line in text.splitlines(keepends=True):
        if line.isspace():
            yield from _split_paragraph(paragraph, shortest_wrapped, abbreviations)
            paragraph = []
        else:
            paragraph.append((at, line))
        at += len(line)
    yield from _split_paragraph(paragraph, shortest_wrapped, abbreviations)


def _split_paragraph(
    lines: list[tuple[int, str]], shortest_wrapped: int, abbreviations: Collection[str]
) -> Iterator[tuple[int, int]]:
    if not lines:
        return
    longest = max(len(line) for _, line in lines)
    even = len(lines) > 2 and longest <= 130
    start = lines[0][0]
    for (_, line), (below_at, below) in pairwise(lines):
        wrapped = (
            (
                (len(line) > shortest_wrapped and even and len(line) >= 0.75 * longest)
                or (len(line) > shortest_wrapped and below.lstrip()[:1].islower() and not _SENTENCE_END.search(line))
                or ends_in_abbreviation(line, below, abbreviations)
            )
            and not line.startswith("#")
            and not _LIST_ITEM.match(below)
        )
        if not wrapped:
            yield start, below_at
            start = below_at
    yield start, lines[-1][0] + len(lines[-1][1])


def _find_sentence_ends(text: str, start: int, end: int, row: Language) -> Iterator[int]:
    """Yield the offsets in a block at which sentences end."""
    counted, quotes = start, 0
    for match in _MARKS.finditer(text, start, end):
        marks, closed = match[1], match.end()
        following = text[closed] if closed < end else " "
        if closed < end and not following.isspace():
            if following in "》〉" or not _ends_before_a_letter(text, match, following):
                continue
            if match[2].startswith('"'):  # the number of quotes shows whether a straight quote opens or closes
                quotes += text.count('"', counted, match.start())
                counted = match.start()
                closed = closed if quotes % 2 else match.end(1)
            yield closed
        elif not _FULL_WIDTH.isdisjoint(marks) or (";" not in marks and _ends_before_space(text, start, end, match, row)):
            yield closed


def _ends_before_a_letter(text: str, match: re.Match[str], following: str) -> bool:
    """Return whether punctuation marks end a sentence although no white space follows. Full-width marks end a sentence without
    white space, and an ellipsis never does. `!` and `?` end a sentence next to a character of a script without spaces, `;`
    before such a character, and other marks between two such characters."""
    marks = match[1]
    if not _FULL_WIDTH.isdisjoint(marks):
        return True
    if marks.startswith("…") or marks.startswith(".."):
        return False
    before = text[match.start() - 1 : match.start()]
    if not UNSPACED_CHARACTER.match(following):
        return marks[-1] in "!?" and UNSPACED_CHARACTER.match(before) is not None
    return marks[-1] in "!?;" or UNSPACED_CHARACTER.match(before) is not None


def _ends_before_space(text: str, start: int, end: int, match: re.Match[str], row: Language) -> bool:
    """Return whether ASCII punctuation marks end a sentence if white space or the end of the block follows."""
    after = text[match.end() : min(end, match.end() + 40)].lstrip().lstrip(_OPENERS)
    if not after:
        return True
    if after[0].islower() or after[0] in ".!?…":
        return False
    if match[1] != "." or match[2]:
        return True
    before = text[max(start, match.start() - 60) : match.start()]
    line = before[before.rfind("\n") + 1 :]
    if len(line) < 8 and _LINE_NUMBER.match(line):
        return False
    word = _LAST_WORD.search(before)[0].lower()  # type: ignore[index]  # it matches the empty string at least
    if word in _NEVER_FINAL_ABBREVIATIONS or word in row.abbreviations:
        return False
    if row.has_ordinal_stops and _ORDINAL.fullmatch(word):
        return False
    if word in _BEFORE_NUMBERS and _NUMBER.match(after):
        return False
    if word in _MAYBE or (len(word) == 1 and word.isalpha() and word.isascii()) or _INITIALS.fullmatch(word):
        opener = _OPENING_WORD.match(after)
        return opener is not None and opener[0].lower() in _STARTERS
    return True


def _trim_sentence(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of a sentence without white space around it, in pieces of at most MAX_SENTENCE_CHARACTERS; yield
    nothing if the sentence has no words."""
    part = text[start:end]
    body = part.strip()
    start += len(part) - len(part.lstrip())
    end = start + len(body)
    most = MAX_SENTENCE_CHARACTERS
    if len(body) <= most:
        if any(map(str.isalnum, body)):
            yield start, end
        return
    while start < end:
        cut = end
        if end - start > most:
            cuts = [soft.end() for soft in _SOFT_CUT.finditer(text, start + most // 2, start + most)]
            cut = cuts[-1] if cuts else start + most
        yield from _trim_sentence(text, start, cut)
        start = cut
