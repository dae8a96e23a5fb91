"""List the claims of a long answer for the person who checks it. Each row shows the sentences that a claim cites, other
sentences that may support the claim, and its numbers and dates that the evidence lacks."""

from functools import lru_cache

from core.nouns import Item, Span
from core.retrieval.search import Bm25Index
from core.text.figures import missing_words
from core.text.sentences import list_sentences
from workbench.annotate.desk.desk_data import ClaimRow, DeskClaim
from workbench.annotate.desk.reading import DocumentCache

MAX_CANDIDATES = 3
"""Maximum number of sentences that a claim does not cite and that are suggested as support for it."""


class ClaimChecker:
    """Finds sentences that may support a claim, and its numbers and dates that the evidence lacks. The sentence indexes of
    recently used documents are cached."""

    def __init__(self, reading: DocumentCache) -> None:
        self._reading = reading
        self._index = lru_cache(maxsize=8)(self._build_index)

    def check_claims(self, item: Item) -> list[DeskClaim]:
        """List the claims of the item's answer, each with data that help to check it."""
        documents = self._reading.documents_of(item)
        checked = []
        for row in list_claims(item):
            cited = "\n".join(self._reading.text(span) for span in row.evidence)
            candidates = self._find_candidates(row, documents, item.language)
            checked.append(DeskClaim(row.claim, row.evidence, candidates, missing_words(row.claim, cited)))
        return checked

    def _find_candidates(self, row: ClaimRow, documents: tuple[str, ...], language: str) -> list[Span]:
        if not documents:
            return []
        hits = self._index(documents, language).search(row.claim, MAX_CANDIDATES + 4 * len(row.evidence) + 4)
        return [hit.span for hit in hits if not any(hit.span.overlaps(span) for span in row.evidence)][:MAX_CANDIDATES]

    def _build_index(self, documents: tuple[str, ...], language: str) -> Bm25Index:
        spans = [Span(name, start, end) for name in documents for start, end in self._reading.sentences(name)]
        return Bm25Index(spans, [self._reading.text(span) for span in spans], language)


def list_claims(item: Item) -> list[ClaimRow]:
    """List the claims from which the answer was drafted. If the answer was edited since or has no claims, list its sentences.

    A sentence gets the evidence of the drafted claim with the same text; without such a claim, it gets all evidence of the
    item."""
    answer = item.answers[0] if item.answers else ""
    drafted = [
        ClaimRow(str(claim["claim"]), tuple(Span(*place) for place in claim["evidence"]))
        for step in item.steps
        if step.get("kind") == "claims"
        for claim in step["claims"]
    ]
    if drafted and _strip_spaces("".join(row.claim for row in drafted)) == _strip_spaces(answer):
        return drafted
    evidence = {_strip_spaces(row.claim): row.evidence for row in drafted}
    sentences = list_sentences(answer, item.language)
    return [ClaimRow(text, evidence.get(_strip_spaces(text), item.evidence)) for text in sentences]


def _strip_spaces(text: str) -> str:
    """Return the text without any white space, so that spaces between sentences do not matter when texts are compared."""
    return "".join(text.split())
