"""Write the nugget sets of a release into its folder and read them back: nuggets.jsonl has the set of one item per line. A set
whose hash is not in the manifest is rejected."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import content_hash
from store.format import Bundle
from store.formats._lines import describe_refusal, read_lines
from store.formats._withheld import map_splits
from store.runs.nugget_sets import decode_set

FILE = "nuggets.jsonl"


class NuggetRecords(NamedTuple):
    """The records of nugget sets that were read from a folder, and a message about each rejected one."""

    records: list[Mapping[str, Any]]
    refused: list[Mapping[str, Any]]


def list_records(bundle: Bundle, withheld: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the records of the nugget sets, sorted by item, except those of items in withheld splits, because nuggets reveal
    the answer."""
    splits = map_splits(bundle)
    for record in sorted(bundle.nugget_sets, key=lambda record: str(record["item"])):
        if splits.get(record["item"], "test") not in withheld:
            yield record


def read_records(folder: Path, manifest: Mapping[str, Any]) -> NuggetRecords:
    """Read the nugget sets that the manifest lists."""
    named = {row["hash"]: row["item"] for row in manifest.get("nugget_sets", ())}
    records: list[Mapping[str, Any]] = []
    refused: list[Mapping[str, Any]] = []
    for number, record, why in read_lines(folder / FILE) if (folder / FILE).is_file() else ():
        try:
            if record is None:
                raise BenchError(why)
            _check_record(record)
            if named.get(content_hash(dict(record))) != record["item"]:
                raise BenchError("was changed: its content hash is not in the manifest")
            records.append(record)
        except BenchError as error:
            refused.append(describe_refusal(FILE, number, str(error).rstrip(".")))
    return NuggetRecords(records, refused)


def _check_record(record: Mapping[str, Any]) -> None:
    """Raise BenchError if the record is not that of a nugget set."""
    try:
        decode_set(record)
    except (KeyError, TypeError, ValueError):
        raise BenchError("is not a nugget set: it needs item, answer, language, nuggets, by and prompts") from None
