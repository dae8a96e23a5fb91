"""Read and write Parquet: items.parquet, variants.parquet and documents.parquet. The files have the same fields as an export of
JSON lines; fields without a fixed shape are JSON texts. The input is an exported folder, or one file of exported items."""

from collections.abc import Iterator
from pathlib import Path

from core.errors import BenchError
from core.json_lines import JsonLine
from store.format import Bundle, Format
from store.formats._columns import list_parts, read_columns, write_columns
from store.formats._folder import document_records, item_records, variant_records, write_common_files
from store.formats._reading import read_lone, read_ours


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the rows of each kind sorted by id, in Parquet files of at most `Bundle.rows_per_file` rows."""
    write_columns(folder / "items.parquet", "items", item_records(bundle, withheld), bundle.rows_per_file)
    write_columns(folder / "variants.parquet", "variants", variant_records(bundle, withheld), bundle.rows_per_file)
    write_columns(folder / "documents.parquet", "documents", document_records(bundle, withheld), bundle.rows_per_file)
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read a folder exported as Parquet, or one file of items."""
    if not path.is_dir():
        return read_lone(path.name, read_columns(path, "items"))
    if not list_parts(path / "items.parquet"):
        raise BenchError(f"{path} holds no items.parquet: give an exported folder, or one .parquet file of items.")
    return read_ours(path, lambda kind: read_records(path, kind), ".parquet")


def read_records(folder: Path, kind: str) -> Iterator[JsonLine]:
    """Yield the records of one kind (items, documents or variants) from the folder; yield nothing if the folder has no file of
    this kind."""
    lines = (line for file in list_parts(folder / f"{kind}.parquet") for line in read_columns(file, kind))
    for number, line in enumerate(lines, 1):
        yield line._replace(number=number)


FORMAT = Format(label="Parquet", write=write, read=read, has_several_files=True)
