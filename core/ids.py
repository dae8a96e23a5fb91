"""Identity: content hashes, canonical JSON, opaque ids. Hashes are tagged, so that a later change of digest or of the
canonical form is seen; canonical JSON is part of the documented contract of releases and of the ledger."""

import hashlib
import json
import math
import uuid
from typing import Any

TAG = "b2:"
"""BLAKE2b with 16 bytes, in hexadecimal, over UTF-8."""


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, no escapes beyond JSON's own; raises ValueError on NaN and infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """The tagged hash of a text, or of the canonical JSON of anything else."""
    text = value if isinstance(value, str) else canonical_json(value)
    return TAG + hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def new_id() -> str:
    """A fresh opaque id: 16 hexadecimal digits."""
    return uuid.uuid4().hex[:16]


def derived_id(*parts: object) -> str:
    """The same opaque id for the same parts: makes a step that is done again after a kill the same step."""
    return hashlib.blake2b(canonical_json([str(p) for p in parts]).encode("utf-8"), digest_size=8).hexdigest()


def finite_or_none(value: float | None) -> float | None:
    """None for None, NaN and infinities: JSON has no other word for "no value"."""
    return value if value is not None and math.isfinite(value) else None
