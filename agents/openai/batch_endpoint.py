"""Sends files of requests to an endpoint with OpenAI's Batch API, and fetches the state of a batch and its replies."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from agents.openai.openai_batch import REQUEST_URL
from agents.openai.openai_endpoint import OpenAIEndpoint
from core.errors import BenchError

T = TypeVar("T")
COMPLETION_WINDOW = "24h"
"""Time within which the endpoint must answer a batch; the Batch API accepts no other value."""
MAX_RETRIES = 3
FILE_SECONDS = 600.0
"""Maximum seconds to upload or download one file of a batch."""


class BatchState(NamedTuple):
    """State of one batch of requests, as its endpoint reports it."""

    batch: str
    """Id that the endpoint gave to the batch."""
    status: str
    """Status of the batch: validating, failed, in_progress, finalizing, completed, expired, cancelling or cancelled."""
    total: int
    completed: int
    failed: int
    output: str | None
    """Id of the file with the batch's replies, or None if the batch has no replies."""
    errors: str | None
    """Id of the file with the batch's errors, or None if the batch has no errors."""
    message: str = ""
    """Reason for which the endpoint refused the file of requests; "" if it did not."""

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "expired", "cancelled", "failed")


class BatchEndpoint:
    """Client for the Batch API of an endpoint."""

    def __init__(self, endpoint: OpenAIEndpoint) -> None:
        self._endpoint = endpoint

    async def send_file(self, path: Path) -> BatchState:
        """Upload a file of requests and start a batch with it. Raises BenchError if the endpoint fails or rejects the file."""

        async def send(client: Any) -> Any:
            with path.open("rb") as file:
                uploaded = await client.files.create(file=file, purpose="batch")
            return await client.batches.create(
                completion_window=COMPLETION_WINDOW, endpoint=REQUEST_URL, input_file_id=uploaded.id
            )

        return _read_state(await self._ask(send, f"accept {path.name}"))

    async def load_state(self, batch: str) -> BatchState:
        """Return the current state of a batch. Raises BenchError if the endpoint fails or rejects the request."""
        return _read_state(await self._ask(lambda client: client.batches.retrieve(batch), f"return the state of batch {batch}"))

    async def fetch_file(self, file: str, path: Path) -> None:
        """Download a file of replies or errors to the path. Raises BenchError if the endpoint fails or rejects the request."""
        part = path.with_name(f".{path.name}.part")

        async def fetch(client: Any) -> None:
            async with client.files.with_streaming_response.content(file) as response:
                with part.open("wb") as out:
                    async for block in response.iter_bytes():
                        out.write(block)

        try:
            await self._ask(fetch, f"return file {file}")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    async def close(self) -> None:
        """Close the client's connections in the current event loop."""
        await self._endpoint.close()

    async def _ask(self, act: Callable[[Any], Awaitable[T]], what: str) -> T:
        import httpx2
        import openai

        try:
            return await act(self._endpoint.connect().with_options(max_retries=MAX_RETRIES, timeout=FILE_SECONDS))
        except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError, AttributeError, TypeError) as error:
            why = self._endpoint.explain_error(error)
            raise BenchError(f"{why} when asked to {what}: check whether the endpoint supports OpenAI's Batch API.") from error


def _read_state(batch: Any) -> BatchState:
    counts = batch.request_counts
    errors = (batch.errors and batch.errors.data) or ()
    return BatchState(
        str(batch.id),
        str(batch.status),
        counts.total if counts else 0,
        counts.completed if counts else 0,
        counts.failed if counts else 0,
        batch.output_file_id or None,
        batch.error_file_id or None,
        next((str(error.message) for error in errors if error.message), ""),
    )
