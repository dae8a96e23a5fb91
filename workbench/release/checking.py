"""Check whether a release, in the workspace or in an exported folder, has the content that its manifest lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.ids import content_hash
from core.nouns import Release
from core.records import item_record, variant_record
from store.engine.database import Database
from store.formats.shipped.verify import verify as check_folder
from store.releases import seals
from store.releases.manifest import release_hash
from store.releases.releases import ReleaseMembers
from workbench.build.corpus.sources import cutter, sources_of
from workbench.release import sealing
from workbench.release.frozen import frozen_absence, frozen_nuggets, frozen_tables


@dataclass(frozen=True, slots=True)
class ReleaseProblem:
    """A difference between a release and its manifest."""

    file: str
    line: int | None
    id: str | None
    message: str


@dataclass(frozen=True, slots=True)
class ReleaseCheck:
    """The result of comparing a release with its manifest."""

    ok: bool
    hash: str | None
    """Hash of the release, or None if its checksums cannot be read."""
    problems: Sequence[ReleaseProblem]


def find_problems(database: Database, release: Release, content: ReleaseMembers) -> list[ReleaseProblem]:
    """List the differences between the release's content in the workspace and its manifest."""
    seal = seals.find(database, release.hash)
    problems = [
        _problem("manifest.json", f"its hash is {h}, the release's is {release.hash}.")
        for h in [release_hash(seal.manifest if seal else release.manifest)]
        if h != release.hash
    ]
    problems += (
        [_problem("seal", why, id_) for id_, why in sealing.find_problems(database, seal, release, content)] if seal else []
    )
    text = cutter(content.documents)
    named = {row["id"]: row["hash"] for row in release.manifest["items"]}
    there = {item.id: item for item in content.items}
    for id_, hash_ in named.items():
        if id_ not in there:
            problems.append(_problem("items", "is missing from the workspace.", id_))
        elif content_hash(item_record(there[id_], text)) != hash_:
            problems.append(_problem("items", "was changed: its content hash differs.", id_))
    problems += _changed_variants(release, content)
    parts = {row["id"]: row["split"] for row in release.manifest["items"]}
    problems += [
        _problem("manifest.json", f"and its family are in the splits {' and '.join(sorted(torn))}.", family[0])
        for family in release.manifest["splits"].get("families", ())
        if len(torn := {parts[id_] for id_ in family}) > 1
    ]
    problems += [
        _problem("tables", why, table) for table, why in frozen_tables.find_problems(database, content.tables, content.items)
    ]
    problems += [_problem("absence", why, item) for item, why in frozen_absence.find_problems(database, release.manifest)]
    problems += [_problem("nuggets", why, item) for item, why in frozen_nuggets.find_problems(database, release.manifest)]
    whole = {document.id for document in content.documents if content_hash(document.text) == document.id}
    problems += [
        _problem("documents", "is missing from the workspace, or was changed.", row["id"])
        for row in release.manifest["documents"]
        if row["id"] not in whole
    ]
    problems += [
        _problem("documents", "is left out of retrieval, and no document of the release.", id_)
        for id_ in sorted(content.left_out - {row["id"] for row in release.manifest["documents"]})
    ]
    if not release.manifest.get("gold_included"):
        problems += [
            _problem("documents", "is a source that an answer was taken from, and in the retrieval corpus.", id_)
            for id_ in sorted(sources_of(content.items) - content.left_out)
        ]
    return problems


def verify_folder(folder: Path) -> ReleaseCheck:
    """Check an exported folder: compare its content with its manifest. No workspace is needed."""
    hash_, problems = check_folder(folder)
    return ReleaseCheck(not problems, hash_, [ReleaseProblem(**problem) for problem in problems])


def _changed_variants(release: Release, content: ReleaseMembers) -> list[ReleaseProblem]:
    """List the variants of the release that differ from the release's manifest."""
    there = {v.id: content_hash(variant_record(v)) for v in content.variants}
    return [
        _problem("variants", "was changed: its content hash differs.", row["id"])
        for row in release.manifest["variants"]
        if there.get(row["id"]) != row["hash"]
    ]


def _problem(file: str, message: str, id_: str | None = None) -> ReleaseProblem:
    return ReleaseProblem(file, None, id_, message)
