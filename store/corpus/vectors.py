"""Store embeddings (vectors of texts) in the workspace, one row per model and text; a stored row is never replaced. See
core.retrieval.vector_cache."""

from collections.abc import Mapping, Sequence
from typing import Any

from store.engine.columns import build_in_condition, insert_rows, split_in_batches
from store.engine.database import Database


class StoredVectors:
    """The vectors stored in a workspace; implements core.retrieval.vector_cache.VectorCache."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, Any]:
        """Return a dict from hash to read-only float32 vector. Hashes without a stored vector are left out."""
        import numpy as np

        vectors: dict[str, Any] = {}
        for batch in split_in_batches(_key(model, hash) for hash in hashes):
            where, params = build_in_condition("key", batch)
            for key, vector in self._database.rows(f"SELECT key, vector FROM vector WHERE {where}", params):
                vectors[key.rpartition("/")[2]] = np.frombuffer(vector, "<f4")
        return vectors

    def put(self, model: str, vectors: Mapping[str, Any]) -> None:
        """Store float32 vectors, given as a dict from hash to array, and return after they are on disk. A vector that is
        already stored is not replaced."""
        import numpy as np

        rows = [(_key(model, hash), np.asarray(vector, "<f4").tobytes()) for hash, vector in vectors.items()]
        self._database.write(lambda cursor: insert_rows(cursor, "vector", "key, vector", rows))

    def count(self) -> int:
        """Return the number of stored vectors, of all models together."""
        return int(self._database.rows("SELECT count(*) FROM vector")[0][0])


def _key(model: str, text: str) -> str:
    return f"{model}/{text}"
