"""Errors for people: one sentence that says what, where, and what to do. Doors (cli.py, app.py) catch BenchError and show
its text; everything else is a bug and keeps its traceback."""


class BenchError(Exception):
    """Something a person can mend. Its text is one sentence: what, where, what to do."""


class WorkspaceHeld(BenchError):
    """Another process, not ours, holds the workspace file (exit code 3)."""


class AgentError(BenchError):
    """A call to an agent gave no usable completion, after all its attempts."""

    def __init__(self, message: str, *, kind: str, attempts: int, stops_job: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        """timeout, connection, server, rate_limit, refused (400, 401, 403, 404), too_long, filter, endpoint (most of the last
        requests failed), unrecorded."""
        self.attempts = attempts
        """Requests that left this process for this call, the first one included; 0 when none did."""
        self.stops_job = stops_job
        """True when asking for other items is pointless too: a wrong key, an unknown model, an endpoint that fails."""


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


class Refused(BenchError):
    """The person who asks may not do that here; whoever has the role for it may."""
