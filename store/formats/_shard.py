"""Read an exported release for one shard of a run (a part of its questions that one process works on). The shard's own items
are read and checked completely; of the other items, only fields that matter to the whole run are read. A shard with one
sixteenth of the items is therefore read much faster than the whole release."""

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
"""Dict from format name to the function that yields the records of one kind from a folder exported in this format."""
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
    """Return the release in the folder. The items for which `is_own(id)` is true are read completely, and so is the first item
    of each kind (see `find_kind`); all other items lack question and answers."""
    form, seen = find_format(folder), set()

    def is_whole(record: Mapping[str, Any]) -> bool:
        kind = find_kind(record.get("task"), record.get("language"), record.get("given"), record.get("labels"))
        is_new = kind not in seen
        seen.add(kind)
        return is_new or is_own(str(record.get("id")))

    return read_ours(folder, lambda kind: READERS[form](folder, kind), ENDINGS[form], is_whole)


def find_kind(task: object, language: object, given: object, labels: object) -> Hashable:
    """Return the properties of an item that can change the prompts, languages and inputs of a whole run. Items with equal
    properties are of the same kind."""
    time = labels.get("query_time") if isinstance(labels, Mapping) else None
    return str(task), str(language), bool(given), bool(time)
