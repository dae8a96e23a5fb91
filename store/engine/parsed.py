"""SQL texts as the database has parsed them, the last few hundred kept: parsing is a third of what a small statement takes.
What the names in a text mean is looked up at each execution, so that nothing here grows stale."""

import threading
from functools import lru_cache

import duckdb

MAX_CACHED_STATEMENTS = 500
"""Texts."""


class Parsed:
    """The texts of one open workspace, for all its threads."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """`cursor` parses, and does nothing else."""
        self._cursor, self._lock = cursor, threading.Lock()
        self.of = lru_cache(maxsize=MAX_CACHED_STATEMENTS)(self._parse)
        """text -> its statement; raises duckdb.Error when it is none. A text of several stays a text."""

    def use(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Parse with this cursor from now on; what was parsed before is forgotten."""
        with self._lock:
            self._cursor.close()
            self._cursor = cursor
        self.of.cache_clear()

    def close(self) -> None:
        self._cursor.close()

    def _parse(self, sql: str) -> duckdb.Statement | str:
        with self._lock:
            found = self._cursor.extract_statements(sql)
        return found[0] if len(found) == 1 else sql
