"""SQL texts as DuckDB has parsed them: parsing takes a third of the time of a small statement. Names in a text are looked up at
each execution, so a cached statement never goes stale."""

import threading
from functools import lru_cache

import duckdb

MAX_CACHED_STATEMENTS = 500


class StatementCache:
    """The parsed SQL statements of one open workspace, shared by all its threads."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Create a cache that parses statements with `cursor`, which must not be used for anything else."""
        self._cursor, self._lock = cursor, threading.Lock()
        self.get = lru_cache(maxsize=MAX_CACHED_STATEMENTS)(self._parse)
        """Returns a text's parsed statement; several statements stay a text. Raises duckdb.Error for invalid SQL."""

    def use(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Parse statements with this cursor from now on, and clear the cache."""
        with self._lock:
            self._cursor.close()
            self._cursor = cursor
        self.get.cache_clear()

    def close(self) -> None:
        self._cursor.close()

    def _parse(self, sql: str) -> duckdb.Statement | str:
        with self._lock:
            statements = self._cursor.extract_statements(sql)
        return statements[0] if len(statements) == 1 else sql
