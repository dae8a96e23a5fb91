"""Requests and replies in the file format of OpenAI's Batch API, which `vllm run-batch` reads and writes too. Each request or
reply is one line of JSON."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.errors import BenchError

REQUEST_URL = "/v1/chat/completions"
"""Path of the API to which every request in a batch file is addressed."""
MAX_REQUESTS = 50_000
"""Maximum number of requests in one file of the Batch API."""
MAX_BYTES = 200_000_000
"""Maximum size of a file of the Batch API, in bytes."""


class BatchRequest(NamedTuple):
    """A request as written into a batch file, and what is needed to read its reply."""

    body: Mapping[str, Any]
    parameters: tuple[str, ...]
    """Names of the parameters in the body of the request, see RequestBody."""
    not_taken: tuple[str, ...]
    """Settings that were requested but that the body leaves out, see Completion."""
    has_schema: bool
    headroom: int
    """Number of tokens for thinking that are included in the token limit of the body."""
    limit: int
    """Maximum tokens of the reply, not counting its thinking."""
    profile: Mapping[str, Any]
    """What was known about the endpoint when the request was written, as in Profile.record."""
    price_now: float | None
    """Highest price in US dollars of the same request if sent outside a batch, or None if prices are unknown."""
    price: float | None
    """Highest price in US dollars of the request in a batch, or None if prices are unknown."""


class BatchFailure(NamedTuple):
    """Why a reply in a batch gives no usable completion."""

    kind: str
    """Kind of the failure, with the names of AgentError.kind."""
    why: str
    is_passing: bool
    """Whether the failure is temporary, so that the same question is asked again in the next file."""
    raw: Mapping[str, Any] | None = None
    """The endpoint's reply, kept because it may have been charged; None if there is none."""
    price: float | None = None
    """Cost of the failed reply in US dollars, or None if unknown."""


class BatchReply(NamedTuple):
    """One line of a batch's file of replies or errors."""

    key: str
    """Id of the request (custom_id) that the reply belongs to."""
    status: int
    """HTTP status of the answer to the request; 0 if it got no answer."""
    body: Any
    """Decoded JSON of the answer, or of the error if the request got no answer."""


class UnreadableLine(BenchError):
    """Error for a line that is not a reply of a batch."""


def write_line(key: str, body: str) -> str:
    """Return the line of a batch file for one request; `body` is the request's body as JSON text."""
    head = json.dumps({"custom_id": key, "method": "POST", "url": REQUEST_URL})
    return f'{head[:-1]}, "body": {body}}}\n'


def read_line(line: bytes) -> BatchReply:
    """Return the reply in a line of a batch file, in the form of the Batch API or of `vllm run-batch`, whose older versions
    write the completion itself as the response. Raises UnreadableLine if the line is not a reply."""
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
    """Return the error of a batch line in the form in which an endpoint returns an error."""
    return error if isinstance(error, dict) and "error" in error else {"error": error}
