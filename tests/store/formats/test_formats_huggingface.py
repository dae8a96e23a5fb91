"""The hub's folder loads with `datasets` as it is, without a script and without a network."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import duckdb
import pytest

from core.errors import BenchError
from store.formats import huggingface, parquet
from store.formats._hub_names import hub_name
from store.formats.shipped.verify import verify
from tests.store.released import bundle, items

LOAD = """
import datasets, json, sys
found = {}
for name in sys.argv[2:]:
    for split, rows in datasets.load_dataset(sys.argv[1], *[name] * (name != "items")).items():
        found[f"{name}/{split}"] = rows.to_list()
print(json.dumps(found))
"""


def test_load_dataset_gives_the_items_by_split(tmp_path: Path) -> None:
    """Without a name it gives the items."""
    folder = tmp_path / "out"
    folder.mkdir()
    huggingface.write(bundle(splits={"i1": "dev-1"}), folder, frozenset())
    home = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(folder), "items", "documents", "variants"],
        env=home,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert {key: [row["id"] for row in rows] for key, rows in found.items() if key.startswith("items")} == {
        "items/dev_1": ["i1"],
        "items/test": ["i2", "i3"],
    }
    assert len(found["documents/documents"]) == 2 and found["variants/dev_1"][0]["item"] == "i1"
    first, whole = found["items/dev_1"][0], items()[0]
    assert first["question"] == whole.question and tuple(first["answers"]) == whole.answers
    assert json.loads(first["labels"]) == whole.labels and first["evidence"][0]["start"] == whole.evidence[0].start


@pytest.mark.parametrize("form", [huggingface, parquet])
def test_several_files_hold_the_same_release_and_others_read_them(tmp_path: Path, form: ModuleType) -> None:
    """DuckDB and `datasets` read them without us."""
    folder, home = tmp_path / "out", {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}
    folder.mkdir()
    given = bundle(splits={"i1": "dev-1"})
    form.write(replace(given, rows_per_file=1), folder, frozenset())
    assert verify(folder) == (given.hash, [])
    read = form.read(folder)
    assert not read.refused and {item.id for item in read.items} == {"i1", "i2", "i3"} and read.hash == given.hash
    where = folder / "data" / "items" if form is huggingface else folder
    files = sorted(path.name for path in where.glob("*-of-*.parquet") if not path.name.startswith(("doc", "var")))
    assert len(files) == (2 if form is huggingface else 3) and files[-1].endswith(f"-of-0000{len(files)}.parquet")
    rows = duckdb.sql(f"SELECT id, question FROM '{where}/{'*' if form is huggingface else 'items*'}.parquet' ORDER BY id")
    assert rows.fetchall() == [(item.id, item.question) for item in sorted(items(), key=lambda item: item.id)]
    if form is huggingface:
        command = [sys.executable, "-c", LOAD, str(folder), "items", "documents"]
        done = subprocess.run(command, env=home, cwd=tmp_path, capture_output=True, text=True, check=True)
        found = {name: [row["id"] for row in rows] for name, rows in json.loads(done.stdout).items()}
        assert found["items/test"] == ["i2", "i3"] and len(found["documents/documents"]) == 2


def test_splits_that_become_one_name_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="same name on the Hugging Face hub"):
        huggingface.write(bundle(splits={"i1": "a-b", "i2": "a_b"}), tmp_path, frozenset())


def test_a_split_called_all_gets_a_name_that_loads() -> None:
    assert hub_name("all") == "all_items"
