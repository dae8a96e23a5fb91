"""qdrant: searches by the similarity of embeddings in Qdrant, on a server or in Qdrant's local mode in a folder beside the
workspace. The local mode compares the query with every passage and keeps all vectors in memory, so it is only for trials."""

import time
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.cancellation import raise_if_cancelled
from core.errors import EngineRefused
from core.load_once import load_once
from core.retrieval.engine_index import SearchEngine, check_version, require_package, split_request
from eval.engine_search import VECTOR_SETTINGS, EngineRequest, address_setting, build_vector_search
from eval.retriever import Retriever
from eval.retrievers.dense import load_chunk_model

KEY_VARIABLE = "QDRANT_API_KEY"
TIMEOUT_SECONDS = 60
POLL_SECONDS = 0.2
STAMP_KEY = "benchwright"
LEAST_VERSION = "1.16"
DISTANCES = {"dot": "Dot", "euclidean": "Euclid", "manhattan": "Manhattan"}


class QdrantEngine(SearchEngine):
    """An index in Qdrant: one collection, whose metadata stores the index's stamp (a description of its content). A point's id
    is the number of its passage."""

    label = "Qdrant"

    def __init__(self, request: EngineRequest) -> None:
        with require_package(self.label, "qdrant-client"):
            from qdrant_client import models
            from qdrant_client.http.exceptions import ApiException
        super().__init__(request.index, request.address)
        self._request, self._models = request, models
        self.errors = (ApiException, ValueError, RuntimeError, OSError)
        self._client: Any = _connect(request.address, request.environment.get(KEY_VARIABLE), request.folder)

    def describe(self) -> str:
        if not self._request.address:
            return f"local mode of qdrant-client {version('qdrant-client')}, for trying things out"
        return f"Qdrant {check_version(self.place, self._client.info().version, LEAST_VERSION)}"

    def read_stamp(self) -> str | None:
        if not self._client.collection_exists(self.index):
            return None
        metadata = self._client.get_collection(self.index).config.metadata or {}
        return str(metadata.get(STAMP_KEY, ""))

    def create(self, stamp: str, rows: Any) -> None:
        distance = self._models.Distance(DISTANCES[self._request.comparison])
        vectors = self._models.VectorParams(size=rows.shape[1], distance=distance, on_disk=True)
        self._client.create_collection(self.index, vectors_config=vectors, metadata={STAMP_KEY: stamp})
        if not self.read_stamp():
            self._client.delete_collection(self.index)  # the collection that was created in the line above
            raise EngineRefused(f"{self.place} keeps no metadata of a collection: Qdrant 1.16 or later is needed.")

    def count(self) -> int:
        return int(self._client.count(self.index, exact=True).count)

    def add(self, first: int, rows: Any) -> None:
        for offset, part in split_request(rows, rows.shape[1]):
            start = first + offset
            points = self._models.Batch(ids=list(range(start, start + len(part))), vectors=part.tolist())
            self._client.upsert(self.index, points, wait=True)

    def finish(self) -> None:
        while (
            self._client.get_collection(self.index).status == self._models.CollectionStatus.YELLOW
        ):  # Qdrant is still indexing
            raise_if_cancelled()
            time.sleep(POLL_SECONDS)

    def search(self, query: Any, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        how = self._models.SearchParams(exact=is_exact, hnsw_ef=max(self._request.candidates, k))
        is_local = not self._request.address  # the local mode is always exact, and warns if it gets search parameters
        found = self._client.query_points(
            self.index,
            query=query.tolist(),
            limit=k,
            search_params=None if is_local else how,
            with_payload=False,
            timeout=TIMEOUT_SECONDS,
        )
        sign = 1 if self._request.comparison == "dot" else -1
        return [(int(point.id), sign * float(point.score)) for point in found.points]

    def explain_refusal(self, error: Exception) -> str | None:
        if getattr(error, "status_code", None) in (401, 403):
            return f"refuses the key: set the variable {KEY_VARIABLE} to a key that may read and write."
        return None

    def close(self) -> None:
        if self._request.address:
            self._client.close()


def _connect(address: str, key: str | None, folder: Path) -> Any:
    """Return a client of the Qdrant server at the address or, without an address, one in local mode on the folder."""
    from qdrant_client import QdrantClient

    if not address:
        return _open_local(folder / "qdrant")
    return QdrantClient(url=address, api_key=key or None, timeout=TIMEOUT_SECONDS, check_compatibility=False)


@load_once(4)
def _open_local(folder: Path) -> Any:
    """Return the client with which this process uses Qdrant's local folder; a process may open a folder only once."""
    from qdrant_client import QdrantClient

    folder.mkdir(parents=True, exist_ok=True)
    return QdrantClient(path=str(folder))


RETRIEVER = Retriever(
    label="Qdrant (vectors)",
    open_engine=QdrantEngine,
    settings={
        "engine_address": address_setting("", "http://localhost:6333; empty = the local mode, beside the workspace"),
        **VECTOR_SETTINGS,
    },
    build=partial(build_vector_search, QdrantEngine),
    load_chunk_model=load_chunk_model,
)
