"""Read the files of a half-life check: newer tables of a release, and newer copies of the web pages of its questions."""

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from builders.templates.newer_tables import NewerTable, convert_newer
from core.as_json import Json
from core.errors import BenchError
from core.json_lines import MAX_LINE_BYTES, number_lines, read_object
from core.nouns import Document, Item
from core.readers.html_file import MAX_FILE_BYTES
from core.readers.page_encoding import decode_page
from core.readers.reading import BadFile
from core.tables.files import ENDINGS, read_table
from core.tables.nouns import TableSpec
from workbench.release.uploads import Upload

ADDRESSES = "pages.json"
"""Name of the file in a folder of pages that gives the address of each page: {file name: address}."""
PAGE_ENDINGS = (".html", ".htm", ".txt", ".md")
LINE_ENDINGS = (".jsonl", ".ndjson")
_HEAD_CHARACTERS = 50_000
"""Number of characters at the beginning of a page in which its address is searched."""
_SAVED_FROM = re.compile(r"<!--\s{0,9}saved from url=\(\d{1,6}\)(\S{1,2000})", re.IGNORECASE)
_LINK = re.compile(r"<link\b([^<>]{1,3000})>", re.IGNORECASE)
_CANONICAL = re.compile(r"\brel\s{0,3}=\s{0,3}[\"']?canonical\b", re.IGNORECASE)
_HREF = re.compile(r"\bhref\s{0,3}=\s{0,3}[\"']?([^\"'\s>]{1,2000})", re.IGNORECASE)
_SCHEME = re.compile(r"^[a-z]{1,9}://(?:www\.)?", re.IGNORECASE)


class NewerPage(NamedTuple):
    """A newer copy of a web page."""

    key: str
    """Normalised address of the page, or its name if the address is not known."""
    html: str


def read_newer_tables(files: Sequence[Upload], specs: Mapping[str, TableSpec]) -> dict[str, NewerTable]:
    """Return a dict from the name of each released table to its newer copy, from the file with this name. Files with other
    names are left out. Raises BenchError if a file cannot be read, or if no file has the name of a released table."""
    newer: dict[str, NewerTable] = {}
    for upload in files:
        if Path(upload.name).suffix.lower() not in ENDINGS:  # such as the tables.json of a folder
            continue
        with tempfile.NamedTemporaryFile() as file:
            file.write(upload.data.read())
            file.flush()
            raw = read_table(Path(file.name), Path(upload.name).name, may_be_empty=True)
        if raw.name in newer:
            raise BenchError(f"Two files are a newer table {raw.name}: give one of them.")
        if raw.name in specs:
            newer[raw.name] = convert_newer(specs[raw.name], raw)
    if files and not newer:
        if not any(Path(upload.name).suffix.lower() in ENDINGS for upload in files):
            name = Path(files[0].name).name
            raise BenchError(f"{name} is not a table: give files whose names end in {', '.join(ENDINGS)}.")
        names = ", ".join(sorted(specs)) or "none"
        raise BenchError(f"No file has the name of a table of the release: name them like the tables, which are {names}.")
    return newer


def read_newer_pages(files: Sequence[Upload]) -> dict[str, str]:
    """Return a dict from the key of each page to its HTML or text. A .jsonl file has a page in each line, with page_url or
    page_name, and page_result (the names of CRAG's files). Any other file is one page, whose address is given in pages.json, in
    a comment that the browser wrote ("saved from url"), or in a canonical link; without an address, the page is known by the
    name of its file. Raises BenchError if a file cannot be read, or if two pages have one address and different content."""
    read: dict[str, str] = {}
    addresses = _read_addresses(files)
    for upload in files:
        for page in _read_file(upload, addresses):
            if read.setdefault(page.key, page.html) != page.html:
                raise BenchError(
                    f"{Path(upload.name).name} has another copy of the page {page.key[:200]}: give one copy of each."
                )
    if files and not read:
        raise BenchError(f"No page was given: give files that end in {', '.join((*PAGE_ENDINGS, *LINE_ENDINGS))}.")
    return read


def list_page_keys(page: Mapping[str, Any], document: Document | None) -> list[str]:
    """Return the keys under which a newer copy of a question's page may be given, best first."""
    meta = document.meta if document else {}
    addresses = (page.get("page_url"), meta.get("url"), document.origin if document else None)
    names = (page.get("page_name"), document.title if document else None)
    keys = [normalise_address(str(one)) for one in addresses if one] + [normalise_name(str(one)) for one in names if one]
    return list(dict.fromkeys(keys))


def list_pages(item: Item) -> list[Mapping[str, Json]]:
    """Return the web pages of a question; [] if the question is not about web pages. A question without search results, but
    with the time at which it was asked, has its given documents and those of its evidence as pages."""
    pages = item.labels.get("crag", {}).get("pages")
    if pages:
        return [page for page in pages if page.get("document")]
    if item.task != "web_question" and "query_time" not in item.labels:
        return []
    return [{"document": name} for name in dict.fromkeys([*item.given, *(span.document for span in item.evidence)])]


def normalise_address(address: str) -> str:
    """Return an address without scheme, "www.", fragment and final slash, with its host in lower case."""
    host, slash, path = _SCHEME.sub("", address.strip()).partition("#")[0].partition("/")
    return f"{host.lower()}{slash}{path}".rstrip("/")


def normalise_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def _read_addresses(files: Sequence[Upload]) -> dict[str, str]:
    upload = next((one for one in files if Path(one.name).name == ADDRESSES), None)
    if upload is None:
        return {}
    try:
        addresses: Any = json.loads(upload.data.read())
    except (ValueError, RecursionError):
        addresses = None
    if not isinstance(addresses, dict) or not all(isinstance(one, str) for one in addresses.values()):
        raise BenchError(f'{ADDRESSES} is not an object of addresses: write {{"file.html": "https://..."}}.')
    return addresses


def _read_file(upload: Upload, addresses: Mapping[str, str]) -> Iterator[NewerPage]:
    path = Path(upload.name)
    if path.suffix.lower() in LINE_ENDINGS:
        for number, raw in number_lines(upload.data, MAX_LINE_BYTES):
            line = None if raw is None else read_object(number, raw)
            record = line.record if line else None
            key = record and (record.get("page_url") or record.get("page_name"))
            if raw is not None and line is None:  # a blank line
                continue
            if record is None or not isinstance(key, str) or not isinstance(record.get("page_result"), str):
                raise BenchError(
                    f"{path.name}, line {number} is no page: give the texts page_result, and page_url or page_name."
                )
            yield NewerPage((normalise_address if record.get("page_url") else normalise_name)(key), record["page_result"])
    elif path.suffix.lower() in PAGE_ENDINGS:
        if upload.size > MAX_FILE_BYTES:
            raise BenchError(f"{path.name} is larger than {MAX_FILE_BYTES:,} bytes: leave it out, or keep only its text.")
        try:
            html = decode_page(upload.data.read(), path.name).text
        except BadFile as unfit:
            raise BenchError(str(unfit)) from unfit
        address = addresses.get(path.name) or _find_address(html)
        yield NewerPage(normalise_address(address) if address else normalise_name(path.stem), html)


def _find_address(html: str) -> str:
    head = html[:_HEAD_CHARACTERS]
    saved = _SAVED_FROM.search(head)
    links = (link.group(1) for link in _LINK.finditer(head) if _CANONICAL.search(link.group(1)))
    hrefs = (unescape(href.group(1)) for link in links if (href := _HREF.search(link)))
    return saved.group(1) if saved else next((href for href in hrefs if _SCHEME.match(href)), "")
