"""Decodes the bytes of an HTML page as a browser does. A note on the decoded text says how many bytes could not be decoded."""

import re
from contextlib import suppress
from html.parser import HTMLParser
from typing import NamedTuple

from core.readers.raw import decode, find_byte_order_mark
from core.readers.reading import BadFile

_HEAD_BYTES = 4_096
"""Number of bytes at the beginning of a page in which a declared encoding is looked for."""
_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([\w:.-]{1,40})")
_EMPTY_COMMENT = re.compile("<!---?>")
"""Pattern of comments such as <!-->, which browsers treat as complete, while the HTML parser would search for a later end."""
_CONTENT = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)


class DecodedPage(NamedTuple):
    """Text of a decoded HTML page, with a note about its encoding."""

    text: str
    note: str
    """Sentence that says that the encoding is a guess, or that some bytes could not be decoded; "" if there is nothing to
    say."""


def decode_page(raw: bytes, where: str) -> DecodedPage:
    """Decode the bytes of an HTML page. Raises BadFile if the bytes are not text.

    The encoding is that of the byte order mark, else the declared one (by WHATWG's labels: iso-8859-1 means Windows-1252, and
    utf-16 means UTF-8), else the encoding that is detected from the bytes."""
    marked = find_byte_order_mark(raw)
    codec = marked or _find_declared_codec(raw[:_HEAD_BYTES], where)
    if codec is None:
        decoded = decode(raw, where)
        return DecodedPage(decoded.text, decoded.note)
    text = raw.decode(codec, "replace")
    lost = text.count("\ufffd") - (raw.count(b"\xef\xbf\xbd") if codec.startswith("utf-8") else 0)
    if lost <= 0:
        return DecodedPage(text, "")
    if marked is None and not codec.startswith("utf-8"):
        with suppress(UnicodeDecodeError):  # otherwise the page has the declared encoding, and is damaged
            note = f"{where} was read as UTF-8, because it is not in the encoding that it names ({codec})."
            return DecodedPage(raw.decode(), note)
    note = f"{where} has {lost:,} places that are not {codec}, the encoding that it declares: each became \ufffd."
    return DecodedPage(text, note)


def _find_declared_codec(head: bytes, where: str) -> str | None:
    """Return Python's name of the encoding that a page declares, or None if the page declares no known encoding."""
    import webencodings

    finder = _MetaFinder()
    with suppress(AssertionError):  # an unknown declaration raises this error; earlier elements still count
        finder.feed(_EMPTY_COMMENT.sub("<!-- -->", head.decode("latin-1")))
    xml = _XML.match(head.lstrip(b" \t\r\n"))
    for label in [*([xml[1].decode("latin-1")] if xml else []), *finder.labels]:
        encoding = webencodings.lookup(label)
        if encoding is None:
            continue
        if encoding.name == "replacement":
            raise BadFile(f"{where} is in {label[:40]}, which browsers do not read either: save it as UTF-8.")
        if encoding.name.startswith("utf-16"):
            return "utf-8"  # the declaration was readable as single bytes, so the page is not UTF-16
        if encoding.name == "x-user-defined":
            return "cp1252"
        return "gb18030" if encoding.name == "gbk" else str(encoding.codec_info.name)  # browsers use the larger character set
    return None


class _MetaFinder(HTMLParser):
    """Collects the encodings that meta elements at the start of a page declare, outside comments, scripts and titles."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[str] = []
        self._text_element = ""
        """Name of the open element, such as title, whose content is text even if it looks like tags."""

    def handle_endtag(self, tag: str) -> None:
        if tag == self._text_element:
            self._text_element = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("title", "textarea") and not self._text_element:
            self._text_element = tag
        if tag != "meta" or self._text_element:
            return
        values = {name: value or "" for name, value in reversed(attrs)}
        if "charset" in values:
            self.labels.append(values["charset"])
        elif values.get("http-equiv", "").lower() == "content-type" and (label := _CONTENT.search(values.get("content", ""))):
            self.labels.append(label[1])
