"""Limit failed attempts to sign in or to use an invite, and record attempts that were refused because of a limit."""

from collections.abc import Callable, Iterable, Mapping
from math import ceil

from core.errors import BenchError
from workbench.setup.access.rate_limiter import RateLimiter
from workbench.setup.access.sign_in_record import SignInRecord

MAX_FAILURES = 5
"""Number of failed attempts in a minute that are allowed for one name from one address, and for invites from one address."""
MAX_FAILURES_OF_A_NAME = 20
"""Number of failed attempts in a minute that are allowed for one name, from all addresses together."""
MAX_FAILURES_OF_AN_ADDRESS = 20
"""Number of failed attempts in a minute that are allowed from one address, for all names together; people behind the same
router share an address."""
ATTEMPT_INTERVAL_SECONDS = 60.0


class AttemptLimiter:
    """Limits failed attempts to sign in, and records attempts that were refused. The attempts are counted in memory."""

    def __init__(self, clock: Callable[[], float], sign_ins: SignInRecord) -> None:
        self._attempts, self._sign_ins = RateLimiter(clock, ATTEMPT_INTERVAL_SECONDS), sign_ins

    def begin(self, limits: Mapping[str, int], act: str, tried: str, address: str) -> None:
        """Count an attempt under each key in `limits`, a dict from key to the number of failures that are allowed within
        ATTEMPT_INTERVAL_SECONDS. If a limit is reached, raises BenchError and counts nothing; the refusal is recorded with
        `act`, `tried` and `address`, which go to SignInRecord.add."""
        wait = self._attempts.count(limits)
        if wait > 0:
            self._sign_ins.add(act, tried, address, "too many attempts", is_refused=True)
            raise BenchError(f"Too many attempts failed: wait {ceil(wait)} seconds, then try again.")

    def end_well(self, keys: Iterable[str]) -> None:
        """Do not count the last attempt under these keys any more, because it succeeded."""
        self._attempts.take_back(keys)
