"""Read benchmark files of other projects in a separate process (store/formats/_child.py). Even a small file can need more
memory and time than the app has, and reading it in the app's process would block other requests."""

import io
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.installation import complete_name
from core.readers.bounded_child import BoundBroken, BoundedChildren
from store.format import Bundle

CPU_SECONDS = 60
"""CPU seconds that reading a small benchmark may take."""
BYTES_A_SECOND = 20_000
"""Number of bytes of a benchmark for which the reading process gets one more second of CPU time."""
MEMORY_BYTES = 3_500_000_000
"""Maximum address space in bytes of the process that reads a small benchmark."""
MEMORY_PER_BYTE = 10
"""Bytes of memory that the reading process gets in addition for each byte of the benchmark."""
_MAX_ANSWER_BYTES = 2**31
_OWN_PACKAGES = tuple(f"{complete_name(package)}." for package in ("core", "store"))


class _Unpickler(pickle.Unpickler):
    """Unpickler that creates only objects of this program's own classes, whatever data the reading process sends."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith(_OWN_PACKAGES):
            raise pickle.UnpicklingError(f"{module}.{name} is not a class that a benchmark file may contain")
        return super().find_class(module, name)


_CHILDREN = BoundedChildren("store.formats._child", _MAX_ANSWER_BYTES, lambda answer: _Unpickler(io.BytesIO(answer)).load())


def read_bundles(form: str, path: Path) -> Iterator[Bundle]:
    """Yield the bundles that are read from a file or folder in the given format: one bundle, or several if the format is read
    in pieces. Raises BenchError if the rest of the file cannot be read, and core.cancellation.Cancelled if the job is
    cancelled."""
    size = sum(at.stat().st_size for at in (path.rglob("*") if path.is_dir() else [path]) if at.is_file())
    seconds = CPU_SECONDS + size / BYTES_A_SECOND
    order = {"form": form, "path": str(path.absolute()), "memory": MEMORY_BYTES + MEMORY_PER_BYTE * size}
    read: dict[str, Any] = {}
    try:
        for name, value in _CHILDREN.ask(order, seconds):
            if name == "error":
                raise BenchError(value)
            if name == "bundle":
                yield Bundle(**read)
                read = {}
            elif isinstance(value, list) and name in read:
                read[name] += value
            else:
                read[name] = value
    except BoundBroken as broken:
        why = {
            "time": f"takes more than {seconds:,.0f} seconds of computing to read: split it",
            "memory": "takes too much memory to read: split it",
            "output": "has a record that is too large to read: split it",
            "crash": "is damaged or asks for too much memory, and broke its reader: save it again",
        }[broken.what]
        raise BenchError(f"{path} {why}.") from broken
