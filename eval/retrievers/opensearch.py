"""opensearch: searches in OpenSearch, by words (BM25 with k1 1.5 and b 0.75 over the same words as bm25) or by vectors (the
k-NN plug-in with Lucene's HNSW), as the setting `by` says. A search by words uses at most the first thousand distinct words of
a query."""

import json
import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.retrieval.embeddings import Embedder
from core.retrieval.engine_index import SearchEngine, check_version, split_request
from core.retrieval.search import K1, B
from eval.engine_search import VECTOR_SETTINGS, EngineRequest, address_setting, build_vector_search, build_word_search
from eval.retriever import Embedders, Passages, Retriever, RetrieverContext, Search
from eval.retrievers import dense
from eval.settings import Setting, Settings

PASSWORD_VARIABLE = "OPENSEARCH_PASSWORD"
TIMEOUT_SECONDS = 60.0
CONNECT_SECONDS = 10.0
MAX_QUERY_WORDS = 1_000
"""Maximum number of distinct words in a query; OpenSearch allows 1,024 clauses."""
WORDS_OF_A_PASSAGE = 1_000
"""Assumed number of words in a passage, from which the size of a request is estimated."""
STAMP_KEY = "benchwright"
LEAST_VERSION = "2.16"
SPACES = {"dot": "innerproduct", "euclidean": "l2"}


class _RequestRefused(Exception):
    """Raised if OpenSearch replies with an error."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class OpenSearchEngine(SearchEngine):
    """An index in OpenSearch, whose mapping stores its stamp (a description of its content). A document's id is the number of
    its passage."""

    label = "OpenSearch"

    def __init__(self, request: EngineRequest) -> None:
        import httpx2

        super().__init__(request.index, request.address)
        self.errors = (httpx2.HTTPError, httpx2.InvalidURL, _RequestRefused)
        password = request.environment.get(PASSWORD_VARIABLE, "")
        self._client = httpx2.Client(
            base_url=request.address,
            auth=(request.user, password) if request.user else None,
            timeout=httpx2.Timeout(TIMEOUT_SECONDS, connect=CONNECT_SECONDS),
        )

    def describe(self) -> str:
        version = check_version(self.place, self._send("GET", "/")["version"]["number"], LEAST_VERSION)
        plug_ins = self._send("GET", "/_cat/plugins?format=json")
        is_there = any("knn" in plug_in["component"].lower() for plug_in in plug_ins)  # a node may name the plug-in's class
        missing = "" if is_there else "; the plug-in opensearch-knn is missing, so only by=bm25 works"
        return f"OpenSearch {version}{missing}"

    def read_stamp(self) -> str | None:
        try:
            indexes = list(self._send("GET", f"/{self.index}/_mapping").values())
        except _RequestRefused as refused:
            if refused.status == 404:
                return None
            raise
        return (
            str(indexes[0]["mappings"].get("_meta", {}).get(STAMP_KEY, "")) if len(indexes) == 1 else ""
        )  # several indexes: an alias

    def create(self, stamp: str, rows: Any) -> None:
        settings, field = self._describe(rows)
        mapping = {"_meta": {STAMP_KEY: stamp}, "dynamic": "strict", "_source": {"enabled": False}, "properties": field}
        self._send("PUT", f"/{self.index}", {"settings": {"index": settings}, "mappings": mapping})

    def count(self) -> int:
        self._send("POST", f"/{self.index}/_refresh")
        return int(self._send("GET", f"/{self.index}/_count")["count"])

    def finish(self) -> None:
        self._send("POST", f"/{self.index}/_refresh")

    def explain_refusal(self, error: Exception) -> str | None:
        if not isinstance(error, _RequestRefused):
            return None
        if error.status in (401, 403):
            return f"refuses the user or the password: give the setting engine_user, and set the variable {PASSWORD_VARIABLE}."
        if error.status == 400 and ("index.knn" in str(error) or "knn_vector" in str(error)):
            return "has no k-NN plug-in: install the plug-in opensearch-knn there, or set by=bm25."
        return None

    def close(self) -> None:
        self._client.close()

    @abstractmethod
    def _describe(self, rows: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return the settings of the OpenSearch index, and the description of the field that holds a passage."""

    def _store(self, first: int, documents: Sequence[Mapping[str, Any]]) -> None:
        """Store documents in OpenSearch, from the row `first` on; documents already stored are replaced."""
        lines = [
            line
            for number, document in enumerate(documents, first)
            for line in (json.dumps({"index": {"_id": str(number)}}), json.dumps(document, ensure_ascii=False))
        ]
        reply = self._send("POST", f"/{self.index}/_bulk", "\n".join(lines) + "\n")
        if reply.get("errors"):
            failed = next(item["index"]["error"] for item in reply["items"] if "error" in item["index"])
            raise _RequestRefused(400, str(failed.get("reason", failed)))

    def _find(self, query: Mapping[str, Any], k: int) -> list[tuple[int, float]]:
        body = {"query": query, "size": k, "track_total_hits": False}
        hits = self._send("POST", f"/{self.index}/_search", body)["hits"]["hits"]
        return [(int(hit["_id"]), float(hit["_score"])) for hit in hits]

    def _send(self, method: str, path: str, body: Mapping[str, Any] | str | None = None) -> Any:
        """Send a request to OpenSearch and return its JSON reply. Raises _RequestRefused if the reply is an error."""
        if isinstance(body, str):
            headers = {"Content-Type": "application/x-ndjson"}
            response = self._client.request(method, path, content=body.encode("utf-8"), headers=headers)
        else:
            response = self._client.request(method, path, json=body)
        if response.status_code >= 400:
            raise _RequestRefused(response.status_code, _read_reason(response))
        try:
            return response.json()
        except ValueError as error:
            raise _RequestRefused(502, "the reply is not JSON") from error


