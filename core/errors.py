"""Errors for people: one sentence with the problem, its place and the remedy. cli.py and app.py catch BenchError and show its
text; any other exception is a bug and keeps its traceback."""

from collections.abc import Mapping
from typing import Any

UNREAD = "unread"
"""Kind of an AgentError: a reply arrived but could not be processed. The raw reply is stored and read again later."""


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text, or the name of its type if the text is empty."""
    return (str(error).splitlines() or [type(error).__name__])[0]


class BenchError(Exception):
    """An error that a person can fix. The text of the error is one sentence with the problem, its place and the remedy."""


class WorkspaceHeld(BenchError):
    """Raised if a process other than the app holds the workspace file (exit code 3)."""


class AgentError(BenchError):
    """Raised if a call to an agent returned no usable completion after all its attempts."""

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
        """timeout, connection, server, rate_limit, refused (400, 401, 403, 404), too_long, filter, endpoint (most of the last
        questions failed), malformed (a reply in another shape), thinking (a reply of thinking alone), unread, unrecorded."""
        self.attempts = attempts
        """Requests sent for this call, including the first; 0 when no request was sent."""
        self.stops_job = stops_job
        """True when other items would also fail: a wrong key, an unknown model, a failing endpoint."""
        self.may_be_its_own = may_be_its_own
        """True for a 400 or 422. The error concerns this question alone if the same prompt gets answers in the same job."""
        self.raw = raw
        """The reply of kind malformed, unread or thinking. The reply may have been paid for, so the same request is not sent
        again."""
        self.price = price
        """Cost of the reply in US dollars, or None when unknown."""
        self.failed_before = False
        """True when the same question used all its attempts in an earlier start of the same job; see LedgeredAgent."""


class CallNotSent(BenchError):
    """Raised if a call must not be sent now. Code that works around failed calls does not catch this error."""


class BudgetReached(CallNotSent):
    """Raised if the next call may cost more than the rest of the budget."""


class WaitsForBatch(CallNotSent):
    """Raised if a call waits for the reply of its batch. The same work goes on once the reply is in the ledger."""


class Unreadable(BenchError):
    """Raised if an agent's reply does not match the reply schema of its prompt. The ledger keeps the raw text."""

    def __init__(self, message: str, *, text: str, calls: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        """The raw reply."""
        self.calls = calls
        """Ids of the ledger's calls that returned the reply."""


class SearchFailed(BenchError):
    """Raised if a search provider returned no usable answer."""


class EngineFailed(BenchError):
    """Raised if a search engine does not answer or breaks off. The same work goes on once the engine is back."""


class EngineRefused(BenchError):
    """Raised if a search engine or its index must not be used as it is: another stamp, a wrong password, a missing plug-in."""


class NotAllowed(BenchError):
    """Raised if the person has no role with the required permission."""
