"""Write a release, with everything that belongs to it, into a folder in one of the formats."""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from builders.drafting.composition import composition
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Release
from core.retrieval.absence import twin_record
from store.corpus import web_pages
from store.engine.database import Database
from store.engine.exchange import hidden_part
from store.format import Bundle, formats
from store.releases import half_life_checks, releases, seals
from store.releases.releases import WORKING_RELEASE, ReleaseMembers
from workbench.annotate.finding.difficulty import summarize_difficulty
from workbench.build.corpus.sources import leakage_of
from workbench.build.gating.gate_report import report_people
from workbench.release import certified
from workbench.release.frozen import frozen_nuggets, frozen_tables
from workbench.release.sealing import list_openings, redact

Writer = Callable[[Bundle, Path, frozenset[str]], None]
"""Function that writes a bundle into a folder; its third parameter names the withheld splits."""


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """An export of a release: the format of its folder and the number of its files."""

    release: str
    hash: str
    format: str
    files: int


def find_writer(form: str, rows_per_file: int | None) -> Writer:
    """Return the function that writes the format. Raises BenchError if the format can only be imported, or if it has no files
    of `rows_per_file` rows."""
    kind = pick(formats(), form, "format")
    if kind.write is None:
        writable = ", ".join(name for name, one in formats().items() if one.write)
        raise BenchError(f"Format {form} can only be imported; the formats for export are: {writable}.")
    if rows_per_file is not None and (rows_per_file < 1 or not kind.has_several_files):
        names = " and ".join(other for other, one in formats().items() if one.has_several_files)
        raise BenchError(f"--rows-per-file must be at least 1 and works only with the formats {names}.")
    return kind.write


def write_export(
    database: Database,
    release: Release,
    content: ReleaseMembers,
    write: Writer,
    out: Path,
    withhold: Sequence[str],
    with_html: bool,
    rows_per_file: int | None,
) -> int:
    """Write the release into the folder `out`, without the gold answers of the splits to withhold; return the number of
    files. Raises BenchError if the
    folder is not empty or cannot be written, or if the release has no such split."""
    splits = {row["split"] for row in release.manifest["items"]}
    if unknown := sorted(set(withhold) - splits):
        known = ", ".join(sorted(splits))
        raise BenchError(f"Release {release.name!r} has no split {unknown[0]!r} to withhold; it has: {known}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BenchError(f"{out} is not an empty folder: export into a new one.")
    if out.resolve() == Path.cwd():
        raise BenchError(f"{out} is the current folder: name a new folder for the export.")
    try:
        with hidden_part(database.path, out) as part:
            bundle, hidden = _seal_bundle(database, release, content, frozenset(withhold))
            bundle = replace(bundle, rows_per_file=rows_per_file)
            bundle = replace(bundle, web_page=partial(web_pages.read, database)) if with_html else bundle
            write(bundle, part, hidden)
            if out.exists():
                out.rmdir()
            part.replace(out)
    except OSError as error:
        raise BenchError(f"{out} cannot be written ({error.strerror}): choose another folder.") from error
    return sum(path.is_file() for path in out.rglob("*"))


def _seal_bundle(
    database: Database, release: Release, content: ReleaseMembers, withhold: frozenset[str]
) -> tuple[Bundle, frozenset[str]]:
    """Return the bundle and the splits to withhold as an export has them: of a sealed release, the sealed splits are always
    withheld. Once the seal was opened, the bundle also has what opens it."""
    bundle = _build_bundle(database, release, content)
    seal = seals.find(database, release.hash)
    if seal is None:
        return bundle, withhold
    is_closed = seals.is_closed(database, release.hash)
    openings = [] if is_closed else list_openings(database, seal, release, content)
    return replace(redact(bundle, seal), openings=openings), withhold.union(seal.splits)


def _build_bundle(database: Database, release: Release, content: ReleaseMembers) -> Bundle:
    record = releases.load_item_record(database, release)
    secret = releases.load_secret(database, release.name, release.hash)
    is_working = release.name == WORKING_RELEASE
    return Bundle(
        documents=content.documents,
        items=content.items,
        variants=content.variants,
        verdicts=record.verdicts,
        reviews=record.reviews,
        comments=record.comments,
        history=record.history,
        tables=frozen_tables.load_tables(database, content.tables),
        nugget_sets=frozen_nuggets.load_records(database, release.manifest),
        certificate=certified.load_record(database, release.hash, content.items),
        half_life=half_life_checks.load_record(database, release.hash),
        absence_twins=list(map(twin_record, content.twins)),
        manifest=release.manifest,
        name=release.name,
        hash=release.hash,
        salts={item.id: _make_salt(secret, item.id) for item in content.items},
        composition=composition(content.items, {d.id: d for d in content.documents}),
        leakage=leakage_of(content),
        people=report_people(database, content.items) if is_working else record.people,
        difficulty=summarize_difficulty(database, content.items) if is_working else record.difficulty,
    )


def _make_salt(secret: str, item: str) -> str:
    """Return the salt with which an item's withheld answers are hashed: an HMAC of the item's id with the release's secret,
    which no export contains."""
    return hmac.new(secret.encode(), item.encode(), "sha256").hexdigest()[:32]
