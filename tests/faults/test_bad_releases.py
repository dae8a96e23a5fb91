"""Names that are paths, splits that do not add up, folders that hold something, exports that are damaged: one sentence each."""

import shutil

import pytest

from tests.terminal.test_cli import TOWN


@pytest.mark.parametrize("name", ["a/b", "..", "../x", "a..b", "a\nb", "", "working", "a\\b", "CON/", ".x", "x" * 65, "/etc/x"])
@pytest.mark.fault(17)
def test_a_release_name_never_becomes_a_path(bw, world, tmp_path, name):
    before = sorted(path.name for path in tmp_path.iterdir())
    said = bw("freeze", name, "--allow-unlicensed", "a test")
    assert said.code == 1 and said.sentence
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("split", ["dev", "dev=1.2", "dev=nan", "=1", "a/b=1", "dev=inf,test=-inf", "dev=0,test=1", "dev=0.5"])
def test_a_split_that_does_not_add_up(bw, world, split):
    said = bw("freeze", "v2", "--allow-unlicensed", "a test", "--split", split)
    assert said.code == 1 and "--split" in said.sentence


def test_documents_without_licence_are_counted_and_listed(bw, world):
    said = bw("freeze", "v2")
    assert said.code == 1 and len(said.json["unlicensed"]) == 2 and "2 of the 2 documents" in said.sentence


def test_the_same_name_for_other_content_is_refused(bw, world):
    bw("decide", world["1902"], "discard", "--as", "Ada")
    said = bw("freeze", "v1", "--allow-unlicensed", "a test")
    assert said.code == 1 and "v1" in said.sentence


def test_unknown_releases_formats_and_splits(bw, world, tmp_path):
    for words in (
        ("verify", "nope"),
        ("verify", "a/b"),
        ("verify", "x" * 300),
        ("diff", "v1", "nope"),
        ("export", "nope", "--format", "jsonl", tmp_path / "out"),
        ("export", "v1", "--format", "nope", tmp_path / "out"),
        ("export", "v1", "--format", "jsonl", tmp_path / "out", "--withhold", "nope"),
        ("import", tmp_path / "nowhere", "--format", "jsonl"),
        ("import", tmp_path, "--format", "nope"),
    ):
        said = bw(*words)
        assert said.code == 1 and said.sentence
    assert not (tmp_path / "out").exists()


def test_an_export_takes_no_folder_that_holds_something(bw, world, tmp_path, monkeypatch):
    full, near = tmp_path / "full", tmp_path / "out.part"
    for folder in (full, near):
        folder.mkdir()
        (folder / "thesis.txt").write_text("years of work", encoding="utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for out in (full, tmp_path / "qa.jsonl", tmp_path / "qa.jsonl" / "x", tmp_path / ("x" * 300), "/", "..", "."):
        said = bw("export", "v1", "--format", "jsonl", out)
        assert said.code == 1 and said.sentence
    assert bw("export", "v1", "--format", "jsonl", tmp_path / "out").code == 0
    assert bw("export", "v1", "--format", "jsonl", tmp_path / "gone" / "deep" / "out").code == 0
    for folder in (full, near):
        assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    assert not list(tmp_path.glob(".*")), "no half export is left"


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_corrupt_export_is_found_and_does_not_become_a_release(bw, world, tmp_path, form):
    out = tmp_path / "out"
    assert bw("export", "v1", "--format", form, out).code == 0
    for number, victim in enumerate(sorted(path for path in out.iterdir() if path.suffix in (".json", ".jsonl", ".parquet"))):
        bad, other = tmp_path / f"bad{number}", tmp_path / f"other{number}.duckdb"
        shutil.copytree(out, bad)
        data = victim.read_bytes()
        (bad / victim.name).write_bytes(data[: len(data) // 2])
        assert bw("verify", bad).code == (1 if data else 0)
        said = bw("import", bad, "--format", form, workspace=other)
        assert "Traceback" not in said.err
        if said.code == 0:
            of_others = ("golds.jsonl", "croissant.json", "ro-crate-metadata.json")  # the first is score.py's
            read_by_import = victim.name not in ("checksums.json", *of_others)
            assert said.json["release"] is None or not data or not read_by_import
        else:
            assert said.sentence
            assert bw("items", workspace=other).json == [], "all or nothing when it fails"


@pytest.mark.parametrize("form", ["jsonl", "parquet", "hawkbench"])
def test_what_is_no_export_is_one_sentence(bw, town, tmp_path, form):
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (empty, town, tmp_path / "w.duckdb"):
        bw("items")
        said = bw("import", path, "--format", form)
        assert said.code == 1 and said.sentence


def test_a_backup_replaces_no_other_file(bw, world, town, tmp_path):
    for out in (town, tmp_path, tmp_path / "w.duckdb", town / "x", tmp_path / ("x" * 300)):
        said = bw("backup", out)
        assert said.code == 1 and said.sentence
    assert town.read_text(encoding="utf-8") == TOWN
    assert bw("backup", tmp_path / "b.duckdb").code == 0 and bw("backup", tmp_path / "b.duckdb").code == 0
    assert bw("items", workspace=tmp_path / "b.duckdb").json == bw("items").json


def test_a_refused_record_names_its_place_once(bw, tmp_path):
    contexts = tmp_path / "all_context.json"
    contexts.write_text('{"c1": 5, "c2": {"context": "A text of its own.", "domain": "history"}}', encoding="utf-8")
    said = bw("import", contexts, "--format", "hawkbench")
    assert said.code == 0 and said.err.splitlines() == ["all_context.json c1 is not an object with context, domain and meta."]
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "blank.txt").write_text(" \n", encoding="utf-8")
    (folder / "link").symlink_to(tmp_path)
    (folder / "own").symlink_to(folder / "own")
    (folder / "gone").symlink_to(folder / "nowhere.txt")
    (folder / "round").symlink_to(folder)
    first, gone, own, second, within = bw("add", folder).err.splitlines()
    assert within.endswith("round: This link leads to the folder itself or one within it, so it is left out: remove it.")
    assert gone.endswith(
        "gone: This link cannot be followed (No such file or directory), so it is left out: mend it, or remove it."
    )
    assert own.endswith("own: This link leads to itself, so it is left out: point it to a file, or remove it.")
    assert first.count("blank.txt") == 1
    assert second.endswith("link: This link leads out of the folder, so it is left out: give the path of its target.")
