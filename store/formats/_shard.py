"""Read an exported release for one shard: the shard's own items are read and checked whole, and of all others only the fields
on which the run as a whole depends. Reading a sixteenth of a release therefore costs little more than finding it."""

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
"""Functions that yield the records of a kind from an exported folder, by format."""
ENDINGS = {"jsonl": ".jsonl", "parquet": ".parquet", "huggingface": "/*.parquet"}


def find_format(folder: Path) -> str:
    """Return the format of an exported folder that restores its release. Raises BenchError for another folder."""
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
    """Return the release in the folder. Of the items that are not own, the first of each kind is read whole, and outlines of
    the others."""
    form, seen = find_format(folder), set()

    def is_whole(record: Mapping[str, Any]) -> bool:
        kind = find_kind(record.get("task"), record.get("language"), record.get("given"), record.get("labels"))
        is_new = kind not in seen
        seen.add(kind)
        return is_new or is_own(str(record.get("id")))

    return read_ours(folder, lambda kind: READERS[form](folder, kind), ENDINGS[form], is_whole)


def find_kind(task: object, language: object, given: object, labels: object) -> Hashable:
    """Return the kind of an item: what of it can change the prompts, languages and inputs of a whole run."""
    time = labels.get("query_time") if isinstance(labels, Mapping) else None
    return str(task), str(language), bool(given), bool(time)
