"""Implicit English factoids: an explicit question in which the thing it names is described instead of named."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.ids import derived_id
from core.numbered import Numbered
from core.offline.corpus import Corpus
from core.offline.english.checks import is_avoided
from core.offline.english.descriptions import Description, descriptions, hides
from core.offline.english.names import has_balanced_marks, names
from core.offline.english.prose_implicit import draft_prose_implicit
from core.offline.english.topics import Reading, label
from core.offline.english.words import NATIONALITY
from core.offline.factoid import Factoid
from core.text import content_words


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a question names a thing."""

    name: str
    question: str
    start: int
    end: int

    def replaced(self, words: str) -> str:
        """The question with a description in the name's place."""
        made = f"{self.question[: self.start]}{words}{self.question[self.end :]}"
        return made[0].upper() + made[1:]


def draft_implicit(
    question: str, answer: str, sentences: Numbered, corpus: Corpus, seed_text: str, avoid: str
) -> Factoid | None:
    """The explicit question with the thing it names described instead, from the numbered sentences. None when no description of
    it is shown, none hides the name, or none is the only one's in the corpus."""
    readings = corpus.readings_of(sentences)
    found: list[tuple[float, str, Factoid]] = []
    for mention in mentions(question, readings):
        if len(corpus.topics.get(mention.name, ())) > 1:
            continue
        fact = _fact_number(question, answer, mention.name, readings)
        if fact is None:
            continue
        for description in descriptions(mention.name, answer, readings, corpus):
            rewritten = mention.replaced(description.words)
            if _refused(rewritten, answer, mention, avoid):
                continue
            worth = _worth(description, fact, rewritten)
            if worth < _WORTH_ASKING:
                continue
            evidence = {fact, description.number, *_naming(mention.name, fact, readings)}
            draft = Factoid(rewritten, answer, tuple(sorted(evidence)), mention.name, worth)
            found.append((-round(worth, 1), derived_id(seed_text, rewritten), draft))
    if found:
        return min(found)[2]
    return draft_prose_implicit(question, answer, sentences, corpus, seed_text, avoid)


_WORTH_ASKING = 0.42


def mentions(question: str, readings: Sequence[Reading]) -> Iterator[Mention]:
    """The things that the question names, paragraphs' topics and longer names first; none that is part of a longer name."""
    topics = {r.topic.name: r.topic for r in readings if r.topic}
    runs = names(question)
    others = {run.text for run in runs if not re.fullmatch(NATIONALITY, run.text)}
    known = sorted({*topics, *others}, key=lambda name: (name not in topics, -len(name), name))
    taken: list[tuple[int, int]] = []
    for name in known:
        forms = [label(topics[name], c) for c in range(6)] if name in topics else []
        for form in (*forms, f'"{name}"', f"the {name}", name):
            at = question.find(form)
            end = at + len(form)
            if at < 0 or any(start < end and at < stop for start, stop in taken):
                continue
            after = question[end : end + 2]
            if (
                re.match(r"\w|['’]|-", after)
                or (re.match(r" [A-Z]", after) and not form.endswith('"'))
                or (at and question[at - 1].isalnum())
            ):
                continue
            taken.append((at, end))
            yield Mention(name, question, at, end)
            break


def _fact_number(question: str, answer: str, name: str, readings: Sequence[Reading]) -> int | None:
    """The sentence that says the answer of what the question names: the one with most of its words."""
    wanted = set(content_words(question, "en"))
    best: tuple[float, int] | None = None
    for number, reading in enumerate(readings, 1):
        about = (reading.topic is not None and reading.topic.name == name) or name in reading.text
        if reading.is_heading or not about or (answer not in reading.text and answer not in reading.sentence.text):
            continue
        title = reading.topic.title if reading.topic else ""
        shared = len(wanted & set(content_words(f"{reading.text} {title}", "en"))) / max(1, len(wanted))
        if best is None or shared > best[0]:
            best = (shared, number)
    return best[1] if best and best[0] >= 0.5 else None


def _naming(name: str, fact: int, readings: Sequence[Reading]) -> tuple[int, ...]:
    """The sentence that says whom the fact's He or It means, when it is shown and the fact does not say it."""
    if name in readings[fact - 1].bare:
        return ()
    first = (n for n, r in enumerate(readings, 1) if r.place == 1 and r.topic is not None and r.topic.name == name)
    return tuple(first)[:1]


def _refused(question: str, answer: str, mention: Mention, avoid: str) -> bool:
    return (
        not hides(question, mention.name)
        or answer.lower() in question.lower()
        or bool(_telling(answer) & _telling(question))
        or not has_balanced_marks(question)
        or len(question.split()) > 36
        or max(Counter(n.text for n in names(question) if " " in n.text).values(), default=0) > 1
        or len(re.findall(r"\bborn\b|\bbirth", question)) > 1
        or re.search(r"\bthe the\b|\bof of\b|\bthe (?:a|an)\b", question) is not None
        or is_avoided(question, avoid)
    )


def _telling(text: str) -> set[str]:
    return {
        w
        for w in re.findall(r"\b[A-Z][\w-]{3,}|\b\d{4}\b", text)
        if w not in ("Which", "What", "When", "Where", "Whose", "Whom", "County", "University", "Records", "Pictures")
    }


def _worth(description: Description, fact: int, question: str) -> float:
    same = 0.15 if description.number == fact else 0.0
    return description.worth - same - 0.015 * max(0, len(question.split()) - 14)
