"""Embedder and reranker that call endpoints and have the same interface as the local models. Any thread may call these models;
all their requests run in the event loop of one background thread."""

import asyncio
import json
import secrets
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import cached_property
from typing import Any, TypeVar

from agents.endpoints.embedding import EMBED_PROMPT, estimate_tokens
from agents.endpoints.reranking import RERANK_PROMPT
from core.agent import Completion, Sampling
from core.cancellation import raise_if_cancelled
from core.errors import AgentError, BenchError
from core.ids import content_hash
from core.load_once import load_once
from core.model_uses import note_model_use
from core.nouns import Prompt
from core.retrieval.embedding_options import EmbeddingOptions, Side, Similarity, advise_shortening

Ask = Callable[[Prompt, Mapping[str, object], Sampling], Awaitable[Completion]]
"""Type of an agent's `ask` method when it is called through the ledger, which stores and prices the call."""
T = TypeVar("T")

FIRST_BATCH_TEXTS = 64
"""Number of texts in the first embedding request; halved whenever the endpoint rejects a batch as too large."""
MAX_BATCH_TOKENS = 50_000
"""Maximum estimated tokens in one embedding request: a sixth of OpenAI's limit."""
MAX_REQUESTS = 32
"""Maximum number of requests that wait or run at once; the agent's rate limits decide how many of them are sent."""
POLL_SECONDS = 0.2


@load_once()
def endpoint_loop() -> asyncio.AbstractEventLoop:
    """Return the one event loop in which all endpoint requests run. The loop runs in a daemon thread."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="endpoints", daemon=True).start()
    return loop


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine in the endpoint loop and return its result. Call it from any thread except the one that runs the
    endpoint loop. Raises Cancelled if the work in the calling thread is cancelled; requests already sent still finish, and the
    ledger stores them."""
    future = asyncio.run_coroutine_threadsafe(coroutine, endpoint_loop())
    while not wait([future], POLL_SECONDS).done:
        raise_if_cancelled()
    return future.result()


