"""Requests and replies in the files of OpenAI's Batch API, which `vllm run-batch` reads and writes too. One request or reply is
one line of JSON."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.errors import BenchError

REQUEST_URL = "/v1/chat/completions"
"""Address of every request in a file."""
MAX_REQUESTS = 50_000
"""Maximum number of requests in a file of the Batch API."""
MAX_BYTES = 200_000_000
"""Maximum number of bytes of a file of the Batch API."""


class BatchRequest(NamedTuple):
    """One request as it is written into a file, and what reading its reply needs."""

    body: Mapping[str, Any]
    parameters: tuple[str, ...]
    """Parameters in the body, see RequestBody."""
    not_taken: tuple[str, ...]
    """Requested settings that the body leaves out, see Completion."""
    has_schema: bool
    headroom: int
    """Tokens for thinking within the token limit of the body."""
    limit: int
    """Maximum tokens of the reply without its thinking."""
    profile: Mapping[str, Any]
    """What was known about the endpoint when the request was written, see Profile.record."""
    price_now: float | None
    """Highest price in US dollars of the same request outside a batch, or None without prices."""
    price: float | None
    """Highest price in US dollars of the request in a batch, or None without prices."""


class BatchFailure(NamedTuple):
    """A reply without a usable completion."""

    kind: str
    """Kind of the failure, see AgentError."""
    why: str
    is_passing: bool
    """Whether the same question is to be asked again in the next file."""
    raw: Mapping[str, Any] | None = None
    """The reply, if it may have been charged."""
    price: float | None = None
    """Cost of the reply in US dollars, or None when unknown."""


class BatchReply(NamedTuple):
    """One line of a file of replies."""

    key: str
    """The custom_id of its request."""
    status: int
    """HTTP status; 0 for a request that got no answer."""
    body: Any
    """The answer's JSON; the error if the request got no answer."""


class UnreadableLine(BenchError):
    """Raised if a line is not a reply of a batch."""


def write_line(key: str, body: str) -> str:
    """Return the line of a request; `body` is JSON text."""
    head = json.dumps({"custom_id": key, "method": "POST", "url": REQUEST_URL})
    return f'{head[:-1]}, "body": {body}}}\n'


def read_line(line: bytes) -> BatchReply:
    """Return the reply in a line, in the form of the Batch API or of `vllm run-batch`, whose older versions write the
    completion itself as the response. Raises UnreadableLine."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise UnreadableLine("is not JSON") from None
    if not isinstance(record, dict) or not isinstance(record.get("custom_id"), str):
        raise UnreadableLine("has no custom_id")
    key, response, error = record["custom_id"], record.get("response"), record.get("error")
    if isinstance(response, dict) and "choices" in response:
        return BatchReply(key, 200, response)
    if isinstance(response, dict):
        status = response.get("status_code", 200)
        status = status if isinstance(status, int) and not isinstance(status, bool) else 0
        body = response.get("body")
        if body is not None or not error:
            return BatchReply(key, status, body)
        return BatchReply(key, status if status >= 400 else 0, _wrap_error(error))
    if error:
        return BatchReply(key, 0, _wrap_error(error))
    raise UnreadableLine("has neither a response nor an error")


def _wrap_error(error: Any) -> Any:
    """Return the error in the form of an answer's body."""
    return error if isinstance(error, dict) and "error" in error else {"error": error}
