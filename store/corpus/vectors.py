"""Embeddings kept in the workspace: one row per model and text, put in as sets, never replaced. See
core.retrieval.vector_cache."""

from collections.abc import Mapping, Sequence
from typing import Any

from store.engine.columns import insert_rows, split_in_batches
from store.engine.database import Cursor, Database

_COLUMNS = {"key": "VARCHAR", "vector": "BLOB"}


class StoredVectors:
    """The vectors of one workspace, a core.retrieval.vector_cache.VectorCache."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Any]:
        """{hash: float32 array, not to be written into} for those that are there."""
        import numpy as np

        found: dict[str, Any] = {}
        for piece in split_in_batches(_key(model, one) for one in hashes):
            # DuckDB finds one row by its key, and reads the table for a list of them.
            where, wanted = ("= ?", piece[0]) if len(piece) == 1 else ("IN (SELECT unnest(?::VARCHAR[]))", piece)
            for key, vector in self._database.rows(f"SELECT key, vector FROM vector WHERE key {where}", [wanted]):
                found[key.rpartition("/")[2]] = np.frombuffer(vector, "<f4")
        return found

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        """Keep {hash: float32 array}; returns when they are on the disk. One that is there stays as it is."""
        import numpy as np

        rows = [(_key(model, one), np.asarray(vector, "<f4").tobytes()) for one, vector in vectors.items()]

        def write(cursor: Cursor) -> None:
            insert_rows(cursor, "vector", _COLUMNS, rows)

        self._database.write(write)

    def count(self) -> int:
        """Vectors of all models."""
        return int(self._database.rows("SELECT count(*) FROM vector")[0][0])


def _key(model: str, text: str) -> str:
    return f"{model}/{text}"
