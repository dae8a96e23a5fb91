"""Execute runs in shards. Each shard answers a part of a run's questions in a separate workspace, from an exported release; the
results of all shards are gathered into one workspace."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import Shard, content_hash, find_shard
from core.installation import VERSION
from core.nouns import Release
from core.tables.nouns import Snapshot
from eval.reports.latency import is_probe
from eval.running.runner import ENGINE_STOP
from store.corpus import documents
from store.engine import settings
from store.engine.columns import from_json, to_json
from store.engine.database import Database
from store.format import Bundle
from store.formats._folder import read_release
from store.formats._shard import find_format, read_shard
from store.items import items
from store.jobs import jobs
from store.ledger.calls import forget_ids
from store.releases import releases
from store.releases.manifest import release_hash
from store.releases.releases import ReleaseMembers
from store.runs import run_pages
from store.runs.gathering import TakenRows, find_missing, gather_tables
from store.runs.shard_files import (
    MANIFEST,
    ShardManifest,
    check_files,
    read_manifest,
    write_manifest,
    write_tables,
)
from store.variants import variants
from workbench import settings as keys
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.running.runs import RunStage
from workbench.release.frozen import frozen_absence, frozen_nuggets, frozen_tables
from workbench.release.naming import check_name
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

RUN_TABLES = ("run", "trace", "score", "judged", "question_set", "nugget_set", "call", "job", "job_item")
"""Names of the tables that contain the results of a run, in the order in which they are gathered."""
VARY_TABLES = ("variant", "call", "job", "job_item")
"""Names of the tables that contain the results of a shard of variants."""
TABLES: Mapping[str, Sequence[str]] = {
    "run": RUN_TABLES,
    "vary": VARY_TABLES,
    "draft": ("call",),
    "embed": ("vector",),
    "score": (),
}
"""Dict from command to the names of the tables that contain the results of its shards."""
SETTING = "shard"
"""Key of the workspace setting that records which shard, of which command, the workspace is for."""


@dataclass(frozen=True, slots=True)
class GatheredShards:
    """What was gathered from shards, and which results are still missing in the workspace."""

    verb: str
    release: str
    hash: str
    runs: Sequence[str]
    of: int
    """Number of shards into which the command was divided."""
    shards: Sequence[int]
    """Numbers of the shards whose folders were given."""
    rows: Mapping[str, TakenRows]
    """Dict from table to (number of rows that were stored, number of rows that were stored before)."""
    asked: int
    """Number of questions in all gathered runs."""
    missing: int
    """Number of questions in all gathered runs that have no answer yet."""
    missing_shards: Sequence[int]
    """Numbers of the shards with unanswered questions; if there are no runs, numbers of the shards that were not given."""
    stopped: Sequence[int]
    """Numbers of the given shards that stopped before all their work was done."""
    unfinished: Sequence[str]
    """The given folders that contain no results of a shard yet."""


class OpenedShards(NamedTuple):
    """The folders of shards that belong together and are unchanged."""

    found: Mapping[Path, ShardManifest]
    """Dict from folder to its manifest."""
    unfinished: Sequence[str]
    """The given folders that contain no results of a shard yet."""
    first: ShardManifest
    numbers: Sequence[int]
    """Numbers of the shards in these folders."""
    missing: Sequence[int]
    """Numbers of the other shards of the command."""

    @property
    def stopped(self) -> list[int]:
        """Numbers of the shards that stopped before all their work was done."""
        complete = {manifest.shard.number for manifest in self.found.values() if manifest.is_complete}
        return sorted(set(self.numbers) - complete)


class ShardStage:
    """Methods with which the command line executes shards and gathers their results."""

    def __init__(self, database: Database, releases: ReleaseStage, runs: RunStage) -> None:
        self._db, self._releases, self._runs = database, releases, runs

    @requires("run systems", "folder")
    def open_release(self, folder: Path, shard: Shard, sample: int | None) -> str:
        """Read one shard of an exported release into this process, which then runs systems on it; return the release's name.
        Of the items of other shards, only a few fields are read, unless the run draws a sample or the release has tables."""
        needs_all = sample is not None or (folder / "tables.jsonl").is_file()
        bundle = read_whole_shard(folder, (lambda item: True) if needs_all else shard.has_item)
        frozen_tables.import_tables(self._db, bundle.tables, folder.name)
        frozen_nuggets.store_records(self._db, bundle.nugget_sets)
        twins = frozen_absence.store_records(self._db, bundle.absence_twins)
        releases.save(self._db, Release(bundle.name, bundle.hash, bundle.manifest), bundle.variants)
        snapshots = tuple(Snapshot(**row) for row in bundle.manifest.get("tables", ()))
        left_out = frozenset(bundle.manifest.get("left_out", ()))
        members = ReleaseMembers(
            sorted(bundle.items, key=lambda item: item.id),
            sorted(bundle.variants, key=lambda variant: variant.id),
            list(bundle.documents),
            left_out,
            snapshots,
            tuple(twins),
        )
        self._runs.give_members(bundle.hash, members)
        return bundle.name

    @requires("run systems", lambda arguments: f"{arguments['request'].system} on {arguments['request'].release}")
    def plan(self, request: RunRequest, shard: Shard) -> str:
        """Return the id of the job that answers the questions of one shard of the requested run. Raises BenchError if the run
        cannot begin, or if this workspace already has another shard or request."""
        if is_probe(keys.select_own(request.settings)):
            raise BenchError("A latency probe measures one process: run it without --shard.")
        hash_ = releases.load_hash(self._db, request.release)
        own = {"verb": "run", "shard": list(shard), "release": hash_, "request": request.record()}
        with only_work(self._db, own):
            return self._runs.plan(request, shard)

    @requires("make variants", "folder")
    def open_items(self, folder: Path, shard: Shard, request: Mapping[str, Any]) -> None:
        """Store one shard of an exported release's items and their variants in this workspace, so that the command `vary` can
        reword their questions. Raises BenchError if this workspace already has another shard or request."""
        bundle = read_whole_shard(folder, shard.has_item)
        with only_work(self._db, {"verb": "vary", "shard": list(shard), "release": bundle.hash, "request": dict(request)}):
            documents.add(self._db, bundle.documents)
            items.add(self._db, [item for item in bundle.items if shard.has_item(item.id)])
            variants.add(self._db, [variant for variant in bundle.variants if shard.has_item(variant.item)])

    @requires("make variants", "folder")
    def write_variants(self, folder: Path, shard: Shard, out: Path, configuration: str, is_complete: bool) -> ShardManifest:
        """Write the variants of a shard to the folder `out`; `folder` is the exported release."""
        _, name, hash_ = read_release(folder)
        sql = "SELECT (SELECT count(*) FROM state), (SELECT count(*) FROM variant), (SELECT count(*) FROM call)"
        [counts] = self._db.rows(sql)
        named = dict(zip(("items", "variants", "calls"), map(int, counts), strict=True))
        with explain_full_disk(out):
            (out / MANIFEST).unlink(missing_ok=True)
            files = write_tables(self._db, VARY_TABLES, out)
            manifest = ShardManifest("vary", name, hash_, configuration, VERSION, shard, [], named, is_complete, files)
            write_manifest(manifest, out)
        return manifest

    @requires("run systems", "job")
    def write_results(self, job: str, out: Path, is_complete: bool) -> ShardManifest:
        """Write the results of the shard's job to the folder `out`. Raises BenchError if the job has not begun a run."""
        row = jobs.get(self._db, job)
        found = [run for run, _ in run_pages.load_job_runs(self._db, job)]
        if not found:
            raise BenchError(f"Job {job} stopped before its first question: nothing was written to {out}.")
        common = {key: row.params[key] for key in ("repeat", "metrics", "judges", "votes")}
        with explain_full_disk(out):
            (out / MANIFEST).unlink(missing_ok=True)
            manifest = ShardManifest(
                verb="run",
                release=row.params["release"],
                hash=row.params["release_hash"],
                configuration=content_hash({"run": found[0].identity, **common}),
                version=VERSION,
                shard=Shard(*row.params["shard"]),
                runs=[run.id for run in found],
                counts=self._count_results() | {"asked": row.total or 0},
                is_complete=is_complete,
                files=write_tables(self._db, RUN_TABLES, out),
            )
            write_manifest(manifest, out)
        return manifest

    @requires("run systems", "folders")
    def gather(self, folders: Sequence[Path], release: Path | None = None) -> GatheredShards:
        """Store the results of the shards in this workspace, each row once. The order of the shards does not matter. `release`
        is the folder of the exported release, which is needed if the workspace does not have the release. Raises BenchError and
        stores nothing if the shards do not belong together or if one was changed."""
        opened = open_shards(folders)
        found, first = opened.found, opened.first
        if first.verb not in ("run", "vary"):
            raise BenchError(f"Shards of `{first.verb}` are gathered separately: name only the folders of `run` or `vary`.")
        if release is not None and not self._holds_release(first.release, first.hash):
            self._releases.import_(release, find_format(release))
        if not self._holds_release(first.release, first.hash):
            raise BenchError(
                f"This workspace does not have the release {first.release} ({first.hash}): name its exported folder with "
                "--release, or import it."
            )
        forget_ids(self._db)
        rows = gather_tables(self._db, list_rounds(found), ENGINE_STOP)
        runs = list(dict.fromkeys(run for manifest in found.values() for run in manifest.runs))
        gaps = [find_missing(self._db, run) for run in runs]
        return GatheredShards(
            verb=first.verb,
            release=first.release,
            hash=first.hash,
            runs=runs,
            of=first.shard.of,
            shards=opened.numbers,
            rows=rows,
            asked=sum(gap.asked for gap in gaps),
            missing=sum(gap.missing for gap in gaps),
            missing_shards=sorted({find_shard(item, first.shard.of) for gap in gaps for item in gap.items})
            if first.runs
            else opened.missing,
            stopped=opened.stopped,
            unfinished=opened.unfinished,
        )

    def _holds_release(self, name: str, hash_: str) -> bool:
        return any(header.name == name and header.hash == hash_ for header in releases.list_headers(self._db))

    def _count_results(self) -> dict[str, int]:
        sql = """
            WITH t AS (SELECT answer FROM trace SEMI JOIN run ON run.id = trace.run)
            SELECT (SELECT count(answer) FROM t), (SELECT count(*) - count(answer) FROM t),
                (SELECT count(*) FROM score), (SELECT count(*) FROM call)
            """
        [counts] = self._db.rows(sql)
        return dict(zip(("answered", "failed", "scores", "calls"), map(int, counts), strict=True))


