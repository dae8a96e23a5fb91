"""The English drafter: of all that a window's sentences can be asked, the question that reads best and has one answer in the
corpus. It rather says that there is none."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.asked import Asked
from core.offline.english.checks import is_ambiguous, is_avoided, refusal
from core.offline.english.implicit import draft_implicit
from core.offline.english.prose import best_option
from core.offline.english.questions import ask
from core.offline.english.topics import Reading
from core.offline.factoid import Factoid
from core.text import overlap

__all__ = ["draft_factoid", "draft_implicit"]


@dataclass(frozen=True, slots=True)
class Option:
    """One question that could be drafted."""

    question: str
    asked: Asked
    reading: Reading
    evidence: tuple[int, ...]
    worth: float


_WORTH_ASKING = 0.5


def draft_factoid(sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str) -> Factoid | None:
    """The best explicit factoid of a window, chosen by a hash of `seed_text` among those of nearly the same worth; never
    `avoid` or a question much like it. None when none is worth asking."""
    by_family: dict[str, list[Option]] = {}
    for option in options(sentences, corpus, avoid):
        if option.worth >= _WORTH_ASKING:
            by_family.setdefault(option.asked.family, []).append(option)
    for options_of in by_family.values():
        options_of.sort(key=lambda o: (-round(o.worth, 1), derived_id(seed_text, o.question)))
    # the family is drawn first, so that what a corpus is full of (films have directors) does not fill its questions
    families = sorted(by_family, key=lambda f: (-_band(by_family[f][0].worth), derived_id(seed_text, f)))
    for option in (o for family in families for o in by_family[family][:6]):
        if not is_ambiguous(option.question, option.asked, option.reading, corpus):
            return Factoid(option.question, option.asked.answer, option.evidence, score=option.worth)
    told = best_option(sentences, corpus, seed_text, avoid)
    return Factoid(told.question, told.asked.answer, told.evidence, score=told.worth) if told else None


def _band(worth: float) -> int:
    return 2 if worth >= 0.75 else 1 if worth >= 0.6 else 0


def options(sentences: Numbered, corpus: Corpus, avoid: str = "") -> Iterator[Option]:
    """Every question that passes the refusal list, in the sentences' order."""
    readings = corpus.readings_of(sentences)
    for number, reading in enumerate(readings, 1):
        if (reading.sentence.span.document, reading.sentence.span.start) in corpus.places:
            continue  # running text is asked about by prose.py
        choice = int(derived_id(reading.sentence.text)[:8], 16)
        for asked in ask(reading, corpus, choice):
            evidence = _evidence(number, asked, readings)
            if not evidence or not _is_known(asked, corpus):
                continue
            question = asked.questions[choice % len(asked.questions)]
            question = question[0].upper() + question[1:]
            if refusal(question, asked) or any(is_avoided(other, avoid) for other in asked.questions):
                continue
            yield Option(question, asked, reading, evidence, _worth(question, asked, reading, corpus))


def _evidence(number: int, asked: Asked, readings: list[Reading]) -> tuple[int, ...]:
    """The sentence, and the nearest one before it that names what it only calls he or it; nothing when none is shown."""
    if asked.is_named or asked.topic is None:
        return (number,)
    for before in range(number - 1, 0, -1):
        reading = readings[before - 1]
        if reading.topic is not asked.topic:
            break
        if reading.place == 1 or asked.topic.name.lower() in reading.bare.lower():
            return (before, number)
    return ()


def _is_known(asked: Asked, corpus: Corpus) -> bool:
    """Whether the topic's name is one thing's only, as far as the corpus knows."""
    topic = asked.topic
    if topic is None:
        return True
    same = corpus.topics.get(topic.name, ())
    return (
        len(same) < 2
        or (topic.kind == "work" and len({t.year for t in same}) == len(same) and bool(topic.year))
        or bool(topic.qualifier and topic.kind == "person")
    )


def _worth(question: str, asked: Asked, reading: Reading, corpus: Corpus) -> float:
    worth = asked.worth
    if asked.answer not in reading.sentence.text:
        worth -= 0.15
    if not asked.is_named:
        worth -= 0.03
    share = overlap(question, reading.text, "en")
    if share is not None and share > 0.8:
        worth -= 0.05
    if len(question.split()) > 22:
        worth -= 0.1
    topic = asked.topic
    if topic is not None and corpus.sizes.get(topic.title, 0) < 2 and corpus.name_counts.get(topic.name, 0) < 2:
        worth -= 0.15  # one sentence in all: whoever answers has nothing to search for, and no implicit question can follow
    if topic is not None and topic.kind == "person" and " " not in topic.name and not topic.qualifier:
        worth -= 0.2  # "Cornelia": there were many
    return worth
