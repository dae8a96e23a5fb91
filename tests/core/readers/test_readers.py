"""Each kind of file is read with its title and meta; whatever is broken becomes one sentence, and the rest goes on."""

import json
import struct
import zipfile
from pathlib import Path

import pytest

from core.errors import BenchError
from core.readers import MAX_DOCUMENT_CHARACTERS, ReadDocument, RefusedFile, read_file
from core.readers.read import read_in_process

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 40


def made(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def one(path: Path, format: str = "auto") -> ReadDocument:
    (found,) = read_file(path, format)
    assert isinstance(found, ReadDocument), found
    return found


def refusal(path: Path, format: str = "auto") -> str:
    (found,) = read_file(path, format)
    assert isinstance(found, RefusedFile), found
    assert found.message.startswith((found.where, "Line ")) and found.message.endswith((".", ")."))
    assert "\n" not in found.message
    return found.message


def test_plain_text_keeps_its_characters_and_takes_the_file_name_as_title(tmp_path: Path) -> None:
    found = one(made(tmp_path, "old mill.txt", "The mill\r\nburned.\rCafe\u0301 \u200b\u202e🙂\n"))
    assert found == ReadDocument("old mill.txt", None, "The mill\nburned.\nCafe\u0301 \u200b\u202e🙂\n", "old mill")


def test_markdown_takes_front_matter_then_the_first_heading(tmp_path: Path) -> None:
    front = "---\ntitle: The Mill\ndate: 2021-05-03\nlicense: CC-BY-4.0\nlang: en-GB\ndomain: arts\ntags: [a, b]\n---\n"
    found = one(made(tmp_path, "a.md", front + "\n# Other\nText."))
    assert (found.title, found.published, found.licence, found.language, found.domain) == (
        "The Mill",
        "2021-05-03",
        "CC-BY-4.0",
        "en",
        "arts",
    )
    assert found.text == "# Other\nText." and found.meta == {"tags": ["a", "b"]}
    assert one(made(tmp_path, "b.md", "Intro.\n```\n# no\n```\n## A *heading* ##\nText.")).title == "A *heading*"
    assert one(made(tmp_path, "c.md", "The Tower\n=========\nText.")).title == "The Tower"
    assert one(made(tmp_path, "d.md", "---\nnot: [closed\n---\nText.")).text.startswith("---")


def test_front_matter_does_not_unfold(tmp_path: Path) -> None:
    bomb = "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b]\n---\nText."
    assert one(made(tmp_path, "a.md", bomb)).meta == {}


@pytest.mark.parametrize(
    ("encoding", "mark", "note"),
    [
        ("utf-8", b"\xef\xbb\xbf", ""),
        ("utf-16-le", b"\xff\xfe", ""),
        ("utf-16-be", b"\xfe\xff", ""),
        ("utf-16-le", b"", ""),
        ("utf-32-le", b"\xff\xfe\x00\x00", ""),
        ("cp1252", b"", "Windows-1252"),
    ],
)
def test_encodings_of_english(tmp_path: Path, encoding: str, mark: bytes, note: str) -> None:
    text = "The café in Müllerstraße burned down in 1892, they say."
    found = one(made(tmp_path, "a.txt", mark + text.encode(encoding)))
    assert found.text == text and note in found.note and bool(found.note) == bool(note)


def test_chinese_in_its_old_encoding(tmp_path: Path) -> None:
    found = one(made(tmp_path, "a.txt", "北京大学成立于1898年，是一所大学。".encode("gb18030")))
    assert found.text.startswith("北京大学") and "GB18030" in found.note and found.meta == {"encoding": "gb18030"}


def test_damaged_utf_16_is_one_sentence(tmp_path: Path) -> None:
    assert "utf-16" in refusal(made(tmp_path, "a.txt", b"\xff\xfe" + "abc".encode("utf-16-le") + b"\x00\xd8x"))


@pytest.mark.parametrize("content", ["", "  \n\t ", "...\n", b"\xef\xbb\xbf"])
def test_an_empty_document_is_refused(tmp_path: Path, content: str | bytes) -> None:
    assert "is empty" in refusal(made(tmp_path, "a.txt", content))


def test_three_million_characters_are_taken_and_six_are_not(tmp_path: Path) -> None:
    assert len(one(made(tmp_path, "a.txt", "word " * 600_000)).text) == 3_000_000
    assert f"may have {MAX_DOCUMENT_CHARACTERS:,}" in refusal(made(tmp_path, "b.txt", "word " * 1_200_000))


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.txt", PNG, "a PNG image"),
        ("a.pdf", "<!DOCTYPE html><html></html>", "HTML"),
        ("a.pdf", "Just text.", "plain text"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"x" * 99, "old or password-protected"),
        ("a.md", b"PK\x03\x04" + b"x" * 99, "ZIP"),
        ("a.txt", b"\x80\x04\x95" + b"x" * 99, "pickle"),
        ("a.txt", bytes(range(256)) * 4, "binary data"),
        ("a.txt", "<html><p>Hello", "HTML"),
        ("a.html", b"%PDF-1.4 ...", "a PDF"),
        ("a.jsonl", PNG, "a PNG image"),
        ("a.docx", "Just text.", "not a DOCX file"),
        ("a.csv", "a,b", "extension"),
        ("a", "text", "extension"),
        ("a.txt", "A bell\x07 rang.", "U+0007 at character 7"),
        ("a.txt", "A\x00B and more text", "U+0000 at character 2"),
    ],
)
@pytest.mark.fault(15)
def test_what_is_not_what_it_is_called_is_one_sentence(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    assert what in refusal(made(tmp_path, name, content))


def test_missing_files_folders_and_unknown_formats(tmp_path: Path) -> None:
    assert "does not exist" in refusal(tmp_path / "no.txt")
    (tmp_path / "folder.txt").mkdir()
    assert "is not a file" in refusal(tmp_path / "folder.txt")
    with pytest.raises(BenchError, match="The format 'csv' is unknown"):
        read_file(tmp_path / "no.txt", "csv")


def test_lines_are_documents_with_their_beginning_as_title(tmp_path: Path) -> None:
    long = "First document of all, which is rather long, really."
    path = made(tmp_path, "a.txt", f"\ufeff{long}\r\n\r\n ... \n第二篇。\x00\n最后一篇")
    first, second, third, fourth = read_file(path, "lines")
    assert isinstance(first, ReadDocument) and (first.line, first.title) == (1, "First document of all, which is rather l")
    assert first.text == long
    assert [x.line for x in (second, third)] == [3, 4] and "empty" in second.message and "U+0000" in third.message  # type: ignore[union-attr]
    assert isinstance(fourth, ReadDocument) and (fourth.line, fourth.text) == (5, "最后一篇")


def test_jsonl_knows_its_keys_and_keeps_the_rest(tmp_path: Path) -> None:
    row = {
        "text": "The mill burned.",
        "title": "Mill",
        "domain": "arts",
        "language": "en",
        "origin": "archive",
        "licence": "CC0-1.0",
        "published": "2021-05-03T10:00:00",
        "id": 7,
        "meta": {"pages": 3},
    }
    (found,) = read_file(made(tmp_path, "a.jsonl", json.dumps(row) + "\n"))
    assert found == ReadDocument(
        "a.jsonl",
        1,
        "The mill burned.",
        "Mill",
        "arts",
        "en",
        "archive",
        "CC0-1.0",
        "2021-05-03T10:00:00",
        {"id": 7, "pages": 3},
    )


BAD_LINES = [
    ('{"text": "cut', "not JSON"),
    ("[1]", "not a JSON object"),
    ('{"title": "x"}', 'no "text"'),
    ('{"text": 5}', 'no "text"'),
    ('{"text": ""}', "empty"),
    ('{"text": "a", "title": 3}', '"title"'),
    ('{"text": "a", "language": "sv"}', "'sv'"),
    ('{"text": "a", "published": "in May"}', "ISO date"),
    ('{"text": "a", "x": NaN}', "NaN"),
    ('{"text": "a", "x": -Infinity}', "Inf"),
    ('{"text": "a", "x": 1e999}', "too large"),
    ('{"text": "a", "x": ' + "9" * 5_000 + "}", "5,000 digits"),
    ('{"text": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
    ('{"text": "a", "x": ' + "[" * 60 + "]" * 60 + "}", "nested"),
    ('{"text": "a", "text": "b"}', "twice"),
    ('{"text": "a\\u0000b"}', "U+0000"),
    ('{"text": "a\\ud800b"}', "surrogate"),
    ('{"text": "a", "x\\udc00": 1}', "surrogate"),
    ('{"text": "raw \x01 control"}', "not JSON"),
]


def test_each_bad_json_line_is_refused_with_its_number_and_the_good_ones_go_on(tmp_path: Path) -> None:
    lines = ["\ufeff" + '{"text": "first"}']
    for bad, _ in BAD_LINES:
        lines += [bad, "", '{"text": "good"}']
    found = list(read_file(made(tmp_path, "a.jsonl", "\r\n".join(lines))))
    assert sum(isinstance(row, ReadDocument) for row in found) == 1 + len(BAD_LINES)
    refused = [row for row in found if isinstance(row, RefusedFile)]
    assert [row.line for row in refused] == [2 + 3 * i for i in range(len(BAD_LINES))]
    for row, (_, words) in zip(refused, BAD_LINES, strict=True):
        assert words in row.message and row.message.startswith(f"Line {row.line} of a.jsonl")


@pytest.mark.fault(12)
def test_a_line_that_is_not_utf_8_and_a_whole_file_in_utf_16(tmp_path: Path) -> None:
    good, bad = read_file(made(tmp_path, "a.jsonl", b'{"text": "ok"}\n{"text": "caf\xe9"}\n'))
    assert isinstance(good, ReadDocument) and isinstance(bad, RefusedFile) and "Line 2 of a.jsonl is not UTF-8" in bad.message
    rows = list(read_file(made(tmp_path, "b.jsonl", '{"text": "一"}\n\n{"text": "café"}'.encode("utf-16"))))
    assert [(row.line, row.text) for row in rows if isinstance(row, ReadDocument)] == [(1, "一"), (3, "café")]


def test_a_line_too_long_counts_once_in_utf_16_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.readers.lines._MAX_LINE_CHARACTERS", 50)
    content = ('{"text": "' + "x" * 500 + '"}\n{"text": "short"}\n').encode("utf-16")
    assert [row.line for row in read_in_process(made(tmp_path, "a.jsonl", content), "auto", "a.jsonl")] == [1, 2]


def test_a_line_longer_than_a_document_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.readers.lines._MAX_LINE_CHARACTERS", 50)
    path = made(tmp_path, "a.jsonl", '{"text": "' + "x" * 180 + '"}\n{"text": "short"}\n')
    long, good = read_in_process(path, "auto", "a.jsonl")
    assert isinstance(long, RefusedFile) and long.line == 1 and "longer than a document" in long.message
    assert isinstance(good, ReadDocument) and good.line == 2


def test_html_gives_its_main_text_title_and_date(tmp_path: Path) -> None:
    words = "tells at some length how the old mill by the river was built and rebuilt."
    body = "".join(f"<p>Paragraph {i} {words}</p>" for i in range(9))
    page = f"""<html><head><title>The Mill</title><meta property="article:published_time" content="2021-05-03T08:00:00Z">
        <script>var x = 1;</script></head><body><nav>Home About</nav><article><h1>The Mill</h1>{body}</article></body></html>"""
    found = one(made(tmp_path, "a.html", page))
    assert (found.title, found.published) == ("The Mill", "2021-05-03")
    assert "Paragraph 8 tells" in found.text and "var x" not in found.text


def test_html_without_a_main_text_gives_what_is_visible(tmp_path: Path) -> None:
    page = b'<meta charset="gb2312"><title>\xb1\xb1\xbe\xa9</title><script>no()</script><div>One</div><i>two</i><!-- no -->'
    found = one(made(tmp_path, "a.htm", page))
    assert "One" in found.text and "two" in found.text and "no" not in found.text and found.title == "北京"
    assert "no visible text" in refusal(made(tmp_path, "b.html", "<html><script>only()</script></html>"))
    deep = refusal(made(tmp_path, "c.html", "<div>\n" * 20_000 + "deeper than libxml2 goes"))
    assert "nests its elements too deep: 256 levels are read, and line 255 goes deeper" in deep


def pdf(path: Path, pages: list[str], title: str = "", password: str = "") -> Path:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), encrypt=StandardEncryption(password) if password else None)
    canvas.setTitle(title)
    for page in pages:
        for i, line in enumerate(page.split("\n")):
            canvas.drawString(72, 720 - 14 * i, line)
        canvas.showPage()
    canvas.save()
    return path


