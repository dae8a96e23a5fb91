"""A small world for the gates' tests: documents by id, drafts on them, and the cutter that the workbench would hand in."""

from builders.task import Kit
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from core.retrieval.chunks import chunk
from core.retrieval.search import Bm25Index
from core.text.numbered import Sentence
from core.text.text import split_sentences


class World:
    """Documents and what cuts text from them."""

    def __init__(self, *texts, language="en", domain="general"):
        self.documents = [Document(content_hash(text), text, f"Title {n}", domain, language) for n, text in enumerate(texts, 1)]
        self._by_id = {document.id: document for document in self.documents}

    def text_of(self, span):
        if span.document not in self._by_id:
            raise BenchError(f"No document {span.document}.")
        return self._by_id[span.document].text[span.start : span.end]

    def span(self, words, document=0):
        text = self.documents[document].text
        start = text.index(words)
        return Span(self.documents[document].id, start, start + len(words))

    def cut(self, span):
        text, language = self.text_of(span), self.documents[0].language
        title = self._by_id[span.document].title
        return tuple(
            Sentence(Span(span.document, span.start + a, span.start + b), text[a:b], title)
            for a, b in split_sentences(text, language)
        )

    def search(self, given, query, k):
        spans = [span for name in given for span in chunk(self._by_id[name], 40)]
        return Bm25Index(spans, [self.text_of(span) for span in spans], self.documents[0].language).search(query, k)

    def kit(self, agent, **more):
        return Kit(agent.ask, more.pop("name", "scripted"), self.search, self.cut, is_offline=agent.is_offline, **more)


def draft(question="Who?", answer="", evidence=(), *, id="i1", language="en", task="explicit_factoid", level=1, **more):
    """A draft with what a test cares about."""
    given = more.pop("given", tuple(dict.fromkeys(span.document for span in evidence)))
    return Item(id, task, question, (answer,), tuple(evidence), level, language=language, given=given, **more)
