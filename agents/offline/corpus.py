"""The documents that the offline agent knows: their sentences, and how rare each word is. All values are computed at first use
and cached."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log

from agents.offline.english.documents import Prose, prose_of
from agents.offline.english.readings import ReadSentence, read
from core.ids import content_hash
from core.nouns import Document, Span
from core.text.numbered import NumberedSentences, Sentence
from core.text.text import content_words, split_sentences


class OfflineCorpus:
    """The documents from which the offline agent drafts questions; each is parsed only once."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        self._loose: NumberedSentences | None = None
        self._language = ""
        self._sentences: dict[str, tuple[Sentence, ...]] = {}
        self._postings: dict[str, Mapping[str, tuple[int, ...]]] = {}

    @classmethod
    def from_sentences(cls, sentences: NumberedSentences, language: str) -> "OfflineCorpus":
        """Return a corpus that consists only of `sentences`, for an offline agent without documents."""
        corpus = cls(())
        corpus._loose, corpus._language = sentences, language
        return corpus

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the corpus's documents; if the hash changes, the agent's drafts may change."""
        return content_hash(sorted(d.id for d in self.documents))

    def sentences(self, language: str) -> tuple[Sentence, ...]:
        """Return all sentences of the documents in one language (en or zh), in document order."""
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
        """Return a dict from content word to the ascending indexes of the sentences of `language` that contain it."""
        if language not in self._postings:
            postings: dict[str, list[int]] = {}
            for index, sentence in enumerate(self.sentences(language)):
                for word in dict.fromkeys(content_words(sentence.text, language)):
                    postings.setdefault(word, []).append(index)
            self._postings[language] = {word: tuple(where) for word, where in postings.items()}
        return self._postings[language]

    def idf(self, word: str, language: str) -> float:
        """Return the inverse document frequency of a word: ln(1 + N / (1 + n)) if n of the N sentences contain it."""
        return log(1 + len(self.sentences(language)) / (1 + len(self.postings(language).get(word, ()))))

    def rank_sentences(self, words: Sequence[str], language: str, k: int = 5) -> list[tuple[int, float]]:
        """Return the `k` sentences that match `words` best, best first, each as (index, score). The score (0 to 1) is the total
        idf of those words that the sentence contains, divided by the total idf of all words; sentences with equal scores stay
        in document order."""
        weights = {word: self.idf(word, language) for word in dict.fromkeys(words)}
        total = sum(weights.values())
        sums: Counter[int] = Counter()
        for word, weight in weights.items():
            for index in self.postings(language).get(word, ()):
                sums[index] += weight  # type: ignore[assignment]
        best = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
        return [(index, value / total) for index, value in best] if total else []

    @cached_property
    def readings(self) -> tuple[ReadSentence, ...]:
        """Prepared English sentences, one for each sentence that sentences("en") returns."""
        texts = {d.id: d.text for d in self.documents}
        out: list[ReadSentence] = []
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
    def places(self) -> Mapping[tuple[str, int], tuple[Prose, int]]:
        """Dict from (document id, start offset) of an English sentence to (document, index of the sentence in the document,
        from 0)."""
        groups: dict[str, list[ReadSentence]] = {}
        for reading in self.readings:
            groups.setdefault(reading.sentence.span.document, []).append(reading)
        known = {d.id: d for d in self.documents}
        places = {}
        for name, group in groups.items():
            document = known.get(name)
            title = document.title if document else group[0].sentence.title
            prose = prose_of(title, group, document.text if document else None)
            for at, place in enumerate(prose.places):
                places[name, place.reading.sentence.span.start] = (prose, at)
        return places

    def index_of(self, sentence: Sentence) -> int | None:
        """Return the index of the sentence in sentences("en"), or None if the corpus does not contain it."""
        return self._reading_at.get((sentence.span.document, sentence.span.start))
