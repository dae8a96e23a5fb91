"""Caches search indexes as files in a folder beside the workspace, for reuse by later runs. The arrays of an index are stored
under the hash of their source data and are memory-mapped for reading. If a process is killed while writing, the incomplete
index is not used."""

import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.ids import content_hash

MAX_KEPT_INDEXES = 60
"""Maximum number of indexes in the cache; the least recently used index is removed first."""
STALE_SECONDS = 24 * 3600
"""Age in seconds at which an index that is not complete is removed from the cache."""


class IndexFiles:
    """Cache of search indexes in one folder, which is created when the first index is saved."""

    def __init__(self, folder: Path, most: int = MAX_KEPT_INDEXES) -> None:
        self._folder, self._most = folder, most

    def arrays(self, key: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the arrays of an index as {name: read-only array}. Arrays that are not in the cache are made by the function
        `make` and cached."""
        place = self._folder / content_hash(key).removeprefix("b2:")[:32]
        cached = _read_arrays(place)
        if cached is not None:
            return cached
        arrays = make()
        self._store(place, arrays)
        return _read_arrays(place) or arrays

    def _store(self, place: Path, arrays: Mapping[str, Any]) -> None:
        """Write all arrays of an index to the cache, or none. If the disk is full, the index is not cached, and the run
        continues."""
        import numpy as np

        part = self._folder / f".{uuid4().hex}"
        try:
            part.mkdir(parents=True)
            for name, array in arrays.items():
                np.save(part / f"{name}.npy", array)
            shutil.rmtree(place, ignore_errors=True)  # remove an unreadable index
            part.rename(place)
            os.utime(place, ns=(time.time_ns(), time.time_ns()))
            self._tidy()
        except OSError:
            shutil.rmtree(part, ignore_errors=True)

    def _tidy(self) -> None:
        times = {path: path.stat().st_mtime for path in self._folder.iterdir()}
        whole = sorted((path for path in times if not path.name.startswith(".")), key=times.__getitem__)
        stale = [path for path, at in times.items() if path.name.startswith(".") and at < time.time() - STALE_SECONDS]
        for path in (*whole[: max(0, len(whole) - self._most)], *stale):
            shutil.rmtree(path, ignore_errors=True)


def _read_arrays(place: Path) -> Mapping[str, Any] | None:
    """Return the arrays of an index in the folder, or None if they are missing or unreadable."""
    import numpy as np

    try:
        arrays = {path.stem: np.load(path, mmap_mode="r") for path in place.glob("*.npy")}
        os.utime(place, ns=(time.time_ns(), time.time_ns()))
    except (OSError, ValueError):
        return None
    return arrays or None
