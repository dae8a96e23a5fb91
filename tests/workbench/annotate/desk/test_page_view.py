"""Pages to look at: kept for uploads and on the command line alike, never released, and safe against what a file may be."""

import io
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Item, Span
from core.readers import pdf_drawing
from store.corpus import originals
from store.items import items
from tests import pdfs
from tests.conftest import Bench
from workbench import Workbench
from workbench.release.uploads import Upload


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        yield bench


def added(bench: Workbench, raw: bytes, folder: Path, name: str = "a.pdf") -> str:
    """Id of the document that the file becomes."""
    (folder / name).write_bytes(raw)
    [found] = bench.corpus.add([folder / name], domain="arts", language="en", licence="CC0-1.0").added
    return str(found.id)


def test_a_span_is_boxed_on_the_page_that_it_stands_on_and_on_no_other(bench: Workbench, tmp_path: Path) -> None:
    id_ = added(bench, pdfs.drawn(pdfs.lines("The first page."), pdfs.lines("The toll of", "5 cents.")), tmp_path)
    (_, first), (second, end) = bench.page_view.pages(id_)
    told = bench.page_view.boxes(id_, 2, [(second + 4, end), (0, first), (first - 5, second + 3)])
    assert [len(boxes) for boxes in told.spans] == [2, 0, 1] and not told.more
    assert bench.page_view.picture(id_, 2, 1000).startswith(b"\x89PNG")


def test_uploads_keep_their_file_and_are_told_to_the_desk(bench: Workbench) -> None:
    raw = pdfs.drawn(pdfs.lines("The toll was abolished in 1954."))
    job = bench.uploads.add([Upload("a.pdf", io.BytesIO(raw), len(raw))], domain=None, language=None)
    jobs.start(bench).submit(job).result()
    jobs.stop(bench)
    [document] = bench.corpus.load_documents()
    assert b"".join(originals.read(bench.database, document.id)) == raw
    items.add(bench.database, [Item("toll", "explicit_factoid", "When?", ("1954",), (Span(document.id, 0, 8),), 1)])
    assert [one.has_pages for one in bench.reviews.desk("toll", "Ada").documents] == [True]
    assert bench.page_view.evidence_in(document.id) == [Span(document.id, 0, 8)]


def test_a_document_of_before_gets_its_pages_when_its_pdf_is_added_again(bench: Workbench, tmp_path: Path) -> None:
    raw = pdfs.drawn(pdfs.lines("The toll was abolished in 1954."))
    id_ = added(bench, raw, tmp_path)
    bench.database.write(lambda cursor: cursor.execute("DELETE FROM original").fetchall())
    bench.database.write(lambda cursor: cursor.execute("DELETE FROM original_piece").fetchall())
    with pytest.raises(BenchError, match="add its PDF again"):
        bench.page_view.pages(id_)
    assert bench.corpus.add([tmp_path / "a.pdf"], domain=None, language=None).already
    assert bench.page_view.picture(id_, 1, 1000)
    (tmp_path / "same.txt").write_text("Only words.")
    words = bench.corpus.add([tmp_path / "same.txt"], domain=None, language=None).added[0].id
    (tmp_path / "same.pdf").write_bytes(pdfs.drawn(pdfs.lines("Only words.")))
    assert bench.corpus.add([tmp_path / "same.pdf"], domain=None, language=None).already[0].document == words
    assert bench.page_view.select_paged([words]) == set(), "it was read from another file, whose text has no pages"


def test_no_release_holds_the_file(bw: Bench, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdfs.drawn(pdfs.lines("The toll was abolished in 1954.")))
    assert bw("add", tmp_path / "a.pdf", "--licence", "CC0-1.0").json["added"]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        [document] = bench.corpus.load_documents()
        assert bench.page_view.select_paged([document.id]) == {document.id}, "the command line keeps it"
        items.add(
            bench.database,
            [
                Item(
                    "toll",
                    "explicit_factoid",
                    "When?",
                    ("1954",),
                    (Span(document.id, 0, 8),),
                    1,
                    given=(document.id,),
                    status="accepted",
                )
            ],
        )
    assert bw("freeze", "v1").code == 0
    for form in ("jsonl", "hawkbench", "parquet", "huggingface"):
        assert bw("export", "v1", tmp_path / form, "--format", form).code == 0
        written = [path for path in (tmp_path / form).rglob("*") if path.is_file()]
        assert written and not any(b"%PDF" in path.read_bytes() for path in written)


def test_a_page_that_reads_otherwise_than_it_did_gets_no_box(bench: Workbench, tmp_path: Path) -> None:
    id_ = added(bench, pdfs.drawn(pdfs.lines("The toll was abolished in 1954.")), tmp_path)
    other = pdfs.drawn(pdfs.lines("The tax was abolished in 1954."))
    bench.database.write(lambda cursor: cursor.execute("UPDATE original_piece SET bytes = ?", [other]).fetchall())
    with pytest.raises(BenchError, match="has changed since the upload"):
        bench.page_view.boxes(id_, 1, [(0, 5)])


def test_what_is_asked_for_beyond_the_pages_is_one_sentence(bench: Workbench, tmp_path: Path) -> None:
    id_ = added(bench, pdfs.drawn(*[pdfs.lines(f"Page {n}") for n in range(300)]), tmp_path)
    for number in (0, 301, 10**9):
        with pytest.raises(BenchError, match="pages 1 to 300, and no page"):
            bench.page_view.picture(id_, number, 1000)
    with pytest.raises(BenchError, match="1000 or 2000 pixels"):
        bench.page_view.picture(id_, 1, 10**6)
    with pytest.raises(BenchError, match="drawn around at most 200: remove"):
        bench.page_view.boxes(id_, 1, [(0, 1)] * 201)
    assert bench.page_view.boxes(id_, 1, [(5, 2), (0, 10**8)]).spans[0] == []
    with pytest.raises(BenchError, match="No pages of document b2:none"):
        bench.page_view.pages("b2:none")


def laid_out(raw: bytes, folder: Path) -> Path:
    (folder / "hostile.pdf").write_bytes(raw)
    return folder / "hostile.pdf"


def test_broken_pages_and_files_of_none_are_one_sentence(tmp_path: Path) -> None:
    good = pdfs.drawn(pdfs.lines("Page one."), pdfs.lines("Page two."))
    empty = pdfs.of_objects(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"])
    lost = pdfs.of_objects(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>",
        ]
    )
    for raw, number in ((good[:200], 1), (b"no PDF at all", 1), (b"x", 1), (empty, 1), (lost, 2), (good, 3)):
        with laid_out(raw, tmp_path).open("rb") as file, pytest.raises(BenchError, match=f"Page {number} of this PDF is b"):
            pdf_drawing.picture(file, number, 1000)
    with laid_out(lost, tmp_path).open("rb") as file:
        assert pdf_drawing.picture(file, 1, 1000), "the page before the broken one is whole"


def test_a_bomb_ends_itself_and_not_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = b"q " + b"0 0 m 900 900 l 0 900 l 900 0 l h 1 0 0 RG 40 w S " * 3_000_000 + b"Q"
    packed = zlib.compress(endless, 9)
    head = pdfs.of_objects(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 900] /Contents 4 0 R >>",
        ]
    )
    body = head[: head.index(b"xref")] + b"4 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed
    raw = body + b"\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n"
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *words, timeout, **rest: real(*words, timeout=min(timeout, 3), **rest))
    with laid_out(raw, tmp_path).open("rb") as file, pytest.raises(BenchError, match="too much time or memory"):
        pdf_drawing.picture(file, 1, 2000)
