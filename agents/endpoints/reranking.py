"""Agent that requests relevance scores of passages from a rerank endpoint. The agent supports two formats: that of Cohere, Jina
and vLLM (request: query, documents, top_n; reply: results with index and relevance_score) and that of Text Embeddings Inference
(request: query, texts; reply: a list with index and score). The first request shows which format the endpoint uses."""

import json
import math
from collections.abc import Mapping
from typing import Any

from agents.endpoints.embedding import estimate_tokens
from agents.endpoints.json_endpoint import JsonEndpoint, RefusedRequest, RequestSettings, is_local_address
from core.agent import Capability, Completion, Sampling
from core.nouns import Message, Prompt

RERANK_PROMPT = Prompt("rerank/passages", "rerank", (Message("user", "$query\n\n$texts"),), ("query", "texts"))
"""Prompt that stands for a rerank request in the ledger; its inputs are the query and the list of passages."""


class RerankAgent:
    """Agent for one rerank endpoint. The text of a completion is a JSON list of scores, in the order of the passages sent."""

    is_offline = False
    context: int | None = None
    gives: frozenset[Capability] = frozenset()

    def __init__(
        self,
        url: str,
        model: str = "",
        key: str | None = None,
        price: float | None = None,
        settings: RequestSettings = RequestSettings(),
    ) -> None:
        """`url` is the full URL, or the server's URL without /rerank. `price` is in US dollars per thousand requests; if
        `price` is None, the price is 0 for an endpoint on this machine or in a private network, and unknown for any other
        endpoint."""
        whole = url.rstrip("/")
        whole = whole if whole.endswith("/rerank") else f"{whole}/rerank"
        self.model, self._price = model, 0.0 if price is None and is_local_address(whole) else price
        self._endpoint = JsonEndpoint(
            "The reranker", whole, key or "", settings, "Check the settings reranker, reranker_model and reranker_key."
        )
        self.name = f"rerank:{self.shown_url}"
        self._takes_texts = False
        """Whether the endpoint expects the passages in a field named `texts` (Text Embeddings Inference), not `documents`."""

    @property
    def shown_url(self) -> str:
        """URL of the rerank endpoint for display, without the user name or password in it."""
        return self._endpoint.shown_url

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        texts = _list_texts(inputs)
        return {"base_url": self.shown_url, "model": self.model, "query": str(inputs["query"]), "documents": texts}

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return None if self._price is None else self._price / 1e3

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return a completion with one score per passage: the relevance to `query` of each passage in `texts` (both are keys of
        `inputs`). Raises AgentError if the endpoint fails or rejects the request; the error's kind is too_long if the request
        is too large."""
        query, texts = str(inputs["query"]), _list_texts(inputs)
        refused = 0
        while True:
            try:
                reply = await self._endpoint.post(self._build_body(query, texts), estimate_tokens([query, *texts]))
                break
            except RefusedRequest as error:
                if self._takes_texts or "`texts`" not in error.words:
                    error.attempts += refused
                    raise
                refused, self._takes_texts = refused + error.attempts, True
        attempts = reply.attempts + refused
        try:
            scores = read_scores(reply.data, len(texts))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._endpoint.refuse_reply(str(error), reply.data, attempts) from error
        usage = reply.data.get("usage") if isinstance(reply.data, dict) else None
        tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
        return Completion(
            text=json.dumps(scores),
            tokens_in=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None,
            tokens_out=0,
            seconds=reply.seconds,
            waited=reply.waited,
            retrying=reply.retrying,
            price=None if self._price is None else self._price / 1e3,
            attempts=attempts,
            raw={"reply": reply.data},
        )

    async def close(self) -> None:
        """Close the agent's connections in the current event loop. The agent can still be used afterwards."""
        await self._endpoint.close()

    def _build_body(self, query: str, texts: list[str]) -> dict[str, Any]:
        if self._takes_texts:
            return {"query": query, "texts": texts}
        model = {"model": self.model} if self.model else {}
        return {**model, "query": query, "documents": texts, "top_n": len(texts)}


def read_scores(data: Any, count: int) -> list[float]:
    """Return one score per passage from an endpoint's reply, in the order sent. Raises ValueError if a score is missing or is
    not a finite number."""
    rows = data["results"] if isinstance(data, dict) else data
    scores: dict[int, float] = {}
    for row in rows:
        score = float(row["relevance_score"] if "relevance_score" in row else row["score"])
        if not math.isfinite(score):
            raise ValueError("a score is not a number")
        scores[int(row["index"])] = score
    if sorted(scores) != list(range(count)):
        raise ValueError(f"the reply contains {len(scores)} scores for {count} passages")
    return [scores[place] for place in range(count)]


def _list_texts(inputs: Mapping[str, object]) -> list[str]:
    texts = inputs["texts"]
    return [str(text) for text in texts] if isinstance(texts, list | tuple) else [str(texts)]