def test_pdf_pages_are_found_again_in_the_text(tmp_path: Path) -> None:
    found = one(pdf(tmp_path / "a.pdf", ["First page.\nIts second line.", "", "Third page."], title="A Report"))
    assert found.title == "A Report"
    pages = [found.text[start:end] for start, end in found.meta["pages"]]
    assert pages == ["First page.\nIts second line.", "", "Third page."]


@pytest.mark.parametrize("title", ["untitled", "(Untitled)", "Untitled document"])
def test_a_pdf_that_was_given_no_title_is_named_after_its_file(tmp_path: Path, title: str) -> None:
    assert one(pdf(tmp_path / "history.pdf", ["One page."], title=title)).title == "history"


def test_pdfs_without_text_with_a_password_or_broken(tmp_path: Path) -> None:
    assert "holds no text on its 2 pages" in refusal(pdf(tmp_path / "scan.pdf", ["", ""]))
    assert "password" in refusal(pdf(tmp_path / "locked.pdf", ["x"], password="secret"))
    whole = pdf(tmp_path / "b.pdf", ["Text"]).read_bytes()
    assert "broken PDF" in refusal(made(tmp_path, "c.pdf", whole[:40]))


def test_docx_gives_headings_paragraphs_and_tables(tmp_path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_heading("The Mill", 1)
    document.add_paragraph("It burned.")
    table = document.add_table(2, 2)
    for i, words in enumerate(["Year", "Cost", "1892", "40 crowns"]):
        table.cell(i // 2, i % 2).text = words
    document.add_paragraph("End.")
    document.core_properties.author = ""
    document.save(str(tmp_path / "a.docx"))
    found = one(tmp_path / "a.docx")
    assert found.text == "The Mill\n\nIt burned.\n\nYear | Cost\n1892 | 40 crowns\n\nEnd."
    assert found.title == "The Mill" and found.meta == {}


def docx_with(folder: Path, change) -> Path:
    """A DOCX file of one table, its word/document.xml changed."""
    import docx

    document = docx.Document()
    document.add_table(1, 2).cell(0, 0).text = "x"
    document.save(str(folder / "whole.docx"))
    with zipfile.ZipFile(folder / "whole.docx") as whole, zipfile.ZipFile(folder / "changed.docx", "w") as changed:
        for name in whole.namelist():
            changed.writestr(name, change(whole.read(name)) if name == "word/document.xml" else whole.read(name))
    return folder / "changed.docx"


@pytest.mark.parametrize("before", ["<!-- c -->", '<?xml version="1.0"?>', "<!-- c --><!-- d -->"])
def test_a_comment_before_the_first_element_of_a_page_does_not_hide_it(tmp_path: Path, before: str) -> None:
    assert one(made(tmp_path, "page.html", f"{before}<div>The harbour opens at nine</div>")).text == "The harbour opens at nine"


def test_a_docx_cell_of_a_billion_columns_is_one_sentence(tmp_path: Path) -> None:
    wide = b'<w:tcPr><w:gridSpan w:val="1000000000"/>'
    assert "more than 1,000 columns" in refusal(docx_with(tmp_path, lambda xml: xml.replace(b"<w:tcPr>", wide, 1)))


@pytest.mark.parametrize("columns", [b"0", b"-5"])
def test_a_docx_cell_of_no_column_keeps_its_words(tmp_path: Path, columns: bytes) -> None:
    narrow = b'<w:tcPr><w:gridSpan w:val="' + columns + b'"/>'
    assert one(docx_with(tmp_path, lambda xml: xml.replace(b"<w:tcPr>", narrow, 1))).text.strip() == "x |"


def test_a_docx_with_damaged_bytes_is_one_sentence(tmp_path: Path) -> None:
    path = docx_with(tmp_path, lambda xml: xml)
    raw = bytearray((tmp_path / "whole.docx").read_bytes())
    name = raw.index(b"word/document.xml")
    raw[name + 17 : name + 60] = b"\xff" * 43
    assert "broken DOCX" in refusal(made(tmp_path, "zlib.docx", bytes(raw)))
    raw = bytearray(path.read_bytes())
    for sign, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = raw.find(sign)
        while at >= 0:
            raw[at + place] |= 1  # encrypted
            at = raw.find(sign, at + 4)
    assert "locked by a password" in refusal(made(tmp_path, "locked.docx", bytes(raw)))
    raw = bytearray(path.read_bytes())
    for sign, place in ((b"PK\x01\x02", 10), (b"PK\x03\x04", 8)):
        at = raw.find(sign)
        while at >= 0:
            raw[at + place] = 99  # a way of compression that there is not
            at = raw.find(sign, at + 4)
    assert "broken DOCX" in refusal(made(tmp_path, "method.docx", bytes(raw)))


@pytest.mark.fault(15)
def test_a_docx_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 70_000_000)
    assert "it was not opened" in refusal(path)
    raw = bytearray(path.read_bytes())  # the same, lying about its size
    at = raw.rindex(b"PK\x01\x02")
    raw[at + 24 : at + 28] = struct.pack("<I", 10)
    assert "broken DOCX" in refusal(made(tmp_path, "liar.docx", bytes(raw)))
    with zipfile.ZipFile(tmp_path / "other.docx", "w") as archive:
        archive.writestr("a.txt", "x")
    assert "no DOCX file" in refusal(tmp_path / "other.docx")
    assert "broken DOCX" in refusal(made(tmp_path, "cut.docx", path.read_bytes()[:500]))
