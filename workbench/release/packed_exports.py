"""Pack exports of releases as zip files for download."""

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.catalog import pick
from core.errors import BenchError
from core.ids import content_hash
from store.engine.database import Database
from store.engine.exchange import PACKED_EXPORTS
from store.format import formats
from store.releases import certificates, half_life_checks, releases
from workbench.release import sealing
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Timestamp of every file in a zip file; it is always the same, so that equal content gives equal bytes."""


@dataclass(frozen=True, slots=True)
class PackedExport:
    """An export of a release as a zip file, ready for download."""

    file: str
    bytes: int
    files: int
    sha256: str


class PackedExports:
    """Methods that pack exports of releases as zip files, and that find these files."""

    def __init__(self, database: Database, stage: ReleaseStage) -> None:
        self._db, self._releases = database, stage

    @requires("export releases", "name", is_logged=False)
    def pack(self, name: str, form: str, withhold: Sequence[str] = ()) -> PackedExport:
        """Export a release and pack the folder as a zip file. Equal content gives equal bytes, and a zip file that exists is
        used again."""
        pick(formats(), form, "format")
        is_working = name == releases.WORKING_RELEASE
        hash_ = self._releases.get(name)[0].hash if is_working else releases.load_hash(self._db, name)
        certificate = certificates.find_newest(self._db, hash_)
        parts = [hash_, form, sorted(withhold), *([certificate.id] if certificate else [])]
        parts += [check.id for check in half_life_checks.list_checks(self._db, hash_)]
        parts += ["opened"] if sealing.describe_opening(self._db, hash_) else []
        key = content_hash(parts).removeprefix("b2:")[:12]
        target = self.find_packed_file(f"{name}-{form}-{key}.zip")
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent) as room:
                folder = Path(room) / name
                self._releases.export(name, form, folder, withhold=withhold)
                packed = Path(room) / target.name
                pack_folder(folder, packed)
                packed.replace(target)
        with zipfile.ZipFile(target) as archive, target.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return PackedExport(target.name, target.stat().st_size, len(archive.namelist()), digest)

    @requires("export releases", "file", is_logged=False)
    def find_packed_file(self, file: str) -> Path:
        """Return the path of the packed export with this file name. Raises BenchError if the name is invalid."""
        if Path(file).name != file or not file.endswith(".zip") or file.startswith("."):
            raise BenchError("There is no such packed export: prepare it again on the page of the release.")
        return self._db.locate_folder(PACKED_EXPORTS) / file

    def remove(self) -> None:
        """Delete all packed exports; they can be made again from their releases."""
        shutil.rmtree(self._db.locate_folder(PACKED_EXPORTS), ignore_errors=True)


def pack_folder(folder: Path, target: Path) -> None:
    """Pack the folder as a zip file in which order and timestamps are fixed, so that equal content gives equal bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            name = zipfile.ZipInfo(str(path.relative_to(folder.parent)), _EPOCH)
            name.compress_type = zipfile.ZIP_DEFLATED
            name.external_attr = 0o644 << 16
            with path.open("rb") as file, archive.open(name, "w", force_zip64=True) as out:
                shutil.copyfileobj(file, out)
