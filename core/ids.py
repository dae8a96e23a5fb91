"""Content hashes, commitments, canonical JSON, random ids, and the division of items into shards by their ids. Each hash begins
with a tag, so that a change of the hash function or of the canonical form is visible. The form of canonical JSON is documented,
because the hashes in releases and in the ledger of calls depend on it."""

import hashlib
import json
import math
import re
import secrets
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from core.errors import BenchError

TAG = "b2:"
"""Beginning of every content hash, which names the method: BLAKE2b of 16 bytes, in hexadecimal, over UTF-8."""
SEAL = "benchwright-seal-1"
"""First line of the bytes that are hashed for a commitment."""
RECORD = "benchwright-board-1"
"""First line of the bytes that are hashed for an entry in the record of a board."""
SALT_BYTES = 32
MAX_SHARDS = 10_000
_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


def canonical_json(value: Any) -> str:
    """Return a value as JSON with sorted keys, without spaces and with only the escapes that JSON requires. Raises ValueError
    for NaN and infinity."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: Any) -> str:
    """Return the hash of a text, or of the canonical JSON of any other value, with the tag of the hash method."""
    text = value if isinstance(value, str) else canonical_json(value)
    return TAG + hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


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


def new_id() -> str:
    """Return a new random id of 16 hexadecimal digits."""
    return uuid.uuid4().hex[:16]


def derived_id(*parts: object) -> str:
    """Return an id that depends only on `parts`, so that work repeated after a crash gets the same id."""
    return hashlib.blake2b(canonical_json([str(p) for p in parts]).encode("utf-8"), digest_size=8).hexdigest()


def finite_or_none(value: float | None) -> float | None:
    """Return the number, or None if it is NaN or infinite, which JSON cannot express."""
    return value if value is not None and math.isfinite(value) else None


class Shard(NamedTuple):
    """One shard of a run's questions: the questions are divided into `of` shards, numbered from 0. The hash of an item's id
    determines the item's shard, so that every machine divides the same questions in the same way."""

    number: int
    of: int

    def has_item(self, item: str) -> bool:
        """Return whether the item belongs to this shard."""
        return find_shard(item, self.of) == self.number

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def find_shard(item: str, of: int) -> int:
    """Return the number (0 to `of` - 1) of the shard that the item with that id belongs to."""
    return int.from_bytes(hashlib.blake2b(item.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") % of


def parse_shard(text: str) -> Shard:
    """Parse a shard such as "3/16", which is number 3 (from 0) of 16. Raises BenchError if the text has another form or the
    number is too large."""
    found = _SHARD.fullmatch(text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not shard.number < shard.of <= MAX_SHARDS:
        raise BenchError(
            f"{text[:40]!r} is not a shard: write the number of the shard (from 0) and the number of all shards (at most "
            f"{MAX_SHARDS:,}), as in 3/16."
        )
    return shard
