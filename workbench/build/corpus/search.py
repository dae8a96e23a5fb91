"""The search providers of a workspace: which there are, how each is set up, and the one that a drafting job searches with. The
address of one outside is set by whoever may change agents, since this server calls it."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from builders.near_duplicates.document_cosines import PERCENTILE, DocumentCosines
from builders.near_duplicates.near_copies import CONTAINMENT
from builders.provider import Provider, SearchMeans, providers
from builders.task import Find, Keep, SimilarityRule
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document
from core.retrieval.embeddings import embedder
from store.corpus import documents
from store.engine import settings as stored
from store.engine.database import Database
from workbench import settings as keys
from workbench.build.corpus.corpus import CorpusStage
from workbench.roles import act
from workbench.setup.agents import ENVIRONMENT

DEFAULT = "corpus"
SETTINGS = ("search", "near_containment", "near_model", "near_percentile")
"""Settings of a drafting job that choose where it searches and what counts as a near copy."""


class Searching(NamedTuple):
    """What a kit is handed."""

    provider: str
    find: Find
    keep: Keep
    likeness: SimilarityRule | None


class SearchStage:
    """Verbs on search providers."""

    def __init__(self, database: Database, corpus: CorpusStage) -> None:
        self._db, self._corpus = database, corpus
        self._kept: dict[str, Any] = {}

    @act("see agents")
    def every(self) -> list[dict[str, Any]]:
        """{"name", "label", "settings": those in force, "needs": those still to be given, "key_is_set": None where it needs
        none} of each provider."""
        return [self._card(name, provider) for name, provider in providers().items()]

    @act("change agents", lambda given: f"search provider {given['name']}")
    def save(self, name: str, settings: Mapping[str, Any]) -> None:
        """Set a provider up. Raises BenchError on settings that it could not search with."""
        provider = pick(providers(), name, "search provider")
        keys.only(settings, provider.settings, f"The search provider {name}")
        provider.check({**provider.settings, **settings})
        stored.put(self._db, _key(name), dict(settings))

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raises BenchError when a drafting job with these settings could not search."""
        name = settings.get("search", DEFAULT)
        provider = pick(providers(), str(name), "search provider")
        provider.check(self._settings(str(name), provider))
        for setting, usual, most in (("near_containment", CONTAINMENT, 1.0), ("near_percentile", PERCENTILE, 100.0)):
            value = settings.get(setting, usual)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
                raise BenchError(f"The setting {setting} is {value!r}: give a number above 0, at most {most:g}.")
        if settings.get("near_model") is not None:
            self._model(settings)

    def opened(self, settings: Mapping[str, Any], seed: int) -> Searching:
        """Ready for one job."""
        name = str(settings.get("search", DEFAULT))
        provider = pick(providers(), name, "search provider")
        means = SearchMeans(documents=self._corpus.every, kept=self._kept, environment=ENVIRONMENT.get())
        likeness = None
        if settings.get("near_model") is not None:
            percentile = float(settings.get("near_percentile", PERCENTILE))
            likeness = DocumentCosines(self._model(settings), self._of_language, percentile, seed)
        return Searching(name, provider.open(self._settings(name, provider), means), self._keep, likeness)

    async def _keep(self, found: Sequence[Document]) -> None:
        if found:
            await asyncio.to_thread(documents.add, self._db, found)

    def _model(self, settings: Mapping[str, Any]) -> Any:
        name = str(settings["near_model"])
        if name == "lexical_vectors":
            raise BenchError(
                "near_model is lexical_vectors, which compare spelling, not meaning: give minilm, or the folder "
                "of a sentence-transformers model."
            )
        return embedder(name)

    def _of_language(self, language: str) -> list[Document]:
        return self._corpus.chosen("all", language)

    def _settings(self, name: str, provider: Provider) -> dict[str, Any]:
        return {**provider.settings, **stored.get(self._db, _key(name), {})}

    def _card(self, name: str, provider: Provider) -> dict[str, Any]:
        own = self._settings(name, provider)
        key = own.get("key_env")
        return {
            "name": name,
            "label": provider.label,
            "settings": own,
            "needs": [setting for setting, value in own.items() if value is None],
            "key_is_set": bool(ENVIRONMENT.get().get(key)) if key else None,
        }


def _key(name: str) -> str:
    return f"search_provider {name}"
