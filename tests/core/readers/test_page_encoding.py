"""Pages are read in the encoding that browsers take, and what could not be read is counted."""

import pytest

from core.readers.page_encoding import decode_page
from core.readers.reading import BadFile


def named(label: str) -> str:
    return f'<meta charset="{label}">'


@pytest.mark.parametrize(
    ("head", "codec", "text"),
    [
        (named("iso-8859-1"), "cp1252", "“café” – €5"),
        (named("latin1"), "cp1252", "“café”"),
        (named("ascii"), "cp1252", "“x”"),
        (named("utf-16"), "utf-8", "“café” 北京"),
        (named("UTF-16LE"), "utf-8", "北京"),
        (named("gb2312"), "gb18030", "北京㐀"),
        (named("big5"), "big5hkscs", "臺北"),
        (named("shift_jis"), "cp932", "東京①"),
        (named("euc-kr"), "cp949", "서울똠"),
        (named("windows-1251"), "cp1251", "Москва"),
        (named("koi8-r"), "koi8-r", "Москва"),
        ("<!-- " + named("utf-16") + named("koi8-r") + " -->" + named("utf-8"), "utf-8", "“café”"),
        ("<script>'" + named("koi8-r") + "'</script>" + named("utf-8"), "utf-8", "“café”"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', "cp1251", "Москва"),
        ('<meta name="description" content="charset=koi8-r">' + named("utf-8"), "utf-8", "“café”"),
        ('<?xml version="1.0" encoding="windows-1251"?>', "cp1251", "Москва"),
        (named("undefined"), "utf-8", "“café” 北京"),
        (named("idna"), "utf-8", "café"),
        (named("zlib"), "utf-8", "café"),
        (named("no-such"), "utf-8", "“café”"),
        ("<title>" + named("koi8-r") + "</title>" + named("utf-8"), "utf-8", "“café”"),
        ("<textarea>" + named("koi8-r") + "</textarea>" + named("utf-8"), "utf-8", "“café”"),
        ("<!-->" + named("koi8-r"), "koi8-r", "Москва"),
        ("<!--->" + named("koi8-r") + "-->", "koi8-r", "Москва"),
        ("<!-- a <!-->" + named("koi8-r"), "koi8-r", "Москва"),
        (named("koi8-r") + "<![odd[", "koi8-r", "Москва"),
        ("<![odd[", "utf-8", "“café”"),
        ("", "utf-8", "“café”"),
    ],
)
def test_the_label_means_what_it_means_to_browsers(head: str, codec: str, text: str) -> None:
    page = f"{head}<p>{text}</p>"
    assert decode_page(page.encode(codec), "a.html") == (page, "")


def test_a_mark_wins_over_what_is_named() -> None:
    page = named("koi8-r") + "北京"
    for codec in ("utf-8-sig", "utf-16"):
        assert decode_page(page.encode(codec), "a.html").text == page


def test_what_could_not_be_read_is_counted_and_said() -> None:
    found = decode_page(b'<meta charset="utf-8">caf\xe9 na\xefve ' + "� is a sign here".encode(), "a.html")
    assert found.text.count("�") == 3
    assert found.note == "a.html has 2 places that are not utf-8, the encoding that it declares: each became �."
    assert "1 places" in decode_page(b'<meta charset="windows-1252">a \x81', "a.html").note


def test_utf_8_under_another_name_is_read_and_said() -> None:
    found = decode_page((named("gb2312") + "“café” naïveté").encode(), "a.html")
    assert "“café”" in found.text and "was read as UTF-8" in found.note


def test_an_encoding_that_browsers_refuse_is_one_sentence() -> None:
    with pytest.raises(BadFile, match="hz-gb-2312, which browsers do not read"):
        decode_page(named("hz-gb-2312").encode(), "a.html")
