"""Replaces a number or name in an English or Chinese sentence by another one, or a word by its antonym, to make false
statements and hallucinated texts."""

import re
from collections.abc import Iterator, Sequence

from agents.offline.antonyms import ANTONYMS
from core.text.english_names import NATIONALITY, ORGANISATION, PLACE, is_person, names, strip_brackets

Shape = tuple[object, ...]
"""Type of a name's properties, such as kind and number of words; a name can replace another name of equal shape."""
FIGURE = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.,-]*\d)(?!st\b|nd\b|rd\b|th\b)|(?<=[一-鿿])\d+(?:\.\d+)?")
_NAME_ZH = re.compile(r"《[^》]{2,20}》|[一-鿿]{2,8}(?:省|市|县|公司|大学|集团|医院|法院|银行|国)")


def in_range(statement: str, match: re.Match[str]) -> bool:
    """Return whether a number in the statement is one end of a range such as "10 to 20". Such a number is not exchanged,
    because the range might then make no sense."""
    before, after = statement[: match.start()], statement[match.end() :]
    near = re.search(r"(?:[–—~至到-]|\b[Bb]etween|\b[Ff]rom|\bto|between \d+ and) ?$", before)
    return bool(near or re.match(r" ?[–—~至到-]| (?:and|to|until) \d", after))


def other_figure(figure: str, known: str) -> str:
    """Return another number in the same format as `figure` that does not occur in the text `known`."""
    bare = figure.replace(",", "")
    if "." in bare:
        whole, part = bare.split(".")
        steps = (f"{int(whole) + step}.{part}" for step in (1, 2, 3, 5, 7, 11, 13))
    else:
        value = int(bare)
        step = 1 if value < 40 else 3 if 1000 <= value <= 2100 else max(2, value // 7)
        steps = (f"{value + step * turn:,}" if "," in figure else str(value + step * turn) for turn in range(1, 40))
    options = list(steps)
    return next((option for option in options if not re.search(rf"(?<!\d){re.escape(option)}(?!\d)", known)), options[-1])


def names_of(texts: Sequence[str], language: str) -> dict[str, Shape]:
    """Return a dict from each name in the texts, in order, to its shape (which a replacement must share): in Chinese, its
    ending; in English, whether it is a person, an organisation or a place, and whether it follows a place preposition."""
    shapes: dict[str, Shape] = {}
    for text in texts:
        if language == "zh":
            for name in _NAME_ZH.findall(text):
                shapes.setdefault(name, (name[-1],))
            continue
        bare = strip_brackets(text)
        for name, start in ((n.text, n.start) for n in names(bare)):
            if len(name) < 4 or re.fullmatch(NATIONALITY, name):
                continue
            kind = "body" if ORGANISATION.search(name) else "place" if PLACE.search(name) else "name"
            kind = "person" if kind == "name" and is_person(name) else kind
            after_place = re.search(r"\b(?:in|at|to|from|near|of) $", bare[:start]) is not None
            shapes.setdefault(name, (kind, len(name.split()) if kind == "name" else 0, after_place))
    return shapes


def replace_name(statement: str, name: str, other: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: other, statement, count=1)


def turn_round(statement: str, language: str) -> Iterator[str]:
    """Yield versions of the statement in which one word is replaced by its antonym."""
    for word, other in ANTONYMS[language]:
        for left, right in ((word, other), (other, word)):
            if language == "zh":
                if left in statement:
                    yield statement.replace(left, right, 1)
                    break
            elif re.search(rf"\b{re.escape(left)}\b(?! not)", statement) and f"{left} not" not in statement:
                yield re.sub(rf"\b{re.escape(left)}\b(?! not)", right, statement, count=1)
                break
