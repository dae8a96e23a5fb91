"""The results of a shard as files: a Parquet file for each table, and a manifest that says which release, configuration,
version and shard they belong to. The manifest is written last, so a folder without one is unfinished."""

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
"""Version of the manifest's format."""
MAX_MANIFEST_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class ShardFile:
    """One file of a shard."""

    file: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShardManifest:
    """The identity of a shard's results, and their files."""

    verb: str
    release: str
    hash: str
    """Hash of the release."""
    configuration: str
    """Hash of everything else that the results of all shards have in common."""
    version: str
    """Version of the program that made the results."""
    shard: Shard
    runs: Sequence[str]
    """Ids of the runs that the shard is part of."""
    counts: Mapping[str, int]
    is_complete: bool
    """Whether the shard did all its work; False after a stop."""
    files: Mapping[str, ShardFile]
    """Files by table."""


def write_tables(database: Database, tables: Sequence[str], folder: Path, job: str | None = None) -> dict[str, ShardFile]:
    """Write all rows of those tables as Parquet files into the folder, replacing older ones; a table without rows gets no file.
    With `job`, only its rows."""
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
    """Return (the columns of a table without `number`, its key). The number is an order that each workspace gives itself,
    unless it is part of what the row says."""
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
"""Tables whose rows get the next number of the workspace that takes them."""


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file. Raises BenchError when the file cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BenchError(f"{path} cannot be read ({error.strerror}): copy the shard's folder again.") from error


def write_manifest(manifest: ShardManifest, folder: Path) -> None:
    """Write the manifest, whose name appears only when it is complete."""
    record = {"schema": SCHEMA} | asdict(manifest) | {"shard": manifest.shard._asdict()}
    part = folder / f".{MANIFEST}.part"
    part.write_text(canonical_json(record) + "\n", encoding="utf-8")
    part.replace(folder / MANIFEST)


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> ShardFile:
    """Write records without a table as one Parquet file; `columns` maps each column to its Arrow type."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=schema), path, compression="zstd")
    return ShardFile(path.name, len(rows), hash_file(path))


def read_manifest(folder: Path) -> ShardManifest | None:
    """Return the manifest of a shard's folder, or None if the shard has none yet. Raises BenchError for a file that is no
    manifest of a shard, or one that another version wrote."""
    path = folder / MANIFEST
    try:
        if not path.exists():
            return None
        with path.open("rb") as file:
            record = json.loads(file.read(MAX_MANIFEST_BYTES))
        if record.get("version") != VERSION or record.get("schema") != SCHEMA:
            raise BenchError(
                f"{folder} was made by version {str(record.get('version'))[:40]} and this is {VERSION}: run the shard again "
                "with this version, or gather with that one."
            )
        return _build_manifest(record)
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BenchError(f"{path} is not the manifest of a shard: give the folders that `--shard` wrote with --out.") from error


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
    """Raise BenchError if a file of the shard is missing or differs from what the shard wrote."""
    for file in manifest.files.values():
        if hash_file(folder / file.file) != file.sha256:
            raise BenchError(f"{folder / file.file} was changed after its shard was written: copy the folder again.")
