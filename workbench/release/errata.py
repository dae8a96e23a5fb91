"""Makes errata. An erratum is a release that differs from an earlier release only in the items of accepted contests: the
erratum corrects or withdraws these items. Its manifest names the corrected release and each changed item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from builders.templates.template_answers import join_values
from core.errors import BenchError
from core.ids import content_hash
from core.label_questions import LABEL_ANSWERS
from core.nouns import Item, Release, Span
from core.records import item_record
from core.tables.nouns import named_tables
from store.engine.database import Database
from store.items import items
from store.releases import contests, releases
from store.releases.contests import CONTRADICTED, ERRATUM, Contest
from store.releases.manifest import change_gold_sets, change_items, release_hash
from store.releases.releases import WORKING_RELEASE, ReleaseMembers
from workbench.build.corpus.sources import cutter
from workbench.release.frozen.frozen_nuggets import find_frozen_sets
from workbench.release.members import save_frozen
from workbench.release.naming import check_name
from workbench.release.sealing import check_open


class ChangedItem(NamedTuple):
    """An item that an erratum corrects or withdraws."""

    item: str
    before: Item
    after: Item | None
    """The item as the erratum has it; None = the item is withdrawn."""
    contests: Sequence[Contest]
    """The accepted contests of the item, in the order of the decisions; the last decision counts."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """An erratum that was frozen, with the release that it corrects."""

    release: str
    hash: str
    of: str
    of_hash: str
    items: int
    corrected: Sequence[str]
    """Ids of the items that are corrected."""
    withdrawn: Sequence[str]
    variants_left_out: int
    """Number of variants that the erratum leaves out, because the question of their item changed or the item was withdrawn."""
    twins_left_out: int
    """Number of absence twins that the erratum leaves out, because their item changed or was withdrawn."""
    contradicted: Sequence[str] = ()
    """Ids of corrected items whose released answer was computed from tables of the release, which the erratum keeps; a system
    that reads them finds the released answer."""


def list_changes(database: Database, release: Release, content: ReleaseMembers) -> list[ChangedItem]:
    """Return the items of a release that accepted contests change, in the order of the release. If the release is an erratum
    itself, contests of the releases that it corrects count too, but each contest goes into one erratum only."""
    chain = contests.list_chain(database, release.hash, release.manifest)
    done = {contest["id"] for entry in chain for change in entry["changes"] for contest in change["contests"]}
    found: dict[str, list[Contest]] = {}
    for one in contests.list_contests(database, [release.hash, *(entry["hash"] for entry in chain)]):
        if one.state == "accepted" and one.id not in done:
            found.setdefault(one.item, []).append(one)
    changes = []
    for item in content.items:
        if accepted := sorted(found.get(item.id, ()), key=lambda one: one.decisions[-1].at):
            after = _load_revision(database, item, accepted[-1].decisions[-1].revision)
            changes.append(ChangedItem(item.id, item, after, accepted))
    return changes


def freeze_erratum(database: Database, name: str, release: Release, content: ReleaseMembers) -> Erratum:
    """Freeze the accepted contests of a release as a new release. Raises BenchError if no contest changes the release, or if
    the evidence of a corrected item is in a document that the release does not have."""
    check_name(name)
    if release.name == WORKING_RELEASE:
        raise BenchError("The release working changes by itself: make an erratum of a release that was frozen under a name.")
    check_open(database, release, "an erratum")
    changes = list_changes(database, release, content)
    if not changes:
        raise BenchError(
            f"No accepted contest changes the release {release.name}, so it has no erratum: accept a contest of it first."
        )
    named = {document.id for document in content.documents}
    for change in changes:
        if change.after and not {span.document for span in change.after.evidence} <= named:
            raise BenchError(
                f"The evidence of the corrected item {change.item} stands in a document that the release {release.name} does "
                "not have, so the answers of systems cannot be scored again: freeze a new release instead."
            )
    after = {change.item: change.after for change in changes}
    members = [kept for item in content.items if (kept := after.get(item.id, item)) is not None]
    if not members:
        raise BenchError(f"The accepted contests withdraw every item of the release {release.name}: keep at least one.")
    reworded = {change.item for change in changes if not change.after or change.after.question != change.before.question}
    variants = [variant for variant in content.variants if variant.item not in reworded]
    twins = tuple(twin for twin in content.twins if twin.item not in after)
    text = cutter(content.documents)
    records = [_record_change(change, text) for change in changes]
    named_variants = {variant.id for variant in variants}
    manifest = {
        **change_items(release.manifest, records),
        "variants": [row for row in release.manifest["variants"] if row["id"] in named_variants],
        ERRATUM: {"of": release.name, "hash": release.hash, "changes": records},
    }
    corrected = [item for item in after.values() if item]
    new_sets = find_frozen_sets(database, corrected).records if "nugget_sets" in manifest else []
    manifest = change_gold_sets(manifest, new_sets, set(after))
    made = Release(name, release_hash(manifest), manifest)
    save_frozen(database, made, members, variants, releases.load_secret(database, release.name, release.hash))
    return Erratum(
        release=name,
        hash=made.hash,
        of=release.name,
        of_hash=release.hash,
        items=len(members),
        corrected=[id_ for id_, item in after.items() if item],
        withdrawn=[id_ for id_, item in after.items() if not item],
        variants_left_out=len(content.variants) - len(variants),
        twins_left_out=len(content.twins) - len(twins),
        contradicted=[record["item"] for record in records if CONTRADICTED in record],
    )


def describe_erratum(database: Database, hash_: str) -> str:
    """Return a sentence on what the release with this hash corrects; "" if it is no erratum."""
    entry = releases.load_erratum(database, hash_)
    if not entry:
        return ""
    withdrawn = sum(change["after"] is None for change in entry["changes"])
    corrected = len(entry["changes"]) - withdrawn
    contests_ = sum(len(change["contests"]) for change in entry["changes"])
    return (
        f"an erratum of {entry['of']}: {corrected} {'item' if corrected == 1 else 'items'} corrected, {withdrawn} withdrawn, "
        f"by {contests_} accepted {'contest' if contests_ == 1 else 'contests'}."
    )


def _load_revision(database: Database, released: Item, revision: int | None) -> Item | None:
    """Return the item at this revision, with the answers to label questions that the release has; None for no revision."""
    if revision is None:
        return None
    (item,) = items.fetch_revisions(database.rows, [(released.id, revision, "accepted")])
    labels = {name: value for name, value in item.labels.items() if name != LABEL_ANSWERS}
    frozen = {LABEL_ANSWERS: released.labels[LABEL_ANSWERS]} if LABEL_ANSWERS in released.labels else {}
    return replace(item, labels=labels | frozen)


def _contradicts_tables(change: ChangedItem) -> bool:
    """Check whether the tables of the release give the released answer of a corrected item, and not the corrected one."""
    computed = [step for step in change.before.steps if step.get("kind") == "answer" and step.get("values")]
    if change.after is None or not computed or not named_tables(change.before.steps):
        return False
    text = join_values(computed[0]["values"], change.before.language).casefold()
    stated = [any(text in answer.casefold() for answer in item.answers) for item in (change.before, change.after)]
    return stated == [True, False]


def _record_change(change: ChangedItem, text: Callable[[Span], str]) -> dict[str, Any]:
    """Return the manifest's record of a change. The record has no answers, because the split of the item may be withheld."""

    def state(item: Item) -> dict[str, Any]:
        return {"revision": item.revision, "hash": content_hash(item_record(item, text))}

    return {
        "item": change.item,
        "before": state(change.before),
        "after": state(change.after) if change.after else None,
        **({} if change.after else {"question": change.before.question}),
        **({CONTRADICTED: True} if _contradicts_tables(change) else {}),
        "contests": [{"id": one.id, "kind": one.kind, "by": one.person} for one in change.contests],
        "decided_by": change.contests[-1].decisions[-1].person,
    }
