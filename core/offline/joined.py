"""Questions on two or three documents without a model, in both languages: the documents tell each of something dated about one
person or thing, and the question asks in what order these things happened. Every step of the way is worked out anew from the
sentences, so that each is an answer of its own."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from core.nouns import Span
from core.numbered import Numbered, Sentence, number
from core.offline.chinese.dates import published_on
from core.offline.chinese.events import events as chinese_events
from core.offline.english.events import events as english_events
from core.offline.event import Event
from core.text import split_sentences

if TYPE_CHECKING:
    from core.nouns import Document
    from core.offline.corpus import Corpus

ALIKE = 0.6
"""Share of common pairs of characters from which two clauses tell the same thing."""
READ = 1000
"""Documents whose events are kept."""
MOST = 3
"""Events of a document that are tried."""


DEPENDS = {
    "en": "Which came first can only be told when the date of each is known, and each document gives one date.",
    "zh": "只有知道每件事的日期才能排出先后，而每篇文档只给出其中一件的日期。",
}
"""How the parts of such a question depend on each other."""


class Joint(NamedTuple):
    """One thing that all documents tell of."""

    contact: str
    """What the events have in common."""
    events: tuple[Event, ...]
    """One of each document, in the documents' order."""

    @property
    def in_order(self) -> list[Event]:
        """The earliest first."""
        return sorted(self.events, key=lambda event: event.when)

    @property
    def shuffled(self) -> list[Event]:
        """In an order that does not give the answer away: by their words."""
        return sorted(self.events, key=lambda event: event.told[::-1])


def joints(sentences: Numbered, published: Mapping[str, date | None], language: str) -> list[Joint]:
    """The best first; empty when nothing is worth asking."""
    found: dict[str, list[Event]] = {sentence.span.document: [] for sentence in sentences.sentences}
    for event in chinese_events(sentences, published) if language == "zh" else english_events(sentences):
        found[event.document].append(event)
    return _joined(list(found.values()))


def is_askable(documents: Sequence["Document"]) -> bool:
    """Whether such a question can be asked about a group of documents."""
    return bool(_joined([_of_document(d.id, d.text, d.language, d.published) for d in documents]))


@lru_cache(maxsize=READ)
def _of_document(name: str, text: str, language: str, published: str | None) -> tuple[Event, ...]:
    """A document's events, kept: the groups around one document share most of theirs."""
    cuts = split_sentences(text, language)
    shown = number([Sentence(Span(name, start, end), text[start:end]) for start, end in cuts])
    days = {name: published_on(published, text[:60])}
    return tuple(chinese_events(shown, days) if language == "zh" else english_events(shown))


def _joined(events: Sequence[Sequence[Event]]) -> list[Joint]:
    """Of each document's events one each, on one thing that all tell of."""
    if len(events) < 2 or not all(events):
        return []
    made = []
    shared = Counter(name for own in events for name in {name for event in own for name in event.names})
    for contact in (name for name, many in shared.items() if many == len(events)):
        about = []
        for own in events:
            fitting = {event.told: event for event in reversed(own) if contact in event.names}
            about.append(list(reversed(fitting.values()))[:MOST])
        made += [Joint(contact, chosen) for chosen in product(*about) if _is_clear(chosen)]
    return sorted(made, key=lambda joint: (-len(joint.contact), joint.events))


def days_of(documents: Sequence["Document"]) -> dict[str, date | None]:
    """Document -> the day it came out, as far as it is known."""
    return {document.id: published_on(document.published, document.text[:60]) for document in documents}


def days_in(sentences: Numbered, corpus: "Corpus") -> dict[str, date | None]:
    """The same for shown sentences: from the corpus, else from how the first of them begins."""
    known = {document.id: document for document in corpus.documents}
    found: dict[str, date | None] = {}
    for sentence in sentences.sentences:
        name = sentence.span.document
        if name not in found:
            whole = known.get(name)
            found[name] = days_of([whole])[name] if whole else published_on(None, sentence.text[:60])
    return found