@contextmanager
def only_work(database: Database, own: Mapping[str, Any]) -> Iterator[None]:
    """Return a context manager. If its block succeeds, it records that this workspace is for the shard that `own` describes.
    Raises BenchError if the workspace is already for another shard or request."""
    own = from_json(to_json(own))
    stored = settings.get(database, SETTING)
    if stored not in (None, own):
        raise BenchError(
            f"{database.path} holds the work of another shard, release or configuration: name another folder with --out."
        )
    yield
    if stored is None:
        settings.put(database, SETTING, own)


@contextmanager
def explain_full_disk(out: Path) -> Iterator[None]:
    """Return a context manager that turns an OSError in its block, such as a full disk, into a BenchError."""
    try:
        yield
    except OSError as error:
        raise BenchError(f"{out} cannot be written ({error.strerror}): free disk space, and run the shard again.") from error


def read_whole_shard(folder: Path, is_own: Callable[[str], bool]) -> Bundle:
    """Return one shard of the exported release in the folder. Raises BenchError if a record in the folder cannot be read."""
    bundle = read_shard(folder, is_own)
    if bundle.refused:
        raise BenchError(f"The release in {folder} cannot be used for a run: {str(bundle.refused[0]['message']).rstrip('.')}.")
    if release_hash(bundle.manifest) != bundle.hash:
        raise BenchError(f"{folder}/manifest.json does not have the hash of its release: export the release again.")
    check_name(bundle.name)
    return bundle


