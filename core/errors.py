"""Errors with a message for people: one sentence with the problem, its location and the remedy. cli.py and app.py catch
BenchError and show its message; any other exception is a bug, and its traceback is not hidden."""

from collections.abc import Mapping
from typing import Any

UNREAD = "unread"
"""Kind of an AgentError: a reply arrived but could not be processed. It is stored and read again on the next attempt."""


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text, or the name of its type if the text is empty."""
    return (str(error).splitlines() or [type(error).__name__])[0]


class BenchError(Exception):
    """Error that a person can fix. Its message is one sentence that names the problem, where the problem is, and the remedy."""


class WorkspaceHeld(BenchError):
    """Error for a workspace file that a process other than the app has open (exit code 3)."""


class AgentError(BenchError):
    """Error for a call to an agent that returned no usable completion after all its retries."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        attempts: int,
        stops_job: bool = False,
        may_be_its_own: bool = False,
        raw: Mapping[str, Any] | None = None,
        price: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        """Kind of the failure: timeout, connection, server, rate_limit, refused (status 400, 401, 403, 404), too_long, filter,
        endpoint (most of the last questions failed), malformed (a reply in another shape), thinking (a reply of thinking
        alone), unread (a reply that does not match the prompt's reply schema), unrecorded (no reply is recorded for the
        prompt)."""
        self.attempts = attempts
        """Number of requests sent for this call, including the first; 0 if none was sent."""
        self.stops_job = stops_job
        """Whether other items would fail too, because of a wrong key, an unknown model or a failing endpoint."""
        self.may_be_its_own = may_be_its_own
        """Whether the cause of the error may be this question alone, as with status 400 or 422. This question is the cause if
        the same prompt gets answers for other questions of the same job."""
        self.raw = raw
        """Reply of the endpoint if the kind is malformed, unread or thinking. The reply may have cost money, so the same
        request is not sent again."""
        self.price = price
        """Cost of the unusable reply in US dollars, or None if unknown."""
        self.failed_before = False
        """Whether the same question failed in an earlier start of the same job, after all its retries; see LedgeredAgent."""


class CallTooLarge(BenchError):
    """Error for a call with more tokens than the agent may send in a minute, so that the call could never be sent."""


class CallNotSent(BenchError):
    """Error for a call to an agent that must not be sent now. Code that tolerates failed calls does not catch this error."""


class BudgetReached(CallNotSent):
    """Error for a call to an agent that may cost more than what is left of the budget."""


class WaitsForBatch(CallNotSent):
    """Error for a call to an agent whose reply will come from a batch that is still to be processed. The work continues when
    the reply is in the ledger of calls."""


class Unreadable(BenchError):
    """Error for an agent's reply that does not match the reply schema of its prompt. The ledger of calls stores the text of the
    reply."""

    def __init__(self, message: str, *, text: str, calls: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        """Text of the reply that could not be read."""
        self.calls = calls
        """Ids of the calls in the ledger that returned the reply."""


class SearchFailed(BenchError):
    """Error for a search provider that returned no usable answer."""


class EngineFailed(BenchError):
    """Error for a search engine that does not respond or that fails during a request. The work continues when the engine is
    available again."""


class EngineRefused(BenchError):
    """Error for a search engine or index that cannot be used in its present state: an index made from other data, a wrong
    password, a missing plug-in."""


class NotAllowed(BenchError):
    """Error for a person without a role that has the required permission."""
