"""Draft items in shards. Each shard drafts from a part of the document pieces (windows) in a copy of the workspace, and the LLM
replies of all shards are gathered into one ledger (the record of all LLM calls). The command then drafts from all windows in
order, with the replies in the ledger, and gives the same result as one process would."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import Shard, content_hash
from core.installation import COMMAND, VERSION
from store.engine import commits
from store.engine.columns import from_json
from store.engine.database import Database
from store.jobs import jobs
from store.ledger.calls import forget_ids, move_calls
from store.runs.gathering import TakenRows, gather_tables
from store.runs.shard_files import MANIFEST, ShardManifest, hash_file, write_manifest, write_tables
from workbench.build.drafting.drafts import DraftStage
from workbench.evaluate.shards.shards import explain_full_disk, list_rounds, only_work, open_shards
from workbench.roles import requires

JOB_FILE = "job"
"""Name of the table for the shard's job, which stores the command."""


@dataclass(frozen=True, slots=True)
class GatheredDrafts:
    """What was gathered from shards that draft items, and what is still missing."""

    corpus: str
    """Name of the copy of the workspace in which the shards drafted."""
    hash: str
    of: int
    """Number of shards into which the command was divided."""
    shards: Sequence[int]
    """Numbers of the shards whose folders were given."""
    replies: TakenRows
    missing_shards: Sequence[int]
    """Numbers of the shards whose folders were not given."""
    stopped: Sequence[int]
    """Numbers of the given shards that stopped before all their work was done."""
    unfinished: Sequence[str]
    """The given folders that contain no results of a shard yet."""
    job: str
    """Id of the job that makes drafts from the gathered replies."""
    is_done: bool
    """Whether this job has already drafted everything."""

    @property
    def is_complete(self) -> bool:
        """Return whether all shards were given and all their work is done."""
        return not (self.missing_shards or self.stopped)


def copy_corpus(corpus: Path, workspace: Path) -> str:
    """Copy the file `corpus`, which the command `backup` made, for a shard that has no workspace yet; return its hash. Raises
    BenchError if the file is not a closed workspace."""
    if not corpus.is_file() or commits.is_left_open(corpus):
        raise BenchError(
            f"{corpus} is not a closed copy of a workspace: make a copy with `{COMMAND} backup` and name it with --corpus."
        )
    if not workspace.exists():
        part = workspace.with_name(f"{workspace.name}.part")
        try:
            with explain_full_disk(workspace.parent):
                shutil.copy(corpus, part)
                Database.open(part).close()
                part.replace(workspace)
        finally:
            part.unlink(missing_ok=True)
    return f"sha256:{hash_file(corpus)}"


class DraftShardStage:
    """Methods with which the command line drafts items in shards and gathers the results of the shards."""

    def __init__(self, database: Database, drafts: DraftStage) -> None:
        self._db, self._drafts = database, drafts

    @requires("draft items", lambda arguments: f"shard {arguments['shard']}")
    def plan(self, shard: Shard, corpus: str, request: Mapping[str, Any]) -> str:
        """Return the id of the job that drafts from one shard's windows; `request` has the parameters of `DraftStage.plan`.
        Raises BenchError if the job cannot start, or if this workspace already works on another shard or request."""
        named = {name: value for name, value in request.items() if name != "budget"}
        with only_work(self._db, {"verb": "draft", "shard": list(shard), "corpus": corpus, "request": named}):
            return self._drafts.plan(**request, corpus=corpus, shard=shard)

    @requires("draft items", "job")
    def write_replies(self, job: str, out: Path, corpus: Path, is_complete: bool) -> ShardManifest:
        """Write the LLM replies of the shard's job to the folder `out`."""
        params = jobs.get(self._db, job).params
        results = [result for _, result in jobs.load_results(self._db, job)]
        with explain_full_disk(out):
            (out / MANIFEST).unlink(missing_ok=True)
            files = write_tables(self._db, ("call", JOB_FILE), out, job)
            drafted = sum(result["state"] == "drafted" for result in results)
            manifest = ShardManifest(
                verb="draft",
                release=corpus.name,
                hash=params["corpus"],
                configuration=content_hash({name: value for name, value in params.items() if name != "shard"}),
                version=VERSION,
                shard=Shard(*params["shard"]),
                runs=[],
                counts={"windows": len(results), "drafted": drafted, "calls": files["call"].rows if "call" in files else 0},
                is_complete=is_complete,
                files=files,
            )
            write_manifest(manifest, out)
        return manifest

    @requires("draft items", "folders")
    def gather(self, folders: Sequence[Path]) -> GatheredDrafts:
        """Store the LLM replies of the shards in the ledger, each once, and plan the job that drafts with them. The order of
        the shards does not matter. Raises BenchError and stores nothing if the shards do not belong together, if one was
        changed, or if the job cannot start."""
        import pyarrow.parquet

        opened = open_shards(folders)
        first = opened.first
        rows = [pyarrow.parquet.read_table(folder / f"{JOB_FILE}.parquet").to_pylist() for folder in opened.found]
        shard_jobs = {row["id"] for [row] in rows}
        params: dict[str, Any] = from_json(rows[0][0]["params"])
        names = ("task", "domain", "count", "agent", "seed", "settings", "corpus")
        request: dict[str, Any] = {name: params[name] for name in names} | {"budget": _sum_budget(rows[0][0], first)}
        if content_hash(self._drafts.build_params(**request)) != first.configuration:
            raise BenchError(
                "The prompts, gates or agents of this workspace differ from those that the shards drafted with: "
                "restore them, and gather again; nothing was gathered."
            )
        job = self._drafts.plan(**request)
        forget_ids(self._db)
        taken = gather_tables(self._db, list_rounds(opened.found), "")
        move_calls(self._db, shard_jobs, job)
        return GatheredDrafts(
            corpus=first.release,
            hash=first.hash,
            of=first.shard.of,
            shards=opened.numbers,
            replies=taken.get("call", TakenRows(0, 0)),
            missing_shards=opened.missing,
            stopped=opened.stopped,
            unfinished=opened.unfinished,
            job=job,
            is_done=jobs.get(self._db, job).state == "done",
        )


def _sum_budget(job: Mapping[str, Any], first: ShardManifest) -> float | None:
    """Return the sum of the budgets of all shards, or None if the shards have no budget."""
    return None if job["budget"] is None else float(job["budget"]) * first.shard.of
