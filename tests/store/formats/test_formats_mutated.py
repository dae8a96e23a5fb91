"""Whatever stands in a field of a file that is imported: it comes in as what it is, or is refused in a sentence with its place.
Ten changes of each format here; `make fuzz` makes ten thousand."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.records import document_record, item_record, variant_record
from core.shapes import DocumentShape, ItemShape, VariantShape, check_shape
from store.format import Bundle
from tests.store.mutated import FORMATS, Files, mutate, put, samples
from workbench import Workbench

SEEDS = int(os.environ.get("BENCHWRIGHT_FUZZ", "10"))
STORED_EACH = 10
"""Of so many changed files one goes into a workspace, and out again."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    return samples(tmp_path_factory.mktemp("whole"))


NAMES = sorted([name for name, form in FORMATS.items() if form.read] + ["jsonl own", "jsonl outside"])


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_field_comes_in_as_what_it_is_or_is_refused_in_a_sentence(
    tmp_path: Path, whole: dict[str, Files], name: str
) -> None:
    for seed in range(SEEDS):
        files = mutate(whole[name], seed)
        folder = tmp_path / str(seed)
        path = put({file: value for file, value in files.items() if seed % 2 or file != "manifest.json"}, folder)
        try:
            found = list(_bundles(name.split()[0], path))
            check(found, files)
            if seed % STORED_EACH == 0:
                stored(name.split()[0], path, folder / "out")
        except BenchError as error:
            assert "\n" not in str(error) and len(str(error)) < 1_000, f"seed {seed}: {error}"
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}: {error!r}\n{json.dumps(files)[:2000]}") from error


def test_unchanged_samples_come_in_whole(tmp_path: Path, whole: dict[str, Files]) -> None:
    for name in NAMES:
        found = list(_bundles(name.split()[0], put(whole[name], tmp_path / name)))
        assert [row for one in found for row in one.refused] == [], name
        assert any(one.items or one.reviews for one in found), name


def _bundles(form: str, path: Path) -> Iterator[Bundle]:
    kind = FORMATS[form]
    if kind.pieces:
        yield from kind.pieces(path)
    else:
        assert kind.read is not None
        yield kind.read(path)


def check(found: list[Bundle], files: Files) -> None:
    """What came in has its types, and each gold stands in the file as a text, a number, or a list of them."""
    written = set(_texts(files))
    for bundle in found:
        for item in bundle.items:
            check_shape(item_record(item, lambda span: ""), ItemShape)
            for answer in item.answers:
                assert answer in written or all(part in written for part in answer.split(", ")), answer
        for document in bundle.documents:
            check_shape(document_record(document), DocumentShape)
        for variant in bundle.variants:
            check_shape(variant_record(variant), VariantShape)
        for row in bundle.refused:
            assert "\n" not in str(row["message"]) and str(row["message"]).endswith("."), row


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif not isinstance(value, bool) and value is not None:
        yield str(value)
        yield str(value).strip()


def stored(form: str, path: Path, out: Path) -> None:
    """What a changed file brings into a workspace can be listed, frozen and exported."""
    with Workbench.open(":memory:") as bench:
        bench.releases.import_(path, form)
        bench.reviews.items()
        bench.releases.freeze("v1", allow_unlicensed="a test")
        bench.releases.export("v1", "jsonl", out)
