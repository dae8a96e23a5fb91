"""Read and write JSON lines: items.jsonl, variants.jsonl and documents.jsonl. A record has the same form as in the output of
the command line. The input is an exported folder, or one file of exported items or of other projects' questions with their
contexts."""

from collections.abc import Iterator
from pathlib import Path

from core.errors import BenchError
from core.json_lines import JsonLine
from store.format import Bundle, Format
from store.formats._folder import document_records, item_records, variant_records, write_common_files, write_lines
from store.formats._lines import read_lines
from store.formats._reading import read_lone, read_ours


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write the records of each kind as one JSON object per line, sorted by id."""
    write_lines(folder / "items.jsonl", item_records(bundle, withheld))
    write_lines(folder / "variants.jsonl", variant_records(bundle, withheld))
    write_lines(folder / "documents.jsonl", document_records(bundle, withheld))
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read a folder exported as JSON lines, or one file of items."""
    if not path.is_dir():
        return read_lone(path.name, read_lines(path))
    if not (path / "items.jsonl").is_file():
        raise BenchError(f"{path} holds no items.jsonl: give an exported folder, or one .jsonl file.")
    return read_ours(path, lambda kind: read_records(path, kind), ".jsonl")


def read_records(folder: Path, kind: str) -> Iterator[JsonLine]:
    """Yield the records of one kind (items, documents or variants) from the folder; yield nothing if the folder has no file of
    this kind."""
    path = folder / f"{kind}.jsonl"
    if path.is_file():
        yield from read_lines(path)


FORMAT = Format(label="JSON lines", write=write, read=read)
