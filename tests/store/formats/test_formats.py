"""Every format: two writes are equal byte for byte, and what was written can be checked."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.catalog import catalog
from core.errors import BenchError
from store.format import Bundle, Format
from store.formats.shipped.verify import verify
from tests.store.released import bundle, items

FORMATS = catalog("store.formats", "FORMAT", Format)
WRITTEN = [name for name, form in FORMATS.items() if form.write]


def written(folder: Path, name: str, withheld: frozenset[str] = frozenset(), is_backwards: bool = False) -> Path:
    folder.mkdir(parents=True)
    write = FORMATS[name].write
    assert write is not None
    write(fitting(name, is_backwards), folder, withheld)
    return folder


def fitting(name: str, is_backwards: bool = False) -> Bundle:
    """The release as that format takes it: some hold items of their own tasks alone, SQuAD's answers stand in one paragraph."""
    task = {"crud_rag": "summary", "uhgeval": "hallucination_repair"}.get(name)
    found = [replace(item, task=task or item.task) for item in items()]
    if name == "squad":
        found = [replace(item, answers=item.answers[:1]) for item in found if len(item.given) == 1]
    if name == "conversations":
        found = [replace(item, labels={"conversation": {"id": f"of {item.id}", "turn": 1, "of": 1}}) for item in found]
    if name == "crag":
        labels = {"question_type": "simple", "static_or_dynamic": "static"}
        found = [replace(item, domain="open", labels=labels) for item in found]
    return bundle(found[::-1] if is_backwards else found, splits={"i1": "dev"})


def test_the_formats_of_the_command_line_are_there():
    assert {
        "jsonl",
        "parquet",
        "csv",
        "huggingface",
        "hawkbench",
        "crud_rag",
        "uhgeval",
        "reviews",
        "conversations",
        "squad",
        "nq_open",
        "triviaqa",
        "adarague",
        "crag",
        "kola",
        "soaybench",
        "kqapro",
        "hotpotqa",
        "2wikimultihopqa",
        "musique",
    } <= {form.name or name for name, form in FORMATS.items()}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.fault(43)
def test_two_writes_are_equal_byte_for_byte_whatever_the_order_of_the_bundle(tmp_path, name):
    one, two = written(tmp_path / "a", name), written(tmp_path / "b", name, is_backwards=True)
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(two) for path in two.rglob("*") if path.is_file())
    assert [f for f in files if (one / f).read_bytes() != (two / f).read_bytes()] == []
    assert {"manifest.json", "README.md", "CITATION.cff", "index.html", "verify.py", "score.py"} <= set(map(str, files))


@pytest.mark.parametrize("name", WRITTEN)
def test_one_changed_byte_in_any_file_is_found(tmp_path, name):
    folder = written(tmp_path / "a", name)
    assert verify(folder) == (fitting(name).hash, [])
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        whole = path.read_bytes()
        if not whole:
            continue
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
        _, problems = verify(folder)
        assert problems, path
        path.write_bytes(whole)
    assert verify(folder)[1] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_a_missing_and_an_extra_file_are_found(tmp_path, name):
    folder = written(tmp_path / "a", name)
    (folder / "README.md").unlink()
    (folder / "more.txt").write_text("x", encoding="utf-8")
    found = {(row["file"], row["message"]) for row in verify(folder)[1]}
    assert found == {("README.md", "is missing."), ("more.txt", "does not belong to the release.")}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_withheld_split_shows_no_answer_and_no_salt_anywhere(tmp_path, name):
    folder = written(tmp_path / "a", name, frozenset({"dev"}))
    assert verify(folder)[1] == []
    for path in folder.rglob("*"):
        holds_documents = path.suffix in (".parquet", ".bz2") or path.name in (
            "documents.jsonl",
            "all_context.json",
            "conversations.jsonl",
        )
        if path.is_file() and not holds_documents:
            text = path.read_text(encoding="utf-8")
            assert "M. Quill" not in text and "salt of i1" not in text, path
    if name == "parquet":
        import pyarrow.parquet

        rows = {row["id"]: row for row in pyarrow.parquet.read_table(folder / "items.parquet").to_pylist()}
        assert rows["i1"]["answers"] == [] and rows["i1"]["evidence"] == [] and len(rows["i1"]["answer_hashes"]) == 2


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.read])
@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("x.jsonl", b"\x89PNG\r\n\x1a\n\0\0"),
        ("x.parquet", b"<html>"),
        ("x.jsonl", b""),
        ("x.tar.bz2", b"BZh9broken"),
        ("x.zip", b"PK\x03\x04 and more"),
        ("x.jsonl", b"\x80\x04\x95pickle"),
        ("x.jsonl", "one".encode("utf-16")),
    ],
)
def test_a_file_of_another_kind_gets_one_sentence(tmp_path, name, file, content):
    (tmp_path / file).write_bytes(content)
    read = FORMATS[name].read
    assert read is not None
    with pytest.raises(BenchError) as raised:
        read(tmp_path / file)
    assert file in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("withheld", [frozenset(), frozenset({"dev"})])
@pytest.mark.parametrize("name", WRITTEN)
def test_the_programs_of_an_export_run_on_that_export(tmp_path, name, withheld):
    folder = written(tmp_path / "a", name, withheld)
    found = fitting(name).items
    lines = [{"id": item.id, "prediction": item.answers[0]} for item in found]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = [sys.executable, "-I", folder / "score.py", tmp_path / "p.jsonl", "--metrics", "exact_match"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    open_ = [item for item in found if not (withheld and item.id == "i1")]
    assert (said["metrics"]["exact_match"]["n"], said["metrics"]["exact_match"]["mean"]) == (len(open_), 1.0)
    checked = subprocess.run([sys.executable, "-I", folder / "verify.py"], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
