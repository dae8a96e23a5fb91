"""Hash the secrets of invites and access tokens for storing, and find out whether they have expired or were revoked."""

import hashlib
from datetime import UTC, datetime
from typing import Literal

from core.errors import BenchError
from store.engine.columns import Timestamp

SecretState = Literal["open", "revoked", "expired"]
MAX_DAYS = 365


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret in hexadecimal, which is stored instead of the secret. A secret has 256 random bits, so a
    slow hash is not needed."""
    return hashlib.sha256(secret.strip().encode("utf-8", "surrogatepass")).hexdigest()


def format_time(seconds: float) -> Timestamp:
    """Return the time, given in seconds since 1970, in UTC and ISO format."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def find_end(now: float, days: int) -> Timestamp:
    """Return the time that is `days` days after `now`. Raises BenchError if `days` is not from 1 to MAX_DAYS."""
    if not 1 <= days <= MAX_DAYS:
        raise BenchError(f"The number of days is {days}: give 1 to {MAX_DAYS}.")
    return format_time(now + days * 24 * 3600)


def find_secret_state(revoked_at: Timestamp | None, expires_at: Timestamp, now: float) -> SecretState:
    """Return "open" if the secret can be used, otherwise "revoked" or "expired"."""
    if revoked_at is not None:
        return "revoked"
    return "open" if expires_at > format_time(now) else "expired"
