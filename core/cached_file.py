"""What takes long to make of files that do not change, kept as a file among the user's own caches."""

import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from core.ids import new_id

T = TypeVar("T")


def cache_folder() -> Path:
    """The folder for this: in $XDG_CACHE_HOME, else in ~/.cache. It need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "benchwright"


def load_or_make(file: Path, make: Callable[[], T]) -> T:
    """What the file holds, else what is made and then kept there: numbers, texts and collections of them. A file that is
    damaged, or is not this user's own, is made anew; where nothing can be written it is made each time."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        if file.stat().st_uid == os.getuid():
            found: T = marshal.loads(file.read_bytes())
            return found
    made: Any = make()
    part = file.with_name(f".{file.name}.{new_id()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.write_bytes(marshal.dumps(made))
        part.replace(file)
    whole: T = made
    return whole
