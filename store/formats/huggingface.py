"""A folder that `datasets.load_dataset(FOLDER, "items")` loads without a script, as does the Hugging Face hub: Parquet files
under data/, one a split, named in the card's front matter. "documents" and "variants" load the same way; a variant is in the
split of its item. Reads such a folder back."""

from collections.abc import Iterator
from pathlib import Path

from core.errors import BenchError
from core.json_lines import JsonLine
from store.format import Bundle, Format
from store.formats._columns import read_columns, write_columns
from store.formats._folder import document_records, item_records, variant_records, write_common_files
from store.formats._reading import read_ours
from store.formats._withheld import map_splits


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """data/items/SPLIT.parquet, data/documents/documents.parquet, and data/variants/SPLIT.parquet where there are any."""
    names = {split: hub_name(split) for split in sorted(set(map_splits(bundle).values()))}
    if len(set(names.values())) < len(names):
        raise BenchError(f"The splits {', '.join(names)} are one name on the hub, where - is _: freeze with others.")
    records, varied, of = item_records(bundle, withheld), variant_records(bundle, withheld), map_splits(bundle)
    for split, name in names.items():
        write_columns(folder / "data" / "items" / f"{name}.parquet", "items", [r for r in records if r["split"] == split])
        if mine := [r for r in varied if of.get(r["item"], "test") == split]:
            write_columns(folder / "data" / "variants" / f"{name}.parquet", "variants", mine)
    write_columns(folder / "data" / "documents" / "documents.parquet", "documents", document_records(bundle, withheld))
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """An exported folder."""
    if not (path / "data" / "items").is_dir():
        raise BenchError(f"{path} holds no folder data/items: give a folder as export writes it in this format.")
    return read_ours(path, lambda stem: _lines(path / "data" / stem, stem), "/*.parquet")


def _lines(folder: Path, kind: str) -> Iterator[JsonLine]:
    """The rows of every split, numbered on."""
    number = 0
    for file in sorted(folder.glob("*.parquet")):
        for line in read_columns(file, kind):
            number += 1
            yield line._replace(number=number)


def hub_name(split: str) -> str:
    """The split's name there: letters, digits, _ and points; "all" means something else to `datasets`."""
    name = split.replace("-", "_")
    return "all_items" if name == "all" else name


FORMAT = Format(label="Hugging Face folder", write=write, read=read)
