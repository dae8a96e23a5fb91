"""Make the absence twins of a release when it is frozen, and check and import them. An absence twin is a question whose
evidence is hidden from the system. Runs on the release also ask the absence twins."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from builders.absence.twins import draw_items, make_twins
from core.retrieval.absence import AbsenceTwin, Obstacle, twin_from_record
from store.engine.database import Database
from store.releases import absence_twins
from store.releases.releases import ReleaseMembers


class FrozenTwins(NamedTuple):
    """The absence twins of a release that is being frozen."""

    manifest: Mapping[str, Any]
    """How the absence twins were drawn, and the hash of each, as the manifest contains them; empty if there are none."""
    twins: Sequence[AbsenceTwin]
    obstacles: Mapping[str, Obstacle]
    """Dict from each chosen item without an absence twin to the reason."""


NO_TWINS = FrozenTwins({}, (), {})


def make_frozen_twins(content: ReleaseMembers, share: float, seed: int, most: int) -> FrozenTwins:
    """Make absence twins for a share of the release's items, which the seed determines; a share of 0 makes none. The manifest
    counts chosen items without a twin by reason. The manifest does not name these items, because the reason could reveal the
    answer."""
    if not share:
        return NO_TWINS
    chosen = draw_items(content.items, share, seed)
    made = make_twins(chosen, content.retrieval, most)
    twins = sorted(made.twins, key=lambda twin: twin.item)
    manifest = {
        "share": share,
        "seed": seed,
        "most": most,
        "obstacles": dict(sorted(Counter(made.obstacles.values()).items())),
        "twins": [{"item": twin.item, "hash": twin.hash} for twin in twins],
    }
    return FrozenTwins(manifest, twins, made.obstacles)


def find_problems(database: Database, manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (item, problem) for each absence twin of the release that is not in the workspace."""
    here = {twin.hash for twin in absence_twins.load(database, manifest)}
    rows = absence_twins.list_rows(manifest)
    return [(row["item"], "has no absence twin here, or another one.") for row in rows if row["hash"] not in here]


def store_records(database: Database, records: Sequence[Mapping[str, Any]]) -> list[AbsenceTwin]:
    """Store the absence twins that came with a release; return them."""
    twins = list(map(twin_from_record, records))
    if twins:
        absence_twins.add(database, twins)
    return twins
