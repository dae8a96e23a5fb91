"""Indexes kept as files beside a workspace: arrays by the hash of all that they are made of, memory-mapped when they are
read, so that what one run made is there for the next. A process that is killed while it writes leaves nothing that counts as
whole."""

import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.ids import content_hash

MAX_KEPT_INDEXES = 60
"""Indexes that are kept; the one that was not used for longest goes first."""
STALE_SECONDS = 24 * 3600
"""Seconds after which an unfinished one is nobody's."""


class IndexFiles:
    """The indexes of one folder, which is made when the first one is kept."""

    def __init__(self, folder: Path, most: int = MAX_KEPT_INDEXES) -> None:
        self._folder, self._most = folder, most

    def arrays(self, key: Any, make: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """{name: array} as `make` gives them; not to be written into where they were made before."""
        place = self._folder / content_hash(key).removeprefix("b2:")[:32]
        found = _read(place)
        if found is not None:
            return found
        made = make()
        self._keep(place, made)
        return _read(place) or made

    def _keep(self, place: Path, arrays: Mapping[str, Any]) -> None:
        """Put there as a whole or not at all: a disk that is full costs the next run its time, not this one its answers."""
        import numpy as np

        part = self._folder / f".{uuid4().hex}"
        try:
            part.mkdir(parents=True)
            for name, array in arrays.items():
                np.save(part / f"{name}.npy", array)
            shutil.rmtree(place, ignore_errors=True)  # one that could not be read
            part.rename(place)
            os.utime(place, ns=(time.time_ns(), time.time_ns()))
            self._tidy()
        except OSError:
            shutil.rmtree(part, ignore_errors=True)

    def _tidy(self) -> None:
        found = {path: path.stat().st_mtime for path in self._folder.iterdir()}
        whole = sorted((path for path in found if not path.name.startswith(".")), key=found.__getitem__)
        stale = [path for path, at in found.items() if path.name.startswith(".") and at < time.time() - STALE_SECONDS]
        for path in (*whole[: max(0, len(whole) - self._most)], *stale):
            shutil.rmtree(path, ignore_errors=True)


def _read(place: Path) -> Mapping[str, Any] | None:
    """None when nothing readable is there."""
    import numpy as np

    try:
        found = {path.stem: np.load(path, mmap_mode="r") for path in place.glob("*.npy")}
        os.utime(place, ns=(time.time_ns(), time.time_ns()))
    except (OSError, ValueError):
        return None
    return found or None
