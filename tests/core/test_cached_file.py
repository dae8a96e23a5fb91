"""What is kept among the user's caches is read again, and a damaged file is made anew."""

from pathlib import Path

import pytest

from core.cached_file import cache_folder, load_or_make


def test_it_is_made_once_and_read_ever_after(tmp_path: Path) -> None:
    file, made = tmp_path / "deep" / "one", []
    for _ in range(3):
        assert load_or_make(file, lambda: made.append(1) or {"a": 1, "b": (2.5, None)}) == {"a": 1, "b": (2.5, None)}
    assert made == [1] and [path.name for path in file.parent.iterdir()] == ["one"]


@pytest.mark.parametrize("content", [b"", b"no marshal", b"{", b"\xff" * 99])
def test_a_damaged_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "one"
    file.write_bytes(content)
    assert load_or_make(file, lambda: [1]) == [1] == load_or_make(file, lambda: [2])


def test_where_nothing_can_be_written_it_is_made_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert load_or_make(tmp_path / "file" / "one", lambda: [1]) == [1]


def test_the_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "benchwright"
