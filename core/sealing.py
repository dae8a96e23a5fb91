"""Computes the commitments of a sealed release and the hash chain of its board. The program verify.py of an export repeats
these formulas; docs/how-to/board.md states them byte for byte."""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

from core.ids import canonical_json

SEAL = "benchwright-seal-1"
"""First line of the bytes that are hashed for a commitment."""
RECORD = "benchwright-board-1"
"""First line of the bytes that are hashed for an entry in the record of a board."""
SALT_BYTES = 32


def draw_salt() -> str:
    """Return a new secret salt: 32 random bytes in hexadecimal."""
    return secrets.token_hex(SALT_BYTES)


def commit(salt: str, content: Mapping[str, Any]) -> str:
    """Return the commitment to the content: "sha256:" and the SHA-256, in hexadecimal, of three lines in UTF-8, which are SEAL,
    the salt and the canonical JSON of the content. Without the salt nobody can test a guess of the content against it."""
    return _hash_lines(SEAL, salt, canonical_json(content))


def chain(entry: Mapping[str, Any]) -> str:
    """Return the hash of an entry of a board's record: "sha256:" and the SHA-256 of two lines, RECORD and the canonical JSON of
    the entry. The entry contains the hash of the entry before it."""
    return _hash_lines(RECORD, canonical_json(entry))


def hash_bytes(raw: bytes) -> str:
    """Return "sha256:" and the SHA-256 of the bytes, in hexadecimal."""
    return f"sha256:{hashlib.sha256(raw).hexdigest()}"


def _hash_lines(*lines: str) -> str:
    return hash_bytes("\n".join(lines).encode("utf-8"))
