"""Caches the result of a slow computation on files that do not change, as a file in the user's cache folder."""

import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from core.ids import new_id

T = TypeVar("T")


def cache_folder() -> Path:
    """Return the path of the cache folder, in $XDG_CACHE_HOME or else ~/.cache. The folder may not exist yet."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "benchwright"


def load_or_make(file: Path, make: Callable[[], T]) -> T:
    """Return the value stored in the file. If the file does not exist, calls `make` and stores its result, which must consist
    of numbers, strings and collections of these.

    A cache file that is damaged or belongs to another user is replaced. If the cache file cannot be written, each call computes
    the value again."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        if file.stat().st_uid == os.getuid():
            return cast(T, marshal.loads(file.read_bytes()))
    value: Any = make()
    part = file.with_name(f".{file.name}.{new_id()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.write_bytes(marshal.dumps(value))
        part.replace(file)
    return cast(T, value)
