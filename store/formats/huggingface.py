"""Read and write a folder that `datasets.load_dataset(FOLDER, "items")` and the Hugging Face hub load without a script. The
folder has Parquet files under data/, one per split, which the front matter of the dataset card lists. "documents" and
"variants" load in the same way; a variant is in the split of its item. lm_eval_question.yaml and lm_eval_evidence.yaml are
tasks for lm-eval."""

from collections.abc import Iterator
from pathlib import Path

from core.errors import BenchError
from core.json_lines import JsonLine
from store.format import Bundle, Format
from store.formats._columns import read_columns, write_columns
from store.formats._folder import document_records, item_records, variant_records, write_common_files, write_text
from store.formats._hub_names import hub_name
from store.formats._lm_eval import render_tasks
from store.formats._reading import read_ours
from store.formats._withheld import map_splits


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    """Write data/items/SPLIT.parquet, data/documents/documents.parquet and, if there are variants,
    data/variants/SPLIT.parquet."""
    splits, most = map_splits(bundle), bundle.rows_per_file
    split_of_variants = {splits.get(variant.item, "test") for variant in bundle.variants}
    names = {split: hub_name(split) for split in sorted(set(splits.values()))}
    if len(set(names.values())) < len(names):
        raise BenchError(
            f"The splits {', '.join(names)} have the same name on the Hugging Face hub, where - is replaced by _: freeze the "
            "release with other split names."
        )
    items = folder / "data" / "items"
    for split, name in names.items():
        write_columns(items / f"{name}.parquet", "items", item_records(bundle, withheld, split), most)
        if split in split_of_variants:
            of_split = (r for r in variant_records(bundle, withheld) if splits.get(r["item"], "test") == split)
            write_columns(folder / "data" / "variants" / f"{name}.parquet", "variants", of_split, most)
    write_columns(folder / "data" / "documents" / "documents.parquet", "documents", document_records(bundle, withheld), most)
    answered = (name for split, name in names.items() if split not in withheld)
    files = {name: f"{name}.parquet" if (items / f"{name}.parquet").exists() else f"{name}-*.parquet" for name in answered}
    for task in render_tasks(bundle, files):
        write_text(folder / task.file, task.text)
    write_common_files(bundle, folder, withheld)


def read(path: Path) -> Bundle:
    """Read a folder exported in the Hugging Face format."""
    if not (path / "data" / "items").is_dir():
        raise BenchError(f"{path} holds no folder data/items: give a folder exported in this format.")
    return read_ours(path, lambda kind: read_records(path, kind), "/*.parquet")


def read_records(folder: Path, kind: str) -> Iterator[JsonLine]:
    """Yield the rows of one kind (items, documents or variants) from all splits, numbered consecutively."""
    files = sorted((folder / "data" / kind).glob("*.parquet"))
    lines = (line for file in files for line in read_columns(file, kind))
    for number, line in enumerate(lines, 1):
        yield line._replace(number=number)


FORMAT = Format(label="Hugging Face folder", write=write, read=read, has_several_files=True)
