"""Write records whose hashes are in the manifest into the folder of a release, and read them back. Each line of nuggets.jsonl
is the nugget set of one item (the facts of its gold answer), each line of absence.jsonl one absence twin. A record whose hash
is not in the manifest is rejected."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.ids import content_hash
from core.retrieval.absence import twin_from_record
from store.format import Bundle
from store.formats._lines import describe_refusal, read_lines
from store.formats._withheld import map_splits
from store.releases import absence_twins
from store.runs.nugget_sets import decode_set


class HashedRecords(NamedTuple):
    """One kind of records; an item has at most one record of the kind."""

    file: str
    list_rows: Callable[[Mapping[str, Any]], Sequence[Mapping[str, str]]]
    """Return those rows of a manifest that name the records; each row has the keys `item` and `hash`."""
    decode: Callable[[Mapping[str, Any]], object]
    """Decode a record. Raises KeyError, TypeError or ValueError if the record does not have the expected form."""
    form: str
    """What a record is and which fields it needs, for the message that rejects a record without the expected form."""


NUGGETS = HashedRecords(
    "nuggets.jsonl",
    lambda manifest: manifest.get("nugget_sets", ()),
    decode_set,
    "a nugget set: it needs item, answer, language, nuggets, by and prompts",
)
TWINS = HashedRecords(
    "absence.jsonl",
    absence_twins.list_rows,
    twin_from_record,
    "an absence twin: it needs item and hidden passages, each with document, start, end and why",
)


class ReadRecords(NamedTuple):
    """The records of one kind that were read from a folder, and a message about each rejected record."""

    records: list[Mapping[str, Any]]
    refused: list[Mapping[str, Any]]


def list_files(bundle: Bundle, withheld: frozenset[str]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Yield (file name, records sorted by item) for each kind of record that the release contains. Records of items in withheld
    splits are left out, because they reveal the answer or the passage that contains it."""
    splits = map_splits(bundle)
    for kind, records in ((NUGGETS, bundle.nugget_sets), (TWINS, bundle.absence_twins)):
        shown = [record for record in records if splits.get(record["item"], "test") not in withheld]
        if shown:
            yield kind.file, sorted(shown, key=lambda record: str(record["item"]))


def read_records(kind: HashedRecords, folder: Path, manifest: Mapping[str, Any]) -> ReadRecords:
    """Read the records of one kind that the manifest lists."""
    named = {row["hash"]: row["item"] for row in kind.list_rows(manifest)}
    records: list[Mapping[str, Any]] = []
    refused: list[Mapping[str, Any]] = []
    for number, record, why in read_lines(folder / kind.file) if (folder / kind.file).is_file() else ():
        try:
            if record is None:
                raise BenchError(why)
            _check_record(kind, record)
            if named.get(content_hash(dict(record))) != record["item"]:
                raise BenchError("was changed: its content hash is not in the manifest")
            records.append(record)
        except BenchError as error:
            refused.append(describe_refusal(kind.file, number, str(error).rstrip(".")))
    return ReadRecords(records, refused)


def _check_record(kind: HashedRecords, record: Mapping[str, Any]) -> None:
    """Raise BenchError if the record is not of this kind."""
    try:
        kind.decode(record)
    except (KeyError, TypeError, ValueError):
        raise BenchError(f"is not {kind.form}") from None
