"""True and false statements about an answer, in English or Chinese. The true statements are the sentences of the answer; a
false statement is a true statement that is denied, or in which a number or name is replaced by another, or a word by its
antonym."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agents.offline.corpus import OfflineCorpus
from agents.offline.exchange import FIGURE, Shape, in_range, names_of, other_figure, replace_name, turn_round
from core.ids import derived_id
from core.text.english_names import split_words
from core.text.numbered import NumberedSentences
from core.text.text import split_sentences


class StatementSet(NamedTuple):
    """True and false statements about one answer, for a check that asks which of them a prediction supports."""

    true: tuple[str, ...]
    """The 1 to 5 true statements, which are sentences of the answer."""
    false: tuple[str, ...]
    """The 3 to 5 false statements, made from the true ones."""


MAX_STATEMENTS = 5


def true_and_false(answer: str, sentences: NumberedSentences, corpus: OfflineCorpus, language: str) -> StatementSet:
    """Return the sentences of the answer as true statements, and false statements made from them. Names for replacement come
    from `sentences`, or from the corpus if `sentences` contain no names."""
    pieces = [" ".join(answer[start:end].split()) for start, end in split_sentences(answer, language)]
    true = tuple(dict.fromkeys(p for p in pieces if len(p) > 5))[:MAX_STATEMENTS] or (answer.strip(),)
    others = names_of([s.text for s in sentences.sentences], language) or names_of(
        [s.text for s in corpus.sentences(language)[:200]], language
    )
    known = "\n".join([answer, *(s.text for s in sentences.sentences)])
    made: list[str] = []
    rounds = [list(_false(statement, others, known, language)) for statement in true]
    for turn in range(max(map(len, rounds), default=0)):
        for made_of in rounds:
            if turn < len(made_of) and made_of[turn] not in made and made_of[turn] not in true:
                made.append(made_of[turn])
    return StatementSet(true, tuple(made[: max(3, min(MAX_STATEMENTS, len(true) + 1))]))


def _false(statement: str, others: Mapping[str, Shape], known: str, language: str) -> Iterator[str]:
    """Yield false versions of a true statement. The first versions replace a number or name, or a word by its antonym, in an
    order that depends on the statement; later versions use a second replacement for a number, or deny the statement."""
    figures = [m for m in FIGURE.finditer(statement) if not in_range(statement, m)][:2]
    by_way = [
        [statement[: m.start()] + other_figure(m[0], known) + statement[m.end() :] for m in figures],
        list(_with_other_names(statement, others, language)),
        list(turn_round(statement, language))[:2],
    ]
    turn = int(derived_id(statement)[:4], 16) % 3
    ways = by_way[turn:] + by_way[:turn]
    for round_ in range(3):
        yield from (way[round_] for way in ways if round_ < len(way))
    for match in figures:
        first = other_figure(match[0], known)
        yield statement[: match.start()] + other_figure(first, known + first) + statement[match.end() :]
    begins_low = language == "en" and statement.startswith(tuple(f"{word} " for word in _LOWER))
    for denial in _DENIALS[language]:
        yield denial + (statement[0].lower() + statement[1:] if begins_low else statement)


_DENIALS = {
    "en": ("It is not the case that ", "It is untrue that ", "It has turned out to be false that "),
    "zh": ("并非如此：", "下面的说法不是事实：", "事实证明这一点不成立："),
}
"""Openings that deny a statement in which nothing can be replaced, by language."""


def _with_other_names(statement: str, others: Mapping[str, Shape], language: str) -> Iterator[str]:
    """Yield versions of the statement with one name replaced by another of the same kind; in English, a name at the beginning
    of the statement is never replaced."""
    for name, shape in list(names_of([statement], language).items())[:4]:
        if language == "en" and statement.startswith(name):
            continue
        same = [o for o, theirs in others.items() if theirs == shape and o not in statement and name not in o]
        if same:
            other = min(same, key=lambda o: derived_id(statement, o))
            yield statement.replace(name, other, 1) if language == "zh" else replace_name(statement, name, other)


_LOWER = split_words(
    "The A An In On At By For He She It They His Her Its Their This These After Before When While During As Since Although "
    "Despite From"
)
