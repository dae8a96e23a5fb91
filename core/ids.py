"""Content hashes, canonical JSON and opaque ids. Each hash has a tag, so that a change of digest or canonical form is visible.
Canonical JSON is part of the documented contract of releases and of the ledger."""

import hashlib
import json
import math
import uuid
from typing import Any

TAG = "b2:"
"""Tag of a BLAKE2b hash of 16 bytes, in hexadecimal, over UTF-8."""


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, without spaces and with only the escapes that JSON requires. Raises ValueError for NaN and
    infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """Return the tagged hash of a text, or of the canonical JSON of any other value."""
    text = value if isinstance(value, str) else canonical_json(value)
    return TAG + hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def new_id() -> str:
    """Return a new opaque id of 16 hexadecimal digits."""
    return uuid.uuid4().hex[:16]


def derived_id(*parts: object) -> str:
    """Return an opaque id that depends only on `parts`, so that a step repeated after a crash gets the same id."""
    return hashlib.blake2b(canonical_json([str(p) for p in parts]).encode("utf-8"), digest_size=8).hexdigest()


def finite_or_none(value: float | None) -> float | None:
    """Return the value, or None for NaN and infinities, which JSON does not support."""
    return value if value is not None and math.isfinite(value) else None
