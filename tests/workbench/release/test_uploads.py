"""Uploads: whatever a file is called and whatever is in it, it lands under a name of ours, and what cannot be taken is said."""

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest

import jobs
from builders.ingest import NamedFile
from core.errors import BenchError
from workbench import Workbench
from workbench.build.corpus.corpus import CorpusStage, Length
from workbench.control import Control
from workbench.release.releases import ReleaseStage
from workbench.release.uploads import MAX_FILE_BYTES, Upload, UploadStage, clean_name

HOSTILE = ["../../x.txt", "..\\..\\x.txt", "C:\\x.txt", "a\0b.txt", "x" * 300 + ".txt", "/etc/passwd", "\u202etxt.exe", ".", ""]


def upload(name: str, data: bytes, size: int | None = None) -> Upload:
    return Upload(name, io.BytesIO(data), len(data) if size is None else size)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.fault(16)
def test_a_name_is_never_a_path_and_is_always_shown(name: str, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        text = b"The tide rises twice a day. " + name.encode("utf-8", "replace").hex().encode()
        job = bench.uploads.add([upload(name, text)], domain=None, language=None)
        assert {p.name for p in tmp_path.iterdir()} <= {
            "w.duckdb",
            "w.duckdb.wal",
            "w.duckdb.commits",
            "w.duckdb.metadata",
            "w.duckdb.uploads",
        }
        result = jobs.start(bench).submit(job).result()
        jobs.stop(bench)
        assert result["added"] + result["refused"] == 1
        shown = result["files"][0]["name"]
        assert 0 < len(shown) <= 120 and not {"/", "\\", "\0", "\u202e"} & set(shown)
        assert not any((tmp_path / "w.duckdb.uploads").iterdir()), "what is read is gone"


def test_the_name_is_the_origin_and_the_title() -> None:
    with Workbench.open(":memory:") as bench:
        files = [upload("dir/Tide notes.txt", b"The tide rises.")]
        job = bench.uploads.add(files, domain="law", language="en", licence=" MIT ")
        jobs.start(bench).submit(job).result()
        [found] = bench.corpus.load_documents()
        jobs.stop(bench)
        assert (found.title, found.origin, found.domain, found.licence) == ("Tide notes", "Tide notes.txt", "law", "MIT")
        folder = bench.database.locate_folder("uploads")
        assert folder.is_dir() and not list(folder.iterdir())
    assert not folder.parent.exists(), "the folder of a workspace in memory ends with it"


def test_a_job_says_how_many_files_state_their_own_domain() -> None:
    with Workbench.open(":memory:") as bench:
        texts = [b"---\ndomain: arts\n---\nThe tide rises.", b"---\ndomain: arts\n---\nThe tide falls.", b"The moon."]
        files = [upload(f"{n}.md", text) for n, text in enumerate(texts)]
        result = jobs.start(bench).submit(bench.uploads.add(files, domain="law", language="en")).result()
        jobs.stop(bench)
        assert result["message"].startswith("3 added, 0 already there, 0 refused. 2 of the added documents keep the domain")


@pytest.mark.fault(13)
def test_the_same_files_again_are_already_there() -> None:
    with Workbench.open(":memory:") as bench:
        results = []
        for _ in range(2):
            job = bench.uploads.add([upload("a.txt", b"One text."), upload("b.txt", b"Two.")], domain=None, language=None)
            results.append(jobs.start(bench).submit(job).result())
        jobs.stop(bench)
        assert [(r["added"], r["already"]) for r in results] == [(2, 0), (0, 2)]


def test_what_is_too_large_or_nothing_is_refused() -> None:
    with Workbench.open(":memory:") as bench:
        job = bench.uploads.add([upload("a.txt", b"", MAX_FILE_BYTES + 1), upload("b.txt", b"")], domain=None, language=None)
        result = jobs.start(bench).submit(job).result()
        jobs.stop(bench)
        assert ["split it" in r["message"] or "empty" in r["message"] for r in result["refusals"]] == [True, True]
        with pytest.raises(BenchError, match="No file"):
            bench.uploads.add([], domain=None, language=None)
        with pytest.raises(BenchError, match="not a domain name"):
            bench.uploads.add([upload("a.txt", b"x")], domain="a/b", language=None)


def test_an_interrupted_upload_goes_on_with_the_files_that_are_left(tmp_path: Path) -> None:
    lines = b"".join(b'{"text": "Line number %d."}\n' % n for n in range(2500))
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        files = [upload("a.jsonl", lines), upload("b.txt", b"The last one.")]
        job = bench.uploads.add(files, domain=None, language=None)
        running = jobs.start(bench).submit(job, lambda message: jobs.start(bench).pause(job))
        assert running.result()["stopped"] == "cancelled"
        assert bench.upkeep.job(job).state == "paused" and 0 < len(bench.corpus.ids()) < 2501
        jobs.stop(bench)
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        result = jobs.start(bench).resume(job).result()
        jobs.stop(bench)
        assert result["stopped"] is None and len(bench.corpus.ids()) == 2501


def test_a_file_on_which_the_app_died_twice_is_left_out_and_the_rest_comes_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """The process ends here."""

    read = CorpusStage.add

    def add(self: CorpusStage, paths: list[NamedFile], **more: Any) -> dict[str, Any]:
        if paths[0].name == "bad.txt":
            raise Killed
        return read(self, paths, **more)

    monkeypatch.setattr(CorpusStage, "add", add)
    for start in range(3):
        with Workbench.open(tmp_path / "w.duckdb") as bench:
            if not start:
                names = ["a.txt", "bad.txt", "c.txt"]
                job = bench.uploads.add([upload(n, f"Words of {n}.".encode()) for n in names], domain=None, language=None)
            begun = bench.upkeep.begin(job, "app")
            control = Control()
            if start < 2:
                with pytest.raises(Killed):
                    asyncio.run(bench.find_job_body(begun)(job, control))
                continue
            result = asyncio.run(bench.find_job_body(begun)(job, control))
            [refusal] = result["refusals"]
            assert refusal["message"].startswith("bad.txt was left out, because the app ended 2 times")
            assert len(bench.corpus.ids()) == 2 and [file["refused"] for file in result["files"]] == [0, 1, 0]


def test_an_import_on_which_the_app_died_twice_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        """The process ends here."""

    def dies(*_given: Any) -> None:
        raise Killed

    monkeypatch.setattr(ReleaseStage, "import_", dies)
    monkeypatch.setattr(UploadStage, "_forget", lambda *_given: None)  # a process that is gone tidies nothing
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        job = bench.uploads.import_([upload("qa.jsonl", b"{}")], "jsonl")
        for _ in range(2):
            with pytest.raises(Killed):
                asyncio.run(bench.find_job_body(bench.upkeep.begin(job, "app"))(job, Control()))
        with pytest.raises(BenchError, match="was stopped, because the app ended 2 times"):
            asyncio.run(bench.find_job_body(bench.upkeep.begin(job, "app"))(job, Control()))


def test_a_stopped_import_keeps_its_files_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"question": "Q?", "answer": "A", "contexts": [{"text": "A is here.", "gold": true}]}\n'
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        job = bench.uploads.import_([upload("qa.jsonl", line)], "jsonl")
        stopped = Control()
        stopped.cancel()
        result = asyncio.run(bench.find_job_body(bench.upkeep.begin(job, "app"))(job, stopped))
        assert result["stopped"] == "cancelled" and bench.reviews.items() == []
        for _ in range(3):  # a stop does not count as a crash of the app
            asyncio.run(bench.find_job_body(bench.upkeep.begin(job, "app"))(job, stopped))
        result = asyncio.run(bench.find_job_body(bench.upkeep.begin(job, "app"))(job, Control()))
        assert (result["stopped"], result["items"]) == (None, 1)


