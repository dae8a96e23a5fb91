"""Manage search providers: store their settings, and search for documents in a drafting job. Only people who may change agents
can set the address of an outside provider, because this server then sends requests to it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from builders.near_duplicates.document_similarity import LIMIT_PERCENTILE, DocumentSimilarity
from builders.near_duplicates.near_copies import MIN_CONTAINMENT
from builders.provider import Provider, ProviderContext, providers
from builders.task import AddDocuments, FindDocuments, SimilarityRule
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import embedder
from core.retrieval.search import Bm25Index
from store.corpus import documents
from store.engine import settings as stored
from store.engine.database import Database
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.roles import requires
from workbench.setup.agents import ENVIRONMENT

DEFAULT_PROVIDER = "corpus"
PASSAGE_TOKENS = 256
"""Maximum number of tokens in a passage that `find_passages` returns."""
SETTINGS = ("search", "near_containment", "near_model", "near_percentile")
"""Names of the settings of a drafting job that concern the search provider and near copies."""


class SearchKit(NamedTuple):
    """The functions with which one drafting job searches for documents and stores the documents that it finds."""

    provider: str
    find: FindDocuments
    keep: AddDocuments
    similarity: SimilarityRule | None


@dataclass(frozen=True, slots=True)
class ProviderCard:
    """A search provider with its settings, as the screen shows it."""

    name: str
    label: str
    settings: Mapping[str, Json]
    """The settings in use: the provider's defaults, replaced by stored values where there are any."""
    needs: list[str]
    """Names of the provider's settings that have no value yet."""
    key_is_set: bool | None
    """Whether the environment variable with the provider's key is set, or None if the provider needs no key."""


class FoundPassage(NamedTuple):
    """A passage that a search in the workspace's documents found."""

    document: str
    title: str
    domain: str
    start: int
    end: int
    """End of the passage in the document, in code points."""
    text: str
    score: float
    """BM25 score of the passage among the passages of the documents that were found."""


class SearchStage:
    """Methods that list search providers, change their settings, and search with them."""

    def __init__(self, database: Database, corpus: CorpusStage) -> None:
        self._db, self._corpus = database, corpus
        self._provider_cache: dict[str, Any] = {}

    @requires("see agents")
    def list_providers(self) -> list[ProviderCard]:
        """List every search provider with its settings."""
        return [self._card(name, provider) for name, provider in providers().items()]

    @requires("change agents", lambda arguments: f"search provider {arguments['name']}")
    def save(self, name: str, settings: Mapping[str, Any]) -> None:
        """Store the settings of the search provider `name`. Raises BenchError if the provider cannot search with these
        settings."""
        provider = pick(providers(), name, "search provider")
        keys.check_known(settings, provider.settings, f"The search provider {name}")
        provider.check({**provider.settings, **settings})
        stored.put(self._db, f"search_provider {name}", dict(settings))

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise BenchError if a drafting job with these settings cannot search."""
        name = str(settings.get("search", DEFAULT_PROVIDER))
        provider = pick(providers(), name, "search provider")
        provider.check(self._settings(name, provider))
        for setting, usual, most in (("near_containment", MIN_CONTAINMENT, 1.0), ("near_percentile", LIMIT_PERCENTILE, 100.0)):
            value = settings.get(setting, usual)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
                raise BenchError(f"The setting {setting} is {value!r}: give a number above 0, at most {most:g}.")
        if settings.get("near_model") is not None:
            _load_model(settings)

    def open_search(self, settings: Mapping[str, Any], seed: int) -> SearchKit:
        """Return the search functions of one drafting job with these settings."""
        name = str(settings.get("search", DEFAULT_PROVIDER))
        provider = pick(providers(), name, "search provider")
        means = ProviderContext(documents=self._corpus.load_documents, kept=self._provider_cache, environment=ENVIRONMENT.get())
        similarity = None
        if settings.get("near_model") is not None:
            percentile = float(settings.get("near_percentile", LIMIT_PERCENTILE))
            of_language = partial(self._corpus.load_documents, "all")
            similarity = DocumentSimilarity(_load_model(settings), of_language, percentile, seed)
        return SearchKit(name, provider.open(self._settings(name, provider), means), self._keep, similarity)

    async def find_passages(self, query: str, count: int) -> list[FoundPassage]:
        """Search the workspace's own documents; return the passages that fit `query` best, the best one first."""
        kit = self.open_search({"search": DEFAULT_PROVIDER}, seed=0)
        found = await kit.find(query, count, frozenset())
        return await asyncio.to_thread(_select_passages, query, [one.document for one in found], count)

    async def _keep(self, found: Sequence[Document]) -> None:
        if found:
            await asyncio.to_thread(documents.add, self._db, found)

    def _settings(self, name: str, provider: Provider) -> dict[str, Any]:
        return {**provider.settings, **stored.get(self._db, f"search_provider {name}", {})}

    def _card(self, name: str, provider: Provider) -> ProviderCard:
        settings = self._settings(name, provider)
        key = settings.get("key_env")
        needs = [setting for setting, value in settings.items() if value is None]
        return ProviderCard(name, provider.label, settings, needs, bool(ENVIRONMENT.get().get(key)) if key else None)


def _select_passages(query: str, found: Sequence[Document], count: int) -> list[FoundPassage]:
    """Return those `count` passages of the documents `found` that fit the query best."""
    if not found:
        return []
    spans = [span for document in found for span in chunk(document, PASSAGE_TOKENS)]
    by_id = {document.id: document for document in found}
    texts = [by_id[span.document].text[span.start : span.end] for span in spans]
    hits = Bm25Index(spans, texts, found[0].language).search(query, count)
    return [
        FoundPassage(
            hit.span.document,
            by_id[hit.span.document].title,
            by_id[hit.span.document].domain,
            hit.span.start,
            hit.span.end,
            by_id[hit.span.document].text[hit.span.start : hit.span.end],
            hit.score,
        )
        for hit in hits
    ]


def _load_model(settings: Mapping[str, Any]) -> Any:
    name = str(settings["near_model"])
    if name == "lexical_vectors":
        raise BenchError(
            "near_model is lexical_vectors, which compare spelling, not meaning: give minilm, or the folder of a "
            "sentence-transformers model."
        )
    return embedder(name)
