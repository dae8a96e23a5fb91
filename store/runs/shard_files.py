"""Write and read the results of a shard (a part of a run) as files: one Parquet file per table, and a manifest. The manifest
names the release, configuration, program version and shard that the results belong to. The manifest is written last, so a
folder without a manifest is not finished."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.ids import MAX_SHARDS, Shard, canonical_json
from core.installation import VERSION
from store.engine.database import Database
from store.engine.exchange import exchange_file

MANIFEST = "manifest.json"
SCHEMA = 1
"""Version of the format of shard manifests."""
MAX_MANIFEST_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class ShardFile:
    """One Parquet file of a shard, with its checksum."""

    file: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShardManifest:
    """The release, configuration and shard to which results belong, and the files that contain the results."""

    verb: str
    release: str
    hash: str
    """Hash of the release that the shard answers questions of."""
    configuration: str
    """Hash of all other settings that must be equal in all shards of the run."""
    version: str
    """Version of the program that computed the shard's results."""
    shard: Shard
    runs: Sequence[str]
    """Ids of the runs of which the shard computed a part."""
    counts: Mapping[str, int]
    is_complete: bool
    """Whether the shard did all its work. False if the shard was stopped before."""
    files: Mapping[str, ShardFile]
    """Dict from table to the file with the table's rows."""


def write_tables(database: Database, tables: Sequence[str], folder: Path, job: str | None = None) -> dict[str, ShardFile]:
    """Write all rows of the given tables into the folder as Parquet files, replacing older files. A table without rows gets no
    file. With `job`, write only the rows of that job."""
    if database.path is None:
        raise RuntimeError("the workspace of a shard must be a file, not in memory")
    files = {}
    for table in tables:
        path = folder / f"{table}.parquet"
        path.unlink(missing_ok=True)
        columns, keys = list_columns(database, table)
        where = "" if job is None else f"WHERE {'id' if table == 'job' else 'job'} = '{job}'"
        [(rows,)] = database.rows(f"SELECT count(*) FROM {table} {where}")
        if rows:
            names, order = (", ".join(f'"{name}"' for name in some) for some in (columns, keys))
            with exchange_file(database.path, path, ".parquet") as out:
                quoted = str(out).replace("'", "''")
                chosen = f"SELECT {names} FROM {table} {where} ORDER BY {order}"
                sql = f"COPY ({chosen}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
                database.rows(sql)
            files[table] = ShardFile(path.name, rows, hash_file(path))
    return files


def list_columns(database: Database, table: str) -> tuple[list[str], list[str]]:
    """Return (columns of the table, columns of its key). The column `number` of the tables in NUMBERED is left out, because
    each workspace numbers these rows anew."""
    columns = database.rows(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = ? AND database_name = current_database() "
        "ORDER BY column_index",
        [table],
    )
    [(keys,)] = database.rows(
        "SELECT constraint_column_names FROM duckdb_constraints() WHERE table_name = ? AND constraint_type = 'PRIMARY KEY' "
        "AND database_name = current_database()",
        [table],
    )
    own = [name for (name,) in columns if name != "number" or table not in NUMBERED]
    return own, list(keys)


NUMBERED = ("run", "trace", "variant", "job", "job_item")
"""Names of the tables whose rows get new numbers when another workspace gathers them."""


def hash_file(path: Path) -> str:
    """Return the SHA-256 of the file's content. Raises BenchError if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}): copy the shard's folder again.") from error


def write_manifest(manifest: ShardManifest, folder: Path) -> None:
    """Write the manifest of a shard into its folder. The file is renamed to its final name only when it is complete."""
    record = {"schema": SCHEMA} | asdict(manifest) | {"shard": manifest.shard._asdict()}
    part = folder / f".{MANIFEST}.part"
    part.write_text(canonical_json(record) + "\n", encoding="utf-8")
    part.replace(folder / MANIFEST)


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> ShardFile:
    """Write records that are not rows of a database table to one Parquet file; `columns` is a dict from column to its Arrow
    type."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=schema), path, compression="zstd")
    return ShardFile(path.name, len(rows), hash_file(path))


def read_manifest(folder: Path) -> ShardManifest | None:
    """Return the manifest in a shard's folder, or None if the folder has no manifest yet. Raises BenchError if the file is not
    the manifest of a shard, or if another program version wrote it."""
    path = folder / MANIFEST
    try:
        if not path.exists():
            return None
        with path.open("rb") as file:
            record = json.loads(file.read(MAX_MANIFEST_BYTES))
        if record.get("version") != VERSION or record.get("schema") != SCHEMA:
            raise BenchError(
                f"{folder} was made by version {str(record.get('version'))[:40]}, but this is version {VERSION}: run the shard "
                "again with this version, or gather the shards with that version."
            )
        return _build_manifest(record)
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BenchError(
            f"{path} is not the manifest of a shard: give the output folders (--out) of runs with `--shard`."
        ) from error


def _build_manifest(record: Mapping[str, Any]) -> ShardManifest:
    shard = Shard(int(record["shard"]["number"]), int(record["shard"]["of"]))
    if not 0 <= shard.number < shard.of <= MAX_SHARDS:
        raise ValueError("shard")
    files = {str(table): ShardFile(str(f["file"]), int(f["rows"]), str(f["sha256"])) for table, f in record["files"].items()}
    if any(file.file != f"{table}.parquet" or not table.isidentifier() for table, file in files.items()):
        raise ValueError("files")
    names = ("verb", "release", "hash", "configuration", "version")
    return ShardManifest(
        **{name: str(record[name]) for name in names},
        shard=shard,
        runs=[str(run) for run in record["runs"]],
        counts={str(name): int(count) for name, count in record["counts"].items()},
        is_complete=record["is_complete"] is True,
        files=files,
    )


def check_files(manifest: ShardManifest, folder: Path) -> None:
    """Check that the shard's files are unchanged, by comparing their hashes with the manifest. Raises BenchError if a file is
    missing or differs."""
    for file in manifest.files.values():
        if hash_file(folder / file.file) != file.sha256:
            raise BenchError(f"{folder / file.file} was changed after its shard was written: copy the folder again.")
