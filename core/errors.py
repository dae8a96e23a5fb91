"""Errors for people: one sentence that says what, where, and what to do. Doors (cli.py, app.py) catch BenchError and show
its text; everything else is a bug and keeps its traceback."""

from collections.abc import Mapping
from typing import Any

UNREAD = "unread"
"""Kind of an AgentError: a reply came, and working it up failed here, so that it is kept as it came and read again later."""


class BenchError(Exception):
    """Something a person can mend. Its text is one sentence: what, where, what to do."""


class WorkspaceHeld(BenchError):
    """Another process, not ours, holds the workspace file (exit code 3)."""


class AgentError(BenchError):
    """A call to an agent gave no usable completion, after all its attempts."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        attempts: int,
        stops_job: bool = False,
        may_be_its_own: bool = False,
        raw: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        """timeout, connection, server, rate_limit, refused (400, 401, 403, 404), too_long, filter, endpoint (most of the last
        questions failed), malformed (a reply in another shape), unread, unrecorded."""
        self.attempts = attempts
        """Requests that left this process for this call, the first one included; 0 when none did."""
        self.stops_job = stops_job
        """True when asking for other items is pointless too: a wrong key, an unknown model, an endpoint that fails."""
        self.may_be_its_own = may_be_its_own
        """True of a 400 or 422, which refuses this question alone where the same job had answers to the same prompt, or goes on
        after it."""
        self.raw = raw
        """The reply, of kind malformed or unread: it may have been paid, so the same request is not sent again."""
        self.failed_before = False
        """True when the same question failed with all its tries in an earlier start of the same job, see LedgeredAgent."""


class BudgetReached(BenchError):
    """The next call might cost more than what is left of the budget; nothing was sent."""


class Unreadable(BenchError):
    """An agent's reply could not be read as its prompt's reply schema. The raw text stays in the ledger."""

    def __init__(self, message: str, *, text: str, calls: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.text = text
        """The raw reply."""
        self.calls = calls
        """Ids of the ledger's calls behind it."""


class SearchFailed(BenchError):
    """A search provider gave no answer that can be used."""


class NotAllowed(BenchError):
    """The person who asks may not do that here; whoever has the role for it may."""
