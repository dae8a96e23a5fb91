"""True and false statements about an answer, in both languages. The true ones are its own sentences; each false one is a true
one with one figure, name or direction exchanged."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.antonyms import ANTONYMS
from core.offline.corpus import Corpus
from core.offline.english.names import is_person, names, plain
from core.offline.english.words import NATIONALITY, ORGANISATION, PLACE, each
from core.text import split_sentences


class Statements(NamedTuple):
    """What a multiple-choice check is made of."""

    true: tuple[str, ...]
    """1 to 5."""
    false: tuple[str, ...]
    """3 to 5."""


Shape = tuple[object, ...]
MOST = 5
_FIGURE = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.,-]*\d)(?!st\b|nd\b|rd\b|th\b)|(?<=[一-鿿])\d+(?:\.\d+)?")
_NAME_ZH = re.compile(r"《[^》]{2,20}》|[一-鿿]{2,8}(?:省|市|县|公司|大学|集团|医院|法院|银行|国)")


def true_and_false(answer: str, sentences: Numbered, corpus: Corpus, language: str) -> Statements:
    """The answer's sentences as true statements, and false ones made of them. Names to exchange come from the given sentences,
    then from the corpus."""
    pieces = [" ".join(answer[start:end].split()) for start, end in split_sentences(answer, language)]
    true = tuple(dict.fromkeys(p for p in pieces if len(p) > 5))[:MOST] or (answer.strip(),)
    others = _names([s.text for s in sentences.sentences], language) or _names(
        [s.text for s in corpus.sentences(language)[:200]], language
    )
    known = "\n".join([answer, *(s.text for s in sentences.sentences)])
    made: list[str] = []
    rounds = [list(_false(statement, others, known, language)) for statement in true]
    for turn in range(max(map(len, rounds), default=0)):
        for made_of in rounds:
            if turn < len(made_of) and made_of[turn] not in made and made_of[turn] not in true:
                made.append(made_of[turn])
    return Statements(true, tuple(made[: max(3, min(MOST, len(true) + 1))]))


def _false(statement: str, others: Mapping[str, Shape], known: str, language: str) -> Iterator[str]:
    """False statements made of a true one: first one of each way, in an order that the statement settles, then more."""
    figures = [m for m in _FIGURE.finditer(statement) if not _in_range(statement, m)][:2]
    by_way = [
        [statement[: m.start()] + _other_figure(m[0], known) + statement[m.end() :] for m in figures],
        list(_with_other_names(statement, others, language)),
        list(_turned(statement, language))[:2],
    ]
    turn = int(derived_id(statement)[:4], 16) % 3
    ways = by_way[turn:] + by_way[:turn]
    for round_ in range(3):
        yield from (way[round_] for way in ways if round_ < len(way))
    for match in figures:
        first = _other_figure(match[0], known)
        yield statement[: match.start()] + _other_figure(first, known + first) + statement[match.end() :]
    opening = statement[0].lower() if statement.split()[0] in _LOWER else statement[0]
    for denial in _DENIALS[language]:
        yield denial + (statement if language == "zh" else opening + statement[1:])


_DENIALS = {
    "en": ("It is not the case that ", "It is untrue that ", "It has turned out to be false that "),
    "zh": ("并非如此：", "下面的说法不是事实：", "事实证明这一点不成立："),
}
"""For a statement in which nothing can be exchanged."""


def _in_range(statement: str, match: re.Match[str]) -> bool:
    """Whether a figure is one end of a range, which another figure could turn into nonsense."""
    before, after = statement[: match.start()], statement[match.end() :]
    near = re.search(r"(?:[–—~至到-]|\b[Bb]etween|\b[Ff]rom|\bto|between \d+ and) ?$", before)
    return bool(near or re.match(r" ?[–—~至到-]| (?:and|to|until) \d", after))


def _with_other_names(statement: str, others: Mapping[str, Shape], language: str) -> Iterator[str]:
    """The statement with a name exchanged for one of its kind; in English not the name it opens with, its subject."""
    for name, shape in list(_names([statement], language).items())[:4]:
        if language == "en" and statement.startswith(name):
            continue
        same = [o for o, theirs in others.items() if theirs == shape and o not in statement and name not in o]
        if same:
            other = min(same, key=lambda o: derived_id(statement, o))
            yield statement.replace(name, other, 1) if language == "zh" else _replaced(statement, name, other)


def _replaced(statement: str, name: str, other: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: other, statement, count=1)


def _turned(statement: str, language: str) -> Iterator[str]:
    """The statement with one word turned round."""
    for one, other in ANTONYMS[language]:
        for left, right in ((one, other), (other, one)):
            if language == "zh":
                if left in statement:
                    yield statement.replace(left, right, 1)
                    break
            elif re.search(rf"\b{re.escape(left)}\b(?! not)", statement) and f"{left} not" not in statement:
                yield re.sub(rf"\b{re.escape(left)}\b(?! not)", right, statement, count=1)
                break


_LOWER = each(
    "The A An In On At By For He She It They His Her Its Their This These After Before When While During As Since Although "
    "Despite From"
)


def _other_figure(figure: str, known: str) -> str:
    """A figure of the same shape that the known text does not hold."""
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


def _names(texts: Sequence[str], language: str) -> dict[str, Shape]:
    """The names in texts, in order, with what makes two of them exchangeable at a glance: their ending (zh); person, body or
    place, and whether they stand after a word of place (en)."""
    found: dict[str, Shape] = {}
    for text in texts:
        if language == "zh":
            for name in _NAME_ZH.findall(text):
                found.setdefault(name, (name[-1],))
            continue
        bare = plain(text)
        for name, start in ((n.text, n.start) for n in names(bare)):
            if len(name) < 4 or re.fullmatch(NATIONALITY, name):
                continue
            kind = "body" if ORGANISATION.search(name) else "place" if PLACE.search(name) else "name"
            kind = "person" if kind == "name" and is_person(name) else kind
            after_place = re.search(r"\b(?:in|at|to|from|near|of) $", bare[:start]) is not None
            found.setdefault(name, (kind, len(name.split()) if kind == "name" else 0, after_place))
    return found