def test_a_benchmark_comes_in_as_a_file_and_leaves_no_path_in_its_troubles(tmp_path: Path) -> None:
    line = b'{"question": "Q?", "answer": "A", "contexts": [{"text": "A is here.", "gold": true}]}\n'
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        result = jobs.start(bench).submit(bench.uploads.import_([upload("qa.jsonl", line)], "jsonl")).result()
        assert (result["items"], result["documents"]) == (1, 1)
        bad = bench.uploads.import_([upload("qa.parquet", b"PAR1 no")], "parquet")
        with pytest.raises(BenchError) as error:
            jobs.start(bench).submit(bad).result()
        jobs.stop(bench)
        assert str(tmp_path) not in str(error.value)


def test_a_changed_licence_leaves_a_frozen_release_as_it_was(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.load_samples()
        made = bench.releases.freeze("one")
        bench.releases.export("one", "jsonl", tmp_path / "before")
        assert bench.corpus.set_licence(sorted(bench.corpus.ids()), "MIT", "Ada") == 8
        bench.corpus.set_domain(sorted(bench.corpus.ids())[:2], "law", "Ada")
        bench.releases.export("one", "jsonl", tmp_path / "after")
        for file in ("documents.jsonl", "manifest.json", "README.md"):
            assert (tmp_path / "before" / file).read_bytes() == (tmp_path / "after" / file).read_bytes()
        assert bench.releases.freeze("two").hash != made.hash
        with pytest.raises(BenchError, match="requires a name"):
            bench.corpus.set_licence([], "MIT", " ")


@pytest.mark.fault(16)
def test_a_long_name_keeps_its_ending() -> None:
    assert clean_name("x" * 300 + ".md").endswith("x.md") and len(clean_name("x" * 300 + ".md")) == 120


def test_uploads_outside_the_length_asked_for_are_left_out_and_counted() -> None:
    with Workbench.open(":memory:") as bench:
        files = [upload("short.txt", b"Tide."), upload("fits.txt", b"The tide rises twice."), upload("long.txt", b"x" * 99)]
        job = bench.uploads.add(files, domain=None, language="en", length=Length(10, 50))
        result = jobs.start(bench).submit(job).result()
        jobs.stop(bench)
        assert [d.title for d in bench.corpus.load_documents()] == ["fits"]
        assert (result["added"], result["refused"], result["left_out"]) == (1, 0, 2)
        assert result["message"].endswith("2 left out by their length.")
        with pytest.raises(BenchError, match="at least 9 and at most 5"):
            bench.uploads.add(files, domain=None, language="en", length=Length(9, 5))
