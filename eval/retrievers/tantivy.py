"""tantivy: searches by BM25 (k1 1.2, b 0.75) in Tantivy, an embedded engine that keeps its index on disk. The retriever ranks
by the same words as bm25 (jieba's in Chinese), because Tantivy gets words and splits no text itself."""

import shutil
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from core.retrieval.engine_index import SearchEngine, require_package
from eval.engine_search import WORD_SETTINGS, EngineRequest, build_word_search
from eval.retriever import Retriever

WRITER_BYTES = 64_000_000
"""Memory in bytes that Tantivy may use while it writes an index."""
STAMP_FILE = "stamp.json"


class TantivyEngine(SearchEngine):
    """An index in Tantivy, in a folder of its own."""

    label = "Tantivy"
    errors = (ValueError, OSError, RuntimeError)

    def __init__(self, request: EngineRequest) -> None:
        with require_package(self.label, "tantivy"):
            import tantivy
        super().__init__(request.index)
        self._tantivy: Any = tantivy
        self._folder = request.folder / "tantivy" / request.index
        self._index: Any = None
        self._writer: Any = None
        self._searcher: Any = None

    def describe(self) -> str:
        return f"tantivy {version('tantivy')}, beside the workspace"

    def read_stamp(self) -> str | None:
        if not self._folder.exists():
            return None
        file = self._folder / STAMP_FILE
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def create(self, stamp: str, rows: Any) -> None:
        part = self._folder.with_name(f".{self._folder.name}")
        shutil.rmtree(part, ignore_errors=True)  # left by a process that was killed here
        part.mkdir(parents=True)
        self._tantivy.Index(self._make_schema(), path=str(part))
        (part / STAMP_FILE).write_text(stamp, encoding="utf-8")
        part.rename(self._folder)

    def count(self) -> int:
        return int(self._open_searcher().num_docs)

    def add(self, first: int, rows: Sequence[Sequence[str]]) -> None:
        if self._writer is None:
            self._writer = self._open().writer(heap_size=WRITER_BYTES, num_threads=1)
        for number, row in enumerate(rows, first):
            document = self._tantivy.Document()
            document.add_unsigned("row", number)
            for word in row:
                document.add_text("words", word)
            self._writer.add_document(document)
        self._writer.commit()

    def finish(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.wait_merging_threads()
        self._searcher = self._open_searcher()

    def search(self, query: Sequence[str], k: int, is_exact: bool = False) -> list[tuple[int, float]]:
        tantivy, schema = self._tantivy, self._open().schema
        words = [tantivy.Query.term_query(schema, "words", word, "freq") for word in query]
        asked = tantivy.Query.boolean_query([(tantivy.Occur.Should, word) for word in words])
        hits = self._searcher.search(asked, limit=k, count=False).hits
        rows = self._searcher.fast_field_values("row", [place for _, place in hits])
        return [(int(row), float(score)) for row, (score, _) in zip(rows, hits, strict=True)]

    def close(self) -> None:
        self._writer = self._searcher = self._index = None

    def _open(self) -> Any:
        if self._index is None:
            self._index = self._tantivy.Index.open(str(self._folder))
        return self._index

    def _open_searcher(self) -> Any:
        index = self._open()
        index.reload()
        return index.searcher()

    def _make_schema(self) -> Any:
        """Return a Tantivy schema in which each word of a passage is a separate value, so that Tantivy splits nothing."""
        builder = self._tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", fast=True)
        builder.add_text_field("words", stored=False, tokenizer_name="raw", index_option="freq")
        return builder.build()


RETRIEVER = Retriever(
    label="Tantivy (BM25 on disk)",
    settings=WORD_SETTINGS,
    build=partial(build_word_search, TantivyEngine),
    open_engine=TantivyEngine,
)