class OpenSearchWords(OpenSearchEngine):
    """An OpenSearch index that is searched by words, with BM25."""

    def add(self, first: int, rows: Sequence[Sequence[str]]) -> None:
        for offset, part in split_request(rows, WORDS_OF_A_PASSAGE):
            self._store(first + offset, [{"words": list(row)} for row in part])

    def search(self, query: Sequence[str], k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        counts = list(Counter(query).items())[:MAX_QUERY_WORDS]
        asked = [{"term": {"words": {"value": word, "boost": count}}} for word, count in counts]
        return self._find({"bool": {"should": asked}}, k)

    def _describe(self, rows: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        # each word is a separate value, so that OpenSearch splits no text
        words = {"type": "text", "analyzer": "keyword", "index_options": "freqs"}
        return {"similarity": {"default": {"type": "BM25", "k1": K1, "b": B}}}, {"words": words}


class OpenSearchVectors(OpenSearchEngine):
    """An OpenSearch index that is searched by vectors, with the k-NN plug-in."""

    def __init__(self, request: EngineRequest) -> None:
        if request.comparison not in SPACES:
            raise BenchError(f"OpenSearch cannot compare vectors by {request.comparison} distance: use the retriever qdrant.")
        super().__init__(request)
        self._space, self._candidates = SPACES[request.comparison], request.candidates

    def add(self, first: int, rows: Any) -> None:
        for offset, part in split_request(rows, rows.shape[1]):
            self._store(first + offset, [{"vector": row} for row in part.tolist()])

    def search(self, query: Any, k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        vector = query.tolist()
        if is_exact:
            params = {"field": "vector", "query_value": vector, "space_type": self._space}
            script = {"lang": "knn", "source": "knn_score", "params": params}
            found = self._find({"script_score": {"query": {"match_all": {}}, "script": script}}, k)
        else:
            effort = {"ef_search": max(self._candidates, k)}
            found = self._find({"knn": {"vector": {"vector": vector, "k": k, "method_parameters": effort}}}, k)
        return [(row, self._read_score(score)) for row, score in found]

    def _describe(self, rows: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        method = {"name": "hnsw", "engine": "lucene", "space_type": self._space}
        return {"knn": True}, {"vector": {"type": "knn_vector", "dimension": rows.shape[1], "method": method}}

    def _read_score(self, score: float) -> float:
        """Convert a score of OpenSearch, which is always positive, to the similarity of the vectors."""
        if self._space == "l2":  # 1 / (1 + the square of the distance)
            return -math.sqrt(max(1 / score - 1, 0.0))
        return score - 1 if score >= 1 else 1 - 1 / score  # 1 + the inner product, or 1 / (1 - the inner product)


def _read_reason(response: Any) -> str:
    """Return the reason that an error reply of OpenSearch gives."""
    try:
        error = response.json()["error"]
        causes = [cause.get("reason", "") for cause in error.get("root_cause", [])] if isinstance(error, dict) else []
        reason = next(filter(None, causes), "") or (error.get("reason", "") if isinstance(error, dict) else str(error))
    except (ValueError, KeyError, TypeError, AttributeError):
        reason = ""
    return f"HTTP {response.status_code}{f': {reason}' if reason else ''}"


def build(passages: Passages, settings: Settings, context: RetrieverContext) -> Search:
    if settings["by"] == "bm25":
        return build_word_search(OpenSearchWords, passages, settings, context)
    return build_vector_search(OpenSearchVectors, passages, settings, context)


def load_chunk_model(settings: Settings, embedders: Embedders) -> Embedder | None:
    return None if settings["by"] == "bm25" else dense.load_chunk_model(settings, embedders)


RETRIEVER = Retriever(
    label="OpenSearch",
    open_engine=OpenSearchWords,
    settings={
        "by": Setting("bm25", "How passages are searched: by words, or by vectors.", choices=("bm25", "dense")),
        "engine_address": address_setting("http://localhost:9200", "https://HOST:9200"),
        "engine_user": Setting("", "Name of the user at the search engine; empty = none."),
        **VECTOR_SETTINGS,
    },
    build=build,
    load_chunk_model=load_chunk_model,
)
