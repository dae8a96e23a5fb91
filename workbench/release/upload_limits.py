"""Limit how often and how much each person may upload to a server on which people sign in. If people do not sign in, there is
no limit."""

import time
from collections.abc import Callable
from math import ceil, inf

from core.errors import BenchError
from core.person_name import fold_name
from workbench.setup.access.rate_limiter import RateLimiter
from workbench.setup.sign_in_settings import is_sign_in_on

UPLOADS_PER_MINUTE = 10
"""Number of uploads that a person may start in a minute; an upload can have any number of files."""
BYTES_PER_HOUR = 2 * 2**30
"""Number of bytes that a person may upload in an hour."""
RECEIVED_BYTES_PER_HOUR = 2 * BYTES_PER_HOUR
"""Number of bytes that the server accepts from a person in an hour. This includes files that were dropped on a page but whose
upload was never started."""


class UploadsExceeded(BenchError):
    """Raised if a person uploads files too often, or too many bytes."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds until the upload is allowed; infinity if it will never be."""


class UploadLimits:
    """Counts each person's uploads in memory, and refuses uploads above a limit."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._starts, self._sizes = RateLimiter(clock, 60.0), RateLimiter(clock, 3600.0)
        self._received = RateLimiter(clock, 3600.0)

    def begin_upload(self, person: str | None, size: int) -> None:
        """Count an upload of `size` bytes. There is no limit if `person` is None (the owner), or if people do not sign in on
        this server. Raises UploadsExceeded if a limit would be exceeded."""
        if person is None or not is_sign_in_on():
            return
        key = fold_name(person)
        wait = self._starts.count({key: UPLOADS_PER_MINUTE})
        if wait > 0:
            raise UploadsExceeded(
                f"You started {UPLOADS_PER_MINUTE} uploads within a minute: wait {ceil(wait)} seconds, then try again.", wait
            )
        wait = self._sizes.count({key: BYTES_PER_HOUR}, size)
        if wait > 0:
            raise UploadsExceeded(explain_size(BYTES_PER_HOUR, wait), wait)

    def receive_file(self, person: str, size: int) -> None:
        """Count a file of `size` bytes before the server receives it. Raises UploadsExceeded if the limit would be exceeded."""
        wait = self._received.count({fold_name(person): RECEIVED_BYTES_PER_HOUR}, size) if is_sign_in_on() else 0.0
        if wait > 0:
            raise UploadsExceeded(explain_size(RECEIVED_BYTES_PER_HOUR, wait), wait)


def explain_size(limit: int, wait: float) -> str:
    """Return the error message for an upload that would exceed `limit` bytes per hour."""
    remedy = "upload less at once" if wait == inf else f"wait {ceil(wait / 60)} minutes, then try again"
    return f"One person may upload {limit // 2**30} GB within an hour, and this would be more: {remedy}."
