"""What the offline agent knows of the texts it works on: sentences, how rare a word is, whose names are persons', what each
paragraph is about. Everything is worked out when it is first asked for, and then kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence
from core.offline.english.documents import Prose, prose_of
from core.offline.english.names import acting_persons, names
from core.offline.english.topics import Reading, Topic, read
from core.offline.english.words import TITLES
from core.text import content_words, split_sentences


class Corpus:
    """The documents that drafts are made from, read once."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        self._loose: Numbered | None = None
        self._language = ""
        self._sentences: dict[str, tuple[Sentence, ...]] = {}
        self._postings: dict[str, Mapping[str, tuple[int, ...]]] = {}

    @classmethod
    def of(cls, sentences: Numbered, language: str) -> "Corpus":
        """A corpus of nothing but those sentences, for an agent that was given none."""
        corpus = cls(())
        corpus._loose, corpus._language = sentences, language
        return corpus

    @cached_property
    def fingerprint(self) -> str:
        """Tells corpora apart: what the agent drafts depends on it."""
        return content_hash(sorted(d.id for d in self.documents))

    def sentences(self, language: str) -> tuple[Sentence, ...]:
        """Every sentence of the documents in that language (en or zh), in document order."""
        if language not in self._sentences:
            if self._loose is not None:
                self._sentences[language] = self._loose.sentences if language == self._language else ()
            else:
                self._sentences[language] = tuple(
                    Sentence(Span(d.id, start, end), d.text[start:end], d.title)
                    for d in self.documents
                    if d.language == language
                    for start, end in split_sentences(d.text, language)
                )
        return self._sentences[language]

    def postings(self, language: str) -> Mapping[str, tuple[int, ...]]:
        """Content word -> indexes into sentences(language) that hold it, ascending. In English a paragraph's topic counts as
        said in each of its sentences."""
        if language not in self._postings:
            found: dict[str, list[int]] = {}
            for index, sentence in enumerate(self.sentences(language)):
                text = sentence.text
                if language == "en" and (topic := self.readings[index].topic):
                    text += " " + topic.title
                for word in dict.fromkeys(content_words(text, language)):
                    found.setdefault(word, []).append(index)
            self._postings[language] = {word: tuple(where) for word, where in found.items()}
        return self._postings[language]

    def idf(self, word: str, language: str) -> float:
        """ln(1 + N / (1 + n)): N sentences, n of them with the word."""
        return log(1 + len(self.sentences(language)) / (1 + len(self.postings(language).get(word, ()))))

    def nearest(self, words: Sequence[str], language: str, k: int = 5) -> list[tuple[int, float]]:
        """The k sentences that hold most of the words, weighed by idf: (index, share 0..1), best first; ties by order."""
        weights = {word: self.idf(word, language) for word in dict.fromkeys(words)}
        total = sum(weights.values())
        sums: Counter[int] = Counter()
        for word, weight in weights.items():
            for index in self.postings(language).get(word, ()):
                sums[index] += weight  # type: ignore[assignment]
        best = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
        return [(index, value / total) for index, value in best] if total else []

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The English sentences as the drafter reads them, one for each of sentences("en")."""
        texts = {d.id: d.text for d in self.documents}
        out: list[Reading] = []
        group: list[Sentence] = []
        for sentence in (*self.sentences("en"), None):
            if group and (sentence is None or sentence.span.document != group[0].span.document):
                out += read(group, texts.get(group[0].span.document))
                group = []
            if sentence is not None:
                group.append(sentence)
        return tuple(out)

    @cached_property
    def _reading_at(self) -> Mapping[tuple[str, int], int]:
        return {(r.sentence.span.document, r.sentence.span.start): i for i, r in enumerate(self.readings)}

    @cached_property
    def prose(self) -> Mapping[str, Prose]:
        """Document id -> the English documents of running text."""
        groups: dict[str, list[Reading]] = {}
        for reading in self.readings:
            groups.setdefault(reading.sentence.span.document, []).append(reading)
        found = {d.id: prose_of(d.title, groups[d.id], d.text) for d in self.documents if d.id in groups}
        return {name: prose for name, prose in found.items() if prose is not None}

    @cached_property
    def places(self) -> Mapping[tuple[str, int], tuple[Prose, int]]:
        """(document id, start) of a sentence of running text -> its document, and its place there from 0."""
        return {
            (place.reading.sentence.span.document, place.reading.sentence.span.start): (prose, at)
            for prose in self.prose.values()
            for at, place in enumerate(prose.places)
        }

    def readings_of(self, sentences: Numbered) -> list[Reading]:
        """The readings of those sentences; one that the corpus does not hold is read by itself."""
        alone: list[Reading] | None = None
        out: list[Reading] = []
        for i, sentence in enumerate(sentences.sentences):
            index = self._reading_at.get((sentence.span.document, sentence.span.start))
            if index is not None and self.readings[index].sentence.text == sentence.text:
                out.append(self.readings[index])
            else:
                alone = read(sentences.sentences) if alone is None else alone
                out.append(alone[i])
        return out

    def index_of(self, sentence: Sentence) -> int | None:
        """Its place in sentences("en"); None when the corpus does not hold it."""
        return self._reading_at.get((sentence.span.document, sentence.span.start))

    @cached_property
    def topics(self) -> Mapping[str, tuple[Topic, ...]]:
        """Name -> the English topics that bear it: more than one makes the name ambiguous."""
        found: dict[str, dict[str, Topic]] = {}
        for reading in self.readings:
            if reading.is_heading and reading.topic:
                found.setdefault(reading.topic.name, {})[reading.topic.title] = reading.topic
        return {name: tuple(topics.values()) for name, topics in found.items()}

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Heading -> how many sentences stand under it."""
        return Counter(r.topic.title for r in self.readings if r.topic and not r.is_heading)

    @cached_property
    def people(self) -> frozenset[str]:
        """Names of persons: what English paragraphs of persons are about, and names that do what only persons do."""
        found = {name for name, topics in self.topics.items() if topics[0].kind == "person"}
        for reading in self.readings:
            if not reading.is_heading:
                found.update(acting_persons(reading.bare))
        return frozenset(found)

    @cached_property
    def full_names(self) -> Mapping[str, str]:
        """Surname -> the one person's full name that ends with it; surnames of several persons, and topics', are left out."""
        found: dict[str, set[str]] = {}
        for name in self.people:
            parts = name.split()
            if len(parts) in (2, 3) and name not in self.topics and parts[0] not in TITLES:
                found.setdefault(parts[-1], set()).add(name)
        alone = {surname: full for surname, full in found.items() if len(full) == 1 and surname not in self.first_names}
        return {surname: next(iter(full)) for surname, full in alone.items()}

    @cached_property
    def first_names(self) -> frozenset[str]:
        """First words of at least two persons' names that begin no other topic's name."""
        counts = Counter(name.split()[0] for name in self.people if len(name.split()) > 1 and name in self.topics)
        others = Counter(name.split()[0] for name in self.topics if name not in self.people)
        return frozenset(word for word, n in counts.items() if n > 2 * others[word] and len(word) > 2)

    @cached_property
    def name_counts(self) -> Mapping[str, int]:
        """English names -> how many sentences hold them."""
        counts: Counter[str] = Counter()
        for reading in self.readings:
            counts.update({found.text for found in names(reading.bare)})
        return counts

    @cached_property
    def last_names(self) -> frozenset[str]:
        """Last words of names of several words: alone they may be short for any of those."""
        return frozenset(name.split()[-1] for name in self.name_counts if " " in name)
