"""Records that count how many of them are in memory, for tests of what is read some at a time."""

import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class Record(dict[str, Any]):
    """A record that weak references can follow."""


class HeldRecords:
    """Records that are made one by one; `most` is the largest number of them that were in memory at once."""

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._records = records
        self._held = 0
        self.most = 0

    def __iter__(self) -> Iterator[Record]:
        return map(self._make, self._records)

    def _make(self, content: Mapping[str, Any]) -> Record:
        record = Record(content)
        self._held += 1
        self.most = max(self.most, self._held)
        weakref.finalize(record, self._let_go)
        return record

    def _let_go(self) -> None:
        self._held -= 1
