"""Agent that requests embedding vectors from an OpenAI-compatible endpoint (/v1/embeddings)."""

import base64
from collections.abc import Mapping
from typing import Any

from agents.endpoints.json_endpoint import JsonEndpoint, RefusedRequest, RequestSettings
from agents.openai.openai_endpoint import DEFAULT_URL
from core.agent import Capability, Completion, Sampling
from core.errors import BenchError
from core.nouns import Message, Prompt
from core.text.scripts import HAN_CHARACTER
from core.text.tokens import count_tokens

EMBED_PROMPT = Prompt("embed/texts", "embed", (Message("user", "$texts"),), ("texts",))
"""Prompt that stands for an embedding request in the ledger; its only input is the list of texts to embed, as sent."""
SCRIPT_CHARACTERS = 200
"""Number of leading characters of a text from which its script (Chinese or other) is detected, to estimate its tokens."""
PRICE_MARGIN = 1.3
"""Factor by which the estimated tokens of a text are multiplied for an upper bound on its price."""


class EmbeddingAgent:
    """Agent for one embedding model of one endpoint; its completions have empty text and carry the vectors in `vectors`."""

    is_offline = False
    gives: frozenset[Capability] = frozenset()

    def __init__(
        self,
        model: str,
        base_url: str | None,
        key: str | None,
        settings: RequestSettings = RequestSettings(),
        price_in: float | None = None,
        context: int | None = None,
        key_env: str = "OPENAI_API_KEY",
    ) -> None:
        """`price_in` is in US dollars per million tokens; `context` is the token limit of one text. Raises BenchError if
        neither an API key nor an endpoint address is set."""
        if not key and not base_url:
            raise BenchError(
                f"No API key for openai:{model}: set the environment variable {key_env}, or OPENAI_BASE_URL for an endpoint "
                "that needs no key."
            )
        self.name, self.model, self.context, self.price_in = f"openai:{model}", model, context, price_in
        advice = f"Check its address (OPENAI_BASE_URL, or the Agents page), the model's name and {key_env}."
        url = f"{(base_url or DEFAULT_URL).rstrip('/')}/embeddings"
        self._endpoint = JsonEndpoint(self.name, url, key or "", settings, advice)
        self._takes_base64 = True

    @property
    def shown_url(self) -> str:
        """Base URL of the embedding endpoint for display, without the user name or password in it."""
        return self._endpoint.shown_url.removesuffix("/embeddings")

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        return {"base_url": self.shown_url, "model": self.model, "input": _list_texts(inputs), "index": sampling.index}

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return None if self.price_in is None else PRICE_MARGIN * estimate_tokens(_list_texts(inputs)) * self.price_in / 1e6

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return a completion with one vector per text in the input `texts`. Raises AgentError if the endpoint fails or rejects
        the request; the error's kind is too_long if the request is too large."""
        texts = _list_texts(inputs)
        body: dict[str, Any] = {"model": self.model, "input": texts}
        tokens = estimate_tokens(texts)
        refused = 0
        while True:
            own = {"encoding_format": "base64"} if self._takes_base64 else {}
            try:
                reply = await self._endpoint.post({**body, **own}, tokens)
                break
            except RefusedRequest as error:
                if not own or not any(word in error.words for word in ("encoding_format", "base64")):
                    error.attempts += refused
                    raise
                refused, self._takes_base64 = refused + error.attempts, False
        attempts = reply.attempts + refused
        try:
            vectors = read_vectors(reply.data, len(texts))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._endpoint.refuse_reply(str(error), reply.data, attempts) from error
        usage = reply.data.get("usage") if isinstance(reply.data.get("usage"), dict) else {}
        counted = usage.get("prompt_tokens", usage.get("total_tokens"))
        tokens_in = counted if isinstance(counted, int) and not isinstance(counted, bool) else None
        return Completion(
            text="",
            tokens_in=tokens_in,
            tokens_out=0,
            seconds=reply.seconds,
            waited=reply.waited,
            retrying=reply.retrying,
            price=None if self.price_in is None or tokens_in is None else tokens_in * self.price_in / 1e6,
            attempts=attempts,
            raw={"model": reply.data.get("model"), "usage": usage, "vectors": len(texts), "dimensions": vectors.shape[1]},
            vectors=vectors,
        )

    async def close(self) -> None:
        """Close the agent's connections in the current event loop. The agent can still be used afterwards."""
        await self._endpoint.close()


def estimate_tokens(texts: list[str]) -> int:
    """Estimate the total number of tokens in the texts from their script (Chinese or other), because endpoints do not publish
    their tokenizers."""
    return sum(count_tokens(text, "zh" if HAN_CHARACTER.search(text, 0, SCRIPT_CHARACTERS) else "en") for text in texts)


def read_vectors(data: Any, count: int) -> Any:
    """Return the vectors of an endpoint's reply as a float32 array of shape (count, dimensions), one row per text in the order
    of the request. Accepts vectors as numbers or base64-encoded bytes. Raises ValueError for any other content."""
    import numpy as np

    rows = data["data"]
    by_index = {int(row.get("index", place)): row["embedding"] for place, row in enumerate(rows)}
    if sorted(by_index) != list(range(count)):
        raise ValueError(f"the reply contains {len(rows)} vectors for {count} texts")
    vectors = [
        np.frombuffer(base64.b64decode(value), "<f4") if isinstance(value, str) else np.asarray(value, np.float32)
        for _, value in sorted(by_index.items())
    ]
    if len({vector.shape for vector in vectors}) != 1 or vectors[0].ndim != 1 or not vectors[0].size:
        raise ValueError("the vectors are empty or have different lengths")
    array = np.stack(vectors).astype(np.float32)
    if not np.isfinite(array).all():
        raise ValueError("a vector contains a value that is not a number")
    return array


def _list_texts(inputs: Mapping[str, object]) -> list[str]:
    texts = inputs["texts"]
    if not isinstance(texts, list | tuple):
        raise BenchError("The input `texts` of a request for embedding vectors must be a list of texts.")
    return [str(text) for text in texts]
