"""Secrets that let people and scripts in, invites and access tokens: their stored form, their end and their state."""

import hashlib
from datetime import UTC, datetime
from typing import Literal

from core.errors import BenchError
from store.engine.columns import Timestamp

SecretState = Literal["open", "revoked", "expired"]
MAX_DAYS = 365


def hash_secret(secret: str) -> str:
    """Return the stored form of a secret: its SHA-256 in hexadecimal. A secret has 256 random bits, so it needs no slow
    hash."""
    return hashlib.sha256(secret.strip().encode("utf-8", "surrogatepass")).hexdigest()


def format_time(seconds: float) -> Timestamp:
    """Format the time given in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def find_end(now: float, days: int) -> Timestamp:
    """Return the time after that number of days. Raises BenchError below 1 and above MAX_DAYS."""
    if not 1 <= days <= MAX_DAYS:
        raise BenchError(f"The number of days is {days}: give 1 to {MAX_DAYS}.")
    return format_time(now + days * 24 * 3600)


def find_secret_state(revoked_at: Timestamp | None, expires_at: Timestamp, now: float) -> SecretState:
    """Return whether a secret can be used, or the reason why not."""
    if revoked_at is not None:
        return "revoked"
    return "open" if expires_at > format_time(now) else "expired"
