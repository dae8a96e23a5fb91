"""A small world for the gates' tests: documents by id, drafts on them, and the cutter that the workbench would hand in."""

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span


class World:
    """Documents and what cuts text from them."""

    def __init__(self, *texts, language="en", domain="general"):
        self.documents = [
            Document(content_hash(text), text, f"Title {n}", domain, language) for n, text in enumerate(texts, 1)
        ]
        self._by_id = {document.id: document for document in self.documents}

    def text_of(self, span):
        if span.document not in self._by_id:
            raise BenchError(f"No document {span.document}.")
        return self._by_id[span.document].text[span.start : span.end]

    def span(self, words, document=0):
        text = self.documents[document].text
        start = text.index(words)
        return Span(self.documents[document].id, start, start + len(words))


def draft(question="Who?", answer="", evidence=(), *, id="i1", language="en", task="explicit_factoid", level=1, **more):
    """A draft with what a test cares about."""
    given = more.pop("given", tuple(dict.fromkeys(span.document for span in evidence)))
    return Item(id, task, question, (answer,), tuple(evidence), level, language=language, given=given, **more)
