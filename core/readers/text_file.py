"""Reads plain text and Markdown: one document per file. YAML front matter (between two lines --- at the top) becomes metadata
and is removed from the text."""

import math
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.readers.raw import decode
from core.readers.reading import KNOWN_FIELDS, BadFile, ReadDocument, check_text, clean_title, first_heading, iso_date
from core.text.language import UNKNOWN, read_language

MAX_FILE_BYTES = 40_000_000
"""Maximum size of a text file in bytes; in any encoding, a larger file has too many characters for a document."""
_MAX_FRONT_CHARACTERS = 20_000
_MAX_BRACKETS = 500
"""Maximum number of brackets in front matter, because the time that PyYAML takes grows with the square of their depth."""
_KEYS = {"license": "licence", "date": "published", "lang": "language", "source": "origin"}
_MAX_NESTING = 20


def read_text(path: Path, where: str) -> ReadDocument:
    """Read a text file as a document. Raises BadFile if its content is invalid, or OSError if the file cannot be opened."""
    if (size := path.stat().st_size) > MAX_FILE_BYTES:
        raise BadFile(f"{where} has {size:,} bytes, more than a document of 5,000,000 characters: split it.")
    decoded = decode(path.read_bytes(), where)
    text = check_text(decoded.text, where)
    front, body = front_matter(text)
    if front:
        text = check_text(body, where)
    meta: dict[str, Any] = {key: value for key, value in front.items() if key not in KNOWN_FIELDS}
    if decoded.encoding != "utf-8":
        meta["encoding"] = decoded.encoding
    words = {
        key: str(value).strip() or None if isinstance(value := front.get(key), str | int | float) else None
        for key in ("domain", "language", "origin", "licence")
    }
    try:
        language = read_language(words.pop("language") or UNKNOWN)
    except BenchError:
        language = UNKNOWN
    return ReadDocument(
        where,
        None,
        text,
        clean_title(str(front.get("title") or "")) or first_heading(text) or Path(where).stem,
        language=None if language == UNKNOWN else language,
        published=iso_date(front.get("published")),
        meta=meta,
        note=decoded.note,
        **words,  # type: ignore[arg-type]  # domain, origin and licence
    )


def front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """Split off YAML front matter: return (its values as JSON, the text after it), or ({}, the whole text) if there is none.

    Anchors are not resolved, because they can expand a small file to a huge value."""
    if not text.startswith("---\n"):
        return {}, text
    end = text.find("\n---", 3, _MAX_FRONT_CHARACTERS)
    line_end = text.find("\n", end + 1)
    if end < 0 or text[end + 4 : line_end if line_end > 0 else None].strip():
        return {}, text
    source = text[4 : end + 1]
    if source.count("[") + source.count("{") > _MAX_BRACKETS:
        return {}, text
    import yaml

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, Loader=yaml.SafeLoader)):
            return {}, text
        front = yaml.safe_load(source)
        if not isinstance(front, dict):
            return {}, text
        plain = {_KEYS.get(str(key).lower(), str(key)): _json_value(value, _MAX_NESTING) for key, value in front.items()}
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}, text
    return plain, text[line_end + 1 :].lstrip("\n") if line_end > 0 else ""


def _json_value(value: Any, depth: int) -> Any:
    if depth == 0:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        return {str(key): _json_value(part, depth - 1) for key, part in value.items()}
    if isinstance(value, list | tuple | set):
        return [_json_value(part, depth - 1) for part in value]
    if isinstance(value, date):
        return value.isoformat()
    is_small = isinstance(value, int) and abs(value) < 10**18
    is_finite = isinstance(value, float) and math.isfinite(value)
    return value if value is None or isinstance(value, str | bool) or is_small or is_finite else str(value)
