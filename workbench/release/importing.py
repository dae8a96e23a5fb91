"""What was read of a benchmark goes into the store."""

from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.nouns import Item, Release
from store import comments, documents, items, releases, review_import, variants, web_pages
from store.database import Database
from store.format import Bundle
from store.formats._lines import refusal
from store.manifest import release_hash
from workbench.annotate.reading import Reading
from workbench.annotate.second_look import SecondLook
from workbench.release import frozen_tables
from workbench.release.naming import check_name


def bring_in(database: Database, bundle: Bundle, path: Path) -> dict[str, Any]:
    """What was read goes into the store."""
    added, _ = documents.add(database, bundle.documents)
    tables = frozen_tables.bring_in(database, bundle.tables, path.name)
    web_pages.add(database, bundle.web_pages)
    there = documents.known(database, {span.document for item in bundle.items for span in item.evidence})
    lost = {item.id: item for item in bundle.items if any(span.document not in there for span in item.evidence)}
    new, known = items.add(database, [item for item in bundle.items if item.id not in lost])
    variants.add(database, bundle.variants)
    came = review_import.bring_in(database, bundle.reviews, bundle.history)
    look = SecondLook(database, Reading(database))
    for item in items.many(database, came.reworded):
        look.now(item)
    said = comments.bring_in(database, bundle.comments)
    restored = None if lost else _restore(database, bundle)
    unfit = sorted((bundle.lines.get(id_, 0), why) for id_, why in came.refused)
    unsaid = sorted((bundle.comment_lines.get(id_, 0), why) for id_, why in said.refused)
    return {
        "documents": len(added), "tables": tables, "items": len(new), "reviews": len(came.added),
        "comments": len(said.added),
        "already": len(known) + len(came.already) + len(said.already),
        "refused": [*map(dict, bundle.refused), *(_homeless(item, path) for item in lost.values()),
                    *(refusal("reviews.jsonl" if path.is_dir() else path.name, line, why) for line, why in unfit),
                    *(refusal("comments.jsonl", line, why) for line, why in unsaid)],
        "release": restored,
    }  # fmt: skip


def _restore(database: Database, bundle: Bundle) -> str | None:
    """Save the release of an exported folder, unless its content did not come in whole."""
    if not bundle.manifest or bundle.refused:
        return None
    check_name(bundle.name)
    if release_hash(bundle.manifest) != bundle.hash:
        raise BenchError(f"manifest.json does not have the hash of release {bundle.name!r}: run verify.py in the folder.")
    releases.save(database, Release(bundle.name, bundle.hash, bundle.manifest), bundle.variants)
    return bundle.name


def _homeless(item: Item, path: Path) -> dict[str, Any]:
    """Why an item did not come in whose evidence stands nowhere."""
    message = f"{item.id} points into a document that is neither in {path.name} nor in the workspace: import that one first."
    return {"where": path.name, "line": None, "message": message}
