"""Embed passages in shards. Each shard embeds a part of an exported release's passages in a separate workspace, and the vectors
of all shards are gathered into the workspace whose runs search the release."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.ids import Shard, content_hash
from core.installation import VERSION
from eval.embedding_settings import check_texts, load_embedder
from eval.retriever import Passages, RetrieverContext, Search, retrievers
from eval.running.retrieval import prepare_search
from eval.settings import Settings
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.runs.gathering import TakenRows, gather_tables
from store.runs.shard_files import MANIFEST, ShardManifest, write_manifest, write_tables
from workbench import settings as keys
from workbench.evaluate.scoring.scores import cache_embedders
from workbench.evaluate.shards.shards import explain_full_disk, list_rounds, only_work, open_shards, read_whole_shard
from workbench.roles import requires

TEXTS_AT_ONCE = 10_000
"""Number of passages whose vectors are in memory at the same time."""


class GatheredVectors(NamedTuple):
    """What was gathered from shards that embed passages, and what is still missing."""

    release: str
    hash: str
    of: int
    """Number of shards into which the command was divided."""
    shards: Sequence[int]
    """Numbers of the shards whose folders were given."""
    vectors: TakenRows
    missing_shards: Sequence[int]
    """Numbers of the shards whose folders were not given."""
    unfinished: Sequence[str]
    """The given folders that contain no results of a shard yet."""


class EmbedShardStage:
    """Methods with which the command line embeds passages in shards and gathers the vectors."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("run systems", "folder")
    def embed(
        self, folder: Path, shard: Shard, out: Path, settings: Mapping[str, Any], say: Callable[[str], None]
    ) -> ShardManifest:
        """Embed one shard of the release's passages, as the retriever dense would with these settings, and write the vectors to
        the folder `out`. The hash of a passage determines its shard. Raises BenchError if the model cannot embed in shards, or
        if this workspace already has another shard or request."""
        bundle = read_whole_shard(folder, lambda item: False)
        dense = pick(retrievers(), "dense", "retriever")
        keys.check_known(settings, [*dense.settings, "chunk_tokens", "chunk_overlap"], "Embedding")
        if settings.get("embedding_model") == "lexical_vectors":
            raise BenchError(
                "lexical_vectors are fitted on each whole corpus, so they cannot be made in shards: name "
                "another embedding_model."
            )
        passages: set[str] = set()

        def embed_own(found: Passages, own: Settings, context: RetrieverContext) -> Search:
            model = load_embedder(own, context.embedder, (), found.language)
            mine = {name: text for text in found.texts if shard.has_item(name := content_hash(text))}
            passages.update(mine)
            texts = list(mine.values())
            if texts:
                check_texts(model, texts, found.language)
            for first in range(0, len(texts), TEXTS_AT_ONCE):
                model.encode(texts[first : first + TEXTS_AT_ONCE], "document")
            return lambda query, k: []

        own_retriever = replace(dense, build=embed_own)
        context = RetrieverContext(embedder=cache_embedders(self._db, say), report_progress=say)
        languages = sorted({item.language for item in bundle.items})
        failed: dict[str, BenchError] = {}
        with only_work(self._db, {"verb": "embed", "shard": list(shard), "release": bundle.hash, "request": dict(settings)}):
            for language in languages:
                try:
                    prepare_search(bundle.documents, language, own_retriever, settings, context)
                except BenchError as error:  # a run leaves out the questions in this language
                    failed[language] = error
                    say(f"{language}: {error}")
            if failed and len(failed) == len(languages):
                raise next(iter(failed.values()))
        with explain_full_disk(out):
            (out / MANIFEST).unlink(missing_ok=True)
            files = write_tables(self._db, ("vector",), out)
            manifest = ShardManifest(
                verb="embed",
                release=bundle.name,
                hash=bundle.hash,
                configuration=content_hash(dict(settings)),
                version=VERSION,
                shard=shard,
                runs=[],
                counts={"passages": len(passages), "vectors": StoredVectors(self._db).count()},
                is_complete=True,
                files=files,
            )
            write_manifest(manifest, out)
        return manifest

    @requires("run systems", "folders")
    def gather(self, folders: Sequence[Path]) -> GatheredVectors:
        """Store the vectors of the shards in this workspace, each once. The order of the shards does not matter. Raises
        BenchError and stores nothing if the shards do not belong together or if one was changed."""
        opened = open_shards(folders)
        taken = gather_tables(self._db, list_rounds(opened.found), "")
        return GatheredVectors(
            release=opened.first.release,
            hash=opened.first.hash,
            of=opened.first.shard.of,
            shards=opened.numbers,
            vectors=taken.get("vector", TakenRows(0, 0)),
            missing_shards=opened.missing,
            unfinished=opened.unfinished,
        )
