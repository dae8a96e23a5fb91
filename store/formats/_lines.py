"""JSON lines from outside, read with suspicion: what a line may not be (too deep, too long, ambiguous, without an encoding)
is said by its number, and the lines after it go on."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError

LONGEST_LINE = 64 * 2**20
"""Bytes of one line; a document has at most LONGEST_TEXT characters, which is far below."""
LONGEST_TEXT = 5_000_000
"""Characters of one document."""
LONGEST_ANSWER = 200_000
"""Characters of a question or an answer."""
_MAGIC = {
    b"\x89PNG": "a PNG image", b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "gzip-compressed", b"BZh": "bzip2-compressed",
    b"%PDF": "a PDF", b"PAR1": "a Parquet file", b"\x80\x04": "a pickle", b"\x80\x05": "a pickle", b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text", b"\xfd7zXZ": "xz-compressed", b"\xff\xd8\xff": "a JPEG image",
}  # fmt: skip


class Line(NamedTuple):
    """One line that holds a JSON object, or why it does not."""

    number: int
    record: dict[str, Any] | None
    why: str = ""
    """The end of a sentence that begins with the line."""


def refusal(where: str, line: int | None, why: str) -> dict[str, Any]:
    """A row of Bundle.refused. `why` ends a sentence that begins with the place."""
    place = f"Line {line} of {where}" if line else where
    return {"where": where, "line": line, "message": f"{place} {why}."}


def read_lines(path: Path) -> Iterator[Line]:
    """Every line that is not blank. Raises BenchError when the file cannot be read or is plainly something else."""
    try:
        with path.open("rb") as file:
            check_text(path, file.read(4096))
            file.seek(0)
            number = 0
            while raw := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(raw) > LONGEST_LINE:
                    yield Line(number, None, f"is longer than {LONGEST_LINE // 2**20} MB")
                    while raw and not raw.endswith(b"\n"):
                        raw = file.readline(LONGEST_LINE)
                    continue
                line = as_object(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
                if line is not None:
                    yield Line(number, line) if isinstance(line, dict) else Line(number, None, line)
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_text(path: Path, start: bytes) -> None:
    """Raises BenchError when a file that should hold text begins as something else does."""
    known = next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
    if known is None and b"\0" in start:
        known = "binary data"
    if known is None and start.lstrip()[:1] == b"<":
        known = "HTML or XML"
    if known:
        raise BenchError(f"{path} is {known}, not UTF-8 text of JSON lines: give the unpacked .jsonl file.")


def as_object(raw: bytes) -> dict[str, Any] | str | None:
    """The JSON object of a line, None for a blank one, else the end of a sentence that says what is wrong."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start + 1})"
    if not text.strip():
        return None
    try:
        value = strict_json(text)
    except json.JSONDecodeError as error:
        return f"is not JSON ({error.msg} at character {error.colno})"
    except ValueError as error:
        return str(error)
    return value if isinstance(value, dict) else "is no JSON object"


def strict_json(text: str) -> Any:
    """JSON without NaN, infinities, numbers of thousands of digits, repeated keys, NUL, lone surrogates, or a nesting too deep
    for Python. Raises ValueError with the end of a sentence."""
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_repeats)
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise ValueError("holds a number of too many digits" if "digits" in str(error) else str(error)) from error
    low = text.lower()
    if "\\ud" in low or "\\u0000" in low or "\0" in text:
        plain = json.dumps(value, ensure_ascii=False)
        if "\\u0000" in plain and _has_nul(value):
            raise ValueError("holds a NUL character")
        try:
            plain.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError("holds half a surrogate pair, which is no character") from error
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"holds {name}, which is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("holds a number too large to store")
    return value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError(f"has the key {next(n for n in names if names.count(n) > 1)!r} twice")
    return found


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(key) or _has_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_has_nul, value))
