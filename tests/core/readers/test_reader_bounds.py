"""Files made to hang, to grow or to break their reader become one sentence each, and the files beside them come in."""

from pathlib import Path
from typing import Any

import pytest

from builders.ingest import ingest
from core.nouns import Document
from core.readers import RefusedFile, read_file, read_page
from core.readers.reading import BadFile
from core.readers.web_page import web_page
from tests.pdfs import of_objects, stream


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.readers.isolated.CPU_SECONDS", 1)


def endless_pdf() -> bytes:
    """A form that draws itself twice."""
    form = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    calls = "/A Do /A Do"
    own = "/Resources << /XObject << /A 5 0 R >> >>"
    return of_objects(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R {own} >>",
            stream(calls),
            f"<< {form} {own} /Length {len(calls)} >>\nstream\n{calls}\nendstream",
        ]
    )


def taken(folder: Path) -> tuple[list[str], list[str]]:
    """Titles that came in, and sentences about what did not."""
    found = list(ingest([folder], None, None, "auto", None, lambda _id: False))
    return [one.title for one in found if isinstance(one, Document)], [
        one.message for one in found if isinstance(one, RefusedFile)
    ]


def test_a_pdf_form_that_draws_itself_is_refused_and_the_folder_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Before it.")
    (tmp_path / "b.pdf").write_bytes(endless_pdf())
    (tmp_path / "c.html").write_text("<p>After it.</p>")
    titles, refusals = taken(tmp_path)
    assert titles == ["a", "c"] and len(refusals) == 1
    assert f"{tmp_path.name}/b.pdf takes more than 1 seconds" in refusals[0]


def test_a_heading_of_four_thousand_spaces_is_read(tmp_path: Path) -> None:
    for name, content in (("a.md", "# a" + " " * 4_000 + "b"), ("b.md", "# " + "#" * 50_000), ("c.md", "```\n~~~\n" * 9_000)):
        (tmp_path / name).write_text(content + "\nText.")
    (tmp_path / "d.md").write_text("---\n" + "a: " + "[" * 9_000 + "\n---\nText.")
    titles, refusals = taken(tmp_path)
    assert titles == ["a b", "#", "c", "d"] and refusals == []


def test_a_page_that_takes_too_long_becomes_its_snippet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.readers.isolated._BYTES_A_SECOND", 10**9)
    page = "<p>word</p>" * 500_000
    with pytest.raises(BadFile, match="page takes more than"):
        read_page(page, "page", "")
    found = web_page(f"<html>{page}</html>", snippet="A snippet.", domain="open")
    assert found.document is not None and found.document.text == "A snippet."


def test_links_that_go_round_are_named_and_the_folder_goes_on(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "round.txt").symlink_to("round.txt")
    (tmp_path / "in" / "a.txt").symlink_to("b.txt")
    (tmp_path / "in" / "b.txt").symlink_to("a.txt")
    (tmp_path / "in" / "here.txt").write_text("Text.")
    titles, refusals = taken(tmp_path / "in")
    assert titles == ["here"] and len(refusals) == 3


def test_a_reader_that_meets_what_it_does_not_expect_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.readers import read

    def breaks(_path: Path, _where: str) -> Any:
        raise ZeroDivisionError

    monkeypatch.setitem(read._FORMATS, "html", read._FORMATS["html"]._replace(read=breaks))
    (tmp_path / "a.html").write_text("<p>x")
    [refused] = read.read_in_process(tmp_path / "a.html", "auto", "a.html")
    assert isinstance(refused, RefusedFile) and refused.message == (
        "a.html is damaged, and cannot be read (ZeroDivisionError): save it again."
    )


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    [refused] = read_file(tmp_path / "no.txt")
    assert isinstance(refused, RefusedFile) and "does not exist" in refused.message


def test_one_process_reads_page_after_page(monkeypatch: pytest.MonkeyPatch) -> None:
    read_page("<p>This starts it.</p>", "a page", "A")
    monkeypatch.setattr("core.readers.bounded_child._Child", None)
    assert [read_page(f"<p>Page {n}.</p>", "a page", "A").text for n in range(3)] == ["Page 0.", "Page 1.", "Page 2."]
    with pytest.raises(BadFile):
        read_page("<p></p>", "a page", "A")
    assert read_page("<p>And on.</p>", "a page", "A").text == "And on."
