"""Read an exported release for one shard of a run. The shard's own items are read and checked completely; of all other items
only the fields on which the whole run depends. Reading a sixteenth of a release therefore costs little more than finding it in
the file."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.json_lines import JsonLine
from store.format import Bundle
from store.formats import huggingface, jsonl, parquet
from store.formats._folder import read_release
from store.formats._reading import read_ours

Lines = Callable[[Path, str], Iterator[JsonLine]]
READERS: Mapping[str, Lines] = {
    "jsonl": jsonl.read_records,
    "parquet": parquet.read_records,
    "huggingface": huggingface.read_records,
}
"""Dict from format name to the function that yields the records of a kind from a folder exported in that format."""
ENDINGS = {"jsonl": ".jsonl", "parquet": ".parquet", "huggingface": "/*.parquet"}


def find_format(folder: Path) -> str:
    """Return the format of an exported folder from which a release can be restored. Raises BenchError for any other folder."""
    if read_release(folder)[2]:
        if (folder / "items.jsonl").is_file():
            return "jsonl"
        if any(folder.glob("items*.parquet")):
            return "parquet"
        if (folder / "data" / "items").is_dir():
            return "huggingface"
    raise BenchError(
        f"{folder} is not an exported release: give a folder that `export` wrote as jsonl, parquet or huggingface."
    )


def read_shard(folder: Path, is_own: Callable[[str], bool]) -> Bundle:
    """Return the release in the folder, completely only for items for which `is_own(id)` is true and for the first item of each
    kind. Of other items only outlines are read."""
    form, seen = find_format(folder), set()

    def is_whole(record: Mapping[str, Any]) -> bool:
        kind = find_kind(record.get("task"), record.get("language"), record.get("given"), record.get("labels"))
        is_new = kind not in seen
        seen.add(kind)
        return is_new or is_own(str(record.get("id")))

    return read_ours(folder, lambda kind: READERS[form](folder, kind), ENDINGS[form], is_whole)


def find_kind(task: object, language: object, given: object, labels: object) -> Hashable:
    """Return the properties of an item that can change the prompts, languages and inputs of a whole run. Items with equal
    properties are of one kind."""
    time = labels.get("query_time") if isinstance(labels, Mapping) else None
    return str(task), str(language), bool(given), bool(time)