class EndpointEmbedder:
    """Embedder that sends texts to an embedding endpoint (interface: core.retrieval.embeddings.Embedder). An endpoint does not
    report its model's languages or tokenizer, so `languages` is empty and token counts are estimates. Encoding a text that
    exceeds the model's context raises BenchError."""

    is_lexical = False
    languages: tuple[str, ...] = ()
    max_tokens: int | None = None

    def __init__(self, name: str, url: str, ask: Ask, options: EmbeddingOptions, context: int | None = None) -> None:
        """`name` is openai:MODEL; `url` is part of the hash that identifies the vectors (`vector_key`); `context` is the token
        limit of one text."""
        self.name, self._url, self._ask, self._options, self._context = name, url, ask, options, context
        self.similarity: Similarity = options.similarity or "cosine"
        query, document = options.prompt_query or "", options.prompt_document or ""
        self._prompts: dict[Side, str] = {"query": query, "document": document, "text": document}
        self._most_texts = FIRST_BATCH_TEXTS

    @cached_property
    def identity(self) -> str:
        keys = {side: self.vector_key(side) for side in self._prompts}
        return content_hash({"vectors": keys, "similarity": self.similarity})

    def vector_key(self, side: Side) -> str:
        size = {"truncate_dim": self._options.truncate_dim} if self._options.truncate_dim else {}
        prompt = {"prompt": self._prompts[side]} if self._prompts[side] else {}
        return content_hash({"endpoint": self._url, "model": self.name, **size, **prompt})

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        """Return one vector per text, as Embedder.encode does. A blank text gets a zero vector and is not sent to the
        endpoint."""
        import numpy as np

        if not texts:
            return np.zeros((0, 1), np.float32)
        rows: list[Any] = [None] * len(texts)
        for places, vectors in self.encode_in_groups(texts, side):
            for place, vector in zip(places, vectors, strict=True):
                rows[place] = vector
        return np.stack(rows)

    def encode_in_groups(self, texts: Sequence[str], side: Side = "text") -> Iterator[tuple[Sequence[int], Any]]:
        """Yield groups of vectors as replies arrive, each as (indices of the texts, vectors of these texts). If a request
        fails, waits for the requests that are still running, yields their vectors (which are already paid for), and then raises
        the error."""
        import numpy as np

        self._note_use()
        self._check_lengths(texts, side)
        blank = [place for place, text in enumerate(texts) if not text.strip()]
        waiting = deque(self._cut_batches(texts, side))
        running: dict[Future[Any], list[int]] = {}
        failure: BaseException | None = None
        size = 0
        while waiting or running:
            while waiting and len(running) < MAX_REQUESTS and failure is None:
                places = waiting.popleft()
                if len(places) > self._most_texts:
                    cuts = range(0, len(places), self._most_texts)
                    waiting.extendleft(reversed([places[cut : cut + self._most_texts] for cut in cuts]))
                    continue
                sent = [f"{self._prompts[side]}{texts[place]}" for place in places]
                running[asyncio.run_coroutine_threadsafe(self._fetch(sent), endpoint_loop())] = places
            if failure is not None:
                waiting.clear()
            ended = wait(running, POLL_SECONDS, FIRST_COMPLETED).done
            for future in ended:
                places = running.pop(future)
                try:
                    vectors = future.result()
                except AgentError as error:
                    if error.kind == "too_long" and len(places) > 1:
                        self._most_texts = min(self._most_texts, max(1, len(places) // 2))
                        waiting.appendleft(places)
                    else:
                        failure = failure or self._explain(error, texts[places[0]], side)
                except BenchError as error:
                    failure = failure or error
                else:
                    size = vectors.shape[1]
                    yield places, vectors
            if failure is None:
                try:
                    raise_if_cancelled()
                except BenchError as cancelled:
                    failure = cancelled
        if failure is not None:
            raise failure
        if blank:
            size = size or wait_for(self._fetch(["."])).shape[1]
            yield blank, np.zeros((len(blank), size), np.float32)

    def count_tokens(self, text: str) -> int:
        return estimate_tokens([text])

    def offsets(self, text: str) -> list[tuple[int, int]]:
        raise BenchError(f"{self.name} does not report token offsets: use estimated token counts instead.")

    def unknown_share(self, texts: Sequence[str]) -> float:
        return 0.0

    async def _fetch(self, texts: list[str]) -> Any:
        """Return the vectors of `texts` from one call to the endpoint."""
        completion = await self._ask(EMBED_PROMPT, {"texts": texts}, Sampling())
        if completion.vectors is None:  # the ledger knows this paid call but does not store vectors, so ask again
            completion = await self._ask(EMBED_PROMPT, {"texts": texts}, Sampling(index=1 + secrets.randbits(40)))
        vectors = completion.vectors
        return vectors[:, : self._options.truncate_dim] if self._options.truncate_dim else vectors

    def _cut_batches(self, texts: Sequence[str], side: Side) -> Iterator[list[int]]:
        """Yield the indices of the texts that are not blank, in batches small enough for one request."""
        batch: list[int] = []
        tokens, prompt = 0, self.count_tokens(self._prompts[side]) if self._prompts[side] else 0
        for place, text in enumerate(texts):
            if not text.strip():
                continue
            own = prompt + self.count_tokens(text)
            if batch and (len(batch) >= self._most_texts or tokens + own > MAX_BATCH_TOKENS):
                yield batch
                batch, tokens = [], 0
            batch.append(place)
            tokens += own
        if batch:
            yield batch

    def _check_lengths(self, texts: Sequence[str], side: Side) -> None:
        """Check the lengths of the texts if the endpoint's context is known. Raises BenchError if a text is longer than the
        context."""
        for place, text in enumerate(texts, 1) if self._context else ():
            if len(text) > (self._context or 0) and self.count_tokens(self._prompts[side] + text) > (self._context or 0):
                raise BenchError(
                    f"Text {place} of {len(texts)} has about {self.count_tokens(text):,} tokens, but {self.name} accepts at "
                    f"most {self._context:,}: {advise_shortening(side)}."
                )

    def _explain(self, error: AgentError, text: str, side: Side) -> BenchError:
        if error.kind != "too_long":
            return error
        return BenchError(
            f"{error} A text of about {self.count_tokens(text):,} tokens is too long for the endpoint: "
            f"{advise_shortening(side)}."
        )

    def _note_use(self) -> None:
        prompts = {f"prompt_{side}": self._prompts[side] or None for side in ("query", "document")}
        options = {**prompts, "truncate_dim": self._options.truncate_dim}
        note_model_use("embedding", self.name, endpoint=self._url, similarity=self.similarity, **options)


class EndpointReranker:
    """Reranker that sends passages to a rerank endpoint (interface: core.retrieval.cross_encoder.Reranker)."""

    def __init__(self, name: str, ask: Ask) -> None:
        self._name, self._ask = name, ask
        self._most_texts: int | None = None
        """Maximum number of passages in one request, learned when the endpoint rejects a larger one; None = no limit known."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one relevance score per passage, from one request, or from several if the endpoint limits the batch size."""
        note_model_use("reranker", self._name)
        waiting, scores = deque([list(texts)] if texts else []), list[float]()
        while waiting:
            batch = waiting.popleft()
            if self._most_texts is not None and len(batch) > self._most_texts:
                waiting.extendleft([batch[self._most_texts :], batch[: self._most_texts]])
                continue
            try:
                scores += wait_for(self._fetch(query, batch))
            except AgentError as error:
                if error.kind != "too_long" or len(batch) == 1:
                    raise
                self._most_texts = len(batch) // 2
                waiting.appendleft(batch)
        return scores

    async def _fetch(self, query: str, texts: list[str]) -> list[float]:
        completion = await self._ask(RERANK_PROMPT, {"query": query, "texts": texts}, Sampling())
        return [float(score) for score in json.loads(completion.text)]
