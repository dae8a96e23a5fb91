"""Write the section of the dataset card on what an erratum changes."""

from collections.abc import Mapping
from typing import Any

from core.nouns import Item
from store.format import Bundle, Revision
from store.formats._markdown import escape_markdown, render_table
from store.formats._withheld import map_splits
from store.releases.contests import CONTRADICTED, ERRATUM


def render_erratum(bundle: Bundle, withheld: frozenset[str]) -> str:
    """Return the section on the items that differ from the corrected release; "" if the release is no erratum. Answers of
    withheld items are left out."""
    entry = bundle.manifest.get(ERRATUM)
    if not entry:
        return ""
    splits, items = map_splits(bundle), {item.id: item for item in bundle.items}
    revisions = {(one.item, one.revision): one for one in bundle.history}
    rows = []
    for change in entry["changes"]:
        item = items.get(change["item"])
        before = revisions.get((change["item"], change["before"]["revision"]))
        is_hidden = item is not None and splits.get(item.id, "test") in withheld
        contests = ", ".join(f"{one['kind'].replace('_', ' ')}{_name(one)}" for one in change["contests"])
        cells = _describe_change(change, item, before, is_hidden)
        rows.append([change["item"], *cells, contests, change["decided_by"]])
    contradicted = ", ".join(f"`{change['item']}`" for change in entry["changes"] if change.get(CONTRADICTED))
    keeps = "\n\nThe tables of this release still give the old answers to these items: "
    return (
        f"## Erratum of {escape_markdown(entry['of'])}\n\nThis release differs from {escape_markdown(entry['of'])} "
        f"(`{entry['hash']}`) in these items only. `manifest.json` has the hash of each item before and after.\n\n"
        + render_table(["Item", "Question", "Before", "After", "Contest", "Decided by"], rows)
        + (f"{keeps}{contradicted}." if contradicted else "")
    )


def _describe_change(
    change: Mapping[str, Any], item: Item | None, before: Revision | None, is_hidden: bool
) -> tuple[str, str, str]:
    """Return the question, and the answers before and after; if the question changed, both wordings, the old one first."""
    if item is None:
        return change["question"], "", "withdrawn"
    was = before.question if before else item.question
    question = item.question if was == item.question else f"{was} → {item.question}"
    if is_hidden:
        return question, "withheld", "withheld"
    after = " / ".join(item.answers)
    if before is None:
        return question, "", after
    same = before.answers == item.answers and before.question == item.question
    return question, " / ".join(before.answers), f"{after} (other evidence)" if same else after


def _name(contest: Mapping[str, str]) -> str:
    return f" ({contest['by']})" if contest["by"] else ""
