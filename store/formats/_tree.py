"""Read HawkBench's files from a folder or a tar archive into memory. Nothing is unpacked to disk, links are not followed, and
the size of each file in an archive is checked before the file is read."""

import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from core.errors import BenchError
from core.json_lines import JsonLine, read_object
from store.formats._lines import describe_refusal

MAX_UNPACKED_BYTES = 2**30
"""Maximum size in bytes of all files together after unpacking."""
MAX_ARCHIVE_FILES = 20_000
"""Maximum number of files in a tar archive that is read."""
CONTEXTS = "all_context.json"
MAX_NAME_BYTES = 2**16
"""Maximum size in bytes of a file's name, or of its attributes, in an archive."""
_ABOUT_NEXT = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_LEVEL = re.compile(r"(?:^|/)level_([^/]+)/([^/]+)\.jsonl$")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz")


class TreeLine(NamedTuple):
    """One line of a HawkBench file that holds the questions of a level and domain."""

    where: str
    level: str
    """Level that the name of the folder gives; the line itself may give another level."""
    label: str
    """Domain that the name of the file gives."""
    line: JsonLine


@dataclass(frozen=True, slots=True)
class Tree:
    """The HawkBench files of a folder or archive."""

    lines: Mapping[str, bytes]
    """Dict from path to the file's bytes, sorted by path. A path ends with level_N/DOMAIN.jsonl, after the names of the folders
    above."""
    contexts: Mapping[str, Any]
    """Dict from context id to the context's entry in all_context.json."""
    contexts_name: str
    refused: list[Mapping[str, Any]] = field(default_factory=list)


def read_tree(path: Path) -> Tree:
    """Read HawkBench's files from a folder or archive. Raises BenchError if all_context.json is missing, or if the archive is
    broken, unsafe or too large."""
    refused: list[Mapping[str, Any]] = []
    if path.is_dir():
        files = dict(_read_folder(path, refused))
    elif path.name.lower().endswith(_ARCHIVES):
        files = dict(_read_archive(path))
    elif path.suffix.lower() == ".json" and path.is_file():
        files = {CONTEXTS: _read_file(path)}
    else:
        raise BenchError(
            f"{path} is neither a HawkBench folder nor a tar archive: give a folder, a .tar.bz2, .tar.gz or .tar, or a "
            f"single {CONTEXTS}."
        )
    contexts = [name for name in files if PurePosixPath(name).name == CONTEXTS]
    contexts.sort(key=lambda name: (name.count("/"), name))
    if not contexts:
        raise BenchError(f"{path} holds no {CONTEXTS}: HawkBench stores its contexts in that file.")
    _, entries, why = read_object(1, files[contexts[0]]) or JsonLine(1, None, "is empty")
    if entries is None:
        raise BenchError(f"{contexts[0]} in {path} {why}.")
    return Tree({name: files[name] for name in sorted(files) if _LEVEL.search(name)}, entries, contexts[0], refused)


def read_level_lines(tree: Tree) -> Iterator[TreeLine]:
    """Yield every line that is not blank from the files of all levels."""
    for name, content in tree.lines.items():
        match = _LEVEL.search(name)
        if match is None:
            continue
        level, label = match[1], unquote(match[2])
        for number, raw in enumerate(content.split(b"\n"), 1):
            if line := read_object(number, raw):
                yield TreeLine(name, level, label, line)


def _is_wanted(name: str) -> bool:
    return bool(_LEVEL.search(name)) or PurePosixPath(name).name == CONTEXTS


def _read_folder(path: Path, refused: list[Mapping[str, Any]]) -> Iterator[tuple[str, bytes]]:
    left = MAX_UNPACKED_BYTES
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if file.is_symlink() and file.is_dir():
            refused.append(describe_refusal(name, None, "is a link to a folder, which is not followed"))
        if not _is_wanted(name):
            continue
        if file.is_symlink() or not file.resolve().is_relative_to(path.resolve()):
            refused.append(describe_refusal(name, None, "is a link, which is not followed"))
        elif file.is_file():
            left -= file.stat().st_size
            if left < 0:
                raise BenchError(f"{path} holds more than {MAX_UNPACKED_BYTES // 2**20} MB: import it in parts.")
            yield name, _read_file(file)


def _read_file(file: Path) -> bytes:
    if file.stat().st_size > MAX_UNPACKED_BYTES:
        raise BenchError(f"{file} holds more than {MAX_UNPACKED_BYTES // 2**20} MB: import it in parts.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise BenchError(f"{file} cannot be read: {error.strerror or error}.") from error


class _Member(tarfile.TarInfo):
    """A member of a tar archive that rejects long names and large attributes, because tarfile loads them into memory without a
    limit."""

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if self.type in _ABOUT_NEXT and self.size > MAX_NAME_BYTES:
            raise ValueError(f"it has a name or attributes of {self.size:,} bytes")
        return super()._proc_member(archive)  # type: ignore[misc]


def _read_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    left = MAX_UNPACKED_BYTES
    try:
        with tarfile.open(path, "r|*", tarinfo=_Member) as archive:
            for number, member in enumerate(archive, 1):
                left -= max(member.size, 0)
                parts = PurePosixPath(member.name).parts
                if member.name.startswith("/") or ".." in parts or "\\" in member.name or "\0" in member.name:
                    raise BenchError(
                        f"{path} holds {member.name[:80]!r}, a path that leads outside the archive, so the archive is not "
                        "imported."
                    )
                if left < 0 or number > MAX_ARCHIVE_FILES:
                    raise BenchError(
                        f"{path} unpacks to over {MAX_UNPACKED_BYTES // 2**20} MB or {MAX_ARCHIVE_FILES:,} files, "
                        "so the archive is not imported."
                    )
                if not _is_wanted(member.name):
                    continue
                if not member.isfile():
                    raise BenchError(
                        f"{path} holds {member.name[:80]!r}, which is a link or a device, so the archive is not imported."
                    )
                stream = archive.extractfile(member)
                if stream is not None:
                    yield PurePosixPath(member.name).as_posix(), stream.read()
    except RecursionError as error:
        raise BenchError(f"{path} has too many name headers for one file, so the archive is not imported.") from error
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise BenchError(f"{path} cannot be read as a tar archive ({str(error)[:120]}): give the complete file.") from error