def open_shards(folders: Sequence[Path]) -> OpenedShards:
    """Read the manifests in the folders. Raises BenchError if no folder has a manifest, if the shards do not belong together,
    or if a shard was changed."""
    found, unfinished = read_manifests(folders)
    first = _check_common(found)
    for folder, manifest in found.items():
        check_files(manifest, folder)
    numbers = {manifest.shard.number for manifest in found.values()}
    return OpenedShards(found, unfinished, first, sorted(numbers), sorted(set(range(first.shard.of)) - numbers))


def read_manifests(folders: Sequence[Path]) -> tuple[dict[Path, ShardManifest], list[str]]:
    """Return (dict from folder to its manifest, folders without a manifest). Paths that are files are left out. Raises
    BenchError if no folder has a manifest."""
    found: dict[Path, ShardManifest] = {}
    unfinished: list[str] = []
    for folder in dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir() or not folder.exists()):
        manifest = read_manifest(folder)
        if manifest is None:
            unfinished.append(str(folder))
        else:
            found[folder] = manifest
    if not found:
        raise BenchError("None of the given folders has the results of a shard: give folders that were named with --out.")
    return found, unfinished


def _check_common(found: Mapping[Path, ShardManifest]) -> ShardManifest:
    """Check that all shards have the same command, release, configuration and number of shards; return the first manifest.
    Raises BenchError if one of these differs."""
    (one, first), *rest = found.items()
    for folder, manifest in rest:
        if (manifest.release, manifest.hash) != (first.release, first.hash):
            of = f"release {manifest.release} ({manifest.hash})", f"release {first.release} ({first.hash})"
        elif (manifest.verb, manifest.configuration) != (first.verb, first.configuration):
            of = f"another configuration ({manifest.configuration})", first.configuration
        elif manifest.shard.of != first.shard.of:
            of = f"a division into {manifest.shard.of} shards", f"a division into {first.shard.of}"
        else:
            continue
        raise BenchError(
            f"{folder} belongs to {of[0]}, but {one} belongs to {of[1]}: gather them separately. Nothing was gathered."
        )
    return first


def list_rounds(found: Mapping[Path, ShardManifest]) -> list[dict[str, list[Path]]]:
    """Return the files of the shards, divided into rounds in which each shard occurs at most once. Each round is a dict from
    table to files."""
    seen: dict[int, int] = {}
    rounds: list[dict[str, list[Path]]] = []
    for folder, manifest in found.items():
        turn = seen[manifest.shard.number] = seen.get(manifest.shard.number, -1) + 1
        if turn == len(rounds):
            rounds.append({})
        for table in TABLES[manifest.verb]:
            if table in manifest.files:
                rounds[turn].setdefault(table, []).append(folder / manifest.files[table].file)
    return rounds
