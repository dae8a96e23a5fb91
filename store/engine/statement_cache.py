"""Cache SQL statements that DuckDB has parsed, because parsing takes a third of the time of a small statement. DuckDB looks up
the names in a statement at each execution, so a cached statement stays valid after the schema changes."""

import threading
from functools import lru_cache

import duckdb

MAX_CACHED_STATEMENTS = 500
_QUERIES = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)


class StatementCache:
    """Cache of the parsed SQL statements of one open workspace, which all its threads share."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Create a cache that parses statements with `cursor`, which must not be used for anything else."""
        self._cursor, self._lock = cursor, threading.Lock()
        self.get = lru_cache(maxsize=MAX_CACHED_STATEMENTS)(self._parse)
        """Return the parsed statement of a SQL text. Raises duckdb.Error for invalid SQL. Raises RuntimeError for several
        statements, because code that checks statements would check only the first."""

    def get_query(self, sql: str) -> duckdb.Statement:
        """Return the parsed statement of a SQL text as `get` does. Raises RuntimeError if the statement is neither a query nor
        a COPY of a query's rows to a file."""
        statement = self.get(sql)
        is_export = statement.type == duckdb.StatementType.COPY and sql.startswith("COPY (SELECT ")
        if statement.type not in _QUERIES and not is_export:
            raise RuntimeError(f"not a query: {sql[:80]}")
        return statement

    def use(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Use this cursor to parse statements from now on, and clear the cache."""
        with self._lock:
            self._cursor.close()
            self._cursor = cursor
        self.get.cache_clear()

    def close(self) -> None:
        self._cursor.close()

    def _parse(self, sql: str) -> duckdb.Statement:
        with self._lock:
            statements = self._cursor.extract_statements(sql)
        if len(statements) != 1:
            raise RuntimeError(f"expected one SQL statement, got {len(statements)}: {sql[:80]}")
        return statements[0]
