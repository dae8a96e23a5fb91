"""Plain text and Markdown: one file, one document. YAML front matter is read as meta and is no part of the text."""

import math
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from core.readers.raw import decode
from core.readers.reading import ReadDocument, UnreadableFile, check_text, clean_title, first_heading, iso_date

MAX_FILE_BYTES = 40_000_000
"""Bytes; more than 5 million characters in any encoding are longer than a document may be."""
_LONGEST_FRONT = 20_000
_MOST_BRACKETS = 500
"""Of front matter; PyYAML takes a time that grows with the square of how deep they stand in each other."""
_KEYS = {"license": "licence", "date": "published", "lang": "language", "source": "origin"}
_KNOWN_FIELDS = frozenset(("title", "domain", "language", "origin", "licence", "published"))
_MAX_NESTING = 20


def read_text(path: Path, where: str) -> ReadDocument:
    """Raises Unfit, OSError."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise UnreadableFile(
            f"{where} has {path.stat().st_size:,} bytes, more than a document of 5,000,000 characters: split it."
        )
    decoded = decode(path.read_bytes(), where)
    text = check_text(decoded.text, where)
    front, body = front_matter(text)
    if front:
        text = check_text(body, where)
    meta: dict[str, Any] = {key: value for key, value in front.items() if key not in _KNOWN_FIELDS}
    if decoded.encoding != "utf-8":
        meta["encoding"] = decoded.encoding
    return ReadDocument(
        where,
        None,
        text,
        clean_title(str(front.get("title") or "")) or first_heading(text) or Path(where).stem,
        domain=_word(front, "domain"),
        language=_language(front),
        origin=_word(front, "origin"),
        licence=_word(front, "licence"),
        published=iso_date(front.get("published")),
        meta=meta,
        note=decoded.note,
    )


def front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """The YAML between two lines `---` at the top, as JSON values, and the rest; nothing and the whole text where that is no
    mapping. Anchors are not followed: a small file can unfold into a huge one through them."""
    if not text.startswith("---\n"):
        return {}, text
    end = text.find("\n---", 3, _LONGEST_FRONT)
    line_end = text.find("\n", end + 1)
    if end < 0 or text[end + 4 : line_end if line_end > 0 else None].strip():
        return {}, text
    source = text[4 : end + 1]
    if source.count("[") + source.count("{") > _MOST_BRACKETS:
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
        return {str(key): _json_value(one, depth - 1) for key, one in value.items()}
    if isinstance(value, list | tuple | set):
        return [_json_value(one, depth - 1) for one in value]
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, str | bool) or (isinstance(value, int) and abs(value) < 10**18):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)


def _word(front: Mapping[str, Any], key: str) -> str | None:
    value = front.get(key)
    return str(value).strip() or None if isinstance(value, str | int | float) else None


def _language(front: Mapping[str, Any]) -> str | None:
    language = (_word(front, "language") or "").lower().replace("_", "-").split("-")[0]
    return language if language in ("en", "zh") else None
