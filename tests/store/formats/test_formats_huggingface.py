"""The hub's folder loads with `datasets` as it is, without a script and without a network."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import BenchError
from store.formats import huggingface
from store.formats._hub_names import hub_name
from tests.store.released import bundle, items

LOAD = """
import datasets, json, sys
found = {}
for name in sys.argv[2:]:
    for split, rows in datasets.load_dataset(sys.argv[1], name).items():
        found[f"{name}/{split}"] = rows.to_list()
print(json.dumps(found))
"""


def test_load_dataset_gives_the_items_by_split(tmp_path: Path) -> None:
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


def test_splits_that_become_one_name_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="same name on the Hugging Face hub"):
        huggingface.write(bundle(splits={"i1": "a-b", "i2": "a_b"}), tmp_path, frozenset())


def test_a_split_called_all_gets_a_name_that_loads() -> None:
    assert hub_name("all") == "all_items"
