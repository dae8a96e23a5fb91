"""Errors for people: one sentence that says what, where, and what to do. cli.py and app.py catch BenchError and show its
text; any other exception is a bug and keeps its traceback."""

from collections.abc import Mapping
from typing import Any

UNREAD = "unread"
"""Kind of an AgentError: a reply arrived and could not be processed here; it is stored as it is and read again later."""


def first_line(error: Exception) -> str:
    """The first line of an error's text, or the name of its type."""
    return (str(error).splitlines() or [type(error).__name__])[0]


class BenchError(Exception):
    """A problem that a person can fix. Its text is one sentence: what, where, what to do."""


class WorkspaceHeld(BenchError):
    """Another process than the app holds the workspace file (exit code 3)."""


class AgentError(BenchError):
    """A call to an agent returned no usable completion after all its attempts."""

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
        questions failed), malformed (a reply in another shape), thinking (a reply that holds thinking alone), unread,
        unrecorded."""
        self.attempts = attempts
        """Requests sent for this call, including the first; 0 when none was."""
        self.stops_job = stops_job
        """True when other items would fail too: a wrong key, an unknown model, an endpoint that fails."""
        self.may_be_its_own = may_be_its_own
        """True for a 400 or 422, which concerns this question alone if the same prompt gets answers in the same job."""
        self.raw = raw
        """The reply, if malformed, unread or of thinking alone: it may have been paid for, so the same request is not sent
        again."""
        self.price = price
        """US dollars that the reply cost; None when unknown."""
        self.failed_before = False
        """True when the same question used up its attempts in an earlier start of the same job, see LedgeredAgent."""


class BudgetReached(BenchError):
    """The next call may cost more than the rest of the budget; nothing was sent."""


class Unreadable(BenchError):
    """An agent's reply does not fit its prompt's reply schema. The raw text stays in the ledger."""

    def __init__(self, message: str, *, text: str, calls: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        """The raw reply."""
        self.calls = calls
        """Ids of the ledger's calls behind it."""


class SearchFailed(BenchError):
    """A search provider returned no usable answer."""


class NotAllowed(BenchError):
    """The person has no role that permits this."""
