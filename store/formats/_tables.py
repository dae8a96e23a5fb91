"""Write the entity tables of a release into its folder and read them back. Each line of tables.jsonl specifies one snapshot,
and each snapshot has a file with one row per line. A table whose hash is not in the manifest is rejected."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.nouns import data_hash, snapshot_hash, spec_from_record, spec_record
from core.tables.world import EntityTable
from store.formats._lines import describe_refusal, read_lines

LIST = "tables.jsonl"


class TableFiles(NamedTuple):
    """The entity tables that were read from a folder, and a message about each rejected table."""

    tables: list[EntityTable]
    refused: list[Mapping[str, Any]]


def table_files(tables: Sequence[EntityTable]) -> Iterator[tuple[str, Iterator[Mapping[str, Any]]]]:
    """Yield (path, records) for each file of entity tables that must be written. Snapshots with the same rows share one
    file."""
    snapshots = []
    for table in tables:
        columns = table.spec.columns
        data = data_hash(columns, table.rows)
        file = f"tables/{data.rpartition(':')[2]}.jsonl"
        names = {"name": table.spec.name, "hash": table.hash, "data": data}
        snapshots.append({**names, "rows": len(table), "file": file, "spec": spec_record(table.spec)})
        yield file, (dict(zip(columns, row, strict=True)) for row in table.rows)
    if snapshots:
        yield LIST, iter(snapshots)


def read_tables(folder: Path, manifest: Mapping[str, Any]) -> TableFiles:
    """Read the entity tables that the manifest lists."""
    named = {row["hash"]: row["name"] for row in manifest.get("tables", ())}
    tables: dict[str, EntityTable] = {}
    refused: list[Mapping[str, Any]] = []
    if not (folder / LIST).is_file():
        if named:
            refused.append(describe_refusal(LIST, None, f"is missing, and with it {', '.join(sorted(set(named.values())))}"))
        return TableFiles([], refused)
    for number, record, why in read_lines(folder / LIST):
        try:
            if record is None:
                raise BenchError(why)
            table = _read(folder, record)
            if table.hash not in named:
                raise BenchError("is not in the manifest")
            tables[table.hash] = table
        except BenchError as error:
            refused.append(describe_refusal(LIST, number, str(error).rstrip(".")))
    lost = sorted({name for hash, name in named.items() if hash not in tables})
    if lost and not refused:
        refused.append(describe_refusal(LIST, None, f"lacks {', '.join(lost)} of the manifest"))
    return TableFiles(list(tables.values()), refused)


def _read(folder: Path, record: Mapping[str, Any]) -> EntityTable:
    """Read one entity table of the folder. Raises BenchError if the table is faulty; the message is a full sentence, or a
    clause whose subject is the table."""
    hash, written_spec, data = record.get("hash"), record.get("spec"), str(record.get("data")).rpartition(":")[2]
    if not isinstance(written_spec, Mapping) or not data.isalnum():
        raise BenchError("has no valid spec or no valid hash of its rows")
    spec = spec_from_record(written_spec)
    rows = []
    for number, row, why in read_lines(folder / "tables" / f"{data}.jsonl"):
        if row is None or row.keys() != spec.columns.keys():
            raise BenchError(
                f"has rows that cannot be read: line {number} {why or 'has columns that are not in the table spec'}"
            )
        rows.append(tuple(tuple(row[c]) if isinstance(row[c], list) else row[c] for c in spec.columns))
    if snapshot_hash(spec, data_hash(spec.columns, rows)) != hash:
        raise BenchError(f"was changed: table {spec.name} does not match its hash")
    return EntityTable(spec, rows, str(hash))
