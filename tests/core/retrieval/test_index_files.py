"""Kept indexes: made once for what they are made of, read from the disk ever after, and never half."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.retrieval.index_files import IndexFiles


def made(log: list[str], name: str = "a", size: int = 4) -> dict[str, Any]:
    log.append(name)
    return {"vectors": np.arange(size, dtype=np.float32)}


def test_it_is_made_once_and_then_read_from_the_disk(tmp_path: Path) -> None:
    log: list[str] = []
    for _ in range(3):
        found = IndexFiles(tmp_path / "i").arrays({"chunks": 1}, lambda: made(log))["vectors"]
        assert isinstance(found, np.memmap) and found.tolist() == [0, 1, 2, 3]
    assert log == ["a"]
    IndexFiles(tmp_path / "i").arrays({"chunks": 2}, lambda: made(log, "other"))
    assert log == ["a", "other"], "what it is made of decides"


def test_what_was_cut_short_or_damaged_is_made_anew(tmp_path: Path) -> None:
    files, log = IndexFiles(tmp_path), list[str]()

    def killed() -> dict[str, Any]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.arrays(1, killed)
    files.arrays(1, lambda: made(log))
    (file,) = tmp_path.glob("*/vectors.npy")
    file.write_bytes(file.read_bytes()[:-5])
    assert files.arrays(1, lambda: made(log, "again"))["vectors"].tolist() == [0, 1, 2, 3]
    assert log == ["a", "again"]


def test_a_folder_that_cannot_be_written_costs_only_the_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    files, log = IndexFiles(tmp_path / "file" / "i"), list[str]()
    for _ in range(2):
        assert files.arrays(1, lambda: made(log))["vectors"].tolist() == [0, 1, 2, 3]
    assert log == ["a", "a"]


def test_those_not_used_for_longest_go(tmp_path: Path) -> None:
    files, log = IndexFiles(tmp_path, most=2), list[str]()
    for key in (1, 2, 1, 3, 1, 2):
        files.arrays(key, lambda name=str(key): made(log, name))  # type: ignore[misc]
    assert log == ["1", "2", "3", "2"] and len(list(tmp_path.iterdir())) == 2
