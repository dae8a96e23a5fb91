"""Provide embedding models and rerankers at endpoints for one job. As with agents, the ledger (the record of all LLM calls)
records the calls of these models, and the job's budget pays for them."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from agents.endpoints.embedding import EmbeddingAgent
from agents.endpoints.json_endpoint import RequestSettings
from agents.endpoints.models import EndpointEmbedder, EndpointReranker
from agents.endpoints.reranking import RerankAgent
from agents.kind import asks_endpoint
from agents.naming import check_settings
from agents.saved import SavedAgent, check_key_name, check_url
from core.agent import Agent
from core.errors import BenchError
from core.retrieval.cross_encoder import Reranker, RerankerOptions, load_cross_encoder
from core.retrieval.embedding_options import EmbeddingOptions
from core.retrieval.embeddings import Embedder
from store.ledger.budget import Budget, ImmediateBudget
from store.ledger.calls import Ledger
from store.ledger.ledgered_agent import LedgeredAgent
from workbench import settings as keys

OWNER = "embedding"
"""Beginning of the names of settings for an embedding endpoint, such as embedding.price_in."""
_ADDRESS = re.compile(r"(?:http:(?!//))?(https?://\S+)")
"""Pattern of those values of the setting `reranker` that are the address of an endpoint, possibly after the prefix http:."""


def is_embedding_endpoint(name: str, saved: SavedAgent | None) -> bool:
    """Return whether `name`, a value of the setting embedding_model, is a model at an endpoint."""
    return saved.asks_endpoint if saved else asks_endpoint(name)


def make_embedding_agent(
    name: str, saved: SavedAgent | None, settings: Mapping[str, Any], environment: Mapping[str, str]
) -> EmbeddingAgent:
    """Return the agent that calls an embedding endpoint; `settings` are all settings of the job. Raises BenchError if a setting
    is invalid."""
    full = saved.full_name if saved else name
    own = check_settings(full, {**(saved.settings if saved else {}), **keys.select_owner(settings, OWNER)})
    key_env = saved.key_env if saved else "OPENAI_API_KEY"
    url = (saved.base_url if saved else "") or environment.get("OPENAI_BASE_URL")
    requests = RequestSettings(**{field: own[field] for field in RequestSettings._fields if own.get(field) is not None})
    prices = {"price_in": own.get("price_in"), "context": own.get("context")}
    return EmbeddingAgent(
        full.partition(":")[2], url or None, environment.get(key_env) or None, requests, **prices, key_env=key_env
    )


def describe_embedding(agent: EmbeddingAgent) -> str:
    """Return the name and address that identify the embedding model in a run."""
    return f"{agent.name} at {agent.shown_url}"


def find_rerank_address(value: str) -> str | None:
    """Return the address in a value of the setting `reranker`, or None if the value is a folder. Raises BenchError if the
    address contains a password."""
    match = _ADDRESS.fullmatch(value.strip())
    if match is None:
        return None
    check_url(match[1])
    return match[1]


class ModelEndpoints:
    """The embedding models and rerankers at endpoints that one job uses."""

    def __init__(
        self,
        ledger: Ledger,
        find_saved: Callable[[str], SavedAgent | None],
        environment: Mapping[str, str],
        settings: Mapping[str, Any],
        budget: Budget | None = None,
        job: str | None = None,
        pinned: Mapping[str, str] | None = None,
    ) -> None:
        """Create the models. `pinned` is a dict from name to the model and address at the time when the job was planned."""
        self._ledger, self._saved, self._environment, self._settings = ledger, find_saved, environment, settings
        self._budget, self._job, self._pinned = budget or Budget(None), job, pinned or {}
        self._agents: dict[str, LedgeredAgent] = {}

    def find_embedder(self, name: str, options: EmbeddingOptions) -> Embedder | None:
        """Return the embedding model with this name, or None if the model is not at an endpoint. Raises BenchError if the
        endpoint has changed since the job was planned."""
        saved = self._saved(name)
        if not is_embedding_endpoint(name, saved):
            return None
        agent = make_embedding_agent(name, saved, self._settings, self._environment)
        described = describe_embedding(agent)
        if (planned := self._pinned.get(name, described)) != described:
            raise BenchError(
                f"The embedding model {name} has changed since this job was planned ({planned} then, {described} now): "
                "change it back, or start the job again."
            )
        ask = self._bind(f"embedding {name}", agent).ask
        return EndpointEmbedder(agent.name, agent.shown_url, ask, options, agent.context)

    def load_reranker(self, options: RerankerOptions) -> Reranker:
        """Return the reranker at the endpoint or in the folder that `options` name."""
        address = find_rerank_address(options.name)
        if address is None:
            return load_cross_encoder(options)
        if options.key_env:
            check_key_name("reranker_key", options.key_env)
        key = self._environment.get(options.key_env) if options.key_env else None
        if options.key_env and not key:
            raise BenchError(f"No key for the reranker: set {options.key_env}, or leave the setting reranker_key out.")
        agent = RerankAgent(address, options.model, key, options.price or None)
        return EndpointReranker(agent.name, self._bind(f"reranker {agent.name} {options.model}", agent).ask)

    def _bind(self, name: str, agent: Agent) -> LedgeredAgent:
        """Return the agent, connected to the ledger and the job's budget; it is created once for each name."""
        if name not in self._agents:
            self._agents[name] = LedgeredAgent(agent, self._ledger, ImmediateBudget(self._budget), self._job)
        return self._agents[name]