def _is_clear(events: Sequence[Event]) -> bool:
    """Whether they are different things whose order their dates settle."""
    for place, one in enumerate(events):
        for other in events[place + 1 :]:
            told = min(len(one.when), len(other.when))
            if one.when[:told] == other.when[:told] or _alike(one.told, other.told) > ALIKE:
                return False
    return True


def _alike(one: str, other: str) -> float:
    pairs = [frozenset(text[i : i + 2] for i in range(len(text) - 1)) for text in (one, other)]
    return len(pairs[0] & pairs[1]) / max(1, min(len(pairs[0]), len(pairs[1])))


def elements(joint: Joint, sentences: Numbered) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(what is common, sentences that name it in each document), the contact point first, then other common names."""
    documents = {event.document for event in joint.events}
    names = dict.fromkeys([joint.contact, *(name for event in joint.events for name in event.names)])
    for name in names:
        where = {event.document: event.number for event in joint.events if name in event.told}
        for place, sentence in enumerate(sentences.sentences, 1):
            if name in sentence.text:
                where.setdefault(sentence.span.document, place)
        if documents <= set(where) and (name == joint.contact or name not in joint.contact):
            yield name, tuple(sorted(where.values()))


def asked(joint: Joint, language: str) -> str:
    """A question that only sets one beside the other."""
    if language == "zh":
        return "".join(f"{event.told}是在哪一天？" for event in joint.shuffled)
    return " ".join(f"When was it that {event.told}?" for event in joint.shuffled)


def rewritten(joint: Joint, language: str) -> str:
    """The question around the contact point, whose parts cannot be answered one without the other."""
    told = [event.told for event in joint.shuffled]
    signs = "①②③"
    if language == "zh":
        things = "；".join(f"{sign}{words}" for sign, words in zip(signs, told, strict=False))
        if len(told) == 2:
            return f"与{joint.contact}有关的两件事中，哪一件发生在先，两件事各在哪一天：{things}？"
        return f"与{joint.contact}有关的三件事，按时间先后应怎样排列，各在哪一天：{things}？"
    things = "; ".join(f"({sign}) {words}" for sign, words in zip("abc", told, strict=False))
    if len(told) == 2:
        return f"Which of these two things about {joint.contact} came first, and when was each of them: {things}?"
    return f"In what order did these three things about {joint.contact} happen, and when was each of them: {things}?"


def answer(joint: Joint, language: str) -> str:
    """What the cited sentences say, the earliest first."""
    if language == "zh":
        first, *later = joint.in_order
        then = [f"然后是{_day(event)}，{event.told}" for event in later]
        return "；".join([f"先是{_day(first)}，{first.told}", *then]) + "。"
    return "; ".join(f"{event.said}: {event.told}" for event in joint.in_order) + "."


def cited(joint: Joint, sentences: Numbered) -> list[int]:
    """Numbers of the sentences that hold the answer; of a bare day the document's first one, too, which dates the report."""
    firsts: dict[str, int] = {}
    for place, sentence in enumerate(sentences.sentences, 1):
        firsts.setdefault(sentence.span.document, place)
    bare = {firsts[event.document] for event in joint.events if event.said.endswith("日") and "月" not in event.said}
    return sorted(bare | {event.number for event in joint.events})


def point(event: Event, language: str) -> str:
    """One event as a sentence."""
    return f"{_day(event)}，{event.told}。" if language == "zh" else f"{event.said}: {event.told}."


def parts(question: str) -> int:
    """How many things a question asks for: those that it numbers or puts a mark behind, at most three."""
    return max(1, min(3, len(re.findall(r"[①②③]|\([abc]\)", question) or re.findall(r"[?？]", question))))


def _day(event: Event) -> str:
    """A day as the text writes it; a bare one with its month, which its report's own date gives."""
    return event.said if "月" in event.said else f"{event.when[1]}月{event.said}"
