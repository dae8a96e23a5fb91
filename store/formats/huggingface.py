"""A folder that `datasets.load_dataset(FOLDER, "items")` loads without a script, as does the Hugging Face hub: Parquet files
under data/, one a split, named in the card's front matter. "documents" and "variants" load the same way."""

from pathlib import Path

from core.errors import BenchError
from store.format import Bundle, Format
from store.formats._columns import write_columns
from store.formats._folder import document_records, finish, item_records, variant_records
from store.formats._withheld import split_of


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """data/items/SPLIT.parquet, data/documents/documents.parquet, and data/variants/variants.parquet where there are any."""
    names = {split: hub_name(split) for split in sorted(set(split_of(bundle).values()))}
    if len(set(names.values())) < len(names):
        raise BenchError(f"The splits {', '.join(names)} are one name on the hub, where - is _: freeze with others.")
    records = item_records(bundle, withheld)
    for split, name in names.items():
        write_columns(folder / "data" / "items" / f"{name}.parquet", "items", [r for r in records if r["split"] == split])
    write_columns(folder / "data" / "documents" / "documents.parquet", "documents", document_records(bundle, withheld))
    if bundle.variants:
        write_columns(folder / "data" / "variants" / "variants.parquet", "variants", variant_records(bundle, withheld))
    finish(bundle, folder, withheld)


def hub_name(split: str) -> str:
    """The split's name there: letters, digits, _ and points; "all" means something else to `datasets`."""
    name = split.replace("-", "_")
    return "all_items" if name == "all" else name


FORMAT = Format(label="Hugging Face folder", write=write)
