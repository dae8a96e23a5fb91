"""pgvector: searches by the similarity of embeddings in Postgres with the extension vector, by an HNSW index. The password is
read from the environment variable PGPASSWORD or from the file .pgpass."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from core.errors import BenchError, EngineRefused
from core.retrieval.engine_index import SearchEngine, check_version, require_package
from eval.engine_search import VECTOR_SETTINGS, EngineRequest, address_setting, build_vector_search
from eval.retriever import Retriever
from eval.retrievers.dense import load_chunk_model

PASSWORD_VARIABLE = "PGPASSWORD"
CONNECT_SECONDS = 10
LEAST_VERSION = "0.7"
SEARCH_MILLISECONDS = 60_000
MAX_INDEXED_DIMENSIONS = 2_000
"""Maximum number of dimensions of a vector that pgvector's HNSW index takes."""
MAX_CANDIDATES = 1_000
"""Maximum value of pgvector's setting hnsw.ef_search, the number of candidates of a search."""
OPERATORS = {"dot": ("<#>", "vector_ip_ops"), "euclidean": ("<->", "vector_l2_ops"), "manhattan": ("<+>", "vector_l1_ops")}
"""A dict from a comparison of vectors to pgvector's (operator, operator class). All operators return distances; <#> is the
negative inner product."""


class PostgresEngine(SearchEngine):
    """An index in Postgres: one table, whose comment stores the index's stamp (a description of its content)."""

    label = "Postgres"

    def __init__(self, request: EngineRequest) -> None:
        with require_package(self.label, "psycopg[binary]"):
            import psycopg
            from psycopg import sql
        super().__init__(request.index, _hide_user(request.address))
        self._psycopg: Any = psycopg
        self._sql: Any = sql
        self.errors = (psycopg.Error, OSError)
        self._request = request
        self._operator, self._operator_class = OPERATORS[request.comparison]
        self._lock = threading.Lock()
        self._connection: Any = None

    def describe(self) -> str:
        with self._begin() as cursor:
            cursor.execute("SELECT current_setting('server_version')")
            [server] = cursor.fetchone()
            cursor.execute(
                "SELECT coalesce(installed_version, default_version) FROM pg_available_extensions WHERE name = 'vector'"
            )
            found = cursor.fetchone()
        if found is None:
            raise EngineRefused(f"{self.place} has no extension vector: install pgvector there.")
        return f"Postgres {server} with pgvector {check_version(f'pgvector in {self.place}', found[0], LEAST_VERSION)}"

    def read_stamp(self) -> str | None:
        with self._begin() as cursor:
            cursor.execute("SELECT to_regclass(%s)::oid, obj_description(to_regclass(%s)::oid, 'pg_class')", [self.index] * 2)
            table, comment = cursor.fetchone()
        return None if table is None else comment or ""

    def create(self, stamp: str, rows: Any) -> None:
        if rows.shape[1] > MAX_INDEXED_DIMENSIONS:
            raise BenchError(
                f"pgvector indexes vectors of at most {MAX_INDEXED_DIMENSIONS:,} dimensions, but the model gives "
                f"{rows.shape[1]:,}: set truncate_dim, or use another engine."
            )
        with self._begin() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
            cursor.execute(f"CREATE TABLE {self.index} (row bigint PRIMARY KEY, vector vector({rows.shape[1]}) NOT NULL)")
            cursor.execute(self._sql.SQL(f"COMMENT ON TABLE {self.index} IS {{}}").format(stamp))

    def count(self) -> int:
        with self._begin() as cursor:
            cursor.execute(f"SELECT count(*) FROM {self.index}")
            return int(cursor.fetchone()[0])

    def add(self, first: int, rows: Any) -> None:
        with self._begin() as cursor:
            cursor.execute(f"CREATE TEMPORARY TABLE shard (LIKE {self.index}) ON COMMIT DROP")
            with cursor.copy("COPY shard FROM STDIN") as copy:
                for number, row in enumerate(rows, first):
                    copy.write_row((number, _write_vector(row)))
            cursor.execute(f"INSERT INTO {self.index} SELECT * FROM shard ON CONFLICT DO NOTHING")

    def finish(self) -> None:
        name = f"{self.index}_hnsw"
        with self._begin() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [name])
            if cursor.fetchone()[0] is None:
                cursor.execute(f"CREATE INDEX {name} ON {self.index} USING hnsw (vector {self._operator_class})")
                cursor.execute(f"ANALYZE {self.index}")

    def search(self, query: Any, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        candidates = min(max(self._request.candidates, k), MAX_CANDIDATES)
        with self._begin() as cursor:
            cursor.execute(f"SET LOCAL enable_{'indexscan' if is_exact else 'seqscan'} = off")
            cursor.execute(f"SET LOCAL hnsw.ef_search = {candidates}")
            if not is_exact:
                cursor.execute(f"SET LOCAL statement_timeout = {SEARCH_MILLISECONDS}")
            distance = f"vector {self._operator} %s::vector"
            sql = f"SELECT row, -({distance}) FROM {self.index} ORDER BY {distance} LIMIT %s"
            asked = _write_vector(query)
            return [(int(row), float(score)) for row, score in cursor.execute(sql, [asked, asked, k]).fetchall()]

    def explain_refusal(self, error: Exception) -> str | None:
        text, codes = str(error), self._psycopg.errors
        if isinstance(error, codes.UndefinedFile | codes.FeatureNotSupported) and "vector" in text:
            return "has no extension vector (pgvector): install it on the server."
        if isinstance(error, codes.InsufficientPrivilege):
            return "does not let this user create what an index needs: grant it, or let an owner run CREATE EXTENSION vector."
        if "authentication failed" in text or "no password supplied" in text:
            return f"refuses the user or the password: set the variable {PASSWORD_VARIABLE}."
        return None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def _begin(self) -> Iterator[Any]:
        """Open a cursor in a transaction of its own, on a new connection if the last one was lost."""
        with self._lock:
            if self._connection is None or self._connection.closed:
                self._connection = self._psycopg.connect(
                    self._request.address,
                    password=self._request.environment.get(PASSWORD_VARIABLE),
                    connect_timeout=CONNECT_SECONDS,
                    autocommit=True,
                )
            with self._connection.transaction(), self._connection.cursor() as cursor:
                yield cursor


def _write_vector(row: Any) -> str:
    """Return a vector in the text form that pgvector reads."""
    return f"[{','.join(map(repr, row.tolist()))}]"


def _hide_user(address: str) -> str:
    """Return a Postgres address without the user's name and the parameters, to show in messages."""
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


RETRIEVER = Retriever(
    label="Postgres with pgvector",
    open_engine=PostgresEngine,
    settings={
        "engine_address": address_setting("postgresql://localhost/postgres", "postgresql://USER@HOST:5432/DATABASE"),
        **VECTOR_SETTINGS,
    },
    build=partial(build_vector_search, PostgresEngine),
    load_chunk_model=load_chunk_model,
)
