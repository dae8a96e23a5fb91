"""A shard: one of N parts of the questions of a run, which a process or machine works on without the others. The hash of an
item's id decides its shard, so that every machine divides the same questions alike."""

import hashlib
import re
from typing import NamedTuple

from core.errors import BenchError

MAX_SHARDS = 10_000
_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})", re.ASCII)


class Shard(NamedTuple):
    """Shard `number` of `of`, counted from 0."""

    number: int
    of: int

    def holds(self, item: str) -> bool:
        """Check whether the item belongs to this shard."""
        return find_shard(item, self.of) == self.number

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def find_shard(item: str, of: int) -> int:
    """Return the number of the shard that the item belongs to, 0 to `of` - 1."""
    return int.from_bytes(hashlib.blake2b(item.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") % of


def parse_shard(text: str) -> Shard:
    """Parse "3/16". Raises BenchError unless the number is below the count."""
    found = _SHARD.fullmatch(text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not shard.number < shard.of <= MAX_SHARDS:
        raise BenchError(
            f"{text[:40]!r} is no shard: give its number, from 0, and how many there are, such as 0/16 to 15/16 (at most "
            f"{MAX_SHARDS:,})."
        )
    return shard
